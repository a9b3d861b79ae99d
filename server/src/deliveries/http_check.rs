//! Staff note that they have looked at what the check of a visa found.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Deliveries;
use super::errors::DeliveryError;
use super::store;
use super::waiting;
use crate::audit::store::{self as audit, Actor, Change};
use crate::error::Result;
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Deliveries>> {
    OpenApiRouter::new().routes(call!(look_at_visa))
}

/// The visa that a member has checked.
#[derive(Deserialize, ToSchema)]
pub struct LookAtVisa {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The visa's number, as the details list it.
    document_id: i64,
}

/// Note that a member has looked at what the check of a visa found
#[utoipa::path(post, path = "/admin/look-at-visa", request_body = LookAtVisa, responses((status = 200, body = Done)))]
pub async fn look_at_visa(
    State(room): State<Arc<Deliveries>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(LookAtVisa { order_id, document_id }): Json<LookAtVisa>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    idempotent
        .write(&room.db, move |tx| {
            lock_orders(tx, &[order_id])?;
            // Else the mark in the lists would go, and the visa would wait unseen.
            if waiting::find(tx, order_id, document_id)?.is_some() {
                return Err(DeliveryError::VisaNotDelivered.into());
            }
            if !store::look(tx, order_id, document_id, staff.id, now)? {
                return Err(DeliveryError::NothingToLookAt.into());
            }
            let change = Change::of("visa.look").order(order_id);
            audit::add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("Noted that you have looked at the visa"))
        })
        .await
}
