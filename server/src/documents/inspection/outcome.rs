//! What the child answers.

use serde::{Deserialize, Serialize};

use crate::documents::rules;
use crate::error::Error;

/// The most pages of a PDF.
pub const MAX_PAGES: usize = 200;
/// The most points of a picture, and the most on a side.
pub const MAX_PIXELS: u64 = 50_000_000;
pub const MAX_SIDE_LEN: u32 = 12_000;

/// Why a file is not taken, as the child says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Damaged, cut off, or of another kind than it looks.
    Unreadable,
    /// A PDF that acts, by the name that gave it away.
    Active(String),
    Encrypted,
    TooManyPages,
    /// Of too many points.
    TooManyPixels,
    Animated,
    /// It would grow too large.
    Inflates,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unreadable => Self::unsupported(rules::ONLY_PDF_OR_IMAGES),
            Refusal::Active(name) => Self::invalid(format!(
                "This PDF holds scripts, actions or other files (/{name}), which are not taken. Please print it to a new PDF \
                 and upload that"
            )),
            Refusal::Encrypted => {
                Self::invalid("This PDF is protected by a password. Please save it without one and upload that")
            }
            Refusal::TooManyPages => Self::invalid(format!(
                "This PDF has more than {MAX_PAGES} pages. Please upload only those that are needed"
            )),
            Refusal::TooManyPixels => Self::invalid(format!(
                "This picture is too large: at most {} megapixels, and {} pixels on a side. Please make it smaller",
                MAX_PIXELS / 1_000_000,
                MAX_SIDE_LEN
            )),
            Refusal::Animated => Self::invalid("Moving pictures are not taken. Please upload a still one"),
            Refusal::Inflates => too_complex(),
        }
    }
}

pub fn too_complex() -> Error {
    Error::invalid(
        "This file is too complex to be checked. Please print it to a new PDF, or save it as a JPEG, and upload that",
    )
}

/// What the child answers: one line of JSON, and after it the file's new content, if that changed.
#[derive(Debug, Serialize, Deserialize)]
pub enum Outcome {
    Unchanged,
    Changed,
    Refused(Refusal),
}
