//! What a failure of the database means to its caller.

use diesel::result::{DatabaseErrorKind, Error as DieselError};

use super::postgres::sqlstate;
use crate::error::{Error, Kind};

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match Trouble::of(&error) {
            Trouble::Busy => Self::unavailable("The database is busy, nothing was saved. Please try again"),
            Trouble::Full => Self::unavailable("Storage is full, nothing was saved"),
            Trouble::TookTooLong => Self::unavailable("This took too long and was stopped, nothing was saved"),
            Trouble::Other => return Self::internal(error),
        }
        .caused_by(error)
    }
}

/// Why a database did not do its work, as far as its users can do something about it.
enum Trouble {
    Busy,
    Full,
    TookTooLong,
    Other,
}

impl Trouble {
    fn of(error: &DieselError) -> Self {
        let (kind, info) = match error {
            DieselError::BrokenTransactionManager => return Self::Busy,
            DieselError::RollbackErrorOnCommit { commit_error, .. } => return Self::of(commit_error),
            DieselError::DatabaseError(kind, info) => (kind, info.as_ref()),
            _ => return Self::Other,
        };
        if let DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::SerializationFailure = kind {
            return Self::Busy;
        }
        match (sqlstate(info), info.message()) {
            // lock_not_available; too_many_connections
            (Some("55P03" | "53300"), _) => Self::Busy,
            // disk_full
            (Some("53100"), _) => Self::Full,
            // query_canceled, which is how a statement_timeout ends
            (Some("57014"), _) => Self::TookTooLong,
            (Some(_), _) => Self::Other,
            // SQLite speaks English everywhere.
            (None, "database is locked") => Self::Busy,
            (None, message) if message.contains("disk is full") => Self::Full,
            (None, message) if message.contains("interrupted") => Self::TookTooLong,
            (None, _) => Self::Other,
        }
    }
}

/// A COMMIT that failed. If the connection was lost, the transaction may have been saved all the same.
pub fn commit_failed(error: DieselError) -> Error {
    let commit_error = match &error {
        DieselError::RollbackErrorOnCommit { commit_error, .. } => commit_error,
        error => error,
    };
    if !matches!(commit_error, DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection, _)) {
        return error.into();
    }
    // Without Retry-After: a client that repeats the request could do the same thing twice.
    Error::new(
        Kind::Unavailable,
        "The connection to the database was lost while saving. Please look whether it was saved before you try again",
    )
    .caused_by(error)
}
