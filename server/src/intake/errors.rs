//! Why an order, a payment, a document or an API key is refused.

use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};
use strum::IntoStaticStr;

use super::fields::FieldError;
use crate::error::{Kind, Reason};
use crate::ids::OrderId;

/// The most fields that the text names. The data names all of them.
const MAX_NAMED_FIELDS: usize = 10;

/// Why an order, a payment, a document or an API key is refused.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum IntakeError {
    #[error("{}", describe(.0))]
    InvalidFields(Vec<FieldError>),
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
    #[error("The file {} cannot be used: {error}", .file.display())]
    ImportFileUnusable { file: PathBuf, error: io::Error },
}

impl Reason for IntakeError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidFields(_)
            | Self::DocumentFileMissing
            | Self::InvalidApiKeyName
            | Self::ImportFileUnusable { .. } => Kind::Invalid,
            Self::OrderAlreadyPaid(_) | Self::ApiKeyNameTaken(_) => Kind::Conflict,
            Self::UnknownApiKey => Kind::SignedOut,
            Self::ApiKeyNotFound(_) => Kind::NotFound,
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
}

fn describe(errors: &[FieldError]) -> String {
    let described = errors.iter().take(MAX_NAMED_FIELDS).map(|error| format!("{} {}", error.field, error.reason));
    described.collect::<Vec<_>>().join("; ")
}
