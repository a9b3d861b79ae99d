//! Validates the fields of an order from outside: each by its own rule, all errors collected. Pure.

use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, NaiveDateTime, Timelike, Utc};
use serde::Serialize;
use serde_json::{Map, Value};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use utoipa::ToSchema;

use crate::text::{Email, is_unseen};
use crate::timestamp::Timestamp;

/// An invalid field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field's name as sent.
    pub field: String,
    /// Continues the sentence after the name: `is missing`.
    pub reason: String,
}

/// The most fields that the text of a refusal names. Its data names all of them.
const MAX_NAMED_FIELDS: usize = 10;

/// The invalid fields as a sentence.
pub fn describe(errors: &[FieldError]) -> String {
    let described = errors.iter().take(MAX_NAMED_FIELDS).map(|error| format!("{} {}", error.field, error.reason));
    described.collect::<Vec<_>>().join("; ")
}

/// The fields of one order, and the errors found so far.
pub struct Fields<'a> {
    given: &'a Map<String, Value>,
    errors: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    pub fn of(given: &'a Map<String, Value>) -> Self {
        Self { given, errors: Vec::new() }
    }

    /// Returns `value` if every field is valid.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Vec<FieldError>> {
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => Err(self.errors),
        }
    }

    /// Adds an error.
    pub fn refuse(&mut self, field: &str, reason: impl Into<String>) {
        self.errors.push(FieldError { field: field.to_owned(), reason: reason.into() });
    }

    /// Returns true if the field has an error.
    pub fn is_refused(&self, field: &str) -> bool {
        self.errors.iter().any(|error| error.field == field)
    }

    /// The field's value; none if it is absent, null or blank. A name with a dot also matches a field of an object.
    pub fn find(&self, field: &str) -> Option<&'a Value> {
        let nested = || {
            let (outer, inner) = field.split_once('.')?;
            self.given.get(outer)?.as_object()?.get(inner)
        };
        let found = self.given.get(field).or_else(nested)?;
        let blank = found.is_null() || found.as_str().is_some_and(|text| text.trim().is_empty());
        (!blank).then_some(found)
    }

    /// Text of at most `max` characters: NFC, trimmed, on one line, without control characters.
    pub fn text(&mut self, field: &str, max: usize) -> Option<String> {
        let Some(text) = self.find(field)?.as_str() else {
            self.refuse(field, "must be text");
            return None;
        };
        let text = text.trim();
        if text.chars().any(is_unseen) {
            self.refuse(field, "contains characters that cannot be shown");
            return None;
        }
        let text: String = if is_nfc(text) { text.to_owned() } else { text.nfc().collect() };
        if text.chars().count() > max {
            self.refuse(field, format!("is longer than {max} characters"));
            return None;
        }
        Some(text)
    }

    /// Text parsed by `read`, whose error is the reason.
    pub fn read<T>(&mut self, field: &str, max: usize, read: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = self.text(field, max)?;
        read(&text).map_err(|reason| self.refuse(field, reason)).ok()
    }

    /// A single email address.
    pub fn email(&mut self, field: &str) -> Option<String> {
        let reason = || "must be one email address".to_owned();
        self.read(field, 254, |text| Email::parse(text).map(|email| email.as_str().to_owned()).ok_or_else(reason))
    }

    /// A date as YYYY-MM-DD.
    pub fn date(&mut self, field: &str, within: RangeInclusive<NaiveDate>) -> Option<NaiveDate> {
        let reason = || "must be a date, as YYYY-MM-DD".to_owned();
        let date = self.read(field, 100, |text| parse_date(text).ok_or_else(reason))?;
        if !within.contains(&date) {
            self.refuse(field, format!("must lie from {} to {}", within.start(), within.end()));
            return None;
        }
        Some(date)
    }

    /// An instant in ISO 8601, in UTC if it names no zone. A bare date is its midnight.
    pub fn instant(&mut self, field: &str, until: Timestamp) -> Option<Timestamp> {
        let reason = || "must be a time, as 2026-01-31T13:45:00Z".to_owned();
        let at = self.read(field, 100, |text| parse_instant(text).ok_or_else(reason))?;
        if *at < FIRST_INSTANT || at > until {
            self.refuse(field, format!("must lie from 2000-01-01 to {}", until.date_naive()));
            return None;
        }
        Some(at)
    }

    /// A whole number, sent as a number or as text.
    pub fn number(&mut self, field: &str, within: RangeInclusive<i32>) -> Option<i32> {
        let found = self.find(field)?;
        let number = match found {
            Value::Number(number) => number.as_i64().and_then(|number| i32::try_from(number).ok()),
            Value::String(text) if text.trim().bytes().all(|byte| byte.is_ascii_digit()) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| within.contains(number));
        if number.is_none() {
            self.refuse(field, format!("must be a whole number from {} to {}", within.start(), within.end()));
        }
        number
    }
}

