//! The calls by which an applicant opens an order without typing its email: by a code, or by the link in a mail.

use std::sync::Arc;

use axum::extract::State;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Public;
use super::errors::PublicError;
use super::http::{NO_ORDER, Tracked, granted, parse_order};
use super::{codes as jobs, orders, rules};
use crate::db::advisory_lock;
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::failed_attempts::{self, Attempt};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::mail::secrets;
use crate::tracking::codes::{self, NewCode, cookie_name};
use crate::tracking::failed_tracks;
use crate::tracking::grants::{self, NewGrant};
use crate::tracking::limits::Call;
use crate::tracking::rules::tracking_limit;

pub fn endpoints() -> OpenApiRouter<Arc<Public>> {
    OpenApiRouter::new()
        .routes(call!(send_tracking_code))
        .routes(call!(confirm_tracking_code))
        .routes(call!(open_mailed_link))
}

/// An order whose applicant wants a code.
#[derive(Deserialize, ToSchema)]
pub struct SendTrackingCode {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// The email used on the application, if the applicant knows it. Of the three codes a day of an order, one is kept for requests
    /// that name it.
    email: Option<String>,
}

/// The ticket of a requested code.
#[derive(Serialize, ToSchema)]
pub struct CodeRequested {
    /// 1.
    status: u8,
    /// A text for people, the same for every order.
    message: String,
    /// Sent back with the code. Browsers have it in a cookie.
    #[serde(rename = "codeToken")]
    ticket: String,
}

/// Mail a six-digit code to the order's own email address
///
/// The response is the same for every number, whether there is such an order or not.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere.
#[utoipa::path(post, path = "/front/send-tracking-code", request_body = SendTrackingCode,
    responses((status = 200, body = CodeRequested)))]
pub async fn send_tracking_code(
    State(room): State<Arc<Public>>,
    Json(body): Json<SendTrackingCode>,
) -> Result<(CookieJar, axum::Json<CodeRequested>)> {
    let order_id = parse_order(body.order_id.as_ref())?.unwrap_or(NO_ORDER);
    let email_hash = jobs::email_hash(&room.secret, &body.email.unwrap_or_default());
    let new = NewCode::draw(order_id, email_hash, room.clock.now());
    let ticket = new.ticket.clone();
    room.db.write(move |tx| codes::add(tx, &new)).await?;
    let cookie = Cookie::build((cookie_name(&room.config), ticket.clone()))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(room.config.is_https())
        .build();
    let message =
        "If there is such an order, a code is on its way to its email address. It is valid for 10 minutes, in this \
                   browser. An order gets at most three codes a day"
            .to_owned();
    Ok((CookieJar::new().add(cookie), axum::Json(CodeRequested { status: 1, message, ticket })))
}

/// The code of a mail.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmTrackingCode {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// Six digits. Spaces are ignored.
    #[schema(required, nullable = false)]
    code: Option<String>,
    /// The ticket of the request, for callers without cookies.
    #[serde(rename = "codeToken")]
    ticket: Option<String>,
}

/// Confirm an order by the code that was mailed for it
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and a code admits once.
#[utoipa::path(post, path = "/front/confirm-tracking-code", request_body = ConfirmTrackingCode,
    responses((status = 200, body = Tracked)))]
pub async fn confirm_tracking_code(
    State(room): State<Arc<Public>>,
    address: ClientAddress,
    cookies: CookieJar,
    Json(body): Json<ConfirmTrackingCode>,
) -> Result<(CookieJar, axum::Json<Tracked>)> {
    let order_id = parse_order(body.order_id.as_ref())?.unwrap_or(NO_ORDER);
    let typed = rules::parse_code(&body.code.unwrap_or_default()).ok_or(PublicError::TrackingCodeMissing)?;
    let by_cookie = cookies.get(cookie_name(&room.config)).map(|cookie| cookie.value().to_owned());
    let code_id = codes::id_of(&body.ticket.or(by_cookie).unwrap_or_default());
    let now = room.clock.now();
    let grant = NewGrant::draw(&room.secret, order_id, now);
    let limit = tracking_limit(&room.config.limits);
    let attempt = Attempt::new(limit, &room.secret, address, &order_id.to_string());
    let (secret, new) = (room.secret.clone(), grant.clone());
    let confirmed = room.db.write(move |tx| {
        // Serialises parallel guesses, so that each is counted before the next is checked.
        advisory_lock(tx, &format!("tracking code {code_id}"))?;
        let is_open = codes::count_try(tx, &code_id, order_id, now)?;
        let is_there = orders::find_emails(tx, order_id)?.is_some();
        let expected = secrets::code(&secret, &code_id, order_id);
        // Compares signatures, so that the time does not reveal how much of the code is right.
        let sign = |code: &str| secret.sign("typed tracking codes", code.as_bytes());
        let confirms = (sign(&typed) == sign(&expected)) & is_open & is_there;
        if confirms {
            codes::use_up(tx, &code_id)?;
            advisory_lock(tx, &attempt.target)?;
            failed_attempts::add_success(tx, &attempt, now)?;
            grants::add(tx, &new)?;
        } else {
            failed_tracks::add(tx, if is_there { order_id } else { NO_ORDER }, address, now)?;
        }
        Ok(confirms)
    });
    if !confirmed.await? {
        return Err(PublicError::TrackingCodeWrong.into());
    }
    Ok(granted(&room, grant))
}

/// The order and the key of a link.
#[derive(Deserialize, ToSchema)]
pub struct OpenMailedLink {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    #[schema(value_type = String)]
    order_id: Option<Value>,
    /// The `key` in the link's fragment.
    #[schema(required, nullable = false)]
    key: Option<String>,
}

/// Open an order by the link in a mail to one of its own email addresses
///
/// It records no download.
// Without `IdempotentRequest`: the response holds a token, which is stored nowhere, and a second grant does no harm.
#[utoipa::path(post, path = "/front/open-mailed-link", request_body = OpenMailedLink,
    responses((status = 200, body = Tracked)))]
pub async fn open_mailed_link(
    State(room): State<Arc<Public>>,
    address: ClientAddress,
    Json(body): Json<OpenMailedLink>,
) -> Result<(CookieJar, axum::Json<Tracked>)> {
    let order_id = parse_order(body.order_id.as_ref())?.unwrap_or(NO_ORDER);
    // A forged key is refused before it counts or costs a query, as a forged grant is.
    let secret_id = secrets::verify_key(&room.secret, &body.key.unwrap_or_default(), order_id);
    let secret_id = secret_id.ok_or(PublicError::MailedLinkInvalid)?;
    let now = room.clock.now();
    room.tracking.calls.admit(address, Call::View(order_id), &room.config.limits, now)?;
    let grant = NewGrant::draw(&room.secret, order_id, now);
    let new = grant.clone();
    room.db
        .write(move |tx| {
            let recipient = secrets::find_recipient(tx, &secret_id, order_id, now)?;
            let emails = orders::find_emails(tx, order_id)?;
            // An address that was taken from the order opens it no longer.
            let is_own = emails
                .zip(recipient)
                .is_some_and(|(own, to)| to.is_one_of([&*own.contact].into_iter().chain(own.account.as_deref())));
            if !is_own {
                return Err(PublicError::MailedLinkInvalid.into());
            }
            grants::add(tx, &new)
        })
        .await?;
    Ok(granted(&room, grant))
}
