//! Instants in UTC, the same in both databases and on the wire.

use std::ops::{Add, Deref, Sub};
use std::str::FromStr;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::Pg;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types;
use diesel::sqlite::Sqlite;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

// Diesel stores a bare `DateTime<Utc>` in only one of the two databases, hence this type around it.
/// An instant in UTC at microseconds, in ISO 8601 with a `Z`.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema, AsExpression, FromSqlRow,
)]
#[serde(transparent)]
#[schema(value_type = String, format = DateTime)]
#[diesel(sql_type = sql_types::Timestamp)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// 1 January 1970.
    pub const EPOCH: Self = Self(DateTime::UNIX_EPOCH);
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(instant: DateTime<Utc>) -> Self {
        Self(instant)
    }
}

impl FromStr for Timestamp {
    type Err = chrono::ParseError;

    /// Parses an instant with its offset (RFC 3339).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        DateTime::parse_from_rfc3339(text).map(|instant| Self(instant.to_utc()))
    }
}

impl Deref for Timestamp {
    type Target = DateTime<Utc>;

    fn deref(&self) -> &DateTime<Utc> {
        &self.0
    }
}

impl<T> Add<T> for Timestamp
where
    DateTime<Utc>: Add<T, Output = DateTime<Utc>>,
{
    type Output = Self;

    fn add(self, duration: T) -> Self {
        Self(self.0 + duration)
    }
}

impl Sub<TimeDelta> for Timestamp {
    type Output = Self;

    fn sub(self, duration: TimeDelta) -> Self {
        Self(self.0 - duration)
    }
}

impl Sub for Timestamp {
    type Output = TimeDelta;

    fn sub(self, earlier: Self) -> TimeDelta {
        self.0 - earlier.0
    }
}

impl ToSql<sql_types::Timestamp, Sqlite> for Timestamp {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Sqlite>) -> serialize::Result {
        out.set_value(self.format("%F %T%.f").to_string());
        Ok(IsNull::No)
    }
}

impl ToSql<sql_types::Timestamp, Pg> for Timestamp {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        ToSql::<sql_types::Timestamp, Pg>::to_sql(&self.naive_utc(), &mut out.reborrow())
    }
}

impl<DB> FromSql<sql_types::Timestamp, DB> for Timestamp
where
    DB: Backend,
    NaiveDateTime: FromSql<sql_types::Timestamp, DB>,
{
    fn from_sql(raw: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(NaiveDateTime::from_sql(raw)?.and_utc()))
    }
}
