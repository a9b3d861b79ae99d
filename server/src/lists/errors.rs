//! Why a list, a search or a history is refused.

use derive::Reason;

/// Why a list, a search or a history is refused.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum ListError {
    #[error("limit is a number from 1 to {0}")]
    InvalidPageLimit(i64),
    #[error("before is the older of a previous response")]
    InvalidHistoryPosition,
    #[error("page is a number from 1")]
    InvalidPageNumber,
    #[error("start and end are row numbers, at most {0} apart")]
    InvalidRowRange(i64),
    #[error("ids are order ids, separated by commas, at most {0}")]
    InvalidRowIds(usize),
    #[error("Please search for at most {0} characters")]
    SearchTermTooLong(usize),
    #[error("month is January to December")]
    InvalidProcessingMonth,
    #[error("year is a year such as 2026")]
    InvalidProcessingYear,
    #[error("{0} has no column {1} that can be hidden")]
    UnknownColumn(&'static str, String),
    #[error("Only ChargeBack orders can be sorted by urgency, and not those of one need alone")]
    SortNotOfFolder,
}
