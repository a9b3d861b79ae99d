//! The tokens that name sessions. The server trusts a token for nothing but the name of its session.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rules::StaffType;
use crate::error::{Error, Result};
use crate::http::errors::HttpError;
use crate::ids::StaffId;
use crate::jwt;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// The tolerated difference between the clocks of two nodes.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);
/// The longest token that is parsed, in bytes.
const MAX_TOKEN_LEN: usize = 4 * 1024;

/// The audience and the kind of session tokens, which no other token of this server has.
const AUDIENCE: &str = "visadesk";
const KIND: &str = "session";

/// The member's choice to stay signed in or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remember {
    No,
    /// For so many days.
    Days(u32),
}

impl Remember {
    /// For so many days; not at all for 0.
    pub fn days(days: u32) -> Self {
        if days > 0 { Self::Days(days) } else { Self::No }
    }

    /// The longest life of the session.
    fn max_age(self) -> TimeDelta {
        match self {
            Self::No => TimeDelta::hours(12),
            Self::Days(days) => TimeDelta::days(days.into()),
        }
    }

    /// The time that the session lives without being used, in seconds.
    pub fn idle_seconds(self) -> i32 {
        match self {
            Self::No => 60 * 60,
            Self::Days(_) => 24 * 60 * 60,
        }
    }
}

/// A session that is about to start.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// The secret in the token. The database has only its hash.
    sid: String,
    pub session_hash: String,
    pub remember: Remember,
    pub begins_at: Timestamp,
}

impl NewSession {
    /// Creates a session with a random secret.
    pub fn draw(remember: Remember, now: Timestamp) -> Self {
        let sid = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { session_hash: hash(&sid), sid, remember, begins_at: now }
    }

    /// When the session expires, however much it is used.
    pub fn ends_at(&self) -> Timestamp {
        self.begins_at + self.remember.max_age()
    }
}

fn hash(sid: &str) -> String {
    hex::encode(Sha256::digest(sid))
}

/// The person in a token, for the web app to show. The server does not trust it.
#[derive(Clone, Debug, Serialize)]
pub struct TokenPerson {
    pub id: StaffId,
    pub name: String,
    #[serde(rename = "type")]
    pub staff_type: StaffType,
}

#[derive(Serialize)]
struct NewClaims<'a> {
    user: &'a TokenPerson,
    sid: &'a str,
    sub: String,
    aud: &'a str,
    typ: &'a str,
    iat: i64,
    nbf: i64,
    exp: i64,
}

/// The claims that a token must have.
#[derive(Deserialize)]
struct TokenClaims {
    sid: String,
    #[serde(rename = "sub")]
    _sub: String,
    typ: String,
    #[serde(rename = "iat")]
    _iat: i64,
    nbf: i64,
    exp: i64,
}

/// The values that are used of a token whose signature is ours.
#[derive(Clone, Debug)]
struct VerifiedToken {
    session_hash: String,
    nbf: i64,
    exp: i64,
}

/// The most tokens that are remembered. One that is seldom used makes room.
const MAX_VERIFIED: usize = 1_000;

/// Signs and verifies tokens.
pub struct Tokens {
    signing_key: EncodingKey,
    verifying_key: DecodingKey,
    validation: Validation,
    /// Tokens that were used lately: a signature is verified once, not at each request.
    verified: Cache<String, VerifiedToken>,
}

impl Tokens {
    /// Derives the key from `secret`.
    pub fn new(secret: &SecretKey) -> Self {
        jwt::use_hs256();
        let key = secret.derive("session tokens");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "nbf", "aud", "sub"]);
        // The library would use the system's clock; `verify` uses the caller's.
        validation.validate_exp = false;
        Self {
            signing_key: EncodingKey::from_secret(&key),
            verifying_key: DecodingKey::from_secret(&key),
            validation,
            verified: Cache::new(MAX_VERIFIED),
        }
    }

    /// Signs the token of a session.
    pub fn sign(&self, new: &NewSession, person: &TokenPerson) -> Result<String> {
        let begins_at = new.begins_at.timestamp();
        let claims = NewClaims {
            user: person,
            sid: &new.sid,
            sub: person.id.to_string(),
            aud: AUDIENCE,
            typ: KIND,
            iat: begins_at,
            nbf: begins_at,
            exp: new.ends_at().timestamp(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.signing_key).map_err(Error::internal)
    }

    /// Verifies a token. Returns the hash of the session that it names.
    ///
    /// # Errors
    /// `signed_out`.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<String> {
        if token.len() > MAX_TOKEN_LEN {
            return Err(HttpError::SignedOut.into());
        }
        let verified = self.verified.get_or_insert_with(token, || self.read(token))?;
        let (now, leeway) = (now.timestamp(), LEEWAY.num_seconds());
        let is_now = verified.nbf.saturating_sub(leeway) <= now && now <= verified.exp.saturating_add(leeway);
        if is_now { Ok(verified.session_hash) } else { Err(HttpError::SignedOut.into()) }
    }

    /// Verifies a token but for its time.
    fn read(&self, token: &str) -> Result<VerifiedToken> {
        let read = jsonwebtoken::decode::<TokenClaims>(token, &self.verifying_key, &self.validation);
        let claims = read.map_err(|_| HttpError::SignedOut)?.claims;
        if claims.typ != KIND {
            return Err(HttpError::SignedOut.into());
        }
        Ok(VerifiedToken { session_hash: hash(&claims.sid), nbf: claims.nbf, exp: claims.exp })
    }
}
