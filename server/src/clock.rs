//! Instants, and the only source of them. All other code takes instants as arguments, so that tests can shift them.

use std::ops::{Add, Deref, Sub};
use std::str::FromStr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use diesel::backend::Backend;
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::Pg;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types;
use diesel::sqlite::Sqlite;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An instant in UTC: stored at microseconds without an offset, ISO 8601 with a `Z` on the wire.
///
/// Diesel stores a bare `DateTime<Utc>` in only one of the two databases, hence this type around it.
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

/// The fixed offset that the product calls EST: −05:00 all year, whatever a time zone database says.
pub fn est() -> FixedOffset {
    const { FixedOffset::west_opt(5 * 3600).expect("five hours are less than a day") }
}

/// Tells the time. Clones share their shift.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    shift_microseconds: Arc<AtomicI64>,
    stopped_at: Arc<OnceLock<DateTime<Utc>>>,
}

impl Clock {
    /// The instant, at microseconds: the precision that both databases keep.
    pub fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's clock")]
        let now = self.stopped_at.get().copied().unwrap_or_else(Utc::now);
        let now = now + TimeDelta::microseconds(self.shift_microseconds.load(Ordering::Relaxed));
        Timestamp(now.with_nanosecond(now.nanosecond() / 1_000 * 1_000).unwrap_or(now))
    }

    /// The calendar day in `zone`.
    pub fn today(&self, zone: Tz) -> NaiveDate {
        self.now().with_timezone(&zone).date_naive()
    }

    /// Stops this clock and all its clones, for tests of exact durations. [`Clock::shift`] still moves them.
    pub fn stop(&self) {
        #[expect(clippy::disallowed_methods, reason = "a stopped clock shows the system's time of the stop")]
        self.stopped_at.get_or_init(Utc::now);
    }

    /// Moves this clock and all its clones forward (or back), for tests of what happens later.
    pub fn shift(&self, by: TimeDelta) {
        self.shift_microseconds.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::Relaxed);
    }
}
