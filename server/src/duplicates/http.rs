//! The call that lists the orders that share a fact with an order.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Duplicates;
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Path;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::duplicates::{candidates, compared};
use crate::orders::errors::OrderError;
use crate::orders::rules::duplicates::{SameFact, same_facts};
use crate::orders::rules::may_find;
use crate::orders::status::ProcessStatus;
use crate::orders::store::{self, OrderRow};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The most orders of a response.
const MAX_DUPLICATES: usize = 20;

pub fn endpoints() -> OpenApiRouter<Arc<Duplicates>> {
    OpenApiRouter::new().routes(call!(order_duplicates))
}

/// Orders that share a fact with an order.
#[derive(Serialize, ToSchema)]
pub struct OrderDuplicates {
    /// The newest first, at most 20: only orders of folders that the caller may list.
    pub orders: Vec<Duplicate>,
    /// There are more.
    pub more: bool,
}

/// An order that shares a fact with another one.
#[derive(Serialize, ToSchema)]
pub struct Duplicate {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// When the order was received.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// The facts that both orders share, at least one.
    pub same: Vec<SameFact>,
}

/// An order, and the facts that it shares.
type SharingOrder = (OrderRow, Vec<SameFact>);

impl Duplicate {
    fn new((order, same): SharingOrder) -> Self {
        Self {
            order_id: order.order_id,
            order_number: order.order_id.printed(),
            process_status: order.process_status,
            created_at: order.created_at,
            same,
        }
    }
}

/// List other orders with the same passport, email, phone, device or card. The access is logged.
#[utoipa::path(get, path = "/admin/order-duplicates/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderDuplicates>)))]
pub async fn order_duplicates(
    State(room): State<Arc<Duplicates>>,
    staff: Staff,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Found<OrderDuplicates>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let mut duplicates =
        room.db.read(move |conn| find_duplicates(conn, &staff, id)).await?.ok_or(OrderError::OrderNotFound)?;
    let more = duplicates.len() > MAX_DUPLICATES;
    duplicates.truncate(MAX_DUPLICATES);
    reader.note(SeenData { rows: duplicates.len(), ..SeenData::order("order.duplicates", id) }).await?;
    Ok(found(OrderDuplicates { orders: duplicates.into_iter().map(Duplicate::new).collect(), more }))
}

/// The orders that share a fact with the order and that the member may find, the newest first. None: the order does not exist.
fn find_duplicates(conn: &mut Conn, staff: &Staff, order_id: OrderId) -> Result<Option<Vec<SharingOrder>>> {
    let Some(order) = compared(conn, &[order_id])?.remove(&order_id) else { return Ok(None) };
    let ids = candidates(conn, order_id, &order)?;
    let facts = compared(conn, &ids)?;
    let mut duplicates = Vec::new();
    for (other, _) in store::rows(conn, &ids)? {
        let same = facts.get(&other.order_id).map(|facts| same_facts(&order, facts)).unwrap_or_default();
        if !same.is_empty() && may_find(staff, &other.state(None)) {
            duplicates.push((other, same));
        }
    }
    duplicates.sort_by_key(|(other, _)| std::cmp::Reverse((other.created_at, other.order_id)));
    Ok(Some(duplicates))
}
