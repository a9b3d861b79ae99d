//! Why a call about the audit, or a check of it, fails.

use derive::Reason;

use crate::text::counted;

/// Why a call about the audit, or a check of it, fails.
#[derive(Debug, thiserror::Error, Reason)]
pub enum AuditError {
    #[error("limit is a number from 1 to {max}")]
    #[reason(Invalid)]
    InvalidAuditLimit { max: i64 },
    #[error("This is not an order's number. Please write it as 100001")]
    #[reason(Invalid)]
    InvalidAuditOrder,
    /// Only with `access.stop_at_budget`.
    #[error(
        "You have seen the {rows_per_hour} rows that your role may see in one hour. Please wait {}, or ask an Admin",
        counted(*minutes, "minute")
    )]
    #[reason(TooMany, retry_after = *seconds)]
    RowBudgetReached { rows_per_hour: i64, minutes: u64, seconds: u64 },
    /// Too many notes wait to be written, and a response must not leave without its note.
    #[error("Access to this data cannot be recorded at the moment, so it is not shown. Please try again in a moment")]
    #[reason(Unavailable)]
    AccessLogBusy,
    #[error("These filters match more than {max} entries. Please choose a shorter period")]
    #[reason(Invalid)]
    AccessExportTooLong { max: i64 },
    #[error("The audit was altered in rows {first_id} to {last_id} (link {link_id}): {fault}")]
    #[reason(Conflict)]
    AuditAltered { first_id: i64, last_id: i64, link_id: i64, fault: &'static str },
}
