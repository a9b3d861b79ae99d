//! Why a stream is refused.

use derive::Reason;

/// Why a stream is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum LiveError {
    #[error("after is the cursor of an earlier event")]
    InvalidLiveCursor,
}
