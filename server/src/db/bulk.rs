//! Many rows at once: INSERTs of some hundred rows each on SQLite, a COPY on PostgreSQL. Both are parsed each time, and a COPY takes three
//! round trips, so a single row is a prepared INSERT.

/// The most rows of one INSERT: the widest table stays within SQLite's 32,766 values.
pub const MAX_ROWS: usize = 500;

/// Adds the rows of an iterator to a table. They are `Insertable` with `treat_none_as_default_value = false`.
#[macro_export]
macro_rules! add_rows {
    ($tx:expr, $table:expr, $rows:expr) => {{
        let rows: Vec<_> = $rows.collect();
        let rows = rows.as_slice();
        match $tx {
            $crate::db::conn::Conn::Sqlite(tx) if rows.len() == 1 => {
                diesel::insert_into($table).values(&rows[0]).execute(tx)?;
            }
            $crate::db::conn::Conn::Sqlite(tx) => {
                for rows in rows.chunks($crate::db::bulk::MAX_ROWS) {
                    diesel::insert_into($table).values(rows).execute(tx)?;
                }
            }
            $crate::db::conn::Conn::Postgres(tx) if rows.len() == 1 => {
                diesel::insert_into($table).values(&rows[0]).execute(tx)?;
            }
            $crate::db::conn::Conn::Postgres(tx) => {
                tx.copy_in(rows.iter().map(|row| diesel::insert_into($table).values(row)))?;
            }
        }
    }};
}
