//! Why a call about the audit, or a check of it, fails.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a call about the audit, or a check of it, fails.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AuditError {
    #[error("limit is a number from 1 to {max}")]
    InvalidAuditLimit { max: i64 },
    #[error("This is not an order's number. Please write it as 100001")]
    InvalidAuditOrder,
    /// Only with `access.stop_at_budget`.
    #[error(
        "You have seen the {rows_per_hour} rows that your role may see in one hour. Please wait {minutes} minutes, or ask an Admin"
    )]
    RowBudgetReached { rows_per_hour: i64, minutes: u64, seconds: u64 },
    /// Too many notes wait to be written, and a response must not leave without its note.
    #[error("What you open cannot be recorded at the moment, so it cannot be shown. Please try again in a moment")]
    AccessLogBusy,
    #[error("These filters match more than {max} entries. Please choose a shorter period")]
    AccessExportTooLong { max: i64 },
    #[error("The audit was altered in rows {first_id} to {last_id} (link {link_id}): {fault}")]
    AuditAltered { first_id: i64, last_id: i64, link_id: i64, fault: &'static str },
}

impl Reason for AuditError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidAuditLimit { .. } | Self::InvalidAuditOrder | Self::AccessExportTooLong { .. } => {
                Kind::Invalid
            }
            Self::RowBudgetReached { .. } => Kind::TooMany,
            Self::AccessLogBusy => Kind::Unavailable,
            Self::AuditAltered { .. } => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::RowBudgetReached { seconds, .. } => Some(*seconds),
            Self::AccessLogBusy => Some(1),
            _ => None,
        }
    }
}
