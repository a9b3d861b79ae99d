//! The second step of a sign-in: the code or passkey of members with a second factor, and the setting up of one for members who must
//! have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::authenticator::{Authenticator, is_salt};
use super::challenges::{self, Challenge};
use super::errors::StaffError;
use super::http_passkeys::{NewPasskey, PasskeyOptions};
use super::http_second_factor::{Enrolment, enrolment};
use super::http_sign_in::{SignedIn, signed_in};
use super::known_devices::{self, SeenDevice};
use super::member_mails;
use super::passkey_steps;
use super::passkeys::{self, NamedPasskey, PasskeyAnswer};
use super::rules::notices::AccountEvent;
use super::rules::second_factor::{TypedFactor, second_factor_limit};
use super::rules::{self, Member};
use super::second_factor::{self, Failure, Proof, RecoveryCodes, UsedFactor};
use super::sessions::{self, SignInOrigin};
use super::store;
use super::tokens::NewSession;
use crate::audit::store::{Actor, Change, add};
use crate::db::{Conn, advisory_lock};
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::answer::{Found, found};
use crate::http::failed_attempts::{self, Attempt};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::secret::SecretKey;
use crate::text::without_case;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new()
        .routes(call!(begin_enrolment))
        .routes(call!(begin_passkey_enrolment))
        .routes(call!(begin_passkey_sign_in))
        .routes(call!(sign_in_second_factor))
}

/// A sign-in that lacks the second factor.
#[derive(Deserialize, ToSchema)]
pub struct OpenSignIn {
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
#[utoipa::path(post, path = "/admin/sign-in-enrolment", request_body = OpenSignIn,
    responses((status = 200, body = Found<Enrolment>)))]
pub async fn begin_enrolment(
    State(room): State<Arc<Identity>>,
    Json(body): Json<OpenSignIn>,
) -> Result<Found<Enrolment>> {
    let (_, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let member = find_unenrolled(&room, challenge).await?;
    Ok(found(enrolment(&room, member.staff_id, &member.email)?))
}

/// The member of a challenge who has no second factor yet.
async fn find_unenrolled(room: &Identity, challenge: Challenge) -> Result<Member> {
    let read = room.db.read(move |conn| {
        let member = member_of(conn, challenge)?;
        match second_factor::has_any(conn, member.staff_id)? {
            true => Err(StaffError::AlreadyEnrolled.into()),
            false => Ok(member),
        }
    });
    read.await
}

/// Begin to add a passkey during a sign-in, for a member who must have a second factor and has none.
// Without `IdempotentRequest`: a second request replaces the first.
#[utoipa::path(post, path = "/admin/sign-in-passkey-enrolment", request_body = OpenSignIn,
    responses((status = 200, body = Found<PasskeyOptions>)))]
pub async fn begin_passkey_enrolment(
    State(room): State<Arc<Identity>>,
    Json(body): Json<OpenSignIn>,
) -> Result<Found<PasskeyOptions>> {
    let (hash, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let member = find_unenrolled(&room, challenge).await?;
    let account = (member.email.as_str(), member.name.as_str());
    let options = passkey_steps::begin_registration(&room, hash, member.staff_id, account).await?;
    Ok(found(PasskeyOptions { options }))
}

/// Begin to finish a sign-in with a passkey. The browser's answer goes to `sign-in-second-factor`.
// Without `IdempotentRequest`: a second request replaces the first.
#[utoipa::path(post, path = "/admin/sign-in-passkey", request_body = OpenSignIn,
    responses((status = 200, body = Found<PasskeyOptions>)))]
