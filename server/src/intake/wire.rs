//! The response to the sales site.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::Found;
use crate::ids::OrderId;

/// The id of an order, and its printed number.
#[derive(Serialize, ToSchema)]
pub struct OrderReference {
    /// The order's id.
    order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    order_number: String,
}

/// The response that names an order.
pub fn order_reference(order_id: OrderId, message: &str) -> Found<OrderReference> {
    Found { status: 1, message: message.into(), data: OrderReference { order_id, order_number: order_id.printed() } }
}
