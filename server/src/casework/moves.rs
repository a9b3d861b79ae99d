//! The calls that change owner or status. Each changes all selected orders or none, and names the order that stopped it.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::store::last_actor;
use crate::casework::Casework;
use crate::db::Conn;
use crate::error::Result;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::change::To;
use crate::lifecycle::undoable::{OrdersChanged, record};
use crate::orders::rules::changes::{self, Owner};
use crate::orders::rules::undo::ChangeKind;
use crate::orders::rules::{Folder, OrderState};
use crate::orders::selected::{Selected, find_all};
use crate::orders::status::ProcessStatus;
use crate::staff::errors::StaffError;
use crate::staff::rules::Staff;
use crate::staff::store::find_by_name_and_lock_shared;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new()
        .routes(call!(assign_orders))
        .routes(call!(change_order_status))
        .routes(call!(move_order_status))
        .routes(call!(restore_orders))
}

/// The orders, and their new owner.
#[derive(Deserialize, ToSchema)]
pub struct AssignOrders {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// A staff name, or empty to give the orders back.
    assignto: String,
}

/// Assign the selected orders to a member of staff, or give them back. All or none.
#[utoipa::path(put, path = "/admin/assign-order-status", request_body = AssignOrders,
    responses((status = 200, body = OrdersChanged)))]
pub async fn assign_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<AssignOrders>,
) -> Result<axum::Json<OrdersChanged>> {
    let (ids, lifecycle) = (body.order_ids.ids()?, room.lifecycle.clone());
    let (count, cause) = (ids.len(), lifecycle.cause(&staff, "order.assign"));
    let (owner, changed, undo) = room
        .db
        .write(move |tx| {
            let is_assigned = !body.assignto.trim().is_empty();
            let owner = if is_assigned { Some(owner(tx, &body.assignto)?) } else { None };
            let mut orders = find_all(tx, &ids)?;
            orders.iter().try_for_each(|order| match &owner {
                Some(owner) => changes::check_assign(&staff, owner.id, order),
                None => changes::check_unassign(&staff, order),
            })?;
            orders.retain(|order| order.owner_id != owner.as_ref().map(|owner| owner.id));
            let made = lifecycle.change(tx, &orders, |_| To::Owner(owner.clone()), &cause)?;
            let (changed, undo) = record(tx, &staff, ChangeKind::Owner, &made, &orders, &cause)?;
            Ok((owner, changed, undo))
        })
        .await?;
    let message = match (owner, changed) {
        (Some(owner), 0) => changes::already(count, &format!("assigned to {}", owner.name)),
        (None, 0) => changes::already(count, "in the original folder"),
        (Some(_), _) => "Order has been assigned successfully".to_owned(),
        (None, _) => "Order has been moved to its original folder successfully".to_owned(),
    };
    Ok(axum::Json(OrdersChanged { status: 1, message, changed, undo }))
}

/// The orders, and their new status.
#[derive(Deserialize, ToSchema)]
pub struct ChangeOrderStatus {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// A status, in its exact spelling.
    #[serde(rename = "updatingStatus")]
    updating_status: ProcessStatus,
    /// The folder that the orders were selected in. It can restrict what the caller may do, never extend it.
    #[serde(rename = "folderName")]
    folder_name: Option<String>,
    /// Accepted and recorded in the audit, without effect: orders are never removed.
    #[serde(rename = "permanentDeletedFlag")]
    permanent_deleted_flag: Option<serde_json::Value>,
}

/// Set the status of the selected orders. All or none.
#[utoipa::path(put, path = "/admin/change-order-status", request_body = ChangeOrderStatus,
    responses((status = 200, body = OrdersChanged)))]
pub async fn change_order_status(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<ChangeOrderStatus>,
) -> Result<axum::Json<OrdersChanged>> {
    let folder = body.folder_name.as_deref().map(Folder::parse).transpose()?;
    let permanent_requested = body.permanent_deleted_flag.as_ref().is_some_and(is_truthy);
    let wanted =
        Move { ids: body.order_ids.ids()?, to: body.updating_status, folder, permanent_requested, shown_at: None };
    set_status(&room, staff, wanted).await
}

/// The order, and its new status.
#[derive(Deserialize, ToSchema)]
pub struct MoveOrderStatus {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// A status, in its exact spelling.
    #[serde(rename = "updatingStatus")]
    updating_status: ProcessStatus,
    /// The order's `updated_at` as the caller saw it; refused if the order was changed since.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
}

