//! Who makes the request, and whether the table lets them. Runs before every call of the API.

use std::collections::HashMap;
use std::fmt;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::Cookie;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::Operation;

use super::address::ClientAddress;
use crate::app::App;
use crate::error::{Error, Result};
use crate::intake::keys::{self, SalesSite};
use crate::staff::rules::{self, Access, Staff};
use crate::staff::sessions;
use crate::tracking::grants::{self, Visitor};
use crate::tracking::limits::Call;
use crate::tracking::rules::CONFIRM;

/// On whose behalf a request is made, as far as repeating it goes.
#[derive(Clone, Debug)]
pub enum Caller {
    Staff(i64),
    SalesSite(i64),
    /// By the hash of the grant.
    Visitor(String),
    Address(ClientAddress),
}

impl fmt::Display for Caller {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Staff(id) => write!(to, "staff:{id}"),
            Self::SalesSite(id) => write!(to, "sales-site:{id}"),
            Self::Visitor(grant_hash) => write!(to, "visitor:{grant_hash}"),
            Self::Address(address) => write!(to, "address:{address}"),
        }
    }
}

/// The table of `staff/rules.rs`, by method and path: operation ids, and who may make each call.
#[derive(Clone, Debug)]
pub struct AccessTable(HashMap<(Method, String), (&'static str, Access)>);

impl AccessTable {
    /// Looks up every operation of the contract; the error names those that the table lacks.
    pub fn of(contract: &OpenApi) -> Result<Self> {
        let mut table = HashMap::new();
        for (path, item) in &contract.paths.paths {
            let methods = [
                (Method::GET, &item.get),
                (Method::POST, &item.post),
                (Method::PUT, &item.put),
                (Method::DELETE, &item.delete),
            ];
            for (method, operation) in methods {
                let Some(Operation { operation_id, .. }) = operation else { continue };
                let id = operation_id.as_deref().unwrap_or_default();
                let row = rules::row_of(id)
                    .ok_or_else(|| Error::internal(format!("{method} {path} ({id}) is not in the table of access")))?;
                table.insert((method, path.clone()), row);
            }
        }
        Ok(Self(table))
    }

    fn find(&self, method: &Method, path: &str) -> Option<(&'static str, Access)> {
        let method = if method == Method::HEAD { Method::GET } else { method.clone() };
        self.0.get(&(method, path.to_owned())).copied()
    }
}

/// The layer: lets through whom the table names, and tells the handler who it is. What staff are denied, here or by a finer
/// rule, is noted.
pub async fn check(
    State(app): State<App>,
    address: ClientAddress,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let (operation, access) =
        app.access.find(request.method(), path).ok_or_else(|| Error::forbidden("This call is open to nobody"))?;
    let mut member = None;
    let caller = match access {
        Access::Public => Caller::Address(address),
        Access::Stranger => {
            app.public_calls.admit(address, Call::Track, &app.config.limits, app.clock.now())?;
            Caller::Address(address)
        }
        Access::Visitor => {
            app.public_calls.admit(address, Call::Look, &app.config.limits, app.clock.now())?;
            let visitor = grants::authenticate(&app, &visitor_tokens(&app, request.headers())).await?;
            let visitor = visitor.ok_or_else(|| Error::unauthorized(CONFIRM))?;
            let caller = Caller::Visitor(visitor.grant_hash.clone());
            request.extensions_mut().insert(visitor);
            caller
        }
        Access::SalesSite => {
            let site = keys::authenticate(&app, one_header(request.headers(), "x-api-key")?).await?;
            let caller = Caller::SalesSite(site.id);
            request.extensions_mut().insert(site);
            caller
        }
        Access::Staff(types) => {
            let staff = sessions::authenticate(&app, one_header(request.headers(), "authorization")?, address).await?;
            if !types.contains(&staff.staff_type) {
                app.log_denial(&staff, operation);
                return Err(Error::forbidden(format!("{} staff may not do this", staff.staff_type)));
            }
            let caller = Caller::Staff(staff.id);
            member = Some(staff.clone());
            request.extensions_mut().insert(staff);
            caller
        }
    };
    request.extensions_mut().insert(caller);
    let response = next.run(request).await;
    if let Some(staff) = member.filter(|_| response.status() == StatusCode::FORBIDDEN) {
        app.log_denial(&staff, operation);
    }
    Ok(response)
}

/// What `Authorization` and the visitor's cookie hold. A browser may send a member's token along: it names no grant.
pub fn visitor_tokens(app: &App, headers: &HeaderMap) -> Vec<String> {
    let cookies = CookieJar::from_headers(headers);
    let cookie = cookies.get(grants::cookie_name(&app.config.public_url)).map(Cookie::value);
    let mut sent = headers.get_all(header::AUTHORIZATION).iter();
    let sent = match (sent.next(), sent.next()) {
        (Some(one), None) => one.to_str().ok(),
        _ => None,
    };
    [sent, cookie].into_iter().flatten().map(str::to_owned).collect()
}

/// The value of a header that must stand at most once.
fn one_header<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next().map(|value| value.to_str()), values.next()) {
        (Some(Ok(value)), None) => Ok(value),
        (None, None) => Ok(""),
        _ => Err(Error::signed_out()),
    }
}

impl FromRequestParts<App> for Staff {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(Error::signed_out)
    }
}

impl FromRequestParts<App> for SalesSite {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(Error::signed_out)
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| Error::unauthorized(CONFIRM))
    }
}
