//! The mails to members about their own account, and when they are sent. Pure.

use chrono::TimeDelta;

use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The event on a member's account that a mail reports.
    pub enum AccountEvent {
        NewDevice = "new device",
        PasswordChanged = "password changed",
        EmailChanged = "email changed",
        AppAdded = "authenticator app added",
        AppRemoved = "authenticator app removed",
        PasskeyAdded = "passkey added",
        PasskeyRemoved = "passkey removed",
        /// Every factor at once, by someone else.
        SecondFactorRemoved = "second factor removed",
        RecoveryCodesMade = "recovery codes made",
        RecoveryCodeUsed = "recovery code used",
    }
}

impl AccountEvent {
    /// The sentence of the mail, without its full stop. It is the subject as well.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NewDevice => "A new device signed in to your account",
            Self::PasswordChanged => "The password of your account was changed",
            Self::EmailChanged => "The email address of your account was changed",
            Self::AppAdded => "An authenticator app was set up for your account",
            Self::AppRemoved => "The authenticator app of your account was removed",
            Self::PasskeyAdded => "A passkey was added to your account",
            Self::PasskeyRemoved => "A passkey of your account was removed",
            Self::SecondFactorRemoved => "The second factor of your account was removed",
            Self::RecoveryCodesMade => "New recovery codes were made for your account",
            Self::RecoveryCodeUsed => "A recovery code of your account was used",
        }
    }
}

/// The time after a mail about a new device in which no other one is sent to the same member.
const ONE_MAIL_WITHIN: TimeDelta = TimeDelta::days(1);

/// A device from which a member has signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDevice {
    /// The browser and its system: `Chrome on Windows`.
    pub device: String,
    pub country: String,
    /// When the member was mailed about it; none: never.
    pub mailed_at: Option<Timestamp>,
}

/// The meaning of a sign-in from a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognition {
    Known,
    /// The member is not mailed: it is their first device, or they were mailed about another one within a day.
    New,
    NewAndMailed,
}

/// Decides whether the member with these devices is mailed about a sign-in from `device` in `country`.
pub fn recognize(known: &[KnownDevice], device: &str, country: &str, now: Timestamp) -> Recognition {
    if known.iter().any(|one| one.device == device && one.country == country) {
        return Recognition::Known;
    }
    let was_mailed = known.iter().filter_map(|one| one.mailed_at).any(|at| now - at < ONE_MAIL_WITHIN);
    if known.is_empty() || was_mailed { Recognition::New } else { Recognition::NewAndMailed }
}

/// Returns true if an address may have a mailbox. The domains reserved for examples and tests have none (RFC 2606, RFC 6761); the members
/// of the demo have such addresses.
pub fn may_have_mailbox(email: &str) -> bool {
    let domain = email.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    let mut labels = domain.trim_end_matches('.').rsplit('.');
    let (top, below) = (labels.next(), labels.next());
    let is_reserved = matches!(top, Some("test" | "example" | "invalid" | "localhost"));
    let is_example = below == Some("example") && matches!(top, Some("com" | "net" | "org"));
    !(is_reserved || is_example)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> Timestamp {
        Timestamp::EPOCH + TimeDelta::hours(hours)
    }

    fn known(device: &str, country: &str, mailed_at: Option<i64>) -> KnownDevice {
        KnownDevice { device: device.into(), country: country.into(), mailed_at: mailed_at.map(at) }
    }

    #[test]
    fn the_first_device_is_not_mailed_and_a_later_one_is() {
        let chrome = known("Chrome on Windows", "Indonesia", None);
        assert_eq!(recognize(&[], "Chrome on Windows", "Indonesia", at(0)), Recognition::New);
        let own = [chrome];
        assert_eq!(recognize(&own, "Chrome on Windows", "Indonesia", at(1)), Recognition::Known);
        assert_eq!(recognize(&own, "Firefox on Windows", "Indonesia", at(1)), Recognition::NewAndMailed);
        assert_eq!(recognize(&own, "Chrome on Windows", "Singapore", at(1)), Recognition::NewAndMailed);
    }

    #[test]
    fn a_member_is_mailed_about_one_new_device_a_day() {
        let own = [known("Chrome on Windows", "Indonesia", None), known("Safari on iOS", "Indonesia", Some(10))];
        assert_eq!(recognize(&own, "Firefox on Linux", "Indonesia", at(33)), Recognition::New);
        assert_eq!(recognize(&own, "Firefox on Linux", "Indonesia", at(34)), Recognition::NewAndMailed);
    }

    #[test]
    fn reserved_domains_get_no_mail() {
        for email in
            ["a@visadesk.example", "a@EXAMPLE.com", "a@mail.example.org", "a@localhost", "a@x.test.", "a@y.invalid"]
        {
            assert!(!may_have_mailbox(email), "{email}");
        }
        for email in ["a@example.co.id", "a@agency.com", "a@example-agency.com", "\"a@b.test\"@agency.com"] {
            assert!(may_have_mailbox(email), "{email}");
        }
    }
}
