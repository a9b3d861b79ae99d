//! Why a setting about visas is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a setting about visas is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum VisaError {
    #[error(
        "release_by_window names {code:?}. It is not known when the government takes applications for it, only for: {known}"
    )]
    WindowNotKnown { code: String, known: String },
}

impl Reason for VisaError {
    fn kind(&self) -> Kind {
        match self {
            Self::WindowNotKnown { .. } => Kind::Invalid,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
