//! Which passwords may be set. Pure.

use unicode_normalization::UnicodeNormalization;

use crate::config;
use crate::staff::errors::StaffError;

/// The most bytes of a password, which bounds the work.
const MAX_BYTES: usize = 1_024;

/// The number of characters of a password that are checked for guesses, the first ones: it bounds the work, and zxcvbn checks no more.
const MAX_GUESSED_LEN: usize = 100;

/// The placeholder shown in place of a password.
pub const MASK: &str = "********";

/// The requirements for new passwords.
#[derive(Clone, Copy, Debug)]
pub struct PasswordRule {
    pub min_characters: usize,
    /// A password that is found with fewer guesses is common.
    pub min_guesses: u64,
}

impl PasswordRule {
    /// The rule of the configuration.
    pub fn of(config: &config::PasswordSettings) -> Self {
        Self { min_characters: config.min_length as usize, min_guesses: config.min_guesses }
    }
}

/// A new password of allowed length. It is never shown, not even in a log.
#[derive(Clone)]
pub struct NewPassword {
    text: String,
    rule: PasswordRule,
    /// The words that a guesser who knows the member tries first.
    about: Vec<String>,
}

impl NewPassword {
    /// Validates a password that a member chose for themselves.
    pub fn of_oneself(typed: &str, rule: PasswordRule) -> Result<Self, StaffError> {
        let short = StaffError::NewPasswordTooShort { min_characters: rule.min_characters };
        Self::parse(typed, rule, StaffError::NewPasswordMissing, short)
    }

    /// Validates a password that one person sets for another.
    pub fn of_member(typed: &str, rule: PasswordRule) -> Result<Self, StaffError> {
        let short = StaffError::PasswordTooShort { min_characters: rule.min_characters };
        Self::parse(typed, rule, StaffError::PasswordMissing, short)
    }

    fn parse(typed: &str, rule: PasswordRule, missing: StaffError, short: StaffError) -> Result<Self, StaffError> {
        if typed.is_empty() {
            return Err(missing);
        }
        check_length(typed)?;
        let text = composed(typed);
        if text.chars().count() < rule.min_characters {
            return Err(short);
        }
        if text == MASK {
            return Err(StaffError::PasswordIsMask);
        }
        Ok(Self { text, rule, about: Vec::new() })
    }

    /// Adds the member's name and email to the words that are guessed first.
    pub fn about(mut self, name: &str, email: &str) -> Self {
        self.about = vec![name.to_lowercase(), email.to_lowercase()];
        self
    }

    /// Refuses a password that a guesser tries early: the most common ones in any case, plain patterns, and the member's own name. Takes
    /// milliseconds.
    ///
    /// # Errors
    /// [`StaffError::CommonPassword`].
    pub fn check_guesses(&self) -> Result<(), StaffError> {
        let about: Vec<&str> = self.about.iter().map(String::as_str).collect();
        let guesses = |text: &[char]| zxcvbn::zxcvbn(&text.iter().collect::<String>(), &about).guesses();
        let checked: Vec<char> = self.text.to_lowercase().chars().take(MAX_GUESSED_LEN).collect();
        // zxcvbn knows whole repetitions only, and takes a rest of one for a word of its own.
        let repeated =
            repeated_unit(&checked).map(|unit| guesses(unit).saturating_mul(checked.len().div_ceil(unit.len()) as u64));
        let is_common = guesses(&checked).min(repeated.unwrap_or(u64::MAX)) < self.rule.min_guesses;
        if is_common { Err(StaffError::CommonPassword) } else { Ok(()) }
    }

