//! Sign-in with email and password.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::challenges::NewChallenge;
use super::errors::StaffError;
use super::hashing_seats::CallerKind;
use super::known_devices::{self, SeenDevice};
use super::passwords::StoredHash;
use super::rules::passwords::check_length;
use super::rules::{self, Member, StaffType};
use super::second_factor;
use super::sessions::{self, SignInOrigin};
use super::store::{self, Credentials};
use super::tokens::{NewSession, Remember, TokenPerson};
use super::uploads_cookie;
use crate::audit::store::{Actor, Change, add, is_noted_since};
use crate::db::{Conn, advisory_lock};
use crate::devices;
use crate::email::Email;
use crate::error::{Error, Permission, Refusals, Result};
use crate::http::address::ClientAddress;
use crate::http::failed_attempts::{self, Attempt};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::staff::errors::HashingErrors;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new().routes(call!(sign_in))
}

/// Email and password of a member of staff.
#[derive(Deserialize, ToSchema)]
pub struct SignIn {
    /// The member's email address, in any case.
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// The member's password.
    #[schema(required, nullable = false)]
    password: Option<String>,
    /// Stay signed in for `sessions.remember_days` instead of half a day.
    #[serde(rename = "rememberMe")]
    #[schema(nullable = false)]
    remember_me: Option<bool>,
}

impl SignIn {
    /// Validates the email address and the password.
    fn check(&self) -> Result<(Email, String)> {
        let email = self.email.as_deref().unwrap_or_default().trim();
        if email.is_empty() {
            return Err(StaffError::SignInEmailMissing.into());
        }
        let email = Email::parse(email).ok_or(StaffError::InvalidSignInEmail)?;
        let password = self.password.clone().unwrap_or_default();
        if password.is_empty() {
            return Err(StaffError::SignInPasswordMissing.into());
        }
        check_length(&password)?;
        Ok((email, password))
    }
}

/// A member of staff.
#[derive(Serialize, ToSchema)]
pub struct Person {
    /// The member's id.
    id: StaffId,
    /// The member's name.
    name: String,
    /// The member's email address.
    email: String,
    /// The member's type, which decides what they may do.
    #[serde(rename = "type")]
    staff_type: StaffType,
}

/// A session.
#[derive(Serialize, ToSchema)]
pub struct SignedIn {
    /// 1.
    status: u8,
    /// A text for people.
    message: String,
    /// The value of the header `Authorization`, without a prefix.
    #[serde(rename = "jwtToken")]
    token: String,
    /// The person who signed in.
    data: Person,
}

impl Refusals for SignInOrigin {}

impl<S: Sync> FromRequestParts<S> for SignInOrigin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let address = ClientAddress::from_request_parts(parts, state).await?;
        let user_agent = parts.headers.get(USER_AGENT).map(|value| String::from_utf8_lossy(value.as_bytes()));
        Ok(Self { address: Some(address.0), user_agent: user_agent.and_then(|text| devices::clean(&text)) })
    }
}

impl From<Credentials> for Person {
    fn from(member: Credentials) -> Self {
        Self { id: member.staff_id, name: member.name, email: member.email, staff_type: member.staff_type }
    }
}

impl From<Member> for Person {
    fn from(member: Member) -> Self {
        Self { id: member.staff_id, name: member.name, email: member.email, staff_type: member.staff_type }
    }
}

/// The response to a sign-in, with the cookie that opens files.
pub fn signed_in(room: &Identity, new: &NewSession, data: Person) -> Result<(CookieJar, SignedIn)> {
    let shown = TokenPerson { id: data.id, name: data.name.clone(), staff_type: data.staff_type };
    let signed_in =
        SignedIn { status: 1, message: "You are signed in".into(), token: room.tokens.sign(new, &shown)?, data };
    Ok((CookieJar::new().add(uploads_cookie::of_session(room, &new.session_hash)), signed_in))
}

/// Sign in with email and password. A member with a second factor gets a 401 with a challenge for `sign-in-second-factor`.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and a second session does no harm.
#[utoipa::path(post, path = "/admin/admin-login", request_body = SignIn, responses((status = 200, body = SignedIn)))]
pub async fn sign_in(
    State(room): State<Arc<Identity>>,
    address: ClientAddress,
    origin: SignInOrigin,
    hashing: Permission<HashingErrors>,
    Json(body): Json<SignIn>,
) -> Result<(CookieJar, axum::Json<SignedIn>)> {
    let ((email, password), now) = (body.check()?, room.clock.now());
    let days = if body.remember_me == Some(true) { room.config.sessions.remember_days } else { 0 };
    let new = NewSession::draw(Remember::days(days), now);
    let begins = Begins { new: new.clone(), origin, challenge: NewChallenge::draw() };
    let member = begin_verified(&room, address, (&email, &password), &begins, hashing).await?;
    let (cookies, answer) = signed_in(&room, &new, member.into())?;
    Ok((cookies, axum::Json(answer)))
}

/// The values that a right password uses: for a session, or for a challenge for the second factor.
#[derive(Clone)]
struct Begins {
    new: NewSession,
    origin: SignInOrigin,
    challenge: NewChallenge,
}

/// The most verifications of a password in one sign-in. It is verified again if its hash was changed meanwhile.
const MAX_VERIFICATIONS: usize = 3;

