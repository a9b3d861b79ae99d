//! A connection to the open database, of either kind.

use compact_str::CompactString;
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::{SqliteConnection, sql_types};

use super::postgres::PgConnection;
use crate::timestamp::Timestamp;

/// A connection to the open database, of either kind.
#[derive(diesel::MultiConnection)]
#[expect(clippy::large_enum_variant, reason = "a few dozen connections, each made once")]
pub enum Conn {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl ToSql<sql_types::Timestamp, MultiBackend> for Timestamp {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, MultiBackend>) -> serialize::Result {
        out.set_value((sql_types::Timestamp, self));
        Ok(IsNull::No)
    }
}

impl FromSql<sql_types::Timestamp, MultiBackend> for Timestamp {
    fn from_sql(raw: <MultiBackend as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        raw.from_sql::<Self, sql_types::Timestamp>()
    }
}

impl FromSql<sql_types::Text, MultiBackend> for CompactString {
    fn from_sql(raw: <MultiBackend as Backend>::RawValue<'_>) -> deserialize::Result<Self> {
        raw.from_sql::<Self, sql_types::Text>()
    }
}
