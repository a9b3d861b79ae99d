//! The calls that change owner or status. Each changes all selected orders or none, and names the order that stopped it.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use super::selection::{Selected, find_all_to_change};
use super::undo::{OrdersChanged, record};
use crate::audit::store::{Actor, Change, last_actor};
use crate::chargebacks::transitions::{self, Context};
use crate::db::Conn;
use crate::error::Result;
use crate::http::json::Json;
use crate::ids::OrderId;
use crate::orders::moves;
use crate::orders::rules::changes::{self, Owner};
use crate::orders::rules::undo::ChangeKind;
use crate::orders::rules::{Folder, OrderState};
use crate::orders::status::ProcessStatus;
use crate::orders::undo::Before;
use crate::staff::errors::StaffError;
use crate::staff::rules::Staff;
use crate::staff::store::find_by_name_and_lock_shared;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new()
        .routes(routes!(assign_orders))
        .routes(routes!(change_order_status))
        .routes(routes!(move_order_status))
        .routes(routes!(restore_orders))
}

/// The orders, and their new owner.
#[derive(Deserialize, ToSchema)]
pub struct AssignOrders {
    /// One order id, or a list of them.
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
    let (ids, now) = (body.order_ids.ids()?, room.clock.now());
    let is_assigned = !body.assignto.trim().is_empty();
    let (changed, undo) = room
        .db
        .write(move |tx| {
            let owner = if is_assigned { Some(owner(tx, &body.assignto)?) } else { None };
            let orders = find_all_to_change(tx, &ids)?;
            orders.iter().try_for_each(|(state, _)| match &owner {
                Some(owner) => changes::check_assign(&staff, owner.id, state),
                None => changes::check_unassign(&staff, state),
            })?;
            let to = owner.as_ref().map(|owner| owner.id);
            let (moving, before): (Vec<OrderState>, Vec<Before>) =
                orders.into_iter().filter(|(state, _)| state.owner_id != to).unzip();
            moves::set_owner(tx, &ids_of(&moving), to, now)?;
            let audited = moving.iter().map(|state| Change {
                action: "order.assign",
                order_id: Some(state.order_id),
                before: state.owner_name.clone(),
                after: owner.as_ref().map(|owner| owner.name.clone()),
            });
            record(tx, &staff, ChangeKind::Owner, &audited.collect::<Vec<_>>(), &before, now)
        })
        .await?;
    let message = if is_assigned {
        "Order has been assigned successfully"
    } else {
        "Order has been moved to its original folder successfully"
    };
    Ok(axum::Json(OrdersChanged { status: 1, message: message.into(), changed, undo }))
}

/// The orders, and their new status.
#[derive(Deserialize, ToSchema)]
pub struct ChangeOrderStatus {
    /// One order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// One of the statuses, in their exact spelling.
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
    /// One order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// One of the statuses, in their exact spelling.
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
    let (context, zone, to) = (context(room), room.config.time_zone, wanted.to);
    let (now, today) = (context.now, context.today);
    let (changed, undo) = room
        .db
        .write(move |tx| {
            let orders = find_all_to_change(tx, &wanted.ids)?;
            let states = || orders.iter().map(|(state, _)| state);
            for state in states().filter(|state| wanted.shown_at.is_some_and(|at| at != state.updated_at)) {
                let by = last_actor(tx, state.order_id)?.unwrap_or_else(|| "another member of staff".into());
                changes::check_fresh(state, wanted.shown_at, &by, zone)?;
            }
            states().try_for_each(|state| changes::check_status(&staff, to, wanted.folder, today, state))?;
            let (moving, before): (Vec<OrderState>, Vec<Before>) =
                orders.into_iter().filter(|(state, _)| state.process_status != to).unzip();
            let ids = ids_of(&moving);
            moves::set_status(tx, &ids, to, now)?;
            if to == ProcessStatus::Completed {
                moves::set_processed(tx, &ids, staff.id, now)?;
            }
            follow(tx, &moving, |_| to, &staff, &context)?;
            let action = if wanted.permanent_requested { "order.move (permanent delete asked)" } else { "order.move" };
            record(tx, &staff, ChangeKind::Status, &moved(&moving, |_| to, action), &before, now)
        })
        .await?;
    let message = match to {
        ProcessStatus::Deleted => "Order has been deleted successfully".to_owned(),
        to => format!("Order has been moved to {} successfully", to.label()),
    };
    Ok(axum::Json(OrdersChanged { status: 1, message, changed, undo }))
}

/// The deleted orders to restore.
#[derive(Deserialize, ToSchema)]
pub struct RestoreOrders {
    /// One order id, or a list of them.
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
    let (ids, context) = (body.order_ids.ids()?, context(&room));
    let (now, today) = (context.now, context.today);
    let (changed, undo) = room
        .db
        .write(move |tx| {
            let (states, before): (Vec<OrderState>, Vec<Before>) = find_all_to_change(tx, &ids)?.into_iter().unzip();
            states.iter().try_for_each(|state| changes::check_restore(&staff, state))?;
            for to in ProcessStatus::ALL {
                let group: Vec<OrderId> = states
                    .iter()
                    .filter(|state| changes::restored_status(state, today) == *to)
                    .map(|state| state.order_id)
                    .collect();
                if !group.is_empty() {
                    moves::set_status(tx, &group, *to, now)?;
                }
            }
            follow(tx, &states, |state| changes::restored_status(state, today), &staff, &context)?;
            let audited = moved(&states, |state| changes::restored_status(state, today), "order.restore");
            record(tx, &staff, ChangeKind::Status, &audited, &before, now)
        })
        .await?;
    let message = "Order has been restored successfully".to_owned();
    Ok(axum::Json(OrdersChanged { status: 1, message, changed, undo }))
}

/// Finds the member of that name and locks them against deletion until the transaction ends.
fn owner(tx: &mut Conn, name: &str) -> Result<Owner> {
    let member = find_by_name_and_lock_shared(tx, name)?;
    let (id, name) = member.ok_or_else(|| StaffError::UnknownStaffName(name.trim().to_owned()))?;
    Ok(Owner { id, name })
}

fn context(room: &Casework) -> Context {
    let today = room.clock.today(room.config.time_zone);
    Context { now: room.clock.now(), today, terms: room.config.chargebacks.clone() }
}

/// Opens and withdraws the chargebacks of orders that enter or leave ChargeBack.
fn follow(
    tx: &mut Conn,
    moving: &[OrderState],
    to: impl Fn(&OrderState) -> ProcessStatus,
    staff: &Staff,
    context: &Context,
) -> Result<()> {
    let moves: Vec<transitions::Move> =
        moving.iter().map(|state| (state.order_id, state.process_status, to(state))).collect();
    transitions::after_status_change(tx, &moves, &Actor::from(staff), context)
}

fn ids_of(states: &[OrderState]) -> Vec<OrderId> {
    states.iter().map(|state| state.order_id).collect()
}

fn moved(states: &[OrderState], to: impl Fn(&OrderState) -> ProcessStatus, action: &'static str) -> Vec<Change> {
    let change = |state: &OrderState| Change {
        action,
        order_id: Some(state.order_id),
        before: Some(state.process_status.to_string()),
        after: Some(to(state).to_string()),
    };
    states.iter().map(change).collect()
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
