//! Failures of PostgreSQL as Diesel's errors, with their SQLSTATE.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};
use tokio_postgres::error::{DbError, ErrorPosition, SqlState};

/// An error of PostgreSQL, or of the connection to it, as Diesel's.
pub fn query_error(error: &tokio_postgres::Error) -> Error {
    let Some(refused) = error.as_db_error() else {
        return Error::DatabaseError(DatabaseErrorKind::ClosedConnection, Box::new(described(error)));
    };
    let kind = match refused.code() {
        &SqlState::UNIQUE_VIOLATION => DatabaseErrorKind::UniqueViolation,
        &SqlState::FOREIGN_KEY_VIOLATION => DatabaseErrorKind::ForeignKeyViolation,
        &SqlState::NOT_NULL_VIOLATION => DatabaseErrorKind::NotNullViolation,
        &SqlState::CHECK_VIOLATION => DatabaseErrorKind::CheckViolation,
        &SqlState::EXCLUSION_VIOLATION => DatabaseErrorKind::ExclusionViolation,
        &SqlState::RESTRICT_VIOLATION => DatabaseErrorKind::RestrictViolation,
        &SqlState::READ_ONLY_SQL_TRANSACTION => DatabaseErrorKind::ReadOnlyTransaction,
        // PostgreSQL chose another transaction: the same work may succeed at once.
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            DatabaseErrorKind::SerializationFailure
        }
        &SqlState::ADMIN_SHUTDOWN
        | &SqlState::CRASH_SHUTDOWN
        | &SqlState::CANNOT_CONNECT_NOW
        | &SqlState::DATABASE_DROPPED
        | &SqlState::IDLE_SESSION_TIMEOUT
        | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => DatabaseErrorKind::ClosedConnection,
        _ => DatabaseErrorKind::Unknown,
    };
    Error::DatabaseError(
        kind,
        Box::new(ServerError {
            text: format!("{SQLSTATE}{}: {}", refused.code().code(), refused.message()),
            refused: refused.clone(),
        }),
    )
}

/// An error with its causes.
pub fn described(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The prefix of messages that come from PostgreSQL.
const SQLSTATE: &str = "SQLSTATE ";

/// The SQLSTATE of an error of PostgreSQL. It does not depend on the server's language.
pub fn sqlstate(info: &dyn DatabaseErrorInformation) -> Option<&str> {
    info.message().strip_prefix(SQLSTATE)?.get(..5)
}

/// An error that PostgreSQL returned.
struct ServerError {
    /// The code and the message. Diesel's interface has no code, so the message carries it.
    text: String,
    refused: DbError,
}

impl DatabaseErrorInformation for ServerError {
    fn message(&self) -> &str {
        &self.text
    }

    fn details(&self) -> Option<&str> {
        self.refused.detail()
    }

    fn hint(&self) -> Option<&str> {
        self.refused.hint()
    }

    fn table_name(&self) -> Option<&str> {
        self.refused.table()
    }

    fn column_name(&self) -> Option<&str> {
        self.refused.column()
    }

    fn constraint_name(&self) -> Option<&str> {
        self.refused.constraint()
    }

    fn statement_position(&self) -> Option<i32> {
        match self.refused.position()? {
            ErrorPosition::Original(position) | ErrorPosition::Internal { position, .. } => {
                i32::try_from(*position).ok()
            }
        }
    }
}
