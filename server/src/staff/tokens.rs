//! The tokens that name sessions. Of a token only the session it names is believed.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{NaiveDateTime, TimeDelta};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rules::StaffType;
use crate::error::{Error, Result};
use crate::http::errors::HttpError;
use crate::jwt;
use crate::secret::SecretKey;

/// How far the clocks of two nodes may differ.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);
/// The longest token that is looked at, in bytes.
const MAX_TOKEN_LEN: usize = 4 * 1024;

/// Whom our tokens are for, and what kind they are: no other token of ours passes as one.
const AUDIENCE: &str = "visadesk";
const KIND: &str = "session";

/// Whether the person asked to stay signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remember {
    No,
    Yes,
}

impl Remember {
    /// How long the session lasts at most.
    fn longest(self) -> TimeDelta {
        match self {
            Self::No => TimeDelta::hours(12),
            Self::Yes => TimeDelta::days(7),
        }
    }

    /// How long it lasts unused.
    pub fn idle_seconds(self) -> i32 {
        match self {
            Self::No => 60 * 60,
            Self::Yes => 24 * 60 * 60,
        }
    }
}

/// A session about to begin.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// What the token says; the store has only its hash.
    sid: String,
    pub session_hash: String,
    pub remember: Remember,
    pub begins_at: NaiveDateTime,
}

impl NewSession {
    /// Draws the session's secret name.
    pub fn draw(remember: Remember, now: NaiveDateTime) -> Self {
        let sid = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { session_hash: hash(&sid), sid, remember, begins_at: now }
    }

    /// When it ends, however much it is used.
    pub fn ends_at(&self) -> NaiveDateTime {
        self.begins_at + self.remember.longest()
    }
}

fn hash(sid: &str) -> String {
    hex::encode(Sha256::digest(sid))
}

/// What a token says of the person, for the page to show. The server does not believe it.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    pub id: i64,
    pub name: String,
    #[serde(rename = "type")]
    pub staff_type: StaffType,
}

#[derive(Serialize)]
struct Says<'a> {
    user: &'a Shown,
    sid: &'a str,
    sub: String,
    aud: &'a str,
    typ: &'a str,
    iat: i64,
    nbf: i64,
    exp: i64,
}

/// What is read of a token: each of these must be there, in its type.
#[derive(Deserialize)]
struct Names {
    sid: String,
    #[serde(rename = "sub")]
    _sub: String,
    typ: String,
    #[serde(rename = "iat")]
    _iat: i64,
    nbf: i64,
    exp: i64,
}

/// Signs and reads tokens.
pub struct Tokens {
    to_sign: EncodingKey,
    to_read: DecodingKey,
    validation: Validation,
}

impl Tokens {
    /// Tokens under a key derived from `secret`.
    pub fn new(secret: &SecretKey) -> Self {
        jwt::use_hs256();
        let key = secret.derive("session tokens");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "nbf", "aud", "sub"]);
        // It would ask the system's clock; `read` asks ours.
        validation.validate_exp = false;
        Self { to_sign: EncodingKey::from_secret(&key), to_read: DecodingKey::from_secret(&key), validation }
    }

    /// The token of a session that has begun.
    pub fn sign(&self, new: &NewSession, person: &Shown) -> Result<String> {
        let begins_at = new.begins_at.and_utc().timestamp();
        let says = Says {
            user: person,
            sid: &new.sid,
            sub: person.id.to_string(),
            aud: AUDIENCE,
            typ: KIND,
            iat: begins_at,
            nbf: begins_at,
            exp: new.ends_at().and_utc().timestamp(),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &says, &self.to_sign).map_err(Error::internal)
    }

    /// The hash of the session that `token` names, if it is one of ours and its time is now.
    pub fn read(&self, token: &str, now: NaiveDateTime) -> Result<String> {
        if token.len() > MAX_TOKEN_LEN {
            return Err(Error::from(HttpError::SignedOut));
        }
        let read = jsonwebtoken::decode::<Names>(token, &self.to_read, &self.validation);
        let names = read.map_err(|_| Error::from(HttpError::SignedOut))?.claims;
        let (now, leeway) = (now.and_utc().timestamp(), LEEWAY.num_seconds());
        let is_now = names.nbf.saturating_sub(leeway) <= now && now <= names.exp.saturating_add(leeway);
        if is_now && names.typ == KIND { Ok(hash(&names.sid)) } else { Err(Error::from(HttpError::SignedOut)) }
    }
}
