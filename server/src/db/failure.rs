//! The meaning of a database failure to its caller.

use derive::Reason;
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use super::postgres::sqlstate;
use crate::error::Error;

/// Why a database did not do its work, as far as its users can do something about it.
#[derive(Debug, thiserror::Error, Reason)]
pub enum DatabaseError {
    #[error("The database is busy, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    DatabaseBusy,
    #[error("The database cannot be reached. Please try again")]
    #[reason(Unavailable)]
    DatabaseUnreachable,
    #[error("Storage is full, nothing was saved")]
    #[reason(Unavailable)]
    StorageFull,
    #[error("This took too long and was stopped, nothing was saved")]
    #[reason(Unavailable)]
    StatementTimedOut,
    #[error("The database could not save this, nothing was saved. Please try again")]
    #[reason(Unavailable)]
    NotSaved,
    /// The transaction may have been saved all the same, and a client that repeats the request could do the same thing twice.
    #[error(
        "The connection to the database was lost while saving. Please check whether it was saved before you try again"
    )]
    #[reason(Unavailable, retry_after = never)]
    OutcomeUnknown,
    #[error("database_url must begin with sqlite:// or postgres://")]
    #[reason(Invalid)]
    UnknownDatabase,
    #[error("database_url: {0}")]
    #[reason(Invalid)]
    InvalidDatabaseUrl(String),
    #[error("The PostgreSQL database is not encoded in UTF-8. Create it with ENCODING 'UTF8'")]
    #[reason(Invalid)]
    DatabaseNotUtf8,
    #[error(
        "This PostgreSQL database drops Chinese and Arabic letters from its search index. Create it with a UTF-8 locale: \
         TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C'"
    )]
    #[reason(Invalid)]
    DatabaseLocale,
    #[error(
        "The database was made by another version of Visadesk (its step {0} is not known here). Start that version, or name an empty \
         data folder or database; demo data is made again with `visadesk seed`"
    )]
    #[reason(Invalid)]
    UnknownMigration(String),
    #[error("The database is not empty. Choose an empty one, or another data folder")]
    #[reason(Conflict)]
    DatabaseInUse,
    #[error("The database is damaged")]
    #[reason(Damaged)]
    DatabaseDamaged,
    #[error("{0} does not belong to a backup of this database. Nothing was restored")]
    #[reason(Invalid)]
    ForeignPart(String),
    /// A part, and an object of its schema.
    #[error(
        "{part} does not belong to a backup of this database: its {object} was added, altered or removed. Nothing was restored"
    )]
    #[reason(Invalid)]
    ForeignSchema { part: String, object: String },
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match meaning(&error) {
            Some(known) => Self::from(known).caused_by(error),
            None => Self::internal(error),
        }
    }
}

fn meaning(error: &DieselError) -> Option<DatabaseError> {
    let (kind, info) = match error {
        DieselError::BrokenTransactionManager => return Some(DatabaseError::DatabaseBusy),
        DieselError::RollbackErrorOnCommit { commit_error, .. } => return meaning(commit_error),
        DieselError::DatabaseError(kind, info) => (kind, info.as_ref()),
        _ => return None,
    };
    if let DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::SerializationFailure = kind {
        return Some(DatabaseError::DatabaseBusy);
    }
    match (sqlstate(info), info.message()) {
        // lock_not_available; too_many_connections
        (Some("55P03" | "53300"), _) => Some(DatabaseError::DatabaseBusy),
        // disk_full
        (Some("53100"), _) => Some(DatabaseError::StorageFull),
        // query_canceled, which is how a statement_timeout ends
        (Some("57014"), _) => Some(DatabaseError::StatementTimedOut),
        (Some(_), _) => None,
        // SQLite's messages are never translated.
        (None, "database is locked") => Some(DatabaseError::DatabaseBusy),
        (None, message) if message.contains("disk is full") => Some(DatabaseError::StorageFull),
        (None, message) if message.contains("interrupted") => Some(DatabaseError::StatementTimedOut),
        (None, _) => None,
    }
}

/// Returns the error of a failed COMMIT: if the connection was lost, the outcome is unknown.
pub fn commit_failed(error: DieselError) -> Error {
    let commit_error = match &error {
        DieselError::RollbackErrorOnCommit { commit_error, .. } => commit_error,
        error => error,
    };
    if matches!(commit_error, DieselError::DatabaseError(DatabaseErrorKind::ClosedConnection, _)) {
        return Error::from(DatabaseError::OutcomeUnknown).caused_by(error);
    }
    error.into()
}
