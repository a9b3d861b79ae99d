//! What the sales site is answered.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Found;
use crate::ids::OrderId;

/// The order's two names.
#[derive(Serialize, ToSchema)]
pub struct TakenIn {
    order_id: OrderId,
    order_number: String,
}

/// Answers an order by its names.
pub fn taken_in(order_id: OrderId, message: &str) -> Found<TakenIn> {
    Found { status: 1, message: message.into(), data: TakenIn { order_id, order_number: order_id.printed() } }
}
