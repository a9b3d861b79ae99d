//! Why a call of the applicant's pages is refused.

use derive::Reason;

/// Why a call of the applicant's pages is refused.
#[derive(Debug, thiserror::Error, Reason)]
pub enum PublicError {
    #[error("Please enter your orderId")]
    #[reason(Invalid)]
    TrackedOrderMissing,
    #[error("Please enter your email")]
    #[reason(Invalid)]
    TrackedEmailMissing,
    /// The same for an unknown order, a wrong email and an order that is not the visitor's.
    #[error("We found no application with this order number and email. Please check both and try again")]
    #[reason(NotFound)]
    ApplicationNotFound,
    #[error("There is no such file. Please reload the page")]
    #[reason(NotFound)]
    VisaNotFound,
    #[error("Please enter the six digits of the code")]
    #[reason(Invalid)]
    TrackingCodeMissing,
    /// The same for a code that was never sent, a wrong one and an old one.
    #[error("This code is wrong or no longer valid. Please check the newest email, or ask for another code")]
    #[reason(NotFound)]
    TrackingCodeWrong,
    /// The same for a forged key, an expired one and a revoked one.
    #[error("This link is no longer valid. Please enter the email used on the application")]
    #[reason(NotFound)]
    MailedLinkInvalid,
}
