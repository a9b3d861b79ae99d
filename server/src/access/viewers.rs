//! Identifies who opens a signed link: the member or visitor of the request's cookies or token, if the link was made for them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::Cookie;

use super::Gate;
use crate::documents::links::{self, OpenedBy, SignedQuery, Viewer};
use crate::error::{Kind, Result};
use crate::http::address::ClientAddress;
use crate::http::errors::HttpError;
use crate::orders::moves as orders;
use crate::staff::rules::Staff;
use crate::staff::sessions::{self, Activity};
use crate::staff::uploads_cookie;
use crate::tracking::{grants, tokens};

/// The middleware of links to files: admits the viewer that the link was made for, and passes their identity to the handler.
pub async fn check(
    State(gate): State<Arc<Gate>>,
    address: ClientAddress,
    request: Request,
    next: Next,
) -> Result<Response> {
    let (mut head, body) = request.into_parts();
    let opened = open(&gate, &head, address).await?.ok_or(HttpError::NoSuchAddress)?;
    head.extensions.insert(opened);
    Ok(next.run(Request::from_parts(head, body)).await)
}

/// Identifies the viewer that the link opens for, if that is the caller.
///
/// The signature is checked first, so that guessing costs no query.
async fn open(gate: &Gate, head: &Parts, address: ClientAddress) -> Result<Option<OpenedBy>> {
    let Some(signed) = SignedQuery::parse(head.uri.query().unwrap_or_default()) else { return Ok(None) };
    // The path as it was sent: another spelling of it is another path.
    let path = links::signed_path(head.uri.path().strip_prefix('/').unwrap_or_default());
    let (identity, now) = (&gate.identity, gate.identity.clock.now());
    let opens = |viewer: &Viewer| links::opens(&identity.secret, path, signed.expiry, &signed.signature, viewer, now);
    let cookies = CookieJar::from_headers(&head.headers);
    let token = head.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());

    let by_token = token.and_then(|token| sessions::named_by(identity, token).ok());
    for session_hash in uploads_cookie::session_of(identity, &cookies).into_iter().chain(by_token) {
        if opens(&Viewer::Staff(session_hash.clone())) {
            let staff = only_found(sessions::find_staff(identity, session_hash, address, Activity::OfPerson).await)?;
            return Ok(staff.map(|staff| OpenedBy::Staff(gate.reader(&staff))));
        }
    }
    let by_cookie = cookies.get(grants::cookie_name(&identity.config)).map(Cookie::value);
    for token in by_cookie.into_iter().chain(token) {
        let claims = tokens::verify(&identity.secret, token, now);
        if let Some(claims) = claims.filter(|claims| opens(&Viewer::Visitor(claims.grant_hash.clone()))) {
            let Some(visitor) = grants::look_up(&gate.tracking, vec![claims.grant_hash]).await? else {
                return Ok(None);
            };
            let order_id = visitor.order_id;
            // A link that was signed before its order was deleted opens nothing (invariant 16).
            let status = gate.tracking.db.look_up(move |conn| orders::find_status(conn, order_id)).await?;
            return Ok(status.filter(|status| !status.is_hidden()).map(|_| OpenedBy::Visitor(order_id)));
        }
    }
    Ok(None)
}

/// Turns an ended session into none; other failures remain.
fn only_found(found: Result<Staff>) -> Result<Option<Staff>> {
    match found {
        Ok(staff) => Ok(Some(staff)),
        Err(error) if error.kind() == Kind::SignedOut => Ok(None),
        Err(error) => Err(error),
    }
}
