//! Which passwords may be set. Pure.

use unicode_normalization::UnicodeNormalization;

use crate::staff::errors::StaffError;

/// The fewest characters of a new password (spec §5).
const MIN_CHARACTERS: usize = 6;
/// The most bytes of a password, which bounds the work.
const MAX_BYTES: usize = 1_024;

/// A password that a guesser finds within so many guesses is common.
const COMMON_WITHIN_GUESSES: u64 = 10_000;
/// No common password is longer, so longer ones are not checked.
const MAX_COMMON_LEN: usize = 64;

/// The placeholder shown in place of a password.
pub const MASK: &str = "********";

/// A valid new password. It is never shown, not even in a log.
#[derive(Clone)]
pub struct NewPassword(String);

impl NewPassword {
    /// Validates a password that a member chose for themselves.
    pub fn of_oneself(typed: &str) -> Result<Self, StaffError> {
        let short = StaffError::NewPasswordTooShort { min_characters: MIN_CHARACTERS };
        Self::parse(typed, StaffError::NewPasswordMissing, short)
    }

    /// Validates a password that one person sets for another.
    pub fn of_member(typed: &str) -> Result<Self, StaffError> {
        let short = StaffError::PasswordTooShort { min_characters: MIN_CHARACTERS };
        Self::parse(typed, StaffError::PasswordMissing, short)
    }

    fn parse(typed: &str, missing: StaffError, short: StaffError) -> Result<Self, StaffError> {
        if typed.is_empty() {
            return Err(missing);
        }
        check_length(typed)?;
        let password = composed(typed);
        if password.chars().count() < MIN_CHARACTERS {
            return Err(short);
        }
        if password == MASK {
            return Err(StaffError::PasswordIsMask);
        }
        Ok(Self(password))
    }

    /// Whether a guesser tries it early: the most common passwords in any case, and plain patterns.
    pub fn is_common(&self) -> bool {
        self.0.chars().count() <= MAX_COMMON_LEN
            && zxcvbn::zxcvbn(&self.0.to_lowercase(), &[]).guesses() <= COMMON_WITHIN_GUESSES
    }

    /// The text to hash.
    pub fn as_str(&self) -> &str {
        &self.0
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

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(typed: &str) -> Option<String> {
        NewPassword::of_oneself(typed).err().map(|error| error.to_string())
    }

    #[test]
    fn length_is_counted_in_characters_and_bounded_in_bytes() {
        assert_eq!(refusal("").as_deref(), Some("Please enter your New Password"));
        assert_eq!(refusal("ééééé").as_deref(), Some("New Password must be at least 6 characters"));
        assert_eq!([refusal("🦀🦀🦀🦀🦀🦀"), refusal(&"x".repeat(1_024))], [None, None]);
        assert!(refusal(&"x".repeat(1_025)).is_some_and(|message| message.contains("1024")));
        assert!(refusal(MASK).is_some());
    }

    #[test]
    fn common_passwords_are_known_in_any_case() {
        let common = |typed: &str| NewPassword(typed.to_owned()).is_common();
        for known in ["123456", "password", "Password1", "QWERTY", "iloveyou", "letmein", "abc123", "aaaaaa", "dragon"]
        {
            assert!(common(known), "{known}");
        }
        for unknown in ["correct horse battery", "xk3#9z!", "a long test password", "🦀🦀🦀🦀🦀🦀🦀z"] {
            assert!(!common(unknown), "{unknown}");
        }
    }
}
