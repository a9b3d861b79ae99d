//! The few words that the two databases do not share, each behind a name.

use chrono::NaiveDateTime;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Text, Timestamp};

use super::Conn;
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

/// Locks the rows of the orders `ids` in ascending order, so that two bulk changes never wait for each other in a circle.
pub fn lock_orders(tx: &mut Conn, ids: &[i64]) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        use super::schema::orders;
        orders::table
            .filter(orders::order_id.eq_any(ids))
            .select(orders::order_id)
            .order(orders::order_id)
            .for_no_key_update()
            .load::<i64>(tx)?;
    }
    Ok(())
}

/// What the tally holds under `kind`, by key; of deltas that wait to be folded in, each a row of its own. SQLite's triggers
/// count at once.
pub fn tally_rows(conn: &mut Conn, kind: &str) -> Result<Vec<(String, i64)>> {
    use super::schema::{order_tally as tally, order_tally_deltas as deltas};
    let folded = tally::table.filter(tally::kind.eq(kind)).select((tally::key, tally::order_count));
    let waiting = deltas::table.filter(deltas::kind.eq(kind)).select((deltas::key, deltas::order_count));
    Ok(match conn {
        Conn::Sqlite(conn) => folded.load(conn)?,
        // One question: each costs a way to the server and back.
        Conn::Postgres(conn) => folded.union_all(waiting).load(conn)?,
    })
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

/// The next `most` mails of `provider` that are due at `now` and leased to nobody, the longest due first, kept from every
/// other transaction until this one ends. Mails that another one keeps are passed over.
pub fn keep_due_mails(tx: &mut Conn, provider: &str, now: NaiveDateTime, most: i64) -> Result<Vec<i64>> {
    use super::schema::mails;
    let leases_end_by = database_now(tx)?;
    let due = mails::table
        .filter(mails::due_at.le(now))
        .filter(mails::provider.eq(provider))
        .filter(mails::leased_until.is_null().or(mails::leased_until.lt(leases_end_by)))
        .order((mails::due_at, mails::mail_id))
        .select(mails::mail_id)
        .limit(most);
    Ok(match tx {
        Conn::Sqlite(tx) => due.load(tx)?,
        Conn::Postgres(tx) => due.for_no_key_update().skip_locked().load(tx)?,
    })
}

/// Keeps a mail from every other transaction until this one ends.
pub fn lock_mail(tx: &mut Conn, mail_id: i64) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        use super::schema::mails;
        mails::table.find(mail_id).select(mails::mail_id).for_no_key_update().load::<i64>(tx)?;
    }
    Ok(())
}

/// Folds at most `most` waiting deltas into the tally; answers how many there were. Several nodes may fold at once.
pub fn fold_tally(tx: &mut Conn, most: i64) -> Result<usize> {
    let Conn::Postgres(tx) = tx else { return Ok(0) };
    #[derive(QueryableByName)]
    struct Folded {
        #[diesel(sql_type = BigInt)]
        deltas: i64,
    }
    let folded = diesel::sql_query(
        "WITH taken AS (
             DELETE FROM order_tally_deltas WHERE delta_id IN (
                 SELECT delta_id FROM order_tally_deltas ORDER BY delta_id LIMIT $1 FOR UPDATE SKIP LOCKED)
             RETURNING kind, key, order_count),
         folded AS (
             INSERT INTO order_tally (kind, key, order_count)
             SELECT kind, key, sum(order_count) FROM taken GROUP BY kind, key ORDER BY kind, key
             ON CONFLICT (kind, key) DO UPDATE SET order_count = order_tally.order_count + excluded.order_count)
         SELECT count(*) AS deltas FROM taken",
    )
    .bind::<BigInt, _>(most)
    .get_result::<Folded>(tx)?;
    Ok(usize::try_from(folded.deltas).unwrap_or(0))
}

/// The last id that the audit gave to a row, which on PostgreSQL need not be committed yet.
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

/// The transactions that write to the audit at this moment: an INSERT takes its lock on the table before its row gets an id,
/// and keeps it until its rows can be seen. SQLite has one writer, whose rows appear at once.
pub fn audit_writers(conn: &mut Conn) -> Result<Vec<String>> {
    let Conn::Postgres(conn) = conn else { return Ok(Vec::new()) };
    #[derive(QueryableByName)]
    struct Writing {
        #[diesel(sql_type = Text)]
        transaction: String,
    }
    let writing = diesel::sql_query(
        "SELECT virtualtransaction AS transaction FROM pg_locks
         WHERE locktype = 'relation' AND relation = 'audit'::regclass AND mode = 'RowExclusiveLock' AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    .load::<Writing>(conn)?;
    Ok(writing.into_iter().map(|one| one.transaction).collect())
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = BigInt)]
    order_id: i64,
}

