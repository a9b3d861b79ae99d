//! The calls of Admins about the API keys of the sales sites.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::rules::keys::{KeyRight, NewKey, TypedKey};
use super::{Intake, keys};
use crate::audit::store::Actor;
use crate::error::Result;
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The calls about the API keys.
pub fn endpoints() -> OpenApiRouter<Arc<Intake>> {
    OpenApiRouter::new().routes(call!(list_api_keys)).routes(call!(add_api_key)).routes(call!(revoke_api_key))
}

/// An API key, without its secret.
#[derive(Serialize, ToSchema)]
pub struct ApiKey {
    /// The key's id.
    id: i64,
    /// The key's name, which no other key has or had.
    name: String,
    /// The name of the sales site whose orders it may see; null if it may see those of all.
    source: Option<String>,
    /// The rights of the key.
    rights: Vec<KeyRight>,
    /// When it expires; null: never.
    expires_at: Option<Timestamp>,
    /// The addresses and networks it may be used from, separated by commas; null: from everywhere.
    networks: Option<String>,
    /// The number of calls that it may make a minute; null: unlimited.
    calls_per_minute: Option<u32>,
    /// True if an order is refused of which a field is not in its normal form; otherwise the field is kept as it was sent.
    strict: bool,
    /// The first characters of the key; null for a key of version 0.1.
    start: Option<String>,
    /// `active`, `expired` or `revoked`.
    state: &'static str,
    /// When it was created.
    created_at: Timestamp,
    /// When it was last used, to the minute; null: never since the server stores it.
    last_used_at: Option<Timestamp>,
    /// When it was revoked; null if it was not.
    revoked_at: Option<Timestamp>,
}

impl ApiKey {
    fn new(key: keys::Key, now: Timestamp) -> Self {
        let state = match (key.revoked_at, key.limits.expires_at) {
            (Some(_), _) => "revoked",
            (None, Some(expires_at)) if expires_at <= now => "expired",
            _ => "active",
        };
        Self {
            id: key.id,
            name: key.name,
            source: key.source.map(|(_, name)| name),
            networks: (!key.limits.networks.is_empty()).then(|| key.limits.networks.to_string()),
            rights: key.limits.rights,
            expires_at: key.limits.expires_at,
            calls_per_minute: key.limits.calls_per_minute,
            strict: key.limits.is_strict,
            start: key.start,
            state,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}

/// List the API keys: those in use before the revoked ones, the newest first. At most 500.
#[utoipa::path(get, path = "/admin/api-keys", responses((status = 200, body = Found<Vec<ApiKey>>)))]
pub async fn list_api_keys(State(room): State<Arc<Intake>>) -> Result<Found<Vec<ApiKey>>> {
    let (keys, now) = (room.db.read(keys::list).await?, room.clock.now());
    Ok(found(keys.into_iter().map(|key| ApiKey::new(key, now)).collect()))
}

/// A new API key. Without options it may do everything, from everywhere, for ever.
#[derive(Deserialize, ToSchema)]
pub struct AddApiKey {
    /// A name that no other key has or had.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// The name of the sales site; a new name adds a source. Without it the key may see the orders of all.
    source: Option<String>,
    /// The rights of the key. Default: everything.
    #[schema(value_type = Option<Vec<KeyRight>>)]
    rights: Option<Vec<String>>,
    /// The last day, as YYYY-MM-DD in the agency's time zone, or an instant in ISO 8601. Default: never.
    expires: Option<String>,
    /// Addresses and networks that it may be used from, separated by commas. Default: everywhere.
    networks: Option<String>,
    /// The number of calls that it may make a minute, from 1 to 100,000. Default: unlimited.
    calls_per_minute: Option<i64>,
    /// Refuse an order of which a field is not in its normal form. Default: false, and the field is kept as it was sent.
    strict: Option<bool>,
}

/// The new API key.
#[derive(Serialize, ToSchema)]
pub struct NewApiKey {
    /// The key's id.
    id: i64,
    /// The key's name.
    name: String,
    /// The key, which is shown in this response only; null in the response to a repeated request.
    key: Option<String>,
}

/// Create an API key. The response is the only place that shows it.
#[utoipa::path(post, path = "/admin/add-api-key", request_body = AddApiKey,
    responses((status = 200, body = Found<NewApiKey>)))]
pub async fn add_api_key(
    State(room): State<Arc<Intake>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<AddApiKey>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    let AddApiKey { name, source, rights, expires, networks, calls_per_minute, strict } = body;
    let (name, is_strict) = (name.unwrap_or_default(), strict.unwrap_or_default());
    let typed = TypedKey { name, source, rights, expires, networks, calls_per_minute, is_strict };
    let (new, key) = (NewKey::check(&typed, now, room.config.time_zone)?, keys::generate());
    let added = key.clone();
    let add = idempotent.write_with_secret(
        &room.db,
        move |tx| {
            let id = keys::add(tx, &new, &added, &Actor::from(&staff), now)?;
            let message = format!("The key {} has been created", new.name);
            Ok(Found { status: 1, message, data: NewApiKey { id, name: new.name.clone(), key: None } })
        },
        |response| response.data.key = Some(key),
    );
    add.await
}

/// The API key to revoke.
#[derive(Deserialize, ToSchema)]
pub struct RevokeApiKey {
    /// The key's id.
    #[serde(rename = "apiKeyId")]
    id: i64,
}

/// Revoke an API key. Its next call is refused.
#[utoipa::path(post, path = "/admin/revoke-api-key", request_body = RevokeApiKey,
    responses((status = 200, body = Done)))]
pub async fn revoke_api_key(
    State(room): State<Arc<Intake>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<RevokeApiKey>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    idempotent
        .write(&room.db, move |tx| {
            let name = keys::revoke(tx, body.id, &Actor::from(&staff), now)?;
            Ok(done(format!("The key {name} has been revoked")))
        })
        .await
}
