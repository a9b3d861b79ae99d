//! Why a call about papers is refused.

use derive::Reason;

/// Why a call about papers is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum PaperError {
    #[error("This order has no paper that can be checked. Please upload the passport first")]
    #[reason(Invalid)]
    NoPaperToCheck,
    #[error("This finding has changed. Please reload the order and check it again")]
    #[reason(Conflict)]
    FindingChanged,
    #[error(
        "This part of the photograph has too few pixels for the portal. Choose a larger part, or ask for a new photograph"
    )]
    #[reason(Invalid)]
    FrameTooSmall,
    #[error("This photograph could not be converted. Please ask for it as JPEG or PNG")]
    #[reason(Invalid)]
    PhotographTooComplex,
    #[error("Too many photographs are being converted. Please try again")]
    #[reason(Unavailable)]
    PhotographsBusy,
}
