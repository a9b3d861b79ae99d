//! The child's reply.

use calamine::XlsxError;
use serde::{Deserialize, Serialize};

use crate::intake::import::records::MAX_COLUMNS;

/// The outcome of reading a workbook.
#[derive(Debug, Serialize, Deserialize)]
pub enum ConversionOutcome {
    /// The sheet of orders follows as CSV. The others have values, too.
    Sheet {
        others: Vec<String>,
    },
    Refused(WorkbookRefusal),
}

/// Why a workbook is not read. The message continues a sentence about the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum WorkbookRefusal {
    #[error("it is protected. Save it without a password, and import it again")]
    Protected,
    #[error("it is no workbook of Excel 2007 or later. Save it as XLSX or CSV, and import that")]
    OtherFormat,
    #[error(
        "it is damaged, or written in an unusual way. Open it in a spreadsheet, save it as XLSX or CSV, and import that"
    )]
    Unreadable,
    #[error("it is too large or too complex. Save its sheet of orders as CSV, and import that")]
    TooLarge,
    #[error("its sheet of orders has values beyond column {MAX_COLUMNS}. Remove them, or save the sheet as CSV")]
    TooManyColumns,
    #[error("more than one sheet has orders: {}. Save each of them as CSV, and import one after the other", .0.join(", "))]
    SeveralSheets(Vec<String>),
}

impl From<XlsxError> for WorkbookRefusal {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::Password => Self::Protected,
            // A package begins with its relationships.
            XlsxError::FileNotFound(_) => Self::OtherFormat,
            _ => Self::Unreadable,
        }
    }
}