    /// The text to hash.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Refuses a password that is too long to be hashed.
pub fn check_length(typed: &str) -> Result<(), StaffError> {
    if typed.len() > MAX_BYTES {
        return Err(StaffError::PasswordTooLong { max_bytes: MAX_BYTES });
    }
    Ok(())
}

/// NFC: the same bytes for each letter, however the keyboard composes it.
pub fn composed(typed: &str) -> String {
    typed.nfc().collect()
}

/// The shortest unit that `text` repeats at least twice; the last time it may be cut off.
fn repeated_unit(text: &[char]) -> Option<&[char]> {
    let mut splits = (1..=text.len() / 2).map(|length| text.split_at(length));
    splits.find(|(_, rest)| text.starts_with(rest)).map(|(unit, _)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: PasswordRule = PasswordRule { min_characters: 6, min_guesses: 10_000 };

    fn refusal(typed: &str) -> Option<String> {
        NewPassword::of_oneself(typed, RULE).err().map(|error| error.to_string())
    }

    #[test]
    fn length_is_counted_in_characters_and_bounded_in_bytes() {
        assert_eq!(refusal("").as_deref(), Some("Please enter your New Password"));
        assert_eq!(refusal("ééééé").as_deref(), Some("New Password must be at least 6 characters"));
        assert_eq!([refusal("🦀🦀🦀🦀🦀🦀"), refusal(&"x".repeat(1_024))], [None, None]);
        assert!(refusal(&"x".repeat(1_025)).is_some_and(|message| message.contains("1024")));
        assert!(refusal(MASK).is_some());
    }

    /// Returns true if the password is refused because it is guessed early.
    fn is_guessed(new: Result<NewPassword, StaffError>) -> bool {
        matches!(new.unwrap().check_guesses(), Err(StaffError::CommonPassword))
    }

    fn common(typed: &str) -> bool {
        is_guessed(NewPassword::of_oneself(typed, RULE))
    }

    #[test]
    fn common_passwords_are_known_in_any_case() {
        for known in ["123456", "password", "Password1", "QWERTY", "iloveyou", "letmein", "abc123", "aaaaaa", "dragon"]
        {
            assert!(common(known), "{known}");
        }
        for unknown in ["correct horse battery", "xk3#9z!", "a long test password", "🦀🦀🦀🦀🦀🦀🦀z"] {
            assert!(!common(unknown), "{unknown}");
        }
    }

    #[test]
    fn a_long_password_is_checked_like_a_short_one() {
        for known in ["a".repeat(65), "password".repeat(9), "123456".repeat(12), "x".repeat(1_024)] {
            assert!(common(&known), "{known}");
        }
        // The first hundred characters end inside a repetition.
        for known in ["123456".repeat(20), "password".repeat(100), "123456".repeat(3) + "1234"] {
            assert!(common(&known), "{known}");
        }
        let sentence = "my neighbour's three cats sleep on the warm roof of the old bakery until it rains ";
        assert!(!common(sentence) && !common(&sentence.repeat(5)));
        assert!(!common(&"xk3#9z!".repeat(15)), "a unit that is hard to guess");
        assert!(!common(&format!("{}xk3#9z!", "123456".repeat(3))), "what follows the repetition counts");
    }

    #[test]
    fn the_shortest_repeated_unit_is_found_also_when_its_last_repetition_is_cut_off() {
        for (text, unit) in [
            ("aaaa", Some("a")),
            ("abab", Some("ab")),
            ("ababa", Some("ab")),
            ("123456123456", Some("123456")),
            ("12345612345", None),
            ("aab", None),
            ("a", None),
            ("", None),
        ] {
            let text: Vec<char> = text.chars().collect();
            assert_eq!(repeated_unit(&text).map(|unit| unit.iter().collect::<String>()).as_deref(), unit, "{text:?}");
        }
    }

    #[test]
    fn the_name_and_email_of_the_member_are_guessed_early() {
        let common = |typed: &str, name: &str, email: &str| {
            is_guessed(NewPassword::of_member(typed, RULE).map(|new| new.about(name, email)))
        };
        for typed in ["Rahayu Setiawati", "rahayu@visadesk.example"] {
            assert!(common(typed, "Rahayu Setiawati", "Rahayu@visadesk.example"), "{typed}");
            assert!(!common(typed, "Budi Santoso", "budi@visadesk.example"), "{typed}");
        }
    }

    #[test]
    fn the_configuration_may_ask_for_more() {
        let strict = PasswordRule { min_characters: 12, min_guesses: 1_000_000_000_000 };
        let refused = |typed: &str| {
            let new = NewPassword::of_oneself(typed, strict)?;
            new.check_guesses()
        };
        assert!(matches!(refused("tr0ub4dor&3"), Err(StaffError::NewPasswordTooShort { min_characters: 12 })));
        assert!(matches!(refused("summer of 2026"), Err(StaffError::CommonPassword)));
        assert!(refused("xk3#9z!qm2$w8").is_ok());
    }
}
