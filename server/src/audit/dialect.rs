//! Queries of the audit that SQLite and PostgreSQL spell differently.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::db::Conn;
use crate::error::Result;

/// The last id assigned to an audit row. On PostgreSQL the row may not be committed yet.
pub fn last_audit_id(conn: &mut Conn) -> Result<i64> {
    #[derive(QueryableByName)]
    struct Last {
        #[diesel(sql_type = BigInt)]
        audit_id: i64,
    }
    let last = match conn {
        Conn::Sqlite(conn) => {
            diesel::sql_query("SELECT coalesce(max(audit_id), 0) AS audit_id FROM audit").get_result::<Last>(conn)?
        }
        Conn::Postgres(conn) => diesel::sql_query(
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit', 'audit_id')::regclass), 0) AS audit_id",
        )
        .get_result::<Last>(conn)?,
    };
    Ok(last.audit_id)
}

/// The transactions that are writing to the audit. An INSERT locks the table before its row gets an id and holds the lock until
/// its rows are visible. SQLite has one writer, whose rows are visible at once.
pub fn writers(conn: &mut Conn) -> Result<Vec<String>> {
    let Conn::Postgres(conn) = conn else { return Ok(Vec::new()) };
    #[derive(QueryableByName)]
    struct WriterRow {
        #[diesel(sql_type = Text)]
        transaction: String,
    }
    let writing = diesel::sql_query(
        "SELECT virtualtransaction AS transaction FROM pg_locks
         WHERE locktype = 'relation' AND relation = 'audit'::regclass AND mode = 'RowExclusiveLock' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    .load::<WriterRow>(conn)?;
    Ok(writing.into_iter().map(|one| one.transaction).collect())
}
