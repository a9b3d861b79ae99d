//! Why an order, a payment, a document or an API key is refused.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::ids::OrderId;
use crate::orders::rules::fields::{FieldError, describe};

/// Why an order, a payment, a document or an API key is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum IntakeError {
    #[error("{}", describe(.0))]
    InvalidFields(Vec<FieldError>),
    #[error(
        "Nothing was stored: an order without a source has this reference, and it is of another email address or processing date"
    )]
    ReferenceOfAnotherOrder,
    #[error("Order {0} has another payment already")]
    OrderAlreadyPaid(OrderId),
    #[error("file is missing")]
    DocumentFileMissing,
    #[error("The X-Api-Key is missing or not known")]
    UnknownApiKey,
    #[error("Please give the key a name of at most 100 letters")]
    InvalidApiKeyName,
    #[error("There is or was a key named {0}. Please choose another name")]
    ApiKeyNameTaken(String),
    #[error("There is no key named {0} in use")]
    ApiKeyNotFound(String),
    #[error("This key does not exist, or it has been revoked already. Please reload the list")]
    ApiKeyRevoked,
    #[error("Please give the source a name of at most 100 letters")]
    InvalidSourceName,
    #[error("Please choose at least one right for the key")]
    ApiKeyRightsMissing,
    #[error("The rights of a key are {0}. Please choose from these")]
    UnknownApiKeyRight(String),
    #[error("Please write the expiry as 2027-01-31 or 2027-01-31T13:45:00Z")]
    InvalidApiKeyExpiry,
    #[error("The key would be expired already. Please choose a later date")]
    ApiKeyExpiryPast,
    #[error("{0} is neither an address nor a network. Please write networks as 203.0.113.0/24, separated by commas")]
    InvalidApiKeyNetwork(String),
    #[error("Please name at most {0} networks")]
    TooManyApiKeyNetworks(usize),
    #[error("The calls per minute must be a whole number from 1 to {0}")]
    InvalidApiKeyRate(i64),
    #[error("This API key lacks the right for this call: {0}. Ask an Admin for a key that has it")]
    ApiKeyRightMissing(&'static str),
    #[error("This API key has made too many calls. Please wait {seconds} seconds and try again")]
    TooManyApiKeyCalls { seconds: u64 },
    #[error("The file {} cannot be used: {error}", .file.display())]
    ImportFileUnusable { file: PathBuf, error: io::Error },
}

impl Reason for IntakeError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidFields(_)
            | Self::DocumentFileMissing
            | Self::InvalidApiKeyName
            | Self::InvalidSourceName
            | Self::ApiKeyRightsMissing
            | Self::UnknownApiKeyRight(_)
            | Self::InvalidApiKeyExpiry
            | Self::ApiKeyExpiryPast
            | Self::InvalidApiKeyNetwork(_)
            | Self::TooManyApiKeyNetworks(_)
            | Self::InvalidApiKeyRate(_)
            | Self::ImportFileUnusable { .. } => Kind::Invalid,
            Self::ReferenceOfAnotherOrder | Self::OrderAlreadyPaid(_) | Self::ApiKeyNameTaken(_) => Kind::Conflict,
            Self::UnknownApiKey => Kind::SignedOut,
            Self::ApiKeyNotFound(_) | Self::ApiKeyRevoked => Kind::NotFound,
            Self::ApiKeyRightMissing(_) => Kind::Forbidden,
            Self::TooManyApiKeyCalls { .. } => Kind::TooMany,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::InvalidFields(errors) => Some(json!({ "errors": errors })),
            _ => None,
        }
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::TooManyApiKeyCalls { seconds } => Some(*seconds),
            _ => None,
        }
    }
}
