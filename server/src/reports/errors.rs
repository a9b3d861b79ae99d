//! Why a report is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a report is refused. A wrong period is a [`crate::calendar::CalendarError`].
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ReportError {
    #[error("year is a year such as 2026")]
    InvalidReportYear,
}

impl Reason for ReportError {
    fn kind(&self) -> Kind {
        Kind::Invalid
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
