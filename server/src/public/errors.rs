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
    #[error("Please enter the six digits of the code")]
    TrackingCodeMissing,
    /// The same for a code that was never sent, a wrong one and an old one.
    #[error("This code is wrong or no longer valid. Please check the newest email, or ask for another code")]
    TrackingCodeWrong,
    /// The same for a forged key, an expired one and a revoked one.
    #[error("This link is no longer valid. Please enter the email used on the application")]
    MailedLinkInvalid,
}

impl Reason for PublicError {
    fn kind(&self) -> Kind {
        match self {
            Self::TrackedOrderMissing | Self::TrackedEmailMissing | Self::TrackingCodeMissing => Kind::Invalid,
            Self::ApplicationNotFound | Self::VisaNotFound | Self::TrackingCodeWrong | Self::MailedLinkInvalid => {
                Kind::NotFound
            }
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
