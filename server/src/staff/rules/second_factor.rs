//! The second factor of a sign-in: what may be typed as one, how long a proof counts, and who must have one. Pure.

use chrono::TimeDelta;

use super::{StaffType, wait_after};
use crate::characters::plain_number;
use crate::config::{self, Limits};
use crate::error::Result;
use crate::http::address::ClientNetwork;
use crate::http::failed_attempts::RateLimit;
use crate::staff::errors::StaffError;

/// The time that a sign-in whose password was right waits for the second factor.
pub const CHALLENGE_LASTS: TimeDelta = TimeDelta::minutes(10);
/// The wrong codes that end such a sign-in.
pub const MAX_TRIES: i32 = 5;
/// The time that a proof of identity counts for calls that ask for it again. A sign-in is such a proof.
pub const PROOF_LASTS: TimeDelta = TimeDelta::minutes(30);
/// The recovery codes that a member has at first.
pub const RECOVERY_CODES: usize = 10;

/// Letters and digits that are not mistaken for one another, on paper or over the phone.
const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";
/// Fifty random bits.
const RECOVERY_CODE_LEN: usize = 10;
/// The digits of an authenticator app's code.
const APP_CODE_LEN: usize = 6;

/// The second factor that a person typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedFactor {
    /// The six digits of an authenticator app.
    AppCode(String),
    /// A recovery code, without its hyphen.
    RecoveryCode(String),
}

impl TypedFactor {
    /// Reads what was typed. Spaces, hyphens, case and the script of digits do not matter.
    ///
    /// # Errors
    /// [`StaffError::SecondFactorUnreadable`] for what is neither.
    pub fn parse(typed: &str) -> Result<Self, StaffError> {
        let typed = typed.trim();
        // Longer than any code with its spaces: nothing is gained by reading on.
        if typed.len() > 64 {
            return Err(StaffError::SecondFactorUnreadable);
        }
        let plain: String = plain_number(typed).chars().filter(|it| !matches!(it, ' ' | '-')).collect();
        let plain = plain.to_ascii_lowercase();
        if plain.len() == APP_CODE_LEN && plain.bytes().all(|it| it.is_ascii_digit()) {
            Ok(Self::AppCode(plain))
        } else if plain.len() == RECOVERY_CODE_LEN && plain.bytes().all(|it| ALPHABET.contains(&it)) {
            Ok(Self::RecoveryCode(plain))
        } else {
            Err(StaffError::SecondFactorUnreadable)
        }
    }
}

/// The recovery code of ten random bytes.
pub fn recovery_code(random: [u8; RECOVERY_CODE_LEN]) -> String {
    // 256 is a multiple of 32, so each letter is as likely as any other.
    random.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A recovery code as people see it, in two halves.
pub fn printed_recovery_code(code: &str) -> String {
    let (first, second) = code.split_at(code.len() / 2);
    format!("{first}-{second}")
}

/// The rate limit of wrong codes. The account's own counter, so that a stranger with the password cannot shut its owner out of a known
/// network.
pub fn second_factor_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "second-factor",
        refusal: "Too many wrong codes",
        failures_per_address: limits.sign_in_failures_per_address,
        network: ClientNetwork::Subscriber,
        free_failures: limits.sign_in_failures_per_account,
        window: TimeDelta::days(1),
        wait_after,
    }
}

/// The types of staff who must have a second factor, and whether calls of consequence ask every member for a proof again.
#[derive(Clone, Debug, Default)]
pub struct SecondFactorRule {
    required_for: Vec<StaffType>,
    pub confirm_actions: bool,
}

impl SecondFactorRule {
    /// Reads the settings.
    ///
    /// # Errors
    /// [`StaffError::UnknownStaffType`].
    pub fn of(config: &config::SecondFactorSettings) -> Result<Self> {
        let required_for = config.required_for.iter().map(|name| StaffType::named(name)).collect::<Result<_>>()?;
        Ok(Self { required_for, confirm_actions: config.confirm_actions })
    }

    /// Returns true if members of that type cannot sign in without a second factor.
    pub fn requires(&self, who: StaffType) -> bool {
        self.required_for.contains(&who)
    }
}

/// Requires a proof of who one is within the last half hour.
///
/// # Errors
/// [`StaffError::ConfirmationRequired`].
pub fn check_confirmed(since_proof: TimeDelta) -> Result<()> {
    if since_proof < PROOF_LASTS { Ok(()) } else { Err(StaffError::ConfirmationRequired.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        let app = |code: &str| Ok(TypedFactor::AppCode(code.into()));
        let recovery = |code: &str| Ok(TypedFactor::RecoveryCode(code.into()));
        let read = |typed: &str| TypedFactor::parse(typed).map_err(|_| ());
        assert_eq!(read(" 123 456 "), app("123456"));
        assert_eq!(read("１２３４５６"), app("123456"), "a Japanese keyboard");
        assert_eq!(read("23abc-DEFgh"), recovery("23abcdefgh"));
        assert_eq!(read("23abcdefgh"), recovery("23abcdefgh"));
        for refused in ["", "12345", "1234567", "12345a", "+12345", "23abc-defg1", "23abcdefghi", "é"] {
            assert_eq!(read(refused), Err(()), "{refused}");
        }
        assert_eq!(read(&"1".repeat(100_000)), Err(()));
    }

    #[test]
    fn a_printed_recovery_code_is_read_again() {
        let code = recovery_code([0, 1, 31, 32, 255, 7, 8, 9, 10, 11]);
        assert_eq!(printed_recovery_code(&code), "23z2z-9abcd");
        assert_eq!(TypedFactor::parse(&printed_recovery_code(&code)).ok(), Some(TypedFactor::RecoveryCode(code)));
    }

    #[test]
    fn a_second_factor_is_required_for_the_types_of_the_setting() {
        let config = |names: &[&str]| config::SecondFactorSettings {
            required_for: names.iter().map(|name| (*name).to_owned()).collect(),
            ..config::Config::default().second_factor
        };
        let rule = SecondFactorRule::of(&config(&["Admin", "Night Staff"])).expect("two types");
        let required: Vec<_> = StaffType::ALL.iter().filter(|one| rule.requires(**one)).collect();
        assert_eq!(required, [&StaffType::Admin, &StaffType::NightStaff]);
        let refused = SecondFactorRule::of(&config(&["Boss"])).map(|_| ()).map_err(|error| error.code());
        assert_eq!(refused, Err("unknown_staff_type"));
    }
}
