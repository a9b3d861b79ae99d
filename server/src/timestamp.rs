//! Instants in UTC, the same in both databases and on the wire.

use std::ops::{Add, Deref, Range, Sub};
use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Utc};
use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types;
use diesel::sqlite::{Sqlite, SqliteValue};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

// Diesel stores a bare `DateTime<Utc>` in only one of the two databases, hence this type around it.
/// An instant in UTC at microseconds, in ISO 8601 with a `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, ToSchema, AsExpression, FromSqlRow)]
#[serde(transparent)]
#[schema(value_type = String, format = DateTime)]
#[diesel(sql_type = sql_types::Timestamp)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// 1 January 1970.
    pub const EPOCH: Self = Self(DateTime::UNIX_EPOCH);

    /// After every instant that is stored: 1 January 9999.
    pub const FAR_FUTURE: Self = match DateTime::from_timestamp_secs(253_370_764_800) {
        Some(instant) => Self(instant),
        None => Self::EPOCH,
    };
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

impl Serialize for Timestamp {
    /// As `2026-01-31T09:30:00Z`, with milliseconds or microseconds if there are some.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        match write_to(&mut text, self.0).map(std::str::from_utf8) {
            Some(Ok(text)) => serializer.serialize_str(text),
            _ => self.0.serialize(serializer),
        }
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

impl FromSql<sql_types::Timestamp, Sqlite> for Timestamp {
    fn from_sql(mut raw: SqliteValue<'_, '_, '_>) -> deserialize::Result<Self> {
        let instant: NaiveDateTime = match read_written(raw.read_text()) {
            Some(instant) => instant,
            None => FromSql::<sql_types::Timestamp, Sqlite>::from_sql(raw)?,
        };
        Ok(Self(instant.and_utc()))
    }
}

impl FromSql<sql_types::Timestamp, Pg> for Timestamp {
    fn from_sql(raw: PgValue<'_>) -> deserialize::Result<Self> {
        let instant: NaiveDateTime = FromSql::<sql_types::Timestamp, Pg>::from_sql(raw)?;
        Ok(Self(instant.and_utc()))
    }
}

/// Reads an instant as it is written for SQLite, such as `2026-01-31 09:30:00.25`. Diesel compiles a pattern for each value that it reads,
/// which took a quarter of a list of 500 orders.
fn read_written(text: &str) -> Option<NaiveDateTime> {
    let bytes = text.as_bytes();
    let number = |digits: Range<usize>| {
        let digits = bytes.get(digits)?.iter();
        digits.copied().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
    };
    let marks = [(4, b'-'), (7, b'-'), (10, b' '), (13, b':'), (16, b':')];
    if marks.iter().any(|(place, mark)| bytes.get(*place) != Some(mark)) {
        return None;
    }
    let nanoseconds = match (bytes.get(19), bytes.len()) {
        (None, _) => 0,
        (Some(b'.'), length @ 21..=29) => number(20..length)? * 10_u32.pow(29 - u32::try_from(length).ok()?),
        _ => return None,
    };
    let day = NaiveDate::from_ymd_opt(i32::try_from(number(0..4)?).ok()?, number(5..7)?, number(8..10)?)?;
    day.and_hms_nano_opt(number(11..13)?, number(14..16)?, number(17..19)?, nanoseconds)
}

/// Writes the instant over the digits of `text` and returns the part that holds it, as chrono writes it: its formatter was a third of the
/// JSON of a list. None outside the years 0 to 9999, in a leap second, and below a microsecond.
fn write_to(text: &mut [u8; 27], instant: DateTime<Utc>) -> Option<&[u8]> {
    let year = u32::try_from(instant.year()).ok().filter(|year| *year <= 9999)?;
    let nanoseconds = instant.nanosecond();
    if nanoseconds >= 1_000_000_000 || !nanoseconds.is_multiple_of(1_000) {
        return None;
    }
    let mut write = |digits: Range<usize>, mut number: u32| {
        for digit in text[digits].iter_mut().rev() {
            *digit = b"0123456789"[(number % 10) as usize];
            number /= 10;
        }
    };
    write(0..4, year);
    write(5..7, instant.month());
    write(8..10, instant.day());
    write(11..13, instant.hour());
    write(14..16, instant.minute());
    write(17..19, instant.second());
    let microseconds = nanoseconds / 1_000;
    write(20..26, microseconds);
    let length = match microseconds {
        0 => 20,
        _ if microseconds.is_multiple_of(1_000) => 24,
        _ => 27,
    };
    text[length - 1] = b'Z';
    Some(&text[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_as_chrono_writes_it() {
        for text in [
            "2026-01-31T09:30:00Z",
            "2026-01-31T09:30:00.250Z",
            "2026-01-31T09:30:00.000001Z",
            "2026-01-31T09:30:00.000000001Z",
            "2016-12-31T23:59:60Z",
            "2016-12-31T23:59:60.5Z",
            "0000-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999Z",
            "+10000-01-01T00:00:00Z",
        ] {
            let instant: DateTime<Utc> = text.parse().unwrap();
            let written = serde_json::to_string(&Timestamp(instant)).unwrap();
            assert_eq!(written, serde_json::to_string(&instant).unwrap());
        }
    }

    #[test]
    fn what_is_written_is_read_and_other_forms_are_left_to_diesel() {
        for text in [
            "2026-01-31 09:30:00",
            "2026-01-31 09:30:00.5",
            "2024-02-29 23:59:59.000001",
            "1969-12-31 00:00:00.123456789",
            "0001-01-01 00:00:00.001",
            "9999-12-31 23:59:59.999999",
        ] {
            let known = NaiveDateTime::parse_from_str(text, "%F %T%.f").ok();
            assert!(known.is_some(), "{text}");
            assert_eq!(read_written(text), known, "{text}");
        }
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T09:30:00",
            "2026-01-31 09:30",
            "2026-01-31 09:30:00Z",
            "2026-01-31 09:30:00.",
            "2026-01-31 09:30:00.1234567890",
            "2026-02-29 09:30:00",
            "2026-13-01 09:30:00",
            "2026-01-31 24:00:00",
            "+026-01-31 09:30:00",
            "2026-01-31 09:30:0é",
        ] {
            assert_eq!(read_written(text), None, "{text}");
        }
    }
}
