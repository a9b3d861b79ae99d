//! Reads the fields of an order from outside: each by its own rule, all errors collected. Pure.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::{Map, Number, Value};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use utoipa::ToSchema;

use super::dates::{day, parse_date, parse_instant, read_day, read_instant};
use crate::characters::{is_ignorable, is_unseen, one_line, plain_number};
use crate::email::Email;
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

/// A value of an optional field beside what the order's own columns hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptValue {
    /// The field's name as sent.
    pub field: String,
    /// As it was sent; what is no text, as JSON.
    pub value: String,
    /// The reason why it is not understood, which continues the sentence after the field's name. None: it is, and is kept as evidence.
    pub reason: Option<String>,
}

/// The fate of an optional field that is not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// It is refused, and only normal forms are understood.
    Strict,
    /// It is kept as it was sent, and what leaves one reading is understood.
    Lenient,
}

/// The fields that are refused if they are not understood, as are those of a payment: an order needs them, or a wrong guess would cost money or
/// mix up orders.
const NEVER_KEPT: [&str; 12] = [
    "processing_mode",
    "external_reference",
    "process_status",
    "created_at",
    "payment",
    "gateway",
    "payment_reference",
    "amount",
    "currency",
    "card_brand",
    "card_last_four",
    "paid_at",
];

/// The most characters of a value that are kept.
const MAX_KEPT: usize = 10_000;

/// Returns true if the field is understood or refused.
pub fn is_never_kept(field: &str) -> bool {
    field.starts_with("payment.") || NEVER_KEPT.contains(&field)
}

/// The fields of one order, with the errors and the kept values found so far.
pub struct Fields<'a> {
    given: &'a Map<String, Value>,
    manner: Manner,
    errors: Vec<FieldError>,
    kept: Vec<KeptValue>,
}

impl<'a> Fields<'a> {
    /// Fields of which every one that is not understood is refused.
    pub fn of(given: &'a Map<String, Value>) -> Self {
        Self { given, manner: Manner::Strict, errors: Vec::new(), kept: Vec::new() }
    }

    /// Fields of which an optional one is kept as it was sent if it is not understood.
    pub fn lenient(given: &'a Map<String, Value>) -> Self {
        Self { manner: Manner::Lenient, ..Self::of(given) }
    }

    /// Returns true if what leaves one reading is understood.
    pub fn are_lenient(&self) -> bool {
        self.manner == Manner::Lenient
    }

