//! Why a public call is refused before it reaches an order.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a public call is refused before it reaches an order.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TrackingError {
    /// The visitor has no grant, whatever the call asks for.
    #[error("Please confirm the email used on the application")]
    EmailNotConfirmed,
    #[error("Too many tries. Please wait {seconds} seconds and try again")]
    TooManyPublicCalls { seconds: u64 },
}

impl Reason for TrackingError {
    fn kind(&self) -> Kind {
        match self {
            Self::EmailNotConfirmed => Kind::SignedOut,
            Self::TooManyPublicCalls { .. } => Kind::TooMany,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::TooManyPublicCalls { seconds } => Some(*seconds),
            Self::EmailNotConfirmed => None,
        }
    }
}
