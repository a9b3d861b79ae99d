//! A member's own second factor: setting it up, recovery codes, removing it; and the proof that calls of consequence ask for.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::authenticator::{Authenticator, draw_salt, is_salt};
use super::confirmation;
use super::errors::StaffError;
use super::member_mails;
use super::passkey_steps;
use super::passkeys::{self, Passkey};
use super::rules::Staff;
use super::rules::notices::AccountEvent;
use super::rules::second_factor::{TypedFactor, check_confirmed};
use super::second_factor::{self, Proof, RecoveryCodes};
use super::store;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::{Permission, Result};
use crate::http::address::ClientAddress;
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::staff::errors::HashingErrors;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new()
        .routes(call!(find_second_factor))
        .routes(call!(begin_authenticator))
        .routes(call!(add_authenticator))
        .routes(call!(remove_authenticator))
        .routes(call!(make_recovery_codes))
        .routes(call!(confirm_identity))
}

/// A passkey of the signed-in person.
#[derive(Serialize, ToSchema)]
pub struct OwnPasskey {
    /// Names the passkey when it is removed.
    id: i64,
    /// The name that the member gave it.
    name: String,
    /// When it was added.
    #[schema(value_type = String, format = DateTime)]
    added_at: Timestamp,
    /// When it last signed in or confirmed; null if it has not yet.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
}

impl From<Passkey> for OwnPasskey {
    fn from(row: Passkey) -> Self {
        Self { id: row.passkey_id, name: row.name, added_at: row.added_at, last_used_at: row.last_used_at }
    }
}

/// The second factor of the signed-in person.
#[derive(Serialize, ToSchema)]
pub struct SecondFactor {
    /// When the authenticator app was set up; null if there is none.
    #[schema(value_type = Option<String>, format = DateTime)]
    app_added_at: Option<Timestamp>,
    /// The passkeys, the oldest first.
    passkeys: Vec<OwnPasskey>,
    /// Passkeys can be added and used here.
    passkeys_offered: bool,
    /// The recovery codes that are left.
    recovery_codes_left: i64,
    /// Members of this type must have a second factor.
    required: bool,
}

/// Get the second factor of the signed-in person.
#[utoipa::path(get, path = "/admin/second-factor", responses((status = 200, body = Found<SecondFactor>)))]
pub async fn find_second_factor(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Found<SecondFactor>> {
    let required = room.second_factor.requires(staff.staff_type);
    let passkeys_offered = room.relying_party.is_some();
    let read = room.db.read(move |conn| {
        let app_added_at = second_factor::find_app(conn, staff.id)?.map(|app| app.added_at);
        let passkeys = passkeys::list(conn, staff.id)?.into_iter().map(OwnPasskey::from).collect();
        let recovery_codes_left = second_factor::count_recovery_codes(conn, staff.id)?;
        Ok(SecondFactor { app_added_at, passkeys, passkeys_offered, recovery_codes_left, required })
    });
    Ok(found(read.await?))
}

/// The values that an authenticator app is set up with.
#[derive(Serialize, ToSchema)]
pub struct Enrolment {
    /// Sent back with the first code.
    enrolment: String,
    /// The secret in Base32, for typing it into the app.
    secret: String,
    /// The same as an `otpauth` address, for a QR code.
    url: String,
}

/// Draws a secret for the member's app.
pub fn enrolment(room: &Identity, staff_id: StaffId, email: &str) -> Result<Enrolment> {
    let enrolment = draw_salt();
    let app = Authenticator::of(&room.secret, staff_id, &enrolment, email)?;
    Ok(Enrolment { secret: app.secret(), url: app.url()?, enrolment })
}

/// Begin to set up an authenticator app, the first one or another one. Nothing changes before its first code.
// Without `IdempotentRequest`: the response holds a secret, which is stored nowhere, and a second one does no harm.
#[utoipa::path(post, path = "/admin/begin-authenticator", responses((status = 200, body = Found<Enrolment>)))]
pub async fn begin_authenticator(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Found<Enrolment>> {
    check_confirmed(room.clock.now() - staff.confirmed_at)?;
    Ok(found(enrolment(&room, staff.id, &staff.email)?))
}

/// The first code of an authenticator app.
#[derive(Deserialize, ToSchema)]
pub struct AddAuthenticator {
    /// The `enrolment` that `begin-authenticator` answered.
    #[schema(required, nullable = false)]
    enrolment: Option<String>,
    /// The six digits that the app shows.
    #[schema(required, nullable = false)]
    code: Option<String>,
}

/// Recovery codes. They are shown once.
#[derive(Serialize, ToSchema)]
pub struct MadeCodes {
    /// Ten codes, each of which signs in once instead of the app or a passkey. Empty if the member keeps earlier ones.
    pub recovery_codes: Vec<String>,
}

/// Set up the authenticator app whose code is sent, in place of an earlier one. New recovery codes are made, unless it joins passkeys.
// Without `IdempotentRequest`: the response holds the recovery codes, which are stored nowhere.
#[utoipa::path(post, path = "/admin/add-authenticator", request_body = AddAuthenticator,
    responses((status = 200, body = Found<MadeCodes>)))]
