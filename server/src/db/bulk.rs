//! Many rows at once: INSERTs of some hundred rows each on SQLite, a COPY on PostgreSQL.

use diesel::connection::SimpleConnection;

use super::Conn;
use crate::error::Result;

/// The most rows of one INSERT: our widest table stays within SQLite's 32,766 values.
pub const MOST_ROWS: usize = 500;

/// Adds the rows of an iterator to a table. They are `Insertable` with `treat_none_as_default_value = false`.
#[macro_export]
macro_rules! add_rows {
    ($tx:expr, $table:expr, $rows:expr) => {{
        let rows: Vec<_> = $rows.collect();
        let rows = rows.as_slice();
        match $tx {
            $crate::db::Conn::Sqlite(tx) => {
                for rows in rows.chunks($crate::db::MOST_ROWS) {
                    diesel::insert_into($table).values(rows).execute(tx)?;
                }
            }
            $crate::db::Conn::Postgres(tx) => {
                tx.copy_in(rows.iter().map(|row| diesel::insert_into($table).values(row)))?;
            }
        }
    }};
}

/// Makes ready for a bulk load into an empty database.
///
/// SQLite's search indexes gather more in memory before they write it down; PostgreSQL's are taken away until the end, so the
/// whole load must be one transaction there.
pub fn begin_bulk(tx: &mut Conn) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => tx.batch_execute(
            "PRAGMA cache_size = -524288;
             INSERT INTO order_trigrams (order_trigrams, rank) VALUES ('hashsize', 134217728), ('automerge', 0);
             INSERT INTO order_grams (order_grams, rank) VALUES ('hashsize', 134217728), ('automerge', 0);",
        )?,
        Conn::Postgres(tx) => tx.batch_execute(
            "SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '512MB';
             DROP INDEX orders_trigrams; DROP INDEX orders_grams;",
        )?,
    }
    Ok(())
}

/// Ends what [`begin_bulk`] began. The ids of later rows go on after the loaded ones.
pub fn end_bulk(tx: &mut Conn) -> Result<()> {
    match tx {
        Conn::Sqlite(tx) => tx.batch_execute(
            "INSERT INTO order_trigrams (order_trigrams, rank) VALUES ('hashsize', 1048576), ('automerge', 4);
             INSERT INTO order_grams (order_grams, rank) VALUES ('hashsize', 1048576), ('automerge', 4);
             INSERT INTO order_trigrams (order_trigrams) VALUES ('optimize');
             INSERT INTO order_grams (order_grams) VALUES ('optimize');
             PRAGMA cache_size = -65536;",
        )?,
        Conn::Postgres(conn) => {
            conn.batch_execute(
                "CREATE INDEX orders_trigrams ON orders USING gin (search_text gin_trgm_ops) WITH (fastupdate = off);
                 CREATE INDEX orders_grams ON orders USING gin (order_grams(search_text)) WITH (fastupdate = off);
                 SELECT setval(pg_get_serial_sequence('orders', 'order_id'), max(order_id)) FROM orders;
                 SELECT setval(pg_get_serial_sequence('documents', 'document_id'), max(document_id)) FROM documents;",
            )?;
            while super::fold_tally(tx, 1_000_000)? > 0 {}
        }
    }
    Ok(())
}
