//! Why a payment gateway cannot be chosen.

use derive::Reason;

/// Why a payment gateway cannot be chosen.
#[derive(Debug, thiserror::Error, Reason)]
pub enum GatewayError {
    #[error("Please select gateway")]
    #[reason(Invalid)]
    GatewayMissing,
    #[error("gatewayId is not a gateway's id. Please select gateway")]
    #[reason(Invalid)]
    InvalidGatewayId,
    #[error("There is no such gateway. Please select another one")]
    #[reason(NotFound)]
    GatewayNotFound,
    #[error("{0} is not in use any more. Please select another gateway")]
    #[reason(Conflict)]
    GatewayRetired(String),
    #[error("The configuration names no payment gateway")]
    #[reason(Invalid)]
    NoConfiguredGateway,
}
