//! The calls that give orders of one member to another. Each gives all selected orders or none, and tells the members whom it concerns
//! ([decision 42](../../../docs/decisions/0042-orders-pass-from-member-to-member.md)).

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Casework;
use super::moves::owner;
use crate::db::Conn;
use crate::error::Result;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::lifecycle::Lifecycle;
use crate::lifecycle::change::To;
use crate::lifecycle::undoable::{OrdersChanged, record};
use crate::orders::moves::LockedOrder;
use crate::orders::rules::changes::{self, Owner};
use crate::orders::rules::remarks::{NewRemark, note_text, reason_text};
use crate::orders::rules::undo::ChangeKind;
use crate::orders::selected::{Selected, find_all};
use crate::remarks::writing;
use crate::staff::inbox::{self, InboxKind, NewInboxEntry};
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(call!(reassign_orders)).routes(call!(hand_over_orders))
}

/// The orders, their new owner, and why.
#[derive(Deserialize, ToSchema)]
pub struct ReassignOrders {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// The name of an active member.
    assignto: String,
    /// The reason. It becomes a remark of each order.
    note: String,
}

/// Give orders of any owner to another member. All or none. The former owners and the new one are told.
#[utoipa::path(put, path = "/admin/reassign-orders", request_body = ReassignOrders,
    responses((status = 200, body = OrdersChanged)))]
pub async fn reassign_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<ReassignOrders>,
) -> Result<axum::Json<OrdersChanged>> {
    let note = Some(reason_text(&body.note)?);
    let ids = body.order_ids.ids()?;
    let given = Handover { ids, to: body.assignto, note, is_of_caller: false };
    give(&room, staff, given, "reassigned to").await
}

/// The caller's orders, and their new owner.
#[derive(Deserialize, ToSchema)]
pub struct HandOverOrders {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// The name of an active member.
    assignto: String,
    /// A note for the new owner. It becomes a remark of each order.
    note: Option<String>,
}

/// Hand the caller's own orders over to another member, who is told. All or none.
#[utoipa::path(put, path = "/admin/hand-over-orders", request_body = HandOverOrders,
    responses((status = 200, body = OrdersChanged)))]
pub async fn hand_over_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<HandOverOrders>,
) -> Result<axum::Json<OrdersChanged>> {
    let note = note_text(body.note.as_deref().unwrap_or_default())?;
    let ids = body.order_ids.ids()?;
    let given = Handover { ids, to: body.assignto, note, is_of_caller: true };
    give(&room, staff, given, "handed over to").await
}

/// Orders that a member gives to another.
struct Handover {
    ids: Vec<OrderId>,
    /// The name of the new owner.
    to: String,
    note: Option<String>,
    /// All of them must be the caller's own.
    is_of_caller: bool,
}

async fn give(
    room: &Casework,
    staff: Staff,
    handover: Handover,
    given: &'static str,
) -> Result<axum::Json<OrdersChanged>> {
    let (count, lifecycle) = (handover.ids.len(), room.lifecycle.clone());
    let write = move |tx: &mut Conn| give_in(tx, &lifecycle, &staff, &handover);
    let (owner, changed) = room.db.write(write).await?;
    let message = match changed.changed {
        0 => changes::already(count, &format!("assigned to {}", owner.name)),
        1 => format!("Order has been {given} {} successfully", owner.name),
        many => format!("{many} orders have been {given} {} successfully", owner.name),
    };
    Ok(axum::Json(OrdersChanged { message, ..changed }))
}

fn give_in(tx: &mut Conn, lifecycle: &Lifecycle, staff: &Staff, handover: &Handover) -> Result<(Owner, OrdersChanged)> {
    let cause = lifecycle.cause(staff, "order.assign");
    let owner = owner(tx, &handover.to)?;
    let mut orders = find_all(tx, &handover.ids)?;
    orders.retain(|order| order.owner_id != Some(owner.id));
    if handover.is_of_caller {
        orders.iter().try_for_each(|order| changes::check_hand_over(staff, order))?;
    }
    let made = lifecycle.change(tx, &orders, |_| To::Owner(Some(owner.clone())), &cause)?;
    let (changed, undo) = record(tx, staff, ChangeKind::Owner, &made, &orders, &cause)?;
    for order in &orders {
        let concerned = concerned(staff, order, &owner);
        let remark_id = match &handover.note {
            Some(note) => {
                let informed: Vec<StaffId> = concerned.iter().map(|(staff_id, _)| *staff_id).collect();
                let note = NewRemark::of(note.clone());
                Some(writing::add(tx, staff, order.order_id, &note, &informed, cause.now)?.remark_id)
            }
            None => None,
        };
        let entries = concerned.into_iter().map(|(staff_id, kind)| NewInboxEntry {
            staff_id,
            order_id: order.order_id,
            kind,
            by_name: &staff.name,
            remark_id,
        });
        inbox::add(tx, &entries.collect::<Vec<_>>(), cause.now)?;
    }
    Ok((owner, OrdersChanged { status: 1, message: String::new(), changed, undo }))
}

/// The former owner and the new one, unless they did it themselves.
fn concerned(staff: &Staff, order: &LockedOrder, owner: &Owner) -> Vec<(StaffId, InboxKind)> {
    let former = order.owner_id.map(|staff_id| (staff_id, InboxKind::Taken));
    let both = former.into_iter().chain([(owner.id, InboxKind::Given)]);
    both.filter(|(staff_id, _)| *staff_id != staff.id).collect()
}
