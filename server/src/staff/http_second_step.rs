//! The second step of a sign-in: the code of members with a second factor, and the setting up of one for members who must have it.

use std::sync::Arc;

use axum::extract::State;
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Identity;
use super::authenticator::{Authenticator, is_salt};
use super::challenges::{self, Challenge};
use super::errors::StaffError;
use super::http_second_factor::{Enrolment, enrolment};
use super::http_sign_in::{SignedIn, signed_in};
use super::known_devices::{self, SeenDevice};
use super::member_mails;
use super::rules::notices::AccountEvent;
use super::rules::second_factor::{TypedFactor, second_factor_limit};
use super::rules::{self, Member};
use super::second_factor::{self, RecoveryCodes, Used};
use super::sessions::{self, Origin};
use super::store;
use super::tokens::NewSession;
use crate::audit::store::{Actor, Change, add};
use crate::db::{Conn, advisory_lock};
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::answer::{Found, found};
use crate::http::failed_attempts::{self, Attempt};
use crate::http::json::Json;
use crate::secret::SecretKey;
use crate::text::without_case;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new().routes(routes!(begin_enrolment)).routes(routes!(sign_in_second_factor))
}

/// A sign-in that lacks the second factor.
#[derive(Deserialize, ToSchema)]
pub struct BeginEnrolment {
    /// The `challenge` of the 401 that `admin-login` answered.
    #[schema(required, nullable = false)]
    challenge: Option<String>,
}

/// The challenge of a request, with its hash.
async fn find_challenge(room: &Identity, token: Option<&str>) -> Result<(String, Challenge)> {
    let token = token.filter(|token| !token.is_empty()).ok_or(StaffError::ChallengeMissing)?;
    let (hash, now) = (challenges::hash(token), room.clock.now());
    let wanted = hash.clone();
    let found = room.db.read(move |conn| challenges::find(conn, &wanted, now)).await?;
    Ok((hash, found.ok_or(StaffError::ChallengeEnded)?))
}

/// The member of a challenge, if they are still active.
fn member_of(conn: &mut Conn, challenge: Challenge) -> Result<Member> {
    store::find(conn, challenge.staff_id)?.ok_or_else(|| StaffError::ChallengeEnded.into())
}

/// Begin to set up an authenticator app during a sign-in, for a member who must have a second factor and has none.
// Without `IdempotentRequest`: the response holds a secret, which is stored nowhere, and a second one does no harm.
#[utoipa::path(post, path = "/admin/sign-in-enrolment", request_body = BeginEnrolment,
    responses((status = 200, body = Found<Enrolment>)))]
pub async fn begin_enrolment(
    State(room): State<Arc<Identity>>,
    Json(body): Json<BeginEnrolment>,
) -> Result<axum::Json<Found<Enrolment>>> {
    let (_, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let read = room.db.read(move |conn| {
        let member = member_of(conn, challenge)?;
        match second_factor::has_any(conn, member.staff_id)? {
            true => Err(StaffError::AlreadyEnrolled.into()),
            false => Ok(member),
        }
    });
    let member = read.await?;
    Ok(axum::Json(found(enrolment(&room, member.staff_id, &member.email)?)))
}

/// The second step of a sign-in.
#[derive(Deserialize, ToSchema)]
pub struct SecondStep {
    /// The `challenge` of the 401 that `admin-login` answered.
    #[schema(required, nullable = false)]
    challenge: Option<String>,
    /// The six digits of the authenticator app, or a recovery code.
    #[schema(required, nullable = false)]
    code: Option<String>,
    /// The `enrolment` that `sign-in-enrolment` answered, if the app is being set up.
    #[schema(nullable = false)]
    enrolment: Option<String>,
}

/// A session that began with a second factor.
#[derive(Serialize, ToSchema)]
pub struct SignedInTwice {
    #[serde(flatten)]
    signed_in: SignedIn,
    /// The recovery codes of an app that was just set up. They are shown once; empty otherwise.
    recovery_codes: Vec<String>,
    /// The recovery codes that are left.
    recovery_codes_left: i64,
}

/// Finish a sign-in with the code of an authenticator app or a recovery code.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and each code counts once.
#[utoipa::path(post, path = "/admin/sign-in-second-factor", request_body = SecondStep,
    responses((status = 200, body = SignedInTwice)))]
