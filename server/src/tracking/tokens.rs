//! The tokens of grants. A token is signed, so the server refuses a forged or expired one without a query.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::ids::OrderId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// 16 random bytes, the order's id, and the second at which the grant expires.
const CONTENT_LEN: usize = 28;
/// The first 128 bits of the signature. They are as hard to guess as the random bytes.
const SIGNATURE_LEN: usize = 16;
/// The purpose of the signature.
const PURPOSE: &str = "visitor grants";

/// The contents of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The key of the grant's row. The database has only this hash of the token.
    pub grant_hash: String,
    pub order_id: OrderId,
}

/// Draws a token for the order.
pub fn draw(secret: &SecretKey, order_id: OrderId, expires_at: Timestamp) -> String {
    let expires_at = u32::try_from(expires_at.timestamp()).unwrap_or(u32::MAX);
    let mut bytes = [0; CONTENT_LEN + SIGNATURE_LEN];
    bytes[..16].copy_from_slice(&rand::random::<[u8; 16]>());
    bytes[16..24].copy_from_slice(&order_id.0.to_be_bytes());
    bytes[24..CONTENT_LEN].copy_from_slice(&expires_at.to_be_bytes());
    let signature = secret.sign(PURPOSE, &bytes[..CONTENT_LEN]);
    bytes[CONTENT_LEN..].copy_from_slice(&signature[..SIGNATURE_LEN]);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The hash that names the grant of `token` in the database.
pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// Verifies a token; none if it is forged or has expired.
pub fn verify(secret: &SecretKey, token: &str, now: Timestamp) -> Option<Claims> {
    let bytes: [u8; CONTENT_LEN + SIGNATURE_LEN] = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?.try_into().ok()?;
    let (content, signature) = bytes.split_at(CONTENT_LEN);
    if !secret.verify_start(PURPOSE, content, signature) {
        return None;
    }
    let order_id = OrderId(i64::from_be_bytes(content[16..24].try_into().ok()?));
    let expires_at = u32::from_be_bytes(content[24..].try_into().ok()?);
    (now.timestamp() < i64::from(expires_at)).then(|| Claims { grant_hash: hash(token), order_id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unchanged_tokens_verify_and_only_until_they_expire() {
        let folder = tempfile::tempdir().unwrap();
        let key = |name: &str| SecretKey::open(&folder.path().join(name)).unwrap();
        let (own, other) = (key("own"), key("other"));
        let now: Timestamp = "2026-05-01T09:00:00Z".parse().unwrap();
        let expires_at = now + chrono::TimeDelta::minutes(30);
        let token = draw(&own, OrderId(100_001), expires_at);
        let claims = Claims { grant_hash: hash(&token), order_id: OrderId(100_001) };
        assert_eq!(verify(&own, &token, now), Some(claims));
        assert_eq!(verify(&own, &token, expires_at), None, "expired");
        assert_eq!(verify(&other, &token, now), None, "signed with another key");
        for place in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(verify(&own, std::str::from_utf8(&changed).unwrap(), now), None, "byte {place}");
        }
        for forged in ["", "nonsense", &token[1..], &format!("{token}A"), &"A".repeat(token.len())] {
            assert_eq!(verify(&own, forged, now), None, "{forged}");
        }
    }
}
