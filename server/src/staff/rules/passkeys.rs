//! Passkeys: where they can be offered, what they are called, and which assertions count. Pure.

use serde_json::Value;
use url::{Host, Url};

use crate::error::Result;
use crate::staff::errors::StaffError;
use crate::text;

/// The passkeys that a member may have.
pub const MAX_PASSKEYS: usize = 10;
/// The longest name of a passkey, in characters.
const MAX_NAME_LEN: usize = 60;

/// The address to which passkeys are bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The relying party's id (WebAuthn Level 3 §5.1.2): the host without its port.
    pub host: String,
    /// The only origin whose answers count.
    pub origin: Url,
}

/// The site of `public_url`. None where browsers offer no passkeys: without https, except at localhost, and at an IP address
/// (WebAuthn Level 3 §5.1.3).
pub fn site(public_url: &str) -> Option<Site> {
    let url = Url::parse(public_url).ok()?;
    let Some(Host::Domain(host)) = url.host() else { return None };
    let is_secure = url.scheme() == "https" || url.scheme() == "http" && host == "localhost";
    is_secure.then(|| Site { host: host.to_owned(), origin: url.clone() })
}

/// Reads the name that a member gives to a passkey.
///
/// # Errors
/// [`StaffError::PasskeyNameMissing`], and those of [`text::line`].
pub fn parse_name(typed: &str) -> Result<String> {
    text::line(typed, "The name", MAX_NAME_LEN)?.ok_or_else(|| StaffError::PasskeyNameMissing.into())
}

/// Returns true if an assertion with the counter `seen` may follow one with the counter `stored`. A device that counts nothing always
/// sends 0. A counter that does not grow means that two devices may have the same key (WebAuthn Level 3 §7.2, step 22).
pub fn counter_grows(stored: i64, seen: i64) -> bool {
    seen > stored || (seen == 0 && stored == 0)
}

/// The start of a ceremony.
pub struct CeremonyStart {
    /// The options of `navigator.credentials`, for the browser.
    pub options: Value,
    /// The state that verifies the answer. It stays on the server.
    pub state: String,
}

/// A passkey that a browser has just created.
#[derive(Clone, Debug)]
pub struct CreatedPasskey {
    pub credential_id: String,
    pub credential: String,
}

/// The outcome of an assertion.
#[derive(Clone, Debug)]
pub enum AssertionOutcome {
    Right(Assertion),
    /// The signature is right, but its counter is not above that of an earlier assertion.
    Copied {
        credential_id: String,
    },
    Wrong,
}

/// An assertion with a right signature.
#[derive(Clone, Debug)]
pub struct Assertion {
    pub credential_id: String,
    /// The credential as it is to be stored from now on.
    pub credential: String,
    pub sign_count: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passkeys_need_https_and_a_host_name_except_at_localhost() {
        let host = |url: &str| site(url).map(|site| site.host);
        assert_eq!(host("https://Desk.Agency.example:8443/"), Some("desk.agency.example".into()));
        assert_eq!(host("http://localhost:8080"), Some("localhost".into()));
        for url in [
            "http://desk.agency.example",
            "http://127.0.0.1:8080",
            "https://10.0.0.7",
            "https://[::1]",
            "localhost",
            "",
        ] {
            assert_eq!(host(url), None, "{url}");
        }
    }

    #[test]
    fn a_counter_grows_or_stays_at_zero() {
        for (stored, seen, counts) in
            [(0, 0, true), (0, 1, true), (7, 8, true), (7, 7, false), (7, 6, false), (7, 0, false)]
        {
            assert_eq!(counter_grows(stored, seen), counts, "{stored} {seen}");
        }
    }

    #[test]
    fn a_passkey_has_a_short_visible_name() {
        assert_eq!(parse_name("  Work laptop ").ok().as_deref(), Some("Work laptop"));
        for (refused, code) in [
            ("", "passkey_name_missing"),
            (" ", "passkey_name_missing"),
            ("a\u{202e}b", "invisible_characters"),
            (&"n".repeat(61), "text_too_long"),
        ] {
            assert_eq!(parse_name(refused).map_err(|error| error.code()), Err(code), "{refused}");
        }
    }
}
