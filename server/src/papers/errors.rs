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
    #[error(
        "This part of the photograph has too few pixels for the portal. Choose a larger part, or ask for a new photograph"
    )]
    FrameTooSmall,
    #[error("This photograph could not be converted. Please ask for it as JPEG or PNG")]
    PhotographTooComplex,
    #[error("Too many photographs are being converted. Please try again")]
    PhotographsBusy,
}

impl Reason for PaperError {
    fn kind(&self) -> Kind {
        match self {
            Self::NoPaperToCheck | Self::FrameTooSmall | Self::PhotographTooComplex => Kind::Invalid,
            Self::PhotographsBusy => Kind::Unavailable,
            Self::FindingChanged => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        matches!(self, Self::PhotographsBusy).then_some(1)
    }
}
