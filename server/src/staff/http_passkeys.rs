//! A member's own passkeys: adding and removing them, and using one to confirm who one is.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::http_second_factor::MadeCodes;
use super::member_mails;
use super::passkey_steps;
use super::passkeys;
use super::rules::Staff;
use super::rules::notices::AccountEvent;
use super::rules::second_factor::check_confirmed;
use super::second_factor::{self, RecoveryCodes};
use super::store;
use crate::audit::store::{Actor, Change, add};
use crate::error::Result;
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new()
        .routes(call!(begin_passkey))
        .routes(call!(add_passkey))
        .routes(call!(remove_passkey))
        .routes(call!(begin_passkey_confirmation))
}

/// The request to a browser for a passkey. The answer counts once, within ten minutes.
#[derive(Serialize, ToSchema)]
pub struct PasskeyOptions {
    /// The options of `navigator.credentials`, in the JSON of WebAuthn Level 3: §5.1.9 for a new passkey, §5.1.10 for an existing one.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// A new passkey.
#[derive(Deserialize, ToSchema)]
pub struct NewPasskey {
    /// A name for the member to recognise it by, of up to 60 characters.
    #[schema(required, nullable = false)]
    pub name: Option<String>,
    /// The answer of `navigator.credentials.create()`, as its `toJSON()` writes it (WebAuthn Level 3, §5.1.8).
    #[schema(required, nullable = false)]
    pub credential: Option<BTreeMap<String, Value>>,
}

/// Begin to add a passkey. Nothing changes before the browser's answer.
// Without `IdempotentRequest`: a second request replaces the first.
#[utoipa::path(post, path = "/admin/begin-passkey", responses((status = 200, body = Found<PasskeyOptions>)))]
pub async fn begin_passkey(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Found<PasskeyOptions>> {
    check_confirmed(room.clock.now() - staff.confirmed_at)?;
    let account = (staff.email.as_str(), staff.name.as_str());
    let options = passkey_steps::begin_registration(&room, staff.session_hash.clone(), staff.id, account).await?;
    Ok(found(PasskeyOptions { options }))
}

/// Add the passkey that the browser created. With the first second factor, recovery codes are made.
// Without `IdempotentRequest`: the response holds the recovery codes, which are stored nowhere.
#[utoipa::path(post, path = "/admin/add-passkey", request_body = NewPasskey,
    responses((status = 200, body = Found<MadeCodes>)))]
pub async fn add_passkey(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    Json(body): Json<NewPasskey>,
) -> Result<Found<MadeCodes>> {
    let now = room.clock.now();
    check_confirmed(now - staff.confirmed_at)?;
    let name = body.name.unwrap_or_default();
    let registered = passkey_steps::register(&room, staff.session_hash.clone(), &name, body.credential).await?;
    let (codes, key) = (RecoveryCodes::draw(), room.secret.clone());
    let printed = codes.printed();
    let made = room.db.write(move |tx| {
        store::lock_staff(tx, staff.id)?;
        let is_first = !second_factor::has_any(tx, staff.id)?;
        passkeys::add(tx, staff.id, &registered, now)?;
        if is_first {
            codes.replace(tx, &key, staff.id, now)?;
        }
        let after = Some(registered.name.clone());
        let change = Change::of("staff.passkey_added").after(after);
        add(tx, &Actor::from(&staff), &[change], now)?;
        member_mails::report_own(tx, (staff.id, &staff.email), AccountEvent::PasskeyAdded, now)?;
        Ok(is_first)
    });
    let recovery_codes = if made.await? { printed } else { Vec::new() };
    Ok(found(MadeCodes { recovery_codes }))
}

/// A passkey to remove.
#[derive(Deserialize, ToSchema)]
pub struct RemovePasskey {
    /// The passkey's `id` in the list.
    id: i64,
}

/// Remove a passkey. The recovery codes go with the last second factor, which types that must have one cannot remove.
// Without `IdempotentRequest`: removing a passkey twice does no harm.
#[utoipa::path(post, path = "/admin/remove-passkey", request_body = RemovePasskey,
    responses((status = 200, body = Done)))]
pub async fn remove_passkey(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    Json(body): Json<RemovePasskey>,
) -> Result<Done> {
    let (now, rule) = (room.clock.now(), room.second_factor.clone());
    check_confirmed(now - staff.confirmed_at)?;
    room.db
        .write(move |tx| {
            store::lock_staff(tx, staff.id)?;
            let before = Some(passkeys::remove(tx, staff.id, body.id)?);
            second_factor::after_removal(tx, (staff.id, staff.staff_type), &rule)?;
            let change = Change::of("staff.passkey_removed").before(before);
            add(tx, &Actor::from(&staff), &[change], now)?;
            member_mails::report_own(tx, (staff.id, &staff.email), AccountEvent::PasskeyRemoved, now)
        })
        .await?;
    Ok(done("The passkey has been removed"))
}

/// Begin to confirm who one is with a passkey. The browser's answer goes to `confirm-identity`.
// Without `IdempotentRequest`: a second request replaces the first.
#[utoipa::path(post, path = "/admin/begin-passkey-confirmation",
    responses((status = 200, body = Found<PasskeyOptions>)))]
pub async fn begin_passkey_confirmation(
    State(room): State<Arc<Identity>>,
    staff: Staff,
) -> Result<Found<PasskeyOptions>> {
    let options = passkey_steps::begin_assertion(&room, staff.session_hash, staff.id).await?;
    Ok(found(PasskeyOptions { options }))
}