    /// Returns `value` if no field is refused.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Vec<FieldError>> {
        match value {
            Some(value) if self.errors.is_empty() => Ok(value),
            _ => Err(self.errors),
        }
    }

    /// Takes the values that were kept.
    pub fn take_kept(&mut self) -> Vec<KeptValue> {
        std::mem::take(&mut self.kept)
    }

    /// Adds an error.
    pub fn refuse(&mut self, field: &str, reason: impl Into<String>) {
        self.errors.push(FieldError { field: field.to_owned(), reason: reason.into() });
    }

    /// Keeps a field that is not understood as it was sent, or refuses it.
    pub fn doubt(&mut self, field: &str, reason: impl Into<String>) {
        if self.manner == Manner::Strict || is_never_kept(field) {
            return self.refuse(field, reason);
        }
        self.keep(field, Some(reason.into()));
    }

    /// Keeps the text of a field beside its normal form, if they differ: a bank may ask for what was sent.
    pub fn keep_as_evidence(&mut self, field: &str, normal: Option<&str>) {
        let differs = self.find(field).is_some_and(|sent| sent.as_str() != normal);
        if self.manner == Manner::Lenient && normal.is_some() && differs {
            self.keep(field, None);
        }
    }

    fn keep(&mut self, field: &str, reason: Option<String>) {
        let Some(sent) = self.find(field).filter(|_| !self.is_doubted(field)) else { return };
        let value = sent.as_str().map_or_else(|| sent.to_string(), ToOwned::to_owned);
        // PostgreSQL stores no NUL.
        let value = value.chars().filter(|one| *one != '\0').take(MAX_KEPT).collect();
        self.kept.push(KeptValue { field: field.to_owned(), value, reason });
    }

    /// Refuses a field without which there is no order: for the reason for which it was kept, or because it is missing.
    pub fn require(&mut self, field: &str, missing: &str) {
        let kept = self.kept.iter().position(|kept| kept.field == field);
        let reason = kept.and_then(|place| self.kept.remove(place).reason);
        if !self.is_refused(field) {
            self.refuse(field, reason.unwrap_or_else(|| missing.to_owned()));
        }
    }

    /// Returns true if the field is refused, or kept as it was sent.
    pub fn is_doubted(&self, field: &str) -> bool {
        self.is_refused(field) || self.kept.iter().any(|kept| kept.field == field)
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
        let found = self.find(field).filter(|_| !self.is_doubted(field))?;
        let whole = || found.as_number().filter(|_| self.are_lenient()).and_then(whole_number);
        let Some(sent) = found.as_str().map(Cow::Borrowed).or_else(|| whole().map(Cow::Owned)) else {
            self.doubt(field, "must be text");
            return None;
        };
        let Some(text) = self.line(field, &sent) else {
            self.doubt(field, "contains characters that cannot be shown");
            return None;
        };
        if text.chars().count() > max {
            self.doubt(field, format!("is longer than {max} characters"));
            return None;
        }
        Some(text).filter(|text| !text.is_empty())
    }

    /// Reads a text as one line. None: something in it cannot be seen, or is not what it seems. Within an identifier or a payment nothing is left out,
    /// because another one may be what is left.
    fn line(&self, field: &str, sent: &str) -> Option<String> {
        let line = one_line(sent);
        if self.are_lenient() && !is_never_kept(field) {
            return line;
        }
        let is_at_end = |one: char| one.is_whitespace() || (line.is_some() && self.are_lenient() && is_ignorable(one));
        let text = sent.trim_matches(is_at_end);
        if text.chars().any(is_unseen) {
            return None;
        }
        Some(if is_nfc(text) { text.to_owned() } else { text.nfc().collect() })
    }

    /// Text for evidence. Lenient fields drop the characters that cannot be seen, because no decision depends on them.
    pub fn shown_part(&mut self, field: &str, max: usize) -> Option<String> {
        let sent =
            self.find(field).and_then(Value::as_str).filter(|text| self.are_lenient() && text.chars().count() <= max);
        let Some(sent) = sent else { return self.text(field, max) };
        let shown: String = sent.nfc().filter(|one| !is_unseen(*one)).collect();
        Some(shown.trim().to_owned()).filter(|shown| !shown.is_empty())
    }

    /// Text parsed by `read`, whose error is the reason.
    pub fn read<T>(&mut self, field: &str, max: usize, read: impl FnOnce(&str) -> Result<T, String>) -> Option<T> {
        let text = self.text(field, max)?;
        read(&text).map_err(|reason| self.doubt(field, reason)).ok()
    }

    /// A single email address.
    pub fn email(&mut self, field: &str) -> Option<String> {
        let reason = || "must be one email address".to_owned();
        self.read(field, 254, |text| Email::parse(text).map(|email| email.as_str().to_owned()).ok_or_else(reason))
    }

    /// A date as YYYY-MM-DD.
    pub fn date(&mut self, field: &str, within: RangeInclusive<NaiveDate>) -> Option<NaiveDate> {
        let reason = || "must be a date, as YYYY-MM-DD".to_owned();
        let read = if self.are_lenient() { read_day } else { parse_date };
        let date = self.read(field, 100, |text| read(text).ok_or_else(reason))?;
        if !within.contains(&date) {
            self.doubt(field, format!("must lie from {} to {}", within.start(), within.end()));
            return None;
        }
        Some(date)
    }

    /// An instant in ISO 8601, in UTC if it names no zone. A bare date is its midnight.
    pub fn instant(&mut self, field: &str, until: Timestamp) -> Option<Timestamp> {
        let reason = || "must be a time, as 2026-01-31T13:45:00Z".to_owned();
        let read = if self.are_lenient() { read_instant } else { parse_instant };
        let at = self.read(field, 100, |text| read(text).ok_or_else(reason))?;
        if *at < FIRST_INSTANT || at > until {
            self.doubt(field, format!("must lie from 2000-01-01 to {}", until.date_naive()));
            return None;
        }
        Some(at)
    }

    /// A whole number of days, sent as a number or as text.
    pub fn days(&mut self, field: &str, within: RangeInclusive<i32>) -> Option<i32> {
        let found = self.find(field).filter(|_| !self.is_doubted(field))?;
        let number = match found {
            Value::Number(number) if self.are_lenient() => whole_number(number).and_then(|number| number.parse().ok()),
            Value::Number(number) => number.as_i64().and_then(|number| i32::try_from(number).ok()),
            Value::String(text) if self.are_lenient() => count(without_unit(&plain_number(text))),
            Value::String(text) => count(text.trim()),
            _ => None,
        };
        let number = number.filter(|number| within.contains(number));
        if number.is_none() {
            self.doubt(field, format!("must be a whole number from {} to {}", within.start(), within.end()));
        }
        number
    }
}

/// A number without a fraction, as text: also `30.0`, as programs write one that was a float.
fn whole_number(number: &Number) -> Option<String> {
    if number.is_i64() || number.is_u64() {
        return Some(number.to_string());
    }
    number
        .as_f64()
        .filter(|float| float.fract() == 0.0 && float.abs() < LARGEST_FLOAT)
        .map(|float| format!("{float:.0}"))
}

/// Up to here a float has every whole number.
const LARGEST_FLOAT: f64 = 9_007_199_254_740_992.0;

/// The number before a fraction of zeros, and before the word for days: `30.0`, `30 days`.
fn without_unit(text: &str) -> &str {
    let number = text.find(|one: char| !one.is_ascii_digit()).map_or(text, |end| &text[..end]);
    let unit = text[number.len()..].trim_start().to_ascii_lowercase();
    let is_fraction =
        unit.strip_prefix('.').is_some_and(|zeros| !zeros.is_empty() && zeros.bytes().all(|zero| zero == b'0'));
    if is_fraction || ["day", "days"].contains(&unit.as_str()) { number } else { text }
}

/// A number of digits.
fn count(text: &str) -> Option<i32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

const FIRST_INSTANT: DateTime<Utc> = day(2000, 1, 1).and_time(chrono::NaiveTime::MIN).and_utc();

#[cfg(test)]
mod tests {
    use super::*;

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
