//! Sign-in, sign-out, the signed-in person, and the change of one's own password.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Identity;
use super::errors::StaffError;
use super::passwords::StoredHash;
use super::rules::passwords::{NewPassword, check_length};
use super::rules::{self, Abilities, Staff, StaffType};
use super::sessions;
use super::store::{self, Credentials};
use super::tokens::{NewSession, Remember, TokenPerson};
use super::uploads_cookie;
use crate::audit::store::{Actor, Change, add};
use crate::db::advisory_lock;
use crate::error::{Error, Result};
use crate::http::address::ClientAddress;
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::errors::HttpError;
use crate::http::failed_attempts::{self, Attempt};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::ids::StaffId;
use crate::text::Email;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new()
        .routes(routes!(sign_in))
        .routes(routes!(sign_out))
        .routes(routes!(user_info))
        .routes(routes!(change_password))
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

impl<S: Sync> FromRequestParts<S> for Staff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| HttpError::SignedOut.into())
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

/// Sign in with email and password.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and a second session does no harm.
#[utoipa::path(post, path = "/admin/admin-login", request_body = SignIn, responses((status = 200, body = SignedIn)))]
pub async fn sign_in(
    State(room): State<Arc<Identity>>,
    address: ClientAddress,
    Json(body): Json<SignIn>,
) -> Result<(CookieJar, axum::Json<SignedIn>)> {
    let ((email, password), now) = (body.check()?, room.clock.now());
    let remember = match room.config.sessions.remember_days {
        days @ 1.. if body.remember_me == Some(true) => Remember::Days(days),
        _ => Remember::No,
    };
    let new = NewSession::draw(remember, now);
    let member = begin_verified(&room, address, (&email, &password), &new).await?;
    let shown = TokenPerson { id: member.staff_id, name: member.name, staff_type: member.staff_type };
    let token = room.tokens.sign(&new, &shown)?;
    let data = Person { id: shown.id, name: shown.name, email: member.email, staff_type: shown.staff_type };
    let message = "You are signed in".into();
    let cookie = uploads_cookie::of_session(&room, &new.session_hash);
    Ok((CookieJar::new().add(cookie), axum::Json(SignedIn { status: 1, message, token, data })))
}

/// How often a password is verified again because its hash was changed meanwhile.
const MAX_VERIFICATIONS: usize = 3;

/// Verifies the password and starts the session.
///
/// # Errors
/// [`StaffError::WrongCredentials`], whether the account or the password is wrong.
async fn begin_verified(
    room: &Identity,
    address: ClientAddress,
    (email, password): (&Email, &str),
    new: &NewSession,
) -> Result<Credentials> {
    let now = room.clock.now();
    let attempt = Attempt::new(rules::sign_in_limit(&room.config.limits), &room.secret, address, &email.key());
    for _ in 0..MAX_VERIFICATIONS {
        let (key, checked) = (email.key(), attempt.clone());
        let found = room.db.read(move |conn| {
            failed_attempts::check(conn, &checked, now)?;
            store::find_credentials(conn, &key)
        });
        let known = found.await?;
        let hash = known.as_ref().map(|known| known.password_hash.clone());
        let is_right = room.passwords.verify(password, hash.clone()).await?;
        let renewed = match hash {
            Some(hash) if is_right => room.passwords.renew(password, &hash).await?,
            _ => None,
        };
        let checked = CheckedSignIn { address, attempt: attempt.clone(), known, is_right, renewed, new: new.clone() };
        match begin(room, checked).await? {
            Began::Session(member) => return Ok(member),
            Began::HashChanged => {}
            Began::Failure => break,
        }
    }
    Err(StaffError::WrongCredentials.into())
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
    new: NewSession,
}

/// What became of a sign-in.
enum Began {
    Session(Credentials),
    /// The stored hash is no longer the one that was verified.
    HashChanged,
    Failure,
}