const FIRST_INSTANT: DateTime<Utc> = day(2000, 1, 1).and_time(chrono::NaiveTime::MIN).and_utc();

/// A date that must exist in the calendar.
pub const fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(date) => date,
        None => NaiveDate::MIN,
    }
}

/// A date as YYYY-MM-DD, and in no other form.
pub fn parse_date(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shape { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

/// An instant in ISO 8601 at microseconds, in UTC if it names no zone. A bare date is its midnight.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    let at = if let Some(date) = parse_date(text) {
        date.and_time(chrono::NaiveTime::MIN)
    } else if let Ok(at) = text.parse::<Timestamp>() {
        at.naive_utc()
    } else {
        let without_zone = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
        without_zone.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())?
    };
    // The databases store microseconds and no leap seconds.
    let nanosecond = at.nanosecond();
    if nanosecond >= 1_000_000_000 {
        None
    } else {
        Some(at.with_nanosecond(nanosecond / 1_000 * 1_000)?.and_utc().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_in_one_form_only() {
        assert_eq!(parse_date("2026-02-28"), Some(day(2026, 2, 28)));
        for odd in [
            "2026-02-29",
            "2026-2-8",
            "28-02-2026",
            "02/28/2026",
            "20260228",
            "2026-02-28T",
            "+2026-02-2",
            "0000-00-00",
            "２０２６-02-28",
        ] {
            assert_eq!(parse_date(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_instant_is_utc_at_microseconds() {
        let at = |text| parse_instant(text).map(|at| at.naive_utc().to_string());
        assert_eq!(at("2026-01-31T13:45:00+07:00").as_deref(), Some("2026-01-31 06:45:00"));
        assert_eq!(at("2026-01-31 13:45:00").as_deref(), Some("2026-01-31 13:45:00"));
        assert_eq!(at("2026-01-31T13:45:00.123456789Z").as_deref(), Some("2026-01-31 13:45:00.123456"));
        assert_eq!(at("2026-01-31").as_deref(), Some("2026-01-31 00:00:00"));
        for odd in ["2026-01-31T25:00:00Z", "2026-01-31T13:45", "1769866800", "2026-06-30T23:59:60Z", "yesterday"] {
            assert_eq!(at(odd), None, "{odd}");
        }
    }

    #[test]
    fn text_is_composed_and_has_no_invisible_characters() {
        let given =
            serde_json::json!({ "a": "  e\u{301} ", "b": "x\u{7}", "c": "x\u{202e}y", "d": 7, "e": "long", "f": " " });
        let given = given.as_object().unwrap();
        let mut fields = Fields::of(given);
        assert_eq!(fields.text("a", 1).as_deref(), Some("é"));
        for (field, max) in [("b", 9), ("c", 9), ("d", 9), ("e", 3)] {
            assert_eq!(fields.text(field, max), None);
            assert!(fields.is_refused(field), "{field}");
        }
        assert!(fields.text("f", 9).is_none() && !fields.is_refused("f"));
    }
}
