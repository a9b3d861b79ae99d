//! A member's own sessions: where they are signed in, and ending one of them.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::errors::StaffError;
use super::rules::Staff;
use super::sessions::{self, OpenSession};
use crate::audit::store::{Actor, Change, add};
use crate::devices;
use crate::error::{Error, Result};
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::places;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new().routes(call!(list_sessions)).routes(call!(end_session))
}

/// A session of the signed-in person.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// Names the session when it is ended.
    id: String,
    /// It is the session of this request.
    is_this: bool,
    /// The device, `Unknown` if unknown.
    device: String,
    /// The browser, `Unknown` if unknown.
    browser: String,
    /// The operating system, `Unknown` if unknown.
    os: String,
    /// The address that signed in; empty if unknown.
    ip: String,
    /// The country of the address, `-` if unknown.
    location: String,
    /// When the session began.
    #[schema(value_type = String, format = DateTime)]
    signed_in_at: Timestamp,
    /// When it was last used, to the minute.
    #[schema(value_type = String, format = DateTime)]
    last_used_at: Timestamp,
}

/// The id of a session. Its hash stays on the server.
fn id_of(key: &SecretKey, session_hash: &str) -> String {
    let signed = key.sign("session ids", session_hash.as_bytes());
    hex::encode(&signed[..16])
}

/// List the sessions of the signed-in person, the last used one first.
#[utoipa::path(get, path = "/admin/sessions", responses((status = 200, body = Found<Vec<Session>>)))]
pub async fn list_sessions(State(room): State<Arc<Identity>>, staff: Staff) -> Result<Found<Vec<Session>>> {
    let (now, key, own) = (room.clock.now(), room.secret.clone(), staff.session_hash);
    let open = room.db.read(move |conn| sessions::list(conn, staff.id, now)).await?;
    // Reading a user agent takes up to a millisecond.
    let shown = tokio::task::spawn_blocking(move || {
        let shown = |session: OpenSession| show(session, &key, &own);
        open.into_iter().map(shown).collect::<Vec<_>>()
    });
    Ok(found(shown.await.map_err(Error::internal)?))
}

fn show(session: OpenSession, key: &SecretKey, own: &str) -> Session {
    let device = devices::describe(session.user_agent.as_deref().unwrap_or_default(), "");
    let address: Option<IpAddr> = session.address.as_deref().and_then(|address| address.parse().ok());
    Session {
        id: id_of(key, &session.session_hash),
        is_this: session.session_hash == own,
        device: device.device,
        browser: device.browser,
        os: device.os,
        ip: session.address.unwrap_or_default(),
        location: address.and_then(places::find).map_or_else(|| "-".into(), |place| place.country),
        signed_in_at: session.created_at,
        last_used_at: session.last_seen_at,
    }
}

/// A session to end.
#[derive(Deserialize, ToSchema)]
pub struct EndSession {
    /// The session's `id` in the list.
    #[schema(required, nullable = false)]
    id: Option<String>,
}

/// End one of the signed-in person's sessions.
// Without `IdempotentRequest`: ending a session twice does no harm.
#[utoipa::path(post, path = "/admin/end-session", request_body = EndSession, responses((status = 200, body = Done)))]
pub async fn end_session(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    Json(body): Json<EndSession>,
) -> Result<Done> {
    let (now, key, id) = (room.clock.now(), room.secret.clone(), body.id.unwrap_or_default());
    room.db
        .write(move |tx| {
            let open = sessions::list(tx, staff.id, now)?;
            let ended = open.iter().find(|one| id_of(&key, &one.session_hash) == id);
            let ended = ended.ok_or(StaffError::SessionNotFound)?;
            sessions::end(tx, &ended.session_hash)?;
            let change = Change::of("staff.end_session");
            add(tx, &Actor::from(&staff), &[change], now)
        })
        .await?;
    Ok(done("The session has been ended"))
}
