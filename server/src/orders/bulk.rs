//! Loads many orders: into an empty database, or in batches beside other work.

use diesel::connection::SimpleConnection;

use super::counters::merge_counter_deltas;
use crate::db::Conn;
use crate::error::Result;

/// Prepares a bulk load into an empty database.
///
/// SQLite's search indexes buffer more in memory; PostgreSQL's are dropped until [`end_bulk`] builds them again, so there the whole
/// load must be one transaction.
pub fn begin_bulk(tx: &mut Conn) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => tx.batch_execute(
            "PRAGMA cache_size = -524288;
             INSERT INTO order_trigrams (order_trigrams, rank) VALUES ('hashsize', 134217728), ('automerge', 0);
             INSERT INTO order_grams (order_grams, rank) VALUES ('hashsize', 134217728), ('automerge', 0);
             INSERT INTO remark_trigrams (remark_trigrams, rank) VALUES ('hashsize', 134217728), ('automerge', 0);",
        )?,
        Conn::Postgres(tx) => tx.batch_execute(
            "SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '512MB';
             DROP INDEX search_texts_trigrams; DROP INDEX search_texts_grams; DROP INDEX remarks_trigrams;",
        )?,
    }
    Ok(())
}

/// Ends what [`begin_bulk`] began. Later ids continue after the loaded ones.
pub fn end_bulk(tx: &mut Conn) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => tx.batch_execute(
            "INSERT INTO order_trigrams (order_trigrams, rank) VALUES ('hashsize', 1048576), ('automerge', 4);
             INSERT INTO order_grams (order_grams, rank) VALUES ('hashsize', 1048576), ('automerge', 4);
             INSERT INTO remark_trigrams (remark_trigrams, rank) VALUES ('hashsize', 1048576), ('automerge', 4);
             INSERT INTO order_trigrams (order_trigrams) VALUES ('optimize');
             INSERT INTO order_grams (order_grams) VALUES ('optimize');
             INSERT INTO remark_trigrams (remark_trigrams) VALUES ('optimize');
             PRAGMA cache_size = -8192;",
        )?,
        Conn::Postgres(conn) => {
            conn.batch_execute(
                "CREATE INDEX search_texts_trigrams ON search_texts USING gin (search_text gin_trgm_ops);
                 CREATE INDEX search_texts_grams ON search_texts USING gin (order_grams(search_text));
                 CREATE INDEX remarks_trigrams ON remarks USING gin (search_text gin_trgm_ops);
                 SELECT setval(pg_get_serial_sequence('orders', 'order_id'), max(order_id)) FROM orders;",
            )?;
            while merge_counter_deltas(tx, 1_000_000)? > 0 {}
        }
    }
    Ok(())
}

/// Lets this transaction add search texts to PostgreSQL's pending lists without merging them into the indexes. Call
/// [`merge_search_indexes`] after the commit; until then searches read the lists from end to end, and are slower.
pub fn delay_search_indexes(tx: &mut Conn) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        tx.batch_execute("SET LOCAL gin_pending_list_limit = '64MB'")?;
    }
    Ok(())
}

/// Merges the pending search texts into PostgreSQL's indexes. Others may add texts meanwhile.
pub fn merge_search_indexes(tx: &mut Conn) -> Result<()> {
    if let Conn::Postgres(tx) = tx {
        tx.batch_execute(
            "SELECT gin_clean_pending_list('search_texts_trigrams'), gin_clean_pending_list('search_texts_grams')",
        )?;
    }
    Ok(())
}
