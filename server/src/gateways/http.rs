//! Change Gateway, and the active gateway for the sales site.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Gateways;
use super::rules::{self, Gateway};
use super::{configured, store};
use crate::audit::store::{Actor, Change, add};
use crate::error::{Error, Result};
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::staff::rules::Staff;

/// The gateways' calls.
pub fn endpoints() -> OpenApiRouter<Arc<Gateways>> {
    OpenApiRouter::new()
        .routes(call!(list_payment_gateways))
        .routes(call!(set_payment_gateway))
        .routes(call!(find_active_gateway))
}

/// A payment gateway (spec §3).
#[derive(Serialize, ToSchema)]
pub struct PaymentGateway {
    /// The gateway's id.
    id: i64,
    /// The gateway's name, such as `Stripe`.
    gateway_name: String,
    /// `1` for the active gateway, else `0`.
    is_active: &'static str,
}

impl From<Gateway> for PaymentGateway {
    fn from(gateway: Gateway) -> Self {
        let is_active = if gateway.is_active { "1" } else { "0" };
        Self { id: gateway.id, gateway_name: gateway.name, is_active }
    }
}

/// List the gateways that can be chosen. Exactly one is active.
#[utoipa::path(get, path = "/admin/payment-gateways",
    responses((status = 200, body = Found<Vec<PaymentGateway>>)))]
pub async fn list_payment_gateways(State(room): State<Arc<Gateways>>) -> Result<Found<Vec<PaymentGateway>>> {
    let gateways = rules::selectable(room.db.read(store::list).await?);
    Ok(found(gateways.into_iter().map(PaymentGateway::from).collect()))
}

/// The gateway to activate.
#[derive(Deserialize, ToSchema)]
pub struct SetPaymentGateway {
    /// Plain or encoded.
    #[serde(rename = "gatewayId")]
    #[schema(value_type = i64, required, nullable = false)]
    gateway_id: Option<Value>,
}

/// Set the active gateway. Orders keep the gateway that they were paid with.
#[utoipa::path(post, path = "/admin/payment-gateway-setting", request_body = SetPaymentGateway,
    responses((status = 200, body = Done)))]
pub async fn set_payment_gateway(
    State(room): State<Arc<Gateways>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<SetPaymentGateway>,
) -> Result<StoredResponse> {
    let (id, now) = (rules::parse_choice(body.gateway_id.as_ref())?, room.clock.now());
    let wanted = room.config.gateways.clone();
    idempotent
        .write(&room.db, move |tx| {
            let known = store::lock(tx)?;
            let to = rules::check_choice(&known, id)?;
            if !to.is_active {
                let from = known.iter().find(|gateway| gateway.is_active).map(|gateway| gateway.name.clone());
                store::activate(tx, id)?;
                // A gateway that left the configuration while it was active can be retired now.
                configured::sync(tx, &wanted)?;
                let after = Some(to.name.clone());
                let change = Change::of("gateway.switch").before(from).after(after);
                add(tx, &Actor::from(&staff), &[change], now)?;
            }
            Ok(done(format!("{} is the active gateway now", to.name)))
        })
        .await
}

/// Get the active gateway, through which new payments go.
#[utoipa::path(get, path = "/intake/active-gateway",
    responses((status = 200, body = Found<PaymentGateway>)))]
pub async fn find_active_gateway(State(room): State<Arc<Gateways>>) -> Result<Found<PaymentGateway>> {
    let active = room.db.read(store::list).await?.into_iter().find(|gateway| gateway.is_active);
    let active = active.ok_or_else(|| Error::internal("no gateway is active"))?;
    Ok(found(active.into()))
}
