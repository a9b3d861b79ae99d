//! Why a call of the applicant's pages is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a call of the applicant's pages is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PublicError {
    #[error("Please enter your orderId")]
    TrackedOrderMissing,
    #[error("Please enter your email")]
    TrackedEmailMissing,
    /// The same for an unknown order, a wrong email and an order that is not the visitor's.
    #[error("We found no application with this order number and email. Please check both and try again")]
    ApplicationNotFound,
    #[error("There is no such file. Please load the page again")]
    VisaNotFound,
}

impl Reason for PublicError {
    fn kind(&self) -> Kind {
        match self {
            Self::TrackedOrderMissing | Self::TrackedEmailMissing => Kind::Invalid,
            Self::ApplicationNotFound | Self::VisaNotFound => Kind::NotFound,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
