//! Why a public call is refused before it reaches an order.

use derive::Reason;

use crate::text::counted;

/// Why a public call is refused before it reaches an order.
#[derive(Debug, thiserror::Error, Reason)]
pub enum TrackingError {
    /// The visitor has no grant, whatever the call asks for.
    #[error("Please confirm the email used on the application")]
    #[reason(SignedOut)]
    EmailNotConfirmed,
    #[error("Too many tries. Please wait {} and try again", counted(*seconds, "second"))]
    #[reason(TooMany, retry_after = *seconds)]
    TooManyPublicCalls { seconds: u64 },
}
