//! Signed links to files: `uploads/{name}?e={until}&s={seal}`. Each is good for one viewer and five minutes.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{NaiveDateTime, TimeDelta};

use super::Documents;
use super::rules::{MediaType, VISA};
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::secret::SecretKey;
use crate::staff::rules::Staff;

/// How long a link opens.
const LIVES: TimeDelta = TimeDelta::minutes(5);

const PURPOSE: &str = "links to files";

/// For whom a link was made. Nobody else opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// The session of that hash.
    Staff(String),
    /// The visitor's grant of that hash.
    Visitor(String),
}

impl Viewer {
    fn named(&self) -> String {
        match self {
            Self::Staff(session_hash) => format!("staff:{session_hash}"),
            Self::Visitor(grant_hash) => format!("visitor:{grant_hash}"),
        }
    }
}

/// The path of a stored file, as links name it.
pub fn path_of(key: &str, media_type: MediaType) -> String {
    format!("uploads/{key}.{}", media_type.extension())
}

/// The link that opens `path` (`uploads/…`, without a slash before it) for `viewer`, and for nobody else.
pub fn sign(secret: &SecretKey, path: &str, viewer: &Viewer, now: NaiveDateTime) -> String {
    let expiry = (now + LIVES).and_utc().timestamp();
    let seal = hex::encode(secret.sign(PURPOSE, sealed(path, expiry, viewer).as_bytes()));
    format!("{path}?e={expiry}&s={seal}")
}

/// Whether a link with this `expiry` (seconds since 1970) and `seal` opens `path` for `viewer` at `now`.
pub fn opens(secret: &SecretKey, path: &str, expiry: i64, seal: &str, viewer: &Viewer, now: NaiveDateTime) -> bool {
    // In small letters alone: a link that was changed anywhere is another link.
    if now.and_utc().timestamp() > expiry || seal.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return false;
    }
    hex::decode(seal).is_ok_and(|seal| secret.verify(PURPOSE, sealed(path, expiry, viewer).as_bytes(), &seal))
}

/// Makes the links of one answer, all for the same viewer.
pub struct Links {
    secret: SecretKey,
    viewer: Viewer,
    now: NaiveDateTime,
    /// What stands before the path of what the agency made, and of an applicant's file: another host, or nothing.
    visas_at: String,
    files_at: String,
}

impl Links {
    /// Links for `viewer`, made now.
    pub fn new(room: &Documents, viewer: Viewer) -> Self {
        // A visitor's cookie goes to no host but this one.
        let elsewhere = |url: &str| !url.is_empty() && matches!(viewer, Viewer::Staff(_));
        let before = |url: &str| if elsewhere(url) { format!("{}/", url.trim_end_matches('/')) } else { String::new() };
        Self {
            secret: room.secret.clone(),
            now: room.clock.now(),
            visas_at: before(&room.config.admin_uploads_url),
            files_at: before(&room.config.customer_uploads_url),
            viewer,
        }
    }

    /// The link to a defence pack.
    pub fn to_pack(&self, key: &str) -> String {
        self.to(VISA, key, MediaType::Pdf)
    }

    /// The link to a stored file of that kind.
    pub fn to(&self, kind: &str, key: &str, media_type: MediaType) -> String {
        let before = if kind == VISA { &self.visas_at } else { &self.files_at };
        format!("{before}{}", sign(&self.secret, &path_of(key, media_type), &self.viewer, self.now))
    }
}

/// What follows the path of a signed link.
#[derive(Debug)]
pub struct Signature {
    /// Until when it opens, in seconds since 1970.
    pub expiry: i64,
    pub seal: String,
}

impl Signature {
    /// Reads a link's query: exactly what was signed, in its order.
    pub fn parse(query: &str) -> Option<Self> {
        let (expiry, seal) = query.strip_prefix("e=")?.split_once("&s=")?;
        // As it was written: `+5` and `05` are numbers too.
        let number = expiry.parse::<i64>().ok().filter(|number| number.to_string() == expiry)?;
        Some(Self { expiry: number, seal: seal.to_owned() })
    }
}

/// For whom the link of a request opened, as a layer notes it for the handlers behind it.
#[derive(Clone, Debug)]
pub enum Opened {
    Staff(Staff),
    /// The visitor's order.
    Visitor(OrderId),
}

impl<S: Sync> FromRequestParts<S> for Opened {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(nothing_here)
    }
}

/// What a request without a link that opens is answered with, whatever is wrong with it.
pub fn nothing_here() -> Error {
    Error::not_found("There is nothing at this address")
}

/// What the seal is of. No part can hold a line's end, so no two links come to the same text.
fn sealed(path: &str, expiry: i64, viewer: &Viewer) -> String {
    format!("{path}\n{expiry}\n{}", viewer.named())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "uploads/0123456789abcdef0123456789abcdef.pdf";

    fn key() -> SecretKey {
        let folder = tempfile::tempdir().unwrap();
        SecretKey::open(&folder.path().join("secret.key")).unwrap()
    }

    fn now() -> NaiveDateTime {
        "2026-11-20T10:00:00".parse().unwrap()
    }

    /// The parts of a link: path, expiry, seal.
    fn parts(link: &str) -> (&str, i64, &str) {
        let (path, query) = link.split_once("?e=").unwrap();
        let (expiry, seal) = query.split_once("&s=").unwrap();
        (path, expiry.parse().unwrap(), seal)
    }

    #[test]
    fn a_link_opens_for_its_viewer_for_five_minutes() {
        let (key, viewer) = (key(), Viewer::Staff("one".into()));
        let link = sign(&key, PATH, &viewer, now());
        let (path, expiry, seal) = parts(&link);
        assert_eq!((path, seal.len()), (PATH, 64));
        let at = |minutes| opens(&key, path, expiry, seal, &viewer, now() + TimeDelta::minutes(minutes));
        assert_eq!([0, 5, 6].map(at), [true, true, false]);
    }

    #[test]
    fn nobody_else_opens_it_and_no_change_goes_unseen() {
        let (key, viewer) = (key(), Viewer::Staff("one".into()));
        let link = sign(&key, PATH, &viewer, now());
        let (path, expiry, seal) = parts(&link);
        for other in [Viewer::Staff("two".into()), Viewer::Visitor("one".into()), Viewer::Staff(String::new())] {
            assert!(!opens(&key, path, expiry, seal, &other, now()), "{other:?}");
        }
        let (longer, upper) = (format!("{seal}00"), seal.to_uppercase());
        for wrong in ["", "00", "nonsense", &seal[..62], &longer, &upper] {
            assert!(!opens(&key, path, expiry, wrong, &viewer, now()), "{wrong}");
        }
        assert!(!opens(&key, path, expiry + 60, seal, &viewer, now()));
        assert!(!opens(&key, path, i64::MAX, seal, &viewer, now()));
        assert!(!opens(&key, "uploads/0123456789abcdef0123456789abcdef.png", expiry, seal, &viewer, now()));
        assert!(!opens(&self::key(), path, expiry, seal, &viewer, now()), "another installation's key");
    }
}
