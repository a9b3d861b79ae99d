//! Names and lines that people type, each validated by the one function that constructs them; and how an instant is
//! written for people.

use chrono::NaiveDate;
use chrono_tz::Tz;
use derive::Reason;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use crate::characters::is_unseen;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// Why a text is refused.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum TextError {
    #[error("{0}")]
    NameMissing(&'static str),
    #[error("{0} contains characters that cannot be shown")]
    InvisibleCharacters(String),
    #[error("{name} is longer than {max} characters")]
    TextTooLong { name: String, max: usize },
}

/// The longest name, in characters.
pub const MAX_NAME_LEN: usize = 100;

/// A person's name: NFC, trimmed, single spaces within, no invisible characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonName(String);

impl PersonName {
    /// Validates a name. `missing` is the message for an empty one.
    ///
    /// # Errors
    /// [`TextError`].
    pub fn parse(typed: &str, missing: &'static str) -> Result<Self> {
        let name = composed(typed);
        if name.is_empty() {
            return Err(TextError::NameMissing(missing).into());
        }
        if name.chars().any(is_unseen) {
            return Err(TextError::InvisibleCharacters("The name".into()).into());
        }
        if name.chars().count() > MAX_NAME_LEN {
            return Err(TextError::TextTooLong { name: "The name".into(), max: MAX_NAME_LEN }.into());
        }
        Ok(Self(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form by which names are compared.
    pub fn key(&self) -> String {
        without_case(&self.0)
    }
}

/// Formats a day: `20-11-2026`.
pub fn format_day(day: NaiveDate) -> String {
    day.format("%d-%m-%Y").to_string()
}

/// Formats an instant to the second in `zone`: `20-11-2026 15:30:00 IST`.
pub fn format_instant(instant: Timestamp, zone: Tz) -> String {
    instant.with_timezone(&zone).format("%d-%m-%Y %H:%M:%S %Z").to_string()
}

/// NFC, trimmed, single spaces within.
fn composed(typed: &str) -> String {
    let composed: String = typed.nfc().collect();
    composed.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Normalises and validates one line of text: NFC, trimmed, at most `max` characters, no invisible ones. Returns none for an empty
/// line. `name` begins the message: `The case id`.
///
/// # Errors
/// [`TextError`].
pub fn line(typed: &str, name: &str, max: usize) -> Result<Option<String>> {
    let line: String = typed.trim().nfc().collect();
    if line.chars().any(is_unseen) {
        return Err(TextError::InvisibleCharacters(name.into()).into());
    }
    if line.chars().count() > max {
        return Err(TextError::TextTooLong { name: name.into(), max }.into());
    }
    Ok(Some(line).filter(|line| !line.is_empty()))
}

/// `1 download`, `2 downloads`.
pub fn counted(count: impl TryInto<i64>, one: &str) -> String {
    let count = count.try_into().unwrap_or(i64::MAX);
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// The form of a text that is compared case-insensitively.
pub fn without_case(text: &str) -> String {
    composed(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(typed: &str) -> Result<String, String> {
        PersonName::parse(typed, "missing").map(|name| name.0).map_err(|error| error.message())
    }

    #[test]
    fn a_name_is_composed_and_trimmed() {
        assert_eq!(name("  Jose\u{301}   Garcia "), Ok("José Garcia".into()));
        assert_eq!(name("王小明"), Ok("王小明".into()));
        assert_eq!(name("   "), Err("missing".into()));
        for unseen in ["Budi\nSantoso", "Budi\u{202e}"] {
            assert!(
                name(unseen).is_err_and(|message| message.ends_with("characters that cannot be shown")),
                "{unseen:?}"
            );
        }
        assert!(name(&"x".repeat(101)).is_err_and(|message| message.contains("100 characters")));
        assert_eq!(name(&"é".repeat(100)).map(|name| name.chars().count()), Ok(100));
    }

    #[test]
    fn a_typed_line_shows_what_it_holds() {
        let read = |typed: &str| line(typed, "The case id", 5).map_err(|error| error.message());
        assert_eq!(read(" e\u{301}-12 "), Ok(Some("é-12".into())));
        assert_eq!(read(" \t "), Ok(None));
        assert_eq!(read("123456"), Err("The case id is longer than 5 characters".into()));
        for odd in ["a\nb", "a\u{202e}b", "a\u{7}"] {
            assert_eq!(read(odd), Err("The case id contains characters that cannot be shown".into()));
        }
    }
}