/// Allots `how_many` order ids, ascending. On SQLite they are free only within this transaction, which is the one writer's.
pub fn allot_order_ids(tx: &mut Conn, how_many: i64) -> Result<Vec<i64>> {
    let found: Vec<Found> = match tx {
        Conn::Sqlite(tx) => {
            let last = diesel::sql_query("SELECT seq AS order_id FROM sqlite_sequence WHERE name = 'orders'")
                .get_result::<Found>(tx)?
                .order_id;
            return Ok((last + 1..=last + how_many).collect());
        }
        Conn::Postgres(tx) => diesel::sql_query(
            "SELECT nextval(pg_get_serial_sequence('orders', 'order_id')) AS order_id FROM generate_series(1, $1)",
        )
        .bind::<BigInt, _>(how_many)
        .load(tx)?,
    };
    Ok(found.into_iter().map(|found| found.order_id).collect())
}

/// Adds an order to SQLite's search indexes. PostgreSQL keeps its own from the row.
///
/// `grams` are the distinct single and neighbouring characters of `search_text`, each spelled as one word of letters and digits.
pub fn index_for_search(tx: &mut Conn, order_id: i64, search_text: &str, grams: &str) -> Result<()> {
    let Conn::Sqlite(tx) = tx else { return Ok(()) };
    diesel::sql_query("INSERT INTO order_trigrams (rowid, search_text) VALUES (?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(search_text)
        .execute(tx)?;
    diesel::sql_query("INSERT INTO order_grams (rowid, grams) VALUES (?, ?)")
        .bind::<BigInt, _>(order_id)
        .bind::<Text, _>(grams)
        .execute(tx)?;
    Ok(())
}

/// What the search index is asked for.
pub struct IndexTerm<'a> {
    /// The folded term.
    pub text: &'a str,
    /// SQLite's question: every trigram of the term, or, when it is shorter, its one gram as a word.
    pub fts: &'a str,
    /// The term as a LIKE pattern, its own `%`, `_` and `\` escaped by `\`.
    pub like: &'a str,
}

/// At most `most` orders whose search text may hold the term, in no order. The caller checks each against its row.
pub fn search_index(conn: &mut Conn, term: &IndexTerm<'_>, most: i64) -> Result<Vec<i64>> {
    let is_gram = term.text.chars().count() <= 2;
    let found: Vec<Found> = match conn {
        Conn::Sqlite(conn) => diesel::sql_query(if is_gram {
            "SELECT rowid AS order_id FROM order_grams WHERE order_grams MATCH ? LIMIT ?"
        } else {
            "SELECT rowid AS order_id FROM order_trigrams WHERE order_trigrams MATCH ? LIMIT ?"
        })
        .bind::<Text, _>(term.fts)
        .bind::<BigInt, _>(most)
        .load(conn)?,
        Conn::Postgres(conn) if is_gram => {
            diesel::sql_query("SELECT order_id FROM orders WHERE order_grams(search_text) @> ARRAY[$1] LIMIT $2")
                .bind::<Text, _>(term.text)
                .bind::<BigInt, _>(most)
                .load(conn)?
        }
        Conn::Postgres(conn) => {
            diesel::sql_query("SELECT order_id FROM orders WHERE search_text LIKE $1 ESCAPE '\\' LIMIT $2")
                .bind::<Text, _>(term.like)
                .bind::<BigInt, _>(most)
                .load(conn)?
        }
    };
    Ok(found.into_iter().map(|found| found.order_id).collect())
}

/// Makes the rest of this transaction read lists in their order, row by row, until it has enough.
///
/// PostgreSQL guesses how many rows hold a term, and where it guesses too few it would gather and sort them all.
pub fn walk_in_order(conn: &mut Conn) -> Result<()> {
    if let Conn::Postgres(conn) = conn {
        conn.batch_execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off;")?;
    }
    Ok(())
}

/// Counts one more failure in `bucket`, starting a new window when the last began before `window_from`; answers the failures
/// in the window.
pub fn add_failure(tx: &mut Conn, bucket: &str, now: NaiveDateTime, window_from: NaiveDateTime) -> Result<i32> {
    use super::schema::attempts;
    use diesel::dsl::case_when;
    use diesel::upsert::excluded;
    let first = 1.into_sql::<Integer>();
    let failures = case_when(attempts::window_started_at.lt(window_from), first).otherwise(attempts::failures + 1);
    let window = case_when(attempts::window_started_at.lt(window_from), excluded(attempts::window_started_at))
        .otherwise(attempts::window_started_at);
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(attempts::table)
                .values((
                    attempts::bucket.eq(bucket),
                    attempts::failures.eq(1),
                    attempts::window_started_at.eq(now),
                    attempts::blocked_until.eq(None::<NaiveDateTime>),
                ))
                .on_conflict(attempts::bucket)
                .do_update()
                .set((attempts::failures.eq(failures), attempts::window_started_at.eq(window)))
                .returning(attempts::failures)
                .get_result($tx)?
        };
    }
    Ok(match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    })
}