/// Set the status of an order from its own screen. The same rules as `change-order-status`, without those of a folder.
#[utoipa::path(put, path = "/admin/move-order-status", request_body = MoveOrderStatus,
    responses((status = 200, body = OrdersChanged)))]
pub async fn move_order_status(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<MoveOrderStatus>,
) -> Result<axum::Json<OrdersChanged>> {
    let shown_at = body.updated_at;
    let wanted = Move {
        ids: body.order_ids.ids()?,
        to: body.updating_status,
        folder: None,
        permanent_requested: false,
        shown_at,
    };
    set_status(&room, staff, wanted).await
}

/// A requested change of status.
struct Move {
    ids: Vec<OrderId>,
    to: ProcessStatus,
    folder: Option<Folder>,
    permanent_requested: bool,
    shown_at: Option<Timestamp>,
}

async fn set_status(room: &Casework, staff: Staff, wanted: Move) -> Result<axum::Json<OrdersChanged>> {
    let (lifecycle, zone, to) = (room.lifecycle.clone(), room.config.time_zone, wanted.to);
    let action = if wanted.permanent_requested { "order.move (permanent delete asked)" } else { "order.move" };
    let (count, cause) = (wanted.ids.len(), lifecycle.cause(&staff, action));
    let (changed, undo) = room
        .db
        .write(move |tx| {
            let mut orders = find_all(tx, &wanted.ids)?;
            for order in orders.iter().filter(|order| wanted.shown_at.is_some_and(|at| at != order.updated_at)) {
                let by = last_actor(tx, order.order_id)?.unwrap_or_else(|| "another member of staff".into());
                changes::check_fresh(order, wanted.shown_at, &by, zone)?;
            }
            orders.iter().try_for_each(|order| changes::check_status(&staff, to, wanted.folder, cause.today, order))?;
            orders.retain(|order| order.process_status != to);
            let made = lifecycle.change(tx, &orders, |_| To::Status(to), &cause)?;
            record(tx, &staff, ChangeKind::Status, &made, &orders, &cause)
        })
        .await?;
    let message = match (to, changed) {
        (ProcessStatus::Deleted, 0) => changes::already(count, "deleted"),
        (to, 0) => changes::already(count, &format!("in {}", to.label())),
        (ProcessStatus::Deleted, _) => "Order has been deleted successfully".to_owned(),
        (to, _) => format!("Order has been moved to {} successfully", to.label()),
    };
    Ok(axum::Json(OrdersChanged { status: 1, message, changed, undo }))
}

/// The deleted orders to restore.
#[derive(Deserialize, ToSchema)]
pub struct RestoreOrders {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
}

/// Restore deleted orders to the status before their deletion. All or none.
#[utoipa::path(put, path = "/admin/restore-orders", request_body = RestoreOrders,
    responses((status = 200, body = OrdersChanged)))]
pub async fn restore_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<RestoreOrders>,
) -> Result<axum::Json<OrdersChanged>> {
    let (ids, lifecycle) = (body.order_ids.ids()?, room.lifecycle.clone());
    let cause = lifecycle.cause(&staff, "order.restore");
    let (changed, undo) = room
        .db
        .write(move |tx| {
            let orders = find_all(tx, &ids)?;
            orders.iter().try_for_each(|order| changes::check_restore(&staff, order))?;
            let to = |order: &OrderState| To::Status(changes::restored_status(order, cause.today));
            let made = lifecycle.change(tx, &orders, to, &cause)?;
            record(tx, &staff, ChangeKind::Status, &made, &orders, &cause)
        })
        .await?;
    let message = "Order has been restored successfully".to_owned();
    Ok(axum::Json(OrdersChanged { status: 1, message, changed, undo }))
}

/// Finds the member of that name and locks them against deletion until the transaction ends.
pub fn owner(tx: &mut Conn, name: &str) -> Result<Owner> {
    let member = find_by_name_and_lock_shared(tx, name)?;
    let (id, name) = member.ok_or_else(|| StaffError::UnknownStaffName(name.trim().to_owned()))?;
    Ok(Owner { id, name })
}

fn is_truthy(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.as_str(), "" | "0" | "false"),
        Value::Array(_) | Value::Object(_) => true,
    }
}
