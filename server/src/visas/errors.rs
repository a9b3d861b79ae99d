//! Why a setting or a file about visas is refused.

use derive::Reason;

/// Why a setting or a file about visas is refused.
#[derive(Debug, thiserror::Error, Reason)]
pub enum VisaError {
    #[error(
        "release_by_window names {code:?}. It is not known when the government takes applications for it, only for: {known}"
    )]
    #[reason(Invalid)]
    WindowNotKnown { code: String, known: String },
    /// With the first fault of the file.
    #[error("visas/portal.json: {0}")]
    #[reason(Invalid)]
    InvalidPortal(String),
}
