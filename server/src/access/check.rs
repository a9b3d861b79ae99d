//! Authenticates the caller and checks the access table, before every call of the API.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::Cookie;

use super::errors::AccessError;
use super::{Access, CONFIRMED, Gate};
use crate::audit::store::Actor;
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::errors::HttpError;
use crate::http::idempotency::{self, Caller};
use crate::intake::authentication;
use crate::staff::confirmation;
use crate::staff::rules::Staff;
use crate::staff::sessions::{self, Activity};
use crate::tracking::{Tracking, grants};

/// The middleware: admits the callers that the table names, claims the key of a request that must not happen twice, and passes both to the
/// handler. Denials of staff, here or by a finer rule, are logged.
pub async fn check(
    State(gate): State<Arc<Gate>>,
    address: ClientAddress,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let (operation, access) = gate.table.find(request.method(), path).ok_or(AccessError::CallNotListed)?;
    let mut member = None;
    let caller = match access {
        Access::Public => Caller(format!("address:{address}")),
        Access::RateLimited(call) => {
            let Tracking { calls, config, clock, .. } = &*gate.tracking;
            calls.admit(address, call, &config.limits, clock.now())?;
            Caller(format!("address:{address}"))
        }
        Access::Visitor => {
            let tokens = visitor_tokens(&gate, request.headers());
            let visitor = grants::authenticate(&gate.tracking, &tokens, address).await?;
            let caller = Caller(format!("visitor:{}", visitor.grant_hash));
            request.extensions_mut().insert(visitor);
            caller
        }
        Access::SalesSite(right) => {
            let key = one_header(request.headers(), "x-api-key")?;
            let site = authentication::authenticate(&gate.intake, key, right, address).await?;
            let caller = Caller(format!("sales-site:{}", site.key_id));
            request.extensions_mut().insert(site);
            caller
        }
        Access::Staff(types) => {
            let token = one_header(request.headers(), "authorization")?;
            let staff =
                sessions::authenticate(&gate.identity, token, address, activity(operation, request.headers())).await?;
            gate.kit.staff_networks.note(address.network());
            if !types.contains(&staff.staff_type) {
                log_denial(&gate, &staff, operation).await?;
                return Err(AccessError::StaffTypeForbidden(staff.staff_type).into());
            }
            if CONFIRMED.contains(&operation) {
                confirmation::check(&gate.identity, &staff).await?;
            }
            let caller = Caller(format!("staff:{}", staff.id));
            member = Some(staff.clone());
            request.extensions_mut().insert(gate.reader(&staff));
            request.extensions_mut().insert(staff);
            caller
        }
    };
    request.extensions_mut().insert(caller);
    let response = idempotency::claim(&gate.kit, request, next).await?;
    if let Some(staff) = member.filter(|_| response.status() == StatusCode::FORBIDDEN) {
        log_denial(&gate, &staff, operation).await?;
    }
    Ok(response)
}

/// The activity that a call of a member is. A browser says so of what it asks for by itself.
fn activity(operation: &str, headers: &HeaderMap) -> Activity {
    let is_background = matches!(operation, "follow_changes" | "set_presence") || headers.contains_key("x-background");
    if is_background { Activity::InBackground } else { Activity::OfPerson }
}

/// Logs that the operation was denied to `staff`.
async fn log_denial(gate: &Gate, staff: &Staff, operation: &'static str) -> Result<()> {
    tracing::warn!(staff_id = %staff.id, staff_type = staff.staff_type.as_str(), operation, "denied");
    gate.access_log.note_denial(&Actor::from(staff), operation).await
}

/// The tokens in `Authorization` and in the visitor's cookie. A browser may also send a member's token, which names no grant.
fn visitor_tokens(gate: &Gate, headers: &HeaderMap) -> Vec<String> {
    let cookies = CookieJar::from_headers(headers);
    let cookie = cookies.get(grants::cookie_name(&gate.tracking.config)).map(Cookie::value);
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let sent = match (sent.next(), sent.next()) {
        (Some(one), None) => one.to_str().ok(),
        _ => None,
    };
    [sent, cookie].into_iter().flatten().map(str::to_owned).collect()
}

/// The value of a header that may occur at most once; empty if it is absent.
///
/// # Errors
/// [`HttpError::SignedOut`] if it occurs twice or is not text.
fn one_header<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        (None, None) => Ok(""),
        _ => Err(HttpError::SignedOut.into()),
    }
}