/// Starts the session, or counts the failure.
async fn begin(room: &Identity, sign_in: CheckedSignIn) -> Result<Began> {
    let now = room.clock.now();
    let began = room.db.write(move |tx| {
        let CheckedSignIn { address, attempt, known, is_right, renewed, new } = &sign_in;
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
            failed_attempts::add_success(tx, attempt, now)?;
            if let Some(renewed) = renewed {
                store::renew_hash(tx, member.staff_id, renewed)?;
            }
            sessions::start(tx, new, member.staff_id)?;
            let change = Change { action: "staff.sign_in", ..Change::default() };
            add(tx, &by(known, &member.name), &[change], now)?;
            return Ok(Began::Session(member.clone()));
        }
        failed_attempts::add_failure(tx, attempt, now)?;
        // The rate limit also bounds these rows. They name the account, if it exists, and nothing else that was typed.
        let account = known.as_ref().map(|known| known.name.clone());
        let change = Change { action: "staff.sign_in_failed", after: account, ..Change::default() };
        add(tx, &by(known, "sign-in"), &[change], now)?;
        Ok(Began::Failure)
    });
    began.await
}

/// Sign out.
// Without `IdempotentRequest`: a caller that is signed out cannot repeat the request.
#[utoipa::path(post, path = "/admin/sign-out", responses((status = 200, body = Done)))]
pub async fn sign_out(State(room): State<Arc<Identity>>, staff: Staff) -> Result<(CookieJar, axum::Json<Done>)> {
    let now = room.clock.now();
    room.db
        .write(move |tx| {
            sessions::end(tx, &staff.session_hash)?;
            let change = Change { action: "staff.sign_out", ..Change::default() };
            add(tx, &Actor::from(&staff), &[change], now)
        })
        .await?;
    Ok((CookieJar::new().add(uploads_cookie::removal(&room)), axum::Json(done("You are signed out"))))
}

/// The signed-in person and their permissions.
#[derive(Serialize, ToSchema)]
pub struct UserInfo {
    /// The member's id.
    id: StaffId,
    /// The member's name.
    name: String,
    /// The member's email address.
    email: String,
    /// The member's type, which decides what they may do.
    #[serde(rename = "type")]
    staff_type: StaffType,
    /// The member's permissions.
    may: Abilities,
    /// The IANA name of the zone in which times are shown.
    agency_time_zone: String,
}

/// Get the signed-in person.
#[utoipa::path(get, path = "/user_info", responses((status = 200, body = Found<UserInfo>)))]
pub async fn user_info(State(room): State<Arc<Identity>>, staff: Staff) -> (CookieJar, axum::Json<Found<UserInfo>>) {
    let cookie = CookieJar::new().add(uploads_cookie::of_session(&room, &staff.session_hash));
    let info = UserInfo {
        id: staff.id,
        name: staff.name,
        email: staff.email,
        staff_type: staff.staff_type,
        may: (room.abilities)(staff.staff_type),
        agency_time_zone: room.config.time_zone.name().to_owned(),
    };
    (cookie, axum::Json(found(info)))
}

/// The new password.
#[derive(Deserialize, ToSchema)]
pub struct ChangePassword {
    /// At least 6 characters, and not a common password.
    #[serde(rename = "newPassword")]
    #[schema(required, nullable = false)]
    new_password: Option<String>,
}

/// Change the signed-in person's password. Ends all their sessions, including this one.
#[utoipa::path(post, path = "/admin/change-password", request_body = ChangePassword,
    responses((status = 200, body = Done)))]
pub async fn change_password(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<ChangePassword>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    rules::check_recent_sign_in(now - staff.signed_in_at)?;
    let typed = body.new_password.unwrap_or_default();
    let password = NewPassword::of_oneself(&typed, room.passwords.rule)?.about(&staff.name, &staff.email);
    let hash = room.passwords.hash(password).await?;
    idempotent
        .write(&room.db, move |tx| {
            store::lock_staff(tx, staff.id)?;
            store::set_password(tx, staff.id, &hash, &staff.name, now)?;
            sessions::end_all(tx, staff.id)?;
            let change = Change { action: "staff.change_password", ..Change::default() };
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("Your password has been changed. Please sign in with the new one"))
        })
        .await
}
