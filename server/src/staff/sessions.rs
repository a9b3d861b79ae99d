//! Sessions: rows on the server, and the tokens that name them. Of a token only the session it names is believed; who that
//! is and what they may do is read anew for each request.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rules::{Staff, StaffType};
use crate::app::App;
use crate::db::Conn;
use crate::db::schema::{sessions, staff};
use crate::error::{Error, Result};
use crate::http::address::ClientAddress;
use crate::secret::SecretKey;

/// How far the clocks of two nodes may differ.
const LEEWAY: TimeDelta = TimeDelta::seconds(60);
/// How often the last use of a session is written down.
const TOUCH_EVERY: TimeDelta = TimeDelta::minutes(1);
/// The longest token that is looked at, in bytes.
const LONGEST_TOKEN: usize = 4 * 1024;

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
    fn idle_seconds(self) -> i32 {
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
    remember: Remember,
    begins_at: NaiveDateTime,
}

impl NewSession {
    /// Draws the session's secret name.
    pub fn draw(remember: Remember, now: NaiveDateTime) -> Self {
        let sid = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { session_hash: hash(&sid), sid, remember, begins_at: now }
    }

    fn ends_at(&self) -> NaiveDateTime {
        self.begins_at + self.remember.longest()
    }
}

fn hash(sid: &str) -> String {
    hex::encode(Sha256::digest(sid))
}

/// Begins the session for the member of that id.
pub fn start(tx: &mut Conn, new: &NewSession, staff_id: i64) -> Result<()> {
    diesel::insert_into(sessions::table)
        .values((
            sessions::session_hash.eq(&new.session_hash),
            sessions::staff_id.eq(staff_id),
            sessions::created_at.eq(new.begins_at),
            sessions::last_seen_at.eq(new.begins_at),
            sessions::expires_at.eq(new.ends_at()),
            sessions::idle_seconds.eq(new.remember.idle_seconds()),
        ))
        .execute(tx)?;
    Ok(())
}

/// Ends one session.
pub fn end(tx: &mut Conn, session_hash: &str) -> Result<()> {
    diesel::delete(sessions::table.find(session_hash)).execute(tx)?;
    Ok(())
}

/// Ends every session of a person.
pub fn end_all(tx: &mut Conn, staff_id: i64) -> Result<()> {
    diesel::delete(sessions::table.filter(sessions::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Forgets sessions past their longest time; answers how many.
pub fn forget_ended(tx: &mut Conn, now: NaiveDateTime) -> Result<usize> {
    Ok(diesel::delete(sessions::table.filter(sessions::expires_at.le(now))).execute(tx)?)
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
    touched: Touched,
}

/// The sessions whose last use is being written down, so that a burst of requests writes once.
#[derive(Clone, Debug, Default)]
struct Touched(Arc<Mutex<HashSet<String>>>);

impl Touched {
    fn begin(&self, session_hash: &str) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(session_hash.to_owned())
    }

    fn end(&self, session_hash: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(session_hash);
    }
}

impl Tokens {
    /// Tokens under a key derived from `secret`.
    pub fn new(secret: &SecretKey) -> Self {
        crate::jwt::use_hs256();
        let key = secret.derive("session tokens");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["exp", "nbf", "aud", "sub"]);
        // It would ask the system's clock; `read` asks ours.
        validation.validate_exp = false;
        Self {
            to_sign: EncodingKey::from_secret(&key),
            to_read: DecodingKey::from_secret(&key),
            validation,
            touched: Touched::default(),
        }
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
    fn read(&self, token: &str, now: NaiveDateTime) -> Result<String> {
        if token.len() > LONGEST_TOKEN {
            return Err(Error::signed_out());
        }
        let read = jsonwebtoken::decode::<Names>(token, &self.to_read, &self.validation);
        let names = read.map_err(|_| Error::signed_out())?.claims;
        let (now, leeway) = (now.and_utc().timestamp(), LEEWAY.num_seconds());
        let is_now = names.nbf.saturating_sub(leeway) <= now && now <= names.exp.saturating_add(leeway);
        if is_now && names.typ == KIND { Ok(hash(&names.sid)) } else { Err(Error::signed_out()) }
    }
}

/// A session and whose it is, in the order of the query's columns.
#[derive(Queryable)]
struct Found {
    staff_id: i64,
    name: String,
    email: String,
    staff_type: StaffType,
    created_at: NaiveDateTime,
    last_seen_at: NaiveDateTime,
    expires_at: NaiveDateTime,
    idle_seconds: i32,
}

impl Found {
    fn lasts_at(&self, now: NaiveDateTime) -> bool {
        now < self.expires_at && now - self.last_seen_at < TimeDelta::seconds(self.idle_seconds.into())
    }
}

/// The session of that hash, if it is an active member's.
fn find(conn: &mut Conn, session_hash: &str) -> Result<Option<Found>> {
    let found = sessions::table.inner_join(staff::table).filter(sessions::session_hash.eq(session_hash));
    let found = found.filter(staff::deleted_at.is_null()).select((
        staff::staff_id,
        staff::name,
        staff::email,
        staff::staff_type,
        sessions::created_at,
        sessions::last_seen_at,
        sessions::expires_at,
        sessions::idle_seconds,
    ));
    Ok(found.first(conn).optional()?)
}

/// Who makes a request: the member whose session `token` names, as the database has them now.
pub async fn authenticate(app: &App, token: &str, address: ClientAddress) -> Result<Staff> {
    let session_hash = named_by(app, token)?;
    find_staff(app, session_hash, address).await
}

/// The hash of the session that `token` names, whether it lasts or not.
pub fn named_by(app: &App, token: &str) -> Result<String> {
    app.tokens.read(token, app.clock.now())
}

/// The member whose session has that hash, while it lasts.
pub async fn find_staff(app: &App, session_hash: String, address: ClientAddress) -> Result<Staff> {
    let (now, wanted) = (app.clock.now(), session_hash.clone());
    let found = app.db.look_up(move |conn| find(conn, &wanted)).await?;
    let session = found.filter(|session| session.lasts_at(now)).ok_or_else(Error::signed_out)?;
    if now - session.last_seen_at >= TOUCH_EVERY {
        touch(app, &session_hash, now);
    }
    Ok(Staff {
        id: session.staff_id,
        name: session.name,
        email: session.email,
        staff_type: session.staff_type,
        session_hash,
        signed_in_at: session.created_at,
        address: address.to_string(),
    })
}

/// Writes down that the session is in use, beside the request: it neither waits for this nor fails with it.
fn touch(app: &App, session_hash: &str, now: NaiveDateTime) {
    let (touched, db, session_hash) = (app.tokens.touched.clone(), app.db.clone(), session_hash.to_owned());
    if !touched.begin(&session_hash) {
        return;
    }
    tokio::spawn(async move {
        let touching = session_hash.clone();
        let written = db.write(move |tx| set_last_seen(tx, &touching, now)).await;
        touched.end(&session_hash);
        if let Err(error) = written {
            tracing::warn!(%error, "the last use of a session was not written down");
        }
    });
}

fn set_last_seen(tx: &mut Conn, session_hash: &str, now: NaiveDateTime) -> Result<()> {
    diesel::update(sessions::table.find(session_hash))
        .filter(sessions::last_seen_at.lt(now))
        .set(sessions::last_seen_at.eq(now))
        .execute(tx)?;
    Ok(())
}