pub async fn begin_passkey_sign_in(
    State(room): State<Arc<Identity>>,
    Json(body): Json<OpenSignIn>,
) -> Result<Found<PasskeyOptions>> {
    let (hash, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let options = passkey_steps::begin_assertion(&room, hash, challenge.staff_id).await?;
    Ok(found(PasskeyOptions { options }))
}

/// The second step of a sign-in: one of `code`, `passkey` and `new_passkey`.
#[derive(Deserialize, ToSchema)]
pub struct SecondStep {
    /// The `challenge` of the 401 that `admin-login` answered.
    #[schema(required, nullable = false)]
    challenge: Option<String>,
    /// The six digits of the authenticator app, or a recovery code.
    #[schema(nullable = false)]
    code: Option<String>,
    /// The `enrolment` that `sign-in-enrolment` answered, if the app is being set up.
    #[schema(nullable = false)]
    enrolment: Option<String>,
    /// The answer of `navigator.credentials.get()` to the options of `sign-in-passkey`, as its `toJSON()` writes it.
    #[schema(nullable = false)]
    passkey: Option<BTreeMap<String, Value>>,
    /// The passkey that is being added with the options of `sign-in-passkey-enrolment`.
    #[schema(nullable = false)]
    new_passkey: Option<NewPasskey>,
}

/// The proof that a member finishes a sign-in with.
#[derive(Clone)]
enum Means {
    /// The code of the app with that salt, if the app is being set up.
    Code(TypedFactor, Option<String>),
    Passkey(PasskeyAnswer),
    NewPasskey(NamedPasskey),
}

/// Reads the means, and verifies passkeys.
async fn read_means(room: &Identity, hash: &str, staff_id: StaffId, body: SecondStep) -> Result<Means> {
    if let Some(answer) = body.passkey {
        return Ok(Means::Passkey(passkey_steps::verify(room, hash.to_owned(), staff_id, answer).await?));
    }
    if let Some(NewPasskey { name, credential }) = body.new_passkey {
        let name = name.unwrap_or_default();
        return Ok(Means::NewPasskey(passkey_steps::register(room, hash.to_owned(), &name, credential).await?));
    }
    let typed = TypedFactor::parse(body.code.as_deref().unwrap_or_default())?;
    Ok(Means::Code(typed, body.enrolment.filter(|salt| is_salt(salt))))
}

/// A session that began with a second factor.
#[derive(Serialize, ToSchema)]
pub struct SignedInTwice {
    #[serde(flatten)]
    signed_in: SignedIn,
    /// The recovery codes of a second factor that was just set up. They are shown once; empty otherwise.
    recovery_codes: Vec<String>,
    /// The recovery codes that are left.
    recovery_codes_left: i64,
}

/// Finish a sign-in with a passkey, the code of an authenticator app, or a recovery code.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and each code counts once.
#[utoipa::path(post, path = "/admin/sign-in-second-factor", request_body = SecondStep,
    responses((status = 200, body = SignedInTwice)))]
pub async fn sign_in_second_factor(
    State(room): State<Arc<Identity>>,
    address: ClientAddress,
    origin: SignInOrigin,
    Json(body): Json<SecondStep>,
) -> Result<(CookieJar, axum::Json<SignedInTwice>)> {
    let (challenge_hash, challenge) = find_challenge(&room, body.challenge.as_deref()).await?;
    let means = read_means(&room, &challenge_hash, challenge.staff_id, body).await?;
    let new = NewSession::draw(challenge.remember, room.clock.now());
    let codes = RecoveryCodes::draw();
    let device = SeenDevice::of(&origin).await?;
    let step = StepFacts { address, origin, device, challenge_hash, means, new: new.clone(), codes: codes.clone() };
    let FinishedSignIn { member, enrolled, left } = finish(&room, step).await?.map_err(StaffError::from)?;
    let (cookies, signed_in) = signed_in(&room, &new, member.into())?;
    let recovery_codes = if enrolled { codes.printed() } else { Vec::new() };
    Ok((cookies, axum::Json(SignedInTwice { signed_in, recovery_codes, recovery_codes_left: left })))
}

