//! Why a report is refused.

use derive::Reason;

/// Why a report is refused. A wrong period is a [`crate::calendar::CalendarError`].
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum ReportError {
    #[error("year is a year such as 2026")]
    InvalidReportYear,
}
