//! A row of a file.

use serde_json::{Map, Value};

use crate::orders::rules::fields::FieldError;

/// The most bytes of one row.
pub const MAX_BYTES: usize = 256 * 1024;

/// A row and its number: in NDJSON the line, in CSV the row of the spreadsheet, where the header is 1.
#[derive(Debug, PartialEq)]
pub struct ImportRow {
    pub number: u64,
    pub given: Result<RowFields, FieldError>,
}

/// The fields of a row.
#[derive(Debug, Default, PartialEq)]
pub struct RowFields {
    pub fields: Map<String, Value>,
    /// Those of them that hold no value, as an error of a spreadsheet.
    pub doubts: Vec<FieldError>,
}

/// A fault of a whole row.
pub fn fault(reason: impl Into<String>) -> FieldError {
    FieldError { field: "the row".into(), reason: reason.into() }
}

/// The fault of a row that is too long.
pub fn too_long() -> FieldError {
    fault(format!("is longer than {} KB", MAX_BYTES / 1024))
}