pub async fn sign_in_second_factor(
    State(room): State<Arc<Identity>>,
    address: ClientAddress,
    origin: Origin,
    Json(body): Json<SecondStep>,
) -> Result<(CookieJar, axum::Json<SignedInTwice>)> {
    let typed = TypedFactor::parse(body.code.as_deref().unwrap_or_default())?;
    let (challenge_hash, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let new = NewSession::draw(challenge.remember, room.clock.now());
    let codes = RecoveryCodes::draw();
    let device = SeenDevice::of(&origin).await?;
    let step = Step {
        address,
        origin,
        device,
        challenge_hash,
        typed,
        salt: body.enrolment.filter(|salt| is_salt(salt)),
        new: new.clone(),
        codes: codes.clone(),
    };
    let Finished { member, enrolled, left } = finish(&room, step).await?.ok_or(StaffError::WrongSecondFactor)?;
    let (cookies, signed_in) = signed_in(&room, &new, member.into())?;
    let recovery_codes = if enrolled { codes.printed() } else { Vec::new() };
    Ok((cookies, axum::Json(SignedInTwice { signed_in, recovery_codes, recovery_codes_left: left })))
}

/// What the second step needs.
#[derive(Clone)]
struct Step {
    address: ClientAddress,
    origin: Origin,
    device: SeenDevice,
    challenge_hash: String,
    typed: TypedFactor,
    /// Of the app that is being set up.
    salt: Option<String>,
    new: NewSession,
    codes: RecoveryCodes,
}

/// A finished sign-in.
struct Finished {
    member: Member,
    /// Whether the app was set up with it.
    enrolled: bool,
    left: i64,
}

/// Starts the session, or counts the wrong code and returns none.
async fn finish(room: &Identity, step: Step) -> Result<Option<Finished>> {
    let (now, limits, key) = (room.clock.now(), room.config.limits.clone(), room.secret.clone());
    let finished = room.db.write(move |tx| {
        let challenge = challenges::find(tx, &step.challenge_hash, now)?.ok_or(StaffError::ChallengeEnded)?;
        let id = challenge.staff_id;
        let attempt = Attempt::new(second_factor_limit(&limits), &key, step.address, &id.to_string());
        advisory_lock(tx, &attempt.target)?;
        failed_attempts::check(tx, &attempt, now)?;
        store::lock_staff(tx, id)?;
        // Again under the lock: each try counts, and one challenge starts one session.
        challenges::find(tx, &step.challenge_hash, now)?.ok_or(StaffError::ChallengeEnded)?;
        let member = member_of(tx, challenge)?;
        let by = Actor { staff_id: Some(id), name: member.name.clone(), address: Some(step.address.to_string()) };
        let enrolled = !second_factor::has_any(tx, id)?;
        let proved = match enrolled {
            false => second_factor::use_up(tx, &key, (id, &member.email), &step.typed, now)?.map(Used::as_str),
            true => enrol(tx, &key, &member, &step, now)?.then_some("a new authenticator app"),
        };
        let Some(proved) = proved else {
            failed_attempts::add_failure(tx, &attempt, now)?;
            challenges::add_try(tx, &step.challenge_hash)?;
            let after = Some(format!("{}, wrong code", member.name));
            add(tx, &by, &[Change { action: "staff.sign_in_failed", after, ..Change::default() }], now)?;
            return Ok(None);
        };
        challenges::end(tx, &step.challenge_hash)?;
        let password = rules::sign_in_limit(&limits);
        let password = Attempt::new(password, &key, step.address, &without_case(&member.email));
        failed_attempts::add_success(tx, &attempt, now)?;
        failed_attempts::add_success(tx, &password, now)?;
        failed_attempts::add_known_network(tx, &password, now)?;
        sessions::start(tx, &step.new, id, &step.origin)?;
        known_devices::note_sign_in(tx, (id, &member.email), &step.device, now)?;
        let change = Change { action: "staff.sign_in", after: Some(proved.into()), ..Change::default() };
        add(tx, &by, &[change], now)?;
        Ok(Some(Finished { enrolled, left: second_factor::count_recovery_codes(tx, id)?, member }))
    });
    finished.await
}

/// Sets the app up, if the code is its own.
fn enrol(tx: &mut Conn, key: &SecretKey, member: &Member, step: &Step, now: Timestamp) -> Result<bool> {
    let (Some(salt), TypedFactor::AppCode(code)) = (&step.salt, &step.typed) else {
        return Err(StaffError::EnrolmentMissing.into());
    };
    let app = Authenticator::of(key, member.staff_id, salt, &member.email)?;
    let Some(at) = app.step_of(code, now) else { return Ok(false) };
    second_factor::set_app(tx, member.staff_id, salt, at, now)?;
    step.codes.replace(tx, key, member.staff_id, now)?;
    member_mails::report_own(tx, (member.staff_id, &member.email), AccountEvent::SecondFactorAdded, now)?;
    Ok(true)
}
