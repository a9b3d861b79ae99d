//! Why an order, a payment, a document or an API key is refused.

use std::io;
use std::path::PathBuf;

use derive::Reason;

use crate::ids::OrderId;
use crate::orders::rules::fields::{FieldError, describe};
use crate::text::counted;

/// Why an order, a payment, a document or an API key is refused.
#[derive(Debug, thiserror::Error, Reason)]
pub enum IntakeError {
    #[error("{}", describe(.0))]
    #[reason(Invalid, data(errors = _0))]
    InvalidFields(Vec<FieldError>),
    #[error(
        "Nothing was stored: an order without a source has this reference, and it is of another email address or processing date"
    )]
    #[reason(Conflict)]
    ReferenceOfAnotherOrder,
    #[error("Order {0} has another payment already")]
    #[reason(Conflict)]
    OrderAlreadyPaid(OrderId),
    #[error("file is missing")]
    #[reason(Invalid)]
    DocumentFileMissing,
    #[error("The X-Api-Key is missing or not known")]
    #[reason(SignedOut)]
    UnknownApiKey,
    #[error("Please give the key a name of at most 100 letters")]
    #[reason(Invalid)]
    InvalidApiKeyName,
    #[error("There is or was a key named {0}. Please choose another name")]
    #[reason(Conflict)]
    ApiKeyNameTaken(String),
    #[error("There is no key named {0} in use")]
    #[reason(NotFound)]
    ApiKeyNotFound(String),
    #[error("This key does not exist, or it has been revoked already. Please reload the list")]
    #[reason(NotFound)]
    ApiKeyRevoked,
    #[error("Please give the source a name of at most 100 letters")]
    #[reason(Invalid)]
    InvalidSourceName,
    #[error("Please choose at least one right for the key")]
    #[reason(Invalid)]
    ApiKeyRightsMissing,
    #[error("The rights of a key are {0}. Please choose from these")]
    #[reason(Invalid)]
    UnknownApiKeyRight(String),
    #[error("Please write the expiry as 2027-01-31 or 2027-01-31T13:45:00Z")]
    #[reason(Invalid)]
    InvalidApiKeyExpiry,
    #[error("The key would be expired already. Please choose a later date")]
    #[reason(Invalid)]
    ApiKeyExpiryPast,
    #[error("{0} is neither an address nor a network. Please write networks as 203.0.113.0/24, separated by commas")]
    #[reason(Invalid)]
    InvalidApiKeyNetwork(String),
    #[error("Please enter at most {0} networks")]
    #[reason(Invalid)]
    TooManyApiKeyNetworks(usize),
    #[error("The calls per minute must be a whole number from 1 to {0}")]
    #[reason(Invalid)]
    InvalidApiKeyRate(i64),
    #[error("This API key lacks the right for this call: {0}. Ask an Admin for a key that has it")]
    #[reason(Forbidden)]
    ApiKeyRightMissing(&'static str),
    #[error("This API key has made too many calls. Please wait {} and try again", counted(*seconds, "second"))]
    #[reason(TooMany, retry_after = *seconds)]
    TooManyApiKeyCalls { seconds: u64 },
    #[error("The file {} cannot be used: {error}", .file.display())]
    #[reason(Invalid)]
    ImportFileUnusable { file: PathBuf, error: io::Error },
    #[error(
        "Nothing was imported: {} would be refused. Please correct the file, or import it without --all-or-nothing",
        counted(*.refused, "row")
    )]
    #[reason(Invalid)]
    ImportRefused { refused: u64 },
}
