//! Why a public call is refused before it reaches an order.

use derive::Reason;

/// Why a public call is refused before it reaches an order.
#[derive(Debug, thiserror::Error, Reason)]
pub enum TrackingError {
    /// The visitor has no grant, whatever the call asks for.
    #[error("Please confirm the email used on the application")]
    #[reason(SignedOut)]
    EmailNotConfirmed,
    #[error("Too many tries. Please wait {seconds} seconds and try again")]
    #[reason(TooMany, retry_after = *seconds)]
    TooManyPublicCalls { seconds: u64 },
}
