//! Why something was refused or failed, in terms that no protocol knows: its kind, a text for a person, and a cause for the log.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use serde_json::Value;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What kind of failure it is. `http` gives each a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be read.
    Unreadable,
    /// The request can be read, and a rule refuses what it says.
    Invalid,
    /// No session, or one that has ended.
    SignedOut,
    /// Signed in, and not allowed.
    Forbidden,
    /// Not there, or not the caller's to know of.
    NotFound,
    /// An address that does not take this method.
    WrongMethod,
    /// The request did not arrive, or its work did not end, in time.
    TimedOut,
    /// The state of things has changed, or forbids it.
    Conflict,
    /// More than a limit allows.
    TooLarge,
    /// A kind of content that the call does not take.
    Unsupported,
    /// Too many attempts.
    TooMany,
    /// Not now.
    Unavailable,
    /// A stored file is not what was stored.
    Damaged,
    /// Our own mistake, or a broken part beneath us.
    Internal,
}

/// Why a call was refused or failed. The message is fit to show; the cause goes to the log alone.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    message: Cow<'static, str>,
    // Boxed, so that a Result stays small where nothing fails.
    data: Option<Box<Value>>,
    retry_after_seconds: Option<u64>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// A failure of that kind.
    pub fn new(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self { kind, message: message.into(), data: None, retry_after_seconds: None, cause: None }
    }

    /// The request cannot be read.
    pub fn unreadable(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Unreadable, message)
    }

    /// The request can be read, and a rule refuses what it says.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    /// There is no session, or it has ended.
    pub fn signed_out() -> Self {
        Self::new(Kind::SignedOut, "Please sign in again")
    }

    /// 401 with a text of its own.
    pub fn unauthorized(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::SignedOut, message)
    }

    /// Signed in, and not allowed.
    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Forbidden, message)
    }

    /// Not there, or not the caller's to know of.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::NotFound, message)
    }

    /// The state of things has changed, or forbids it.
    pub fn conflict(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// More than a limit allows.
    pub fn too_large(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::TooLarge, message)
    }

    /// A kind of content that the call does not take.
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Unsupported, message)
    }

    /// Too many attempts.
    pub fn too_many(message: impl Into<Cow<'static, str>>, retry_after_seconds: u64) -> Self {
        Self { retry_after_seconds: Some(retry_after_seconds.max(1)), ..Self::new(Kind::TooMany, message) }
    }

    /// Not now; nothing was saved.
    pub fn unavailable(message: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after_seconds: Some(1), ..Self::new(Kind::Unavailable, message) }
    }

    /// Our own mistake, or a broken part beneath us. The cause is logged under an incident id.
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..Self::new(Kind::Internal, "Something went wrong on our side") }
    }

    /// Adds facts that the client acts on, such as the order that stopped a bulk call.
    pub fn with_data(self, data: Value) -> Self {
        Self { data: Some(Box::new(data)), ..self }
    }

    /// The same refusal, for one more caller.
    pub fn for_another(&self) -> Self {
        Self {
            kind: self.kind,
            message: self.message.clone(),
            data: self.data.clone(),
            retry_after_seconds: self.retry_after_seconds,
            cause: self.cause.as_ref().map(|cause| cause.to_string().into()),
        }
    }

    /// Adds what lies beneath it, for the log.
    pub fn caused_by(self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Facts that the client acts on.
    pub fn data(&self) -> Option<&Value> {
        self.data.as_deref()
    }

    /// How long to wait before the next try.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.retry_after_seconds
    }

    /// What lies behind the failure, for the log alone.
    pub fn cause(&self) -> Option<String> {
        self.cause.as_ref().map(ToString::to_string)
    }

    /// Whether the program or a part beneath it failed, and not the request.
    pub fn is_failure(&self) -> bool {
        matches!(self.kind, Kind::Unavailable | Kind::Damaged | Kind::Internal)
    }

    /// The text for a person.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the same work may succeed at once: the database chose another transaction over this one.
    pub fn is_worth_retrying(&self) -> bool {
        matches!(
            self.cause.as_deref().and_then(|cause| cause.downcast_ref::<DieselError>()),
            Some(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _))
        )
    }

    /// Whether a unique index refused the row. `constraint` is its name on PostgreSQL; SQLite names `table.column` instead.
    pub fn is_duplicate(&self, postgres_constraint: &str, sqlite_columns: &str) -> bool {
        match self.cause.as_deref().and_then(|cause| cause.downcast_ref::<DieselError>()) {
            Some(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, info)) => {
                info.constraint_name() == Some(postgres_constraint) || info.message().contains(sqlite_columns)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)?;
        match &self.cause {
            Some(cause) => write!(to, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as _)
    }
}
