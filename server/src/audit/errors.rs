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
    #[error("The audit was altered in rows {first_id} to {last_id} (link {link_id}): {fault}")]
    AuditAltered { first_id: i64, last_id: i64, link_id: i64, fault: &'static str },
}

impl Reason for AuditError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidAuditLimit { .. } | Self::InvalidAuditOrder => Kind::Invalid,
            Self::AuditAltered { .. } => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
