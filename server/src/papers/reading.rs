//! The values read from a paper. They are stored, and compared with the order again after each correction.

use serde::{Deserialize, Serialize};

use crate::documents::rules::MediaType;
use crate::text_enum;
use images::photograph::Measures;

text_enum! {
    /// The source from which the lines of a passport were read.
    pub enum ReadFrom {
        /// The text of a PDF.
        TextLayer = "text_layer",
        /// Tesseract read the picture.
        Tesseract = "tesseract",
    }
}

/// Two lines as they were read once; none if the line could not be read.
pub type ReadLines = [Option<String>; 2];

/// The machine-readable lines of a passport page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassportReading {
    pub from: ReadFrom,
    pub first: ReadLines,
    /// A second reading from another picture of the same lines. The text of a PDF needs none.
    pub second: Option<ReadLines>,
    /// The lines, cut out and straightened, as base64 of a JPEG.
    pub crop: Option<String>,
}

/// A photograph as it was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhotographReading {
    pub media_type: MediaType,
    pub bytes: usize,
    pub measures: Measures,
}

/// The values read from a paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "paper", rename_all = "snake_case")]
pub enum PaperReading {
    Passport(PassportReading),
    Photograph(PhotographReading),
}