pub async fn add_authenticator(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    Json(body): Json<AddAuthenticator>,
) -> Result<Found<MadeCodes>> {
    let now = room.clock.now();
    check_confirmed(now - staff.confirmed_at)?;
    let TypedFactor::AppCode(code) = TypedFactor::parse(body.code.as_deref().unwrap_or_default())? else {
        return Err(StaffError::SecondFactorUnreadable.into());
    };
    let salt = body.enrolment.filter(|salt| is_salt(salt)).ok_or(StaffError::EnrolmentMissing)?;
    let step = Authenticator::of(&room.secret, staff.id, &salt, &staff.email)?.step_of(&code, now);
    let step = step.ok_or(StaffError::WrongSecondFactor)?;
    let (codes, key) = (RecoveryCodes::draw(), room.secret.clone());
    let printed = codes.printed();
    let made = room.db.write(move |tx| {
        store::lock_staff(tx, staff.id)?;
        // A member with only passkeys keeps the codes that were made with the first one.
        let keeps_codes = !second_factor::remove_app(tx, staff.id)? && passkeys::has_any(tx, staff.id)?;
        second_factor::set_app(tx, staff.id, &salt, step, now)?;
        if !keeps_codes {
            codes.replace(tx, &key, staff.id, now)?;
        }
        record(tx, &staff, "staff.second_factor_added", AccountEvent::AppAdded, now)?;
        Ok(!keeps_codes)
    });
    let recovery_codes = if made.await? { printed } else { Vec::new() };
    Ok(found(MadeCodes { recovery_codes }))
}

/// Records a change of the member's own second factor, and mails the member.
fn record(tx: &mut Conn, staff: &Staff, action: &'static str, event: AccountEvent, now: Timestamp) -> Result<()> {
    member_mails::report_own(tx, (staff.id, &staff.email), event, now)?;
    add(tx, &Actor::from(staff), &[Change::of(action)], now)
}

/// Remove the authenticator app. The recovery codes go with the last second factor, which types that must have one cannot remove.
#[utoipa::path(post, path = "/admin/remove-authenticator", responses((status = 200, body = Done)))]
pub async fn remove_authenticator(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Done> {
    let (now, rule) = (room.clock.now(), room.second_factor.clone());
    check_confirmed(now - staff.confirmed_at)?;
    room.db
        .write(move |tx| {
            store::lock_staff(tx, staff.id)?;
            if !second_factor::remove_app(tx, staff.id)? {
                return Err(StaffError::NoSecondFactor.into());
            }
            second_factor::after_removal(tx, (staff.id, staff.staff_type), &rule)?;
            record(tx, &staff, "staff.second_factor_removed", AccountEvent::AppRemoved, now)
        })
        .await?;
    Ok(done("The authenticator app has been removed"))
}

/// Make ten new recovery codes. The earlier ones no longer work.
// Without `IdempotentRequest`: the response holds the recovery codes, which are stored nowhere.
#[utoipa::path(post, path = "/admin/make-recovery-codes", responses((status = 200, body = Found<MadeCodes>)))]
pub async fn make_recovery_codes(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Found<MadeCodes>> {
    let now = room.clock.now();
    check_confirmed(now - staff.confirmed_at)?;
    let (codes, key) = (RecoveryCodes::draw(), room.secret.clone());
    let made = MadeCodes { recovery_codes: codes.printed() };
    room.db
        .write(move |tx| {
            store::lock_staff(tx, staff.id)?;
            if !second_factor::has_any(tx, staff.id)? {
                return Err(StaffError::NoSecondFactor.into());
            }
            codes.replace(tx, &key, staff.id, now)?;
            record(tx, &staff, "staff.recovery_codes_made", AccountEvent::RecoveryCodesMade, now)
        })
        .await?;
    Ok(found(made))
}

/// A proof of who one is.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmIdentity {
    /// The password, of a member without a second factor.
    #[schema(nullable = false)]
    password: Option<String>,
    /// The six digits of the authenticator app or a recovery code, of a member with one.
    #[schema(nullable = false)]
    code: Option<String>,
    /// The answer of `navigator.credentials.get()` to the options of `begin-passkey-confirmation`, as its `toJSON()` writes it.
    #[schema(nullable = false)]
    passkey: Option<BTreeMap<String, Value>>,
}

/// Confirm who one is, for half an hour of calls that ask for it.
#[utoipa::path(post, path = "/admin/confirm-identity", request_body = ConfirmIdentity,
    responses((status = 200, body = Done)))]
pub async fn confirm_identity(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    address: ClientAddress,
    hashing: Permission<HashingErrors>,
    Json(body): Json<ConfirmIdentity>,
) -> Result<Done> {
    let id = staff.id;
    if room.db.read(move |conn| second_factor::has_any(conn, id)).await? {
        let proof = match body.passkey {
            Some(answer) => {
                let holder_hash = staff.session_hash.clone();
                Proof::Passkey(passkey_steps::verify(&room, holder_hash, id, answer).await?)
            }
            None => Proof::Typed(TypedFactor::parse(body.code.as_deref().unwrap_or_default())?),
        };
        confirmation::by_factor(&room, staff, address, proof).await?;
    } else {
        confirmation::by_password(&room, staff, address, body.password.unwrap_or_default(), hashing).await?;
    }
    Ok(done("Thank you. Please go on"))
}
