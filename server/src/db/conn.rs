//! A connection to whichever database is open.

use diesel::SqliteConnection;

use super::postgres::PgConnection;

/// A connection to whichever database is open.
#[derive(diesel::MultiConnection)]
#[expect(clippy::large_enum_variant, reason = "a few dozen connections, each made once")]
pub enum Conn {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}