/// The values that the second step needs.
#[derive(Clone)]
struct StepFacts {
    address: ClientAddress,
    origin: SignInOrigin,
    device: SeenDevice,
    challenge_hash: String,
    means: Means,
    new: NewSession,
    codes: RecoveryCodes,
}

/// A finished sign-in.
struct FinishedSignIn {
    member: Member,
    /// The second factor was set up with it.
    enrolled: bool,
    left: i64,
}

/// Starts the session, or counts the failure.
async fn finish(room: &Identity, step: StepFacts) -> Result<Result<FinishedSignIn, Failure>> {
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
            false => prove(tx, &key, &member, &step.means, now)?,
            true => enrol(tx, &key, &member, &step, now)?,
        };
        let proved = match proved {
            Ok(proved) => proved,
            Err(failure) => {
                failed_attempts::add_failure(tx, &attempt, now)?;
                challenges::add_try(tx, &step.challenge_hash)?;
                let after = Some(format!("{}, {}", member.name, failure.as_str()));
                let failed = Change::of("staff.sign_in_failed").after(after);
                let changes: Vec<Change> = [failed].into_iter().chain(failure.to_change()).collect();
                add(tx, &by, &changes, now)?;
                return Ok(Err(failure));
            }
        };
        challenges::end(tx, &step.challenge_hash)?;
        let password = rules::sign_in_limit(&limits);
        let password = Attempt::new(password, &key, step.address, &without_case(&member.email));
        failed_attempts::add_success(tx, &attempt, now)?;
        failed_attempts::add_success(tx, &password, now)?;
        failed_attempts::add_known_network(tx, &password, now)?;
        sessions::start(tx, &step.new, id, &step.origin)?;
        known_devices::note_sign_in(tx, (id, &member.email), &step.device, now)?;
        let change = Change::of("staff.sign_in").after(String::from(proved));
        add(tx, &by, &[change], now)?;
        Ok(Ok(FinishedSignIn { enrolled, left: second_factor::count_recovery_codes(tx, id)?, member }))
    });
    finished.await
}

/// Uses up the proof of a member with a second factor. Returns its name in the audit.
fn prove(
    tx: &mut Conn,
    key: &SecretKey,
    member: &Member,
    means: &Means,
    now: Timestamp,
) -> Result<Result<&'static str, Failure>> {
    let proof = match means {
        Means::Code(typed, _) => Proof::Typed(typed.clone()),
        Means::Passkey(asserted) => Proof::Passkey(asserted.clone()),
        Means::NewPasskey(_) => return Err(StaffError::AlreadyEnrolled.into()),
    };
    let used = second_factor::use_up(tx, key, (member.staff_id, &member.email), &proof, now)?;
    Ok(used.map(UsedFactor::as_str))
}

/// Sets up the first second factor: an app, if the code is its own, or a passkey. Returns its name in the audit.
fn enrol(
    tx: &mut Conn,
    key: &SecretKey,
    member: &Member,
    step: &StepFacts,
    now: Timestamp,
) -> Result<Result<&'static str, Failure>> {
    let (name, event) = match &step.means {
        Means::Code(TypedFactor::AppCode(code), Some(salt)) => {
            let app = Authenticator::of(key, member.staff_id, salt, &member.email)?;
            let Some(at) = app.step_of(code, now) else { return Ok(Err(Failure::WrongCode)) };
            second_factor::set_app(tx, member.staff_id, salt, at, now)?;
            ("a new authenticator app", AccountEvent::AppAdded)
        }
        Means::NewPasskey(registered) => {
            passkeys::add(tx, member.staff_id, registered, now)?;
            ("a new passkey", AccountEvent::PasskeyAdded)
        }
        _ => return Err(StaffError::EnrolmentMissing.into()),
    };
    step.codes.replace(tx, key, member.staff_id, now)?;
    member_mails::report_own(tx, (member.staff_id, &member.email), event, now)?;
    Ok(Ok(name))
}
