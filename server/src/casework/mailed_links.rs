//! Revokes the links in the mails about an order.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::store::{Actor, Change, add};
use crate::casework::Casework;
use crate::error::Result;
use crate::http::answer::{Done, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::mail::rules::revoked_message;
use crate::mail::secrets;
use crate::orders::dialect::lock_orders;
use crate::orders::errors::OrderError;
use crate::orders::facts;
use crate::staff::rules::Staff;
use crate::tracking::grants;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(call!(revoke_mailed_links))
}

/// The order.
#[derive(Deserialize, ToSchema)]
pub struct RevokeMailedLinks {
    /// Plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
}

/// Revoke the links in the mails about an order, and end the visits of its page
///
/// For a mail that reached the wrong person. Later mails have valid links again.
#[utoipa::path(put, path = "/admin/revoke-mailed-links", request_body = RevokeMailedLinks,
    responses((status = 200, body = Done)))]
pub async fn revoke_mailed_links(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<RevokeMailedLinks>,
) -> Result<Done> {
    let (order_id, now) = (body.order_id, room.clock.now());
    let revoked = room
        .db
        .write(move |tx| {
            lock_orders(tx, &[order_id])?;
            facts::find(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
            let revoked = secrets::revoke(tx, order_id, now)?;
            grants::delete_of(tx, order_id)?;
            let change = Change::of("mail.revoke_links").order(order_id).after(revoked.to_string());
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(revoked)
        })
        .await?;
    Ok(done(revoked_message(revoked)))
}
