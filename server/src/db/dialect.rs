//! The few words that the two databases do not share, each behind a name.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text, Timestamp};

use super::conn::Conn;
use crate::error::{Error, Result};

/// How a reading connection to SQLite is set up. It cannot change anything.
pub(super) const SQLITE_READER: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536; PRAGMA mmap_size = 4294967296; PRAGMA query_only = ON;";

/// How the writing connection is set up: a commit is on the disk when it returns, and readers are never in its way.
pub(super) const SQLITE_WRITER: &str =
    "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536;";

/// How a PostgreSQL session is set up. Plans are made for the value at hand: a search term may be rare or in every row.
pub(super) const POSTGRES_SESSION: &str = "SET TIME ZONE 'UTC'; SET statement_timeout = '10s'; SET lock_timeout = '5s';
    SET plan_cache_mode = force_custom_plan; SET client_min_messages = warning;";

#[derive(QueryableByName)]
struct Answered {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

/// Refuses a PostgreSQL database that would spoil or not find the names in our orders.
///
/// It must be encoded in UTF-8, and `pg_trgm` must see letters beyond ASCII, which depends on the locale.
pub(super) fn require_readable_text(conn: &mut Conn) -> Result<()> {
    let Conn::Postgres(conn) = conn else { return Ok(()) };
    let mut ask =
        |question: &str| -> Result<bool> { Ok(diesel::sql_query(question).get_result::<Answered>(conn)?.yes) };
    if !ask("SELECT current_setting('server_encoding') = 'UTF8' AS yes")? {
        return Err(Error::invalid("The PostgreSQL database is not encoded in UTF-8. Create it with ENCODING 'UTF8'"));
    }
    if !ask("SELECT cardinality(show_trgm('王小明')) > 0 AND cardinality(show_trgm('محمد')) > 0 AS yes")? {
        return Err(Error::invalid(
            "This PostgreSQL database drops Chinese and Arabic letters from its search index. \
             Create it with a UTF-8 locale: TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C'",
        ));
    }
    Ok(())
}

/// Makes transactions that take the same `name` wait for each other until they end. SQLite has one writer anyway.
pub fn take_turns(tx: &mut Conn, name: &str) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))").bind::<Text, _>(name).execute(tx)?;
    }
    Ok(())
}

/// What the database's own clock says. Leases run by it, so that no node's clock can end another node's lease early.
pub fn database_now(conn: &mut Conn) -> Result<NaiveDateTime> {
    #[derive(QueryableByName)]
    struct Clock {
        #[diesel(sql_type = Timestamp)]
        now: NaiveDateTime,
    }
    let clock: Clock = match conn {
        Conn::Sqlite(conn) => {
            diesel::sql_query("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now') AS now").get_result(conn)?
        }
        Conn::Postgres(conn) => diesel::sql_query("SELECT clock_timestamp()::timestamp AS now").get_result(conn)?,
    };
    Ok(clock.now)
}
