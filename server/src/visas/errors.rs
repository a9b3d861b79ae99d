//! Why a setting or a file about visas is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a setting or a file about visas is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum VisaError {
    #[error(
        "release_by_window names {code:?}. It is not known when the government takes applications for it, only for: {known}"
    )]
    WindowNotKnown { code: String, known: String },
    /// With the first fault of the file.
    #[error("visas/portal.json: {0}")]
    InvalidPortal(String),
}

impl Reason for VisaError {
    fn kind(&self) -> Kind {
        match self {
            Self::WindowNotKnown { .. } | Self::InvalidPortal(_) => Kind::Invalid,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
