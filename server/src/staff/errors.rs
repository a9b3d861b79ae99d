//! Why a member of staff, or somebody who wants to be one, is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a call about staff is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum StaffError {
    #[error("There is no member of staff named {0}")]
    UnknownStaffName(String),
}

impl Reason for StaffError {
    fn kind(&self) -> Kind {
        match self {
            Self::UnknownStaffName(_) => Kind::Invalid,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
