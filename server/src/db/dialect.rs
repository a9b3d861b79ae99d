//! The differences between the two databases, each behind a name.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{self, Bool, Text};

use super::conn::Conn;
use super::failure::DatabaseError;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The settings of a reading connection to SQLite. It cannot change anything. It reads the database where the kernel has mapped it, so its
/// own cache, 4 MiB, is for pages that are still in the log alone.
pub(super) const SQLITE_READER: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -4096; PRAGMA mmap_size = 4294967296; PRAGMA query_only = ON;";

/// The settings of the writing connection: a commit is on disk when it returns, and readers never block it. It reads as they do; its cache is
/// also for the pages that a transaction changes. A log that a long transaction has lengthened is cut to 64 MiB when it is reused.
pub(super) const SQLITE_WRITER: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; PRAGMA mmap_size = 4294967296;
    PRAGMA journal_size_limit = 67108864;";

/// The settings of a PostgreSQL session. SQLite's limit on the time of statements is in `time_limit.rs`. Compiling a statement (`jit`)
/// takes longer than it saves: even those that seem expensive stop after a page of rows. Each search reads the pending lists of the search
/// indexes, so they stay short.
pub(super) const POSTGRES_SESSION: &str = "SET TIME ZONE 'UTC'; SET statement_timeout = '10s'; SET lock_timeout = '5s';
    SET jit = off; SET gin_pending_list_limit = '64kB'; SET client_min_messages = warning;";

#[derive(QueryableByName)]
struct AnswerRow {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Refuses a PostgreSQL database that could not store or find the names in our orders: it must be encoded in UTF-8, and its locale
/// must let `pg_trgm` see letters beyond ASCII.
pub(super) fn require_readable_text(conn: &mut Conn) -> Result<()> {
    let Conn::Postgres(conn) = conn else { return Ok(()) };
    let mut ask =
        |question: &str| -> Result<bool> { Ok(diesel::sql_query(question).get_result::<AnswerRow>(conn)?.yes) };
    if !ask("SELECT current_setting('server_encoding') = 'UTF8' AS yes")? {
        return Err(DatabaseError::DatabaseNotUtf8.into());
    }
    if !ask("SELECT cardinality(show_trgm('王小明')) > 0 AND cardinality(show_trgm('محمد')) > 0 AS yes")? {
        return Err(DatabaseError::DatabaseLocale.into());
    }
    Ok(())
}

/// Serialises the transactions that take the lock of the same `name`, until they end. SQLite has a single writer anyway.
pub fn advisory_lock(tx: &mut Conn, name: &str) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))").bind::<Text, _>(name).execute(tx)?;
    }
    Ok(())
}

/// The same lock, shared: transactions that take it so do not wait for each other, only for those that take it alone.
pub fn advisory_lock_shared(tx: &mut Conn, name: &str) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        let lock = diesel::sql_query("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))");
        lock.bind::<Text, _>(name).execute(tx)?;
    }
    Ok(())
}

/// Makes PostgreSQL plan each statement of the rest of this transaction for its values: a term may be in every row or in none, a range
/// of days may be one day or all. Other statements keep a plan, which takes less time than making one.
pub fn plan_for_values(conn: &mut Conn) -> Result<()> {
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute("SET LOCAL plan_cache_mode = force_custom_plan")?;
    }
    Ok(())
}

/// The time by the database's own clock. Leases use it, so that no node's clock can end another node's lease early.
pub fn database_now(conn: &mut Conn) -> Result<Timestamp> {
    #[derive(QueryableByName)]
    struct Clock {
        #[diesel(sql_type = sql_types::Timestamp)]
        now: Timestamp,
    }
    let clock: Clock = match conn {
        Conn::Sqlite(conn) => {
            diesel::sql_query("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS now").get_result(conn)?
        }
        Conn::Postgres(conn) => diesel::sql_query("SELECT clock_timestamp()::timestamp AS now").get_result(conn)?,
    };
    Ok(clock.now)
}
