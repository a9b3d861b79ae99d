//! Why a payment gateway cannot be chosen.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a payment gateway cannot be chosen.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum GatewayError {
    #[error("Please select gateway")]
    GatewayMissing,
    #[error("gatewayId is not a gateway's id. Please select gateway")]
    InvalidGatewayId,
    #[error("There is no such gateway. Please select another one")]
    GatewayNotFound,
    #[error("{0} is not in use any more. Please select another gateway")]
    GatewayRetired(String),
    #[error("The configuration names no payment gateway")]
    NoConfiguredGateway,
}

impl Reason for GatewayError {
    fn kind(&self) -> Kind {
        match self {
            Self::GatewayMissing | Self::InvalidGatewayId | Self::NoConfiguredGateway => Kind::Invalid,
            Self::GatewayNotFound => Kind::NotFound,
            Self::GatewayRetired(_) => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