/// Verifies the password and starts the session.
///
/// # Errors
/// [`StaffError::WrongCredentials`], whether the account or the password is wrong. [`StaffError::SecondFactorRequired`] and
/// [`StaffError::EnrolmentRequired`] for a right one that is not enough.
async fn begin_verified(
    room: &Identity,
    address: ClientAddress,
    (email, password): (&Email, &str),
    begins: &Begins,
    hashing: Permission<HashingErrors>,
) -> Result<Credentials> {
    let now = room.clock.now();
    let attempt = Attempt::new(rules::sign_in_limit(&room.config.limits), &room.secret, address, &email.key());
    for _ in 0..MAX_VERIFICATIONS {
        let (key, checked) = (email.key(), attempt.clone());
        let found = room.db.read(move |conn| {
            failed_attempts::check(conn, &checked, now)?;
            let is_known_network = failed_attempts::is_known_network(conn, &checked, now)?;
            let caller = if is_known_network { CallerKind::Known } else { CallerKind::Stranger };
            Ok((caller, store::find_credentials(conn, &key)?))
        });
        let (caller, known) = found.await?;
        let hash = known.as_ref().map(|known| known.password_hash.clone());
        let is_right = room.passwords.verify(hashing, caller, password, hash.clone()).await?;
        let renewed = match hash {
            Some(hash) if is_right => room.passwords.renew(hashing, caller, password, &hash).await?,
            _ => None,
        };
        let device = if is_right { Some(SeenDevice::of(&begins.origin).await?) } else { None };
        let (attempt, begun) = (attempt.clone(), begins.clone());
        let checked = CheckedSignIn { address, attempt, known, is_right, renewed, device, begins: begun };
        match begin(room, checked).await? {
            Began::Session(member) => return Ok(member),
            Began::Challenge { methods } => return Err(challenged(room, &begins.challenge, methods).into()),
            Began::HashChanged => {}
            Began::Failure => break,
        }
    }
    Err(StaffError::WrongCredentials.into())
}

/// Why a right password alone is not enough.
fn challenged(room: &Identity, new: &NewChallenge, methods: Option<Vec<&'static str>>) -> StaffError {
    let challenge = new.token.clone();
    match methods {
        Some(methods) => StaffError::SecondFactorRequired { challenge, methods },
        None => {
            let offers = if room.relying_party.is_some() { vec!["app", "passkey"] } else { vec!["app"] };
            StaffError::EnrolmentRequired { challenge, offers }
        }
    }
}

/// A sign-in whose password has been verified.
#[derive(Clone)]
struct CheckedSignIn {
    address: ClientAddress,
    attempt: Attempt,
    known: Option<Credentials>,
    is_right: bool,
    /// A hash of the same password that is to replace the stored one.
    renewed: Option<StoredHash>,
    /// Of a right password only: a wrong one is not worth the work.
    device: Option<SeenDevice>,
    begins: Begins,
}

/// The outcome of a sign-in.
enum Began {
    Session(Credentials),
    /// A challenge for the second factor that the member has, or, without methods, has to get.
    Challenge {
        methods: Option<Vec<&'static str>>,
    },
    /// The stored hash is no longer the one that was verified.
    HashChanged,
    Failure,
}

/// Starts the session or the challenge, or counts the failure.
async fn begin(room: &Identity, sign_in: CheckedSignIn) -> Result<Began> {
    let (now, rule, offers_passkeys) = (room.clock.now(), room.second_factor.clone(), room.relying_party.is_some());
    let began = room.db.write(move |tx| {
        let CheckedSignIn { address, attempt, known, is_right, renewed, device, begins } = &sign_in;
        // Serialises parallel guesses, the right one included, so that each is counted before the next is checked.
        advisory_lock(tx, &attempt.target)?;
        failed_attempts::check(tx, attempt, now)?;
        let by = |known: &Option<Credentials>, name: &str| Actor {
            staff_id: known.as_ref().map(|known| known.staff_id),
            name: name.to_owned(),
            address: Some(address.to_string()),
        };
        if let Some(member) = known.as_ref().filter(|_| *is_right) {
            store::lock_staff(tx, member.staff_id)?;
            if !store::has_password(tx, member.staff_id, &member.password_hash)? {
                return Ok(Began::HashChanged);
            }
            if let Some(renewed) = renewed {
                store::renew_hash(tx, member.staff_id, renewed)?;
            }
            let methods = second_factor::methods(tx, member.staff_id, offers_passkeys)?;
            if methods.is_some() || rule.requires(member.staff_type) {
                // Half a sign-in is no success: failures still count, and its network is not known yet.
                begins.challenge.add(tx, member.staff_id, begins.new.remember, now)?;
                note_challenge(tx, &by(known, &member.name), now)?;
                return Ok(Began::Challenge { methods });
            }
            failed_attempts::add_success(tx, attempt, now)?;
            failed_attempts::add_known_network(tx, attempt, now)?;
            sessions::start(tx, &begins.new, member.staff_id, &begins.origin)?;
            if let Some(device) = device {
                known_devices::note_sign_in(tx, (member.staff_id, &member.email), device, now)?;
            }
            let change = Change::of("staff.sign_in");
            add(tx, &by(known, &member.name), &[change], now)?;
            return Ok(Began::Session(member.clone()));
        }
        failed_attempts::add_failure(tx, attempt, now)?;
        // The rate limit also bounds these rows. They name the account, if it exists, and nothing else that was typed.
        let account = known.as_ref().map(|known| known.name.clone());
        let change = Change::of("staff.sign_in_failed").after(account);
        add(tx, &by(known, "sign-in"), &[change], now)?;
        Ok(Began::Failure)
    });
    began.await
}

/// Notes that a right password was asked for the second factor: a password that was stolen shows here. Once an hour for each member and
/// address, because nothing else limits right passwords.
fn note_challenge(tx: &mut Conn, by: &Actor, now: Timestamp) -> Result<()> {
    let change = Change::of("staff.sign_in_challenged");
    if is_noted_since(tx, by, change.action, now - TimeDelta::hours(1))? { Ok(()) } else { add(tx, by, &[change], now) }
}
