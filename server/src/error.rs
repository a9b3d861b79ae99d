//! Why something was refused or failed, in terms that no protocol knows: its kind, its code, a text for a person, and a cause for
//! the log.

use std::error::Error as StdError;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use serde_json::Value;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of a failure. `http` gives each a status.
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
    /// Not there, or hidden from the caller.
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
    /// A bug, or a broken part beneath the server.
    Internal,
}

/// A reason why a call is refused or fails, as the enums of the rooms define them. Its `Display` is a text for a person: what
/// happened, and what to do next.
pub trait Reason: StdError + Send + Sync + 'static {
    /// The kind of the failure.
    fn kind(&self) -> Kind;

    /// A stable name for programs, such as `order_not_found`. No two reasons share one.
    fn code(&self) -> &'static str;

    /// Facts that the client acts on, such as the order that stopped a bulk call.
    fn data(&self) -> Option<Value> {
        None
    }

    /// The seconds to wait before the next try.
    fn retry_after_seconds(&self) -> Option<u64> {
        retry_after_seconds(self.kind())
    }
}

/// The seconds to wait before the next try, unless a reason says otherwise.
pub fn retry_after_seconds(kind: Kind) -> Option<u64> {
    (kind == Kind::Unavailable).then_some(1)
}

/// The errors of an extractor or of a service, for the contract of the calls that use it.
pub trait Refusals {
    /// Each of the errors once, with an example of its message.
    fn refusals() -> Vec<Box<dyn Reason>> {
        Vec::new()
    }
}

/// Implemented for errors that include those of the service `Part`.
pub trait Includes<Part> {}

/// The permission to use a service that refuses for the reasons `R`. Its functions ask for it. A handler takes it as an argument, which
/// brings the reasons into the contract of its call.
#[derive(Debug)]
pub struct Permission<R>(PhantomData<R>);

impl<R> Permission<R> {
    /// For a handler whose arguments have it, see `http::routes`.
    pub(crate) const fn by_argument() -> Self {
        Self(PhantomData)
    }

    /// For work that answers no call.
    pub const fn in_background() -> Self {
        Self(PhantomData)
    }

    /// For a service that this one uses.
    pub const fn of<Part>(self) -> Permission<Part>
    where
        R: Includes<Part>,
    {
        Permission(PhantomData)
    }
}

impl<R> Clone for Permission<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Permission<R> {}

impl<R: Refusals> Refusals for Permission<R> {
    fn refusals() -> Vec<Box<dyn Reason>> {
        R::refusals()
    }
}

/// Why a call was refused or failed: a [`Reason`] of any room, and the cause, which goes to the log alone.
#[derive(Debug)]
pub struct Error {
    reason: Arc<dyn Reason>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

impl<R: Reason> From<R> for Error {
    fn from(reason: R) -> Self {
        Self { reason: Arc::new(reason), cause: None }
    }
}

/// A bug, or a broken part beneath the server.
#[derive(Debug, thiserror::Error)]
#[error("Something went wrong on our side")]
struct Internal;

impl Reason for Internal {
    fn kind(&self) -> Kind {
        Kind::Internal
    }

    fn code(&self) -> &'static str {
        "internal"
    }
}

impl Error {
    /// A bug, or a broken part beneath the server. The cause is logged under an incident id.
    pub fn internal(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::from(Internal).caused_by(cause)
    }

    /// Adds the cause, for the log.
    pub fn caused_by(self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// The same failure, for one more caller. Its cause is kept as text.
    pub fn for_another(&self) -> Self {
        Self { reason: self.reason.clone(), cause: self.cause.as_ref().map(|cause| cause.to_string().into()) }
    }

    /// The kind of the failure.
    pub fn kind(&self) -> Kind {
        self.reason.kind()
    }

    /// Its stable name.
    pub fn code(&self) -> &'static str {
        self.reason.code()
    }

    /// The text for a person.
    pub fn message(&self) -> String {
        self.reason.to_string()
    }

    /// Facts that the client acts on.
    pub fn data(&self) -> Option<Value> {
        self.reason.data()
    }

    /// The seconds to wait before the next try.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        self.reason.retry_after_seconds()
    }

    /// The cause, for the log alone.
    pub fn cause(&self) -> Option<String> {
        self.cause.as_ref().map(ToString::to_string)
    }

    /// Returns true if the program or a part beneath it failed, and not the request.
    pub fn is_failure(&self) -> bool {
        matches!(self.kind(), Kind::Unavailable | Kind::Damaged | Kind::Internal)
    }

    /// Returns true if the same work may succeed at once: the database chose another transaction over this one.
    pub fn is_worth_retrying(&self) -> bool {
        matches!(
            self.cause.as_deref().and_then(|cause| cause.downcast_ref::<DieselError>()),
            Some(DieselError::DatabaseError(DatabaseErrorKind::SerializationFailure, _))
        )
    }

    /// Returns true if a unique index refused the row. `constraint` is its name on PostgreSQL; SQLite names `table.column` instead.
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
        fmt::Display::fmt(&self.reason, to)?;
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
