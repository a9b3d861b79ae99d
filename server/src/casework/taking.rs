//! The call that gives a member the most urgent order without an owner
//! ([decision 45](../../../docs/decisions/0045-a-member-takes-the-next-order.md)).

use std::sync::Arc;

use axum::extract::State;
use chrono::TimeDelta;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Casework;
use crate::db::Conn;
use crate::error::Result;
use crate::filing::claims;
use crate::http::answer::StoredResponse;
use crate::http::idempotency::IdempotentRequest;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::lifecycle::undoable::{Undoable, record};
use crate::orders::new_orders::lock_next;
use crate::orders::rules::changes::{self, Owner};
use crate::orders::rules::next_order::{TakeRank, TakeReason};
use crate::orders::rules::undo::ChangeKind;
use crate::orders::selected::find_all;
use crate::staff::rules::Staff;
use crate::staff::{store as staff_store, team};
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(call!(take_next_order))
}

/// The result of taking the next order.
#[derive(Debug, Serialize, ToSchema)]
pub struct NextOrder {
    /// 1.
    status: u8,
    /// A text for people: the order and the reason, or that there is none.
    message: String,
    /// The order; null: none is free.
    data: Option<TakenNextOrder>,
    /// The means for the caller to give it back; null: none was taken.
    undo: Option<Undoable>,
}

/// An order that the caller owns now.
#[derive(Debug, Serialize, ToSchema)]
pub struct TakenNextOrder {
    /// The order's id.
    order_id: OrderId,
    /// Why it is before the others.
    reason: TakeReason,
}

/// Take the most urgent New order without an owner: an overdue one, the oldest first, then priority orders, then the others. Among these,
/// orders with new documents come first, then those with the earliest arrival date, then the oldest.
#[utoipa::path(post, path = "/admin/take-next", responses((status = 200, body = NextOrder)))]
pub async fn take_next_order(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
) -> Result<StoredResponse> {
    let (lifecycle, limit_hours) = (room.lifecycle.clone(), room.config.orders.overdue_hours);
    let cause = lifecycle.cause(&staff, "order.assign");
    idempotent.write(&room.db, move |tx| take(tx, &lifecycle, &staff, limit_hours, &cause)).await
}

fn take(tx: &mut Conn, lifecycle: &Lifecycle, staff: &Staff, limit_hours: u32, cause: &Cause) -> Result<NextOrder> {
    // The member before the order, as every change of owner does.
    staff_store::lock_staff_shared(tx, staff.id)?;
    let owner = Owner { id: staff.id, name: team::present(tx, staff)?.name };
    let overdue_since = cause.now - TimeDelta::hours(i64::from(limit_hours));
    let Some(rank) = lock_unclaimed(tx, staff.id, overdue_since)? else {
        return Ok(NextOrder { status: 1, message: "No order is free to take".to_owned(), data: None, undo: None });
    };
    let (order_id, reason) = (rank.order_id(), rank.reason());
    let orders = find_all(tx, &[order_id])?;
    orders.iter().try_for_each(|order| changes::check_assign(staff, owner.id, order))?;
    let made = lifecycle.change(tx, &orders, |_| To::Owner(Some(owner.clone())), cause)?;
    let (_, undo) = record(tx, staff, ChangeKind::Owner, &made, &orders, cause)?;
    let message = format!("Order {order_id} is yours: {}", reason.text(limit_hours));
    Ok(NextOrder { status: 1, message, data: Some(TakenNextOrder { order_id, reason }), undo })
}

/// Locks the most urgent free order that no other member is filing. Claims are read under the lock of their order, because they are made
/// under it.
fn lock_unclaimed(tx: &mut Conn, staff_id: StaffId, overdue_since: Timestamp) -> Result<Option<TakeRank>> {
    let mut claimed = Vec::new();
    while let Some(rank) = lock_next(tx, overdue_since, &claimed)? {
        if claims::find(tx, rank.order_id())?.is_none_or(|claim| claim.staff_id == staff_id) {
            return Ok(Some(rank));
        }
        claimed.push(rank.order_id());
    }
    Ok(None)
}
