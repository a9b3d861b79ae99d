//! Why a call about papers is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a call about papers is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PaperError {
    #[error("This order has no paper that can be checked. Please upload the passport first")]
    NoPaperToCheck,
    #[error("This finding has changed meanwhile. Please load the order again and look once more")]
    FindingChanged,
}

impl Reason for PaperError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoPaperToCheck => Kind::Invalid,
            Self::FindingChanged => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        None
    }
}
