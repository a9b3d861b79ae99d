//! Signed links to files: `uploads/{name}?e={until}&s={signature}`. Each is good for one viewer and five minutes, and for the images of
//! the file's pages: `uploads/{name}/pages/{size}/{page}` with the same query.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::TimeDelta;

use super::Documents;
use super::kinds::VISA;
use super::rules::MediaType;
use crate::audit::reader::Reader;
use crate::error::{Error, Result};
use crate::http::errors::HttpError;
use crate::ids::OrderId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// The time that a link is valid, in seconds.
pub const VALID_FOR_SECONDS: u32 = 5 * 60;

const PURPOSE: &str = "links to files";

/// The only viewer that a link opens for.
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

/// The path that the link to `path` was signed for: that of the file, also for its pages.
pub fn signed_path(path: &str) -> &str {
    path.split_once("/pages/").map_or(path, |(file, _)| file)
}

/// Signs the link that opens `path` (`uploads/…`, without a leading slash) for `viewer` only.
pub fn sign(secret: &SecretKey, path: &str, viewer: &Viewer, now: Timestamp) -> String {
    let expiry = (now + TimeDelta::seconds(VALID_FOR_SECONDS.into())).timestamp();
    let signature = hex::encode(secret.sign(PURPOSE, signed_text(path, expiry, viewer).as_bytes()));
    format!("{path}?e={expiry}&s={signature}")
}

/// Returns true if a link with this `expiry` (seconds since 1970) and `signature` opens `path` for `viewer` at `now`.
pub fn opens(secret: &SecretKey, path: &str, expiry: i64, signature: &str, viewer: &Viewer, now: Timestamp) -> bool {
    // Lower case only: a link that was changed anywhere is invalid.
    if now.timestamp() > expiry || signature.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return false;
    }
    hex::decode(signature)
        .is_ok_and(|signature| secret.verify(PURPOSE, signed_text(path, expiry, viewer).as_bytes(), &signature))
}

/// Signs the links of one response, all for the same viewer.
pub struct Links {
    secret: SecretKey,
    viewer: Viewer,
    now: Timestamp,
    /// The origin of visas and packs, and that of applicants' files; empty for this host.
    visas_at: String,
    files_at: String,
}

impl Links {
    /// Links for `viewer`, valid from now.
    pub fn new(room: &Documents, viewer: Viewer) -> Self {
        // A visitor's cookie is sent to this host only.
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

/// The query of a signed link.
#[derive(Debug)]
pub struct SignedQuery {
    /// Seconds since 1970.
    pub expiry: i64,
    pub signature: String,
}

impl SignedQuery {
    /// Parses the query exactly as it was signed.
    pub fn parse(query: &str) -> Option<Self> {
        let (expiry, signature) = query.strip_prefix("e=")?.split_once("&s=")?;
        // Only the signed spelling: `+5` and `05` are numbers too.
        let number = expiry.parse::<i64>().ok().filter(|number| number.to_string() == expiry)?;
        Some(Self { expiry: number, signature: signature.to_owned() })
    }
}

/// The viewer whose link opened. The layer of `access/viewers.rs` sets it.
#[derive(Clone)]
pub enum OpenedBy {
    Staff(Reader),
    /// The visitor's order.
    Visitor(OrderId),
}

impl<S: Sync> FromRequestParts<S> for OpenedBy {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| HttpError::NoSuchAddress.into())
    }
}

/// The signed text. No part can contain a line break, so no two links have the same text.
fn signed_text(path: &str, expiry: i64, viewer: &Viewer) -> String {
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

    fn now() -> Timestamp {
        "2026-11-20T10:00:00Z".parse().unwrap()
    }

    /// The parts of a link: path, expiry, signature.
    fn parts(link: &str) -> (&str, i64, &str) {
        let (path, query) = link.split_once("?e=").unwrap();
        let (expiry, signature) = query.split_once("&s=").unwrap();
        (path, expiry.parse().unwrap(), signature)
    }

    #[test]
    fn a_link_opens_for_its_viewer_for_five_minutes() {
        let (key, viewer) = (key(), Viewer::Staff("one".into()));
        let link = sign(&key, PATH, &viewer, now());
        let (path, expiry, signature) = parts(&link);
        assert_eq!((path, signature.len()), (PATH, 64));
        let at = |minutes| opens(&key, path, expiry, signature, &viewer, now() + TimeDelta::minutes(minutes));
        assert_eq!([0, 5, 6].map(at), [true, true, false]);
    }

    #[test]
    fn nobody_else_opens_it_and_no_change_goes_unseen() {
        let (key, viewer) = (key(), Viewer::Staff("one".into()));
        let link = sign(&key, PATH, &viewer, now());
        let (path, expiry, signature) = parts(&link);
        for other in [Viewer::Staff("two".into()), Viewer::Visitor("one".into()), Viewer::Staff(String::new())] {
            assert!(!opens(&key, path, expiry, signature, &other, now()), "{other:?}");
        }
        let (longer, upper) = (format!("{signature}00"), signature.to_uppercase());
        for wrong in ["", "00", "nonsense", &signature[..62], &longer, &upper] {
            assert!(!opens(&key, path, expiry, wrong, &viewer, now()), "{wrong}");
        }
        assert!(!opens(&key, path, expiry + 60, signature, &viewer, now()));
        assert!(!opens(&key, path, i64::MAX, signature, &viewer, now()));
        assert!(!opens(&key, "uploads/0123456789abcdef0123456789abcdef.png", expiry, signature, &viewer, now()));
        assert!(!opens(&self::key(), path, expiry, signature, &viewer, now()), "another installation's key");
    }
}
