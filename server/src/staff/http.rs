//! Sign-out, the signed-in person, and the change of one's own password.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::list_settings::{self, ListSettings};
use super::member_mails;
use super::rules::notices::AccountEvent;
use super::rules::passwords::NewPassword;
use super::rules::{self, Abilities, Staff, StaffType};
use super::sessions;
use super::store;
use super::uploads_cookie;
use crate::audit::store::{Actor, Change, add};
use crate::error::{Error, Permission, Refusals, Result};
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::errors::HttpError;
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::staff::errors::HashingErrors;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new().routes(call!(sign_out)).routes(call!(user_info)).routes(call!(change_password))
}

impl Refusals for Staff {}

impl<S: Sync> FromRequestParts<S> for Staff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| HttpError::SignedOut.into())
    }
}

/// Tells the browser to forget what it keeps of this address for the next time: pages to go back to, and files. Not cookies and not
/// storage, which another tab may have filled for the next sign-in already. See the W3C's Clear Site Data.
const CLEAR_CACHE: (&str, &str) = ("clear-site-data", "\"cache\"");

/// Sign out.
// Without `IdempotentRequest`: a caller that is signed out cannot repeat the request.
#[utoipa::path(post, path = "/admin/sign-out", responses((status = 200, body = Done)))]
pub async fn sign_out(
    State(room): State<Arc<Identity>>,
    staff: Staff,
) -> Result<(CookieJar, [(&'static str, &'static str); 1], Done)> {
    let now = room.clock.now();
    room.db
        .write(move |tx| {
            sessions::end(tx, &staff.session_hash)?;
            let change = Change::of("staff.sign_out");
            add(tx, &Actor::from(&staff), &[change], now)
        })
        .await?;
    let cookies = CookieJar::new().add(uploads_cookie::removal(&room));
    Ok((cookies, [CLEAR_CACHE], done("You are signed out")))
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
    /// The member's settings for the lists of orders.
    list_settings: ListSettings,
}

/// Get the signed-in person.
#[utoipa::path(get, path = "/user_info", responses((status = 200, body = Found<UserInfo>)))]
pub async fn user_info(State(room): State<Arc<Identity>>, staff: Staff) -> Result<(CookieJar, Found<UserInfo>)> {
    let list_settings = room.db.look_up(move |conn| list_settings::find(conn, staff.id)).await?;
    let cookie = CookieJar::new().add(uploads_cookie::of_session(&room, &staff.session_hash));
    let info = UserInfo {
        id: staff.id,
        name: staff.name,
        email: staff.email,
        staff_type: staff.staff_type,
        may: (room.abilities)(staff.staff_type),
        agency_time_zone: room.config.time_zone.name().to_owned(),
        list_settings,
    };
    Ok((cookie, found(info)))
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
    hashing: Permission<HashingErrors>,
    Json(body): Json<ChangePassword>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    rules::check_recent_sign_in(now - staff.signed_in_at)?;
    let typed = body.new_password.unwrap_or_default();
    let password = NewPassword::of_oneself(&typed, room.passwords.rule)?.about(&staff.name, &staff.email);
    let hash = room.passwords.hash(hashing, password).await?;
    idempotent
        .write(&room.db, move |tx| {
            store::lock_staff(tx, staff.id)?;
            store::set_password(tx, staff.id, &hash, &staff.name, now)?;
            sessions::end_all(tx, staff.id)?;
            member_mails::report_own(tx, (staff.id, &staff.email), AccountEvent::PasswordChanged, now)?;
            let change = Change::of("staff.change_password");
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("Your password has been changed. Please sign in with the new one"))
        })
        .await
}
