//! Undoes one's own change of owner or status: all orders of the call, as a change of its own, or none.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use axum::extract::State;
use chrono_tz::Tz;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Undo;
use super::delivery as undo_delivery;
use crate::audit::store::{self as audit, UNDO_OWNER, UNDO_STATUS};
use crate::chargebacks::store as chargebacks;
use crate::db::Conn;
use crate::documents::store as documents;
use crate::error::Result;
use crate::http::answer::StoredResponse;
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::lifecycle::undoable::OrdersChanged;
use crate::mail::store as mail;
use crate::orders::errors::OrderError;
use crate::orders::moves::LockedOrder;
use crate::orders::remarks;
use crate::orders::rules::OrderState;
use crate::orders::rules::changes::Owner;
use crate::orders::rules::undo::{self as rules, ChangeKind, MadeChange};
use crate::orders::selected::find_all;
use crate::orders::undo::{self, ChangeRecord, Former};
use crate::staff::inbox;
use crate::staff::rules::Staff;
use crate::staff::store as staff_store;
use crate::text::format_instant;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Undo>> {
    OpenApiRouter::new().routes(call!(undo))
}

/// The change to undo.
#[derive(Deserialize, ToSchema)]
pub struct UndoChange {
    /// The id of an audit event of the change, from `undo.event_id` of the call that made it.
    #[serde(rename = "eventId")]
    event_id: i64,
}

/// Undo a change of orders
///
/// For the caller's own assignments, moves, deletions and restorings, within ten minutes: all orders of the call or none. Refused if
/// an order was changed since, or an email about it has left. The delivery of a visa that differs is undone with its visa and its email, as
/// long as the email has not left.
#[utoipa::path(post, path = "/admin/undo", request_body = UndoChange,
    responses((status = 200, body = OrdersChanged)))]
pub async fn undo(
    State(room): State<Arc<Undo>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<UndoChange>,
) -> Result<StoredResponse> {
    let (zone, lifecycle) = (room.config.time_zone, room.lifecycle.clone());
    let cause = lifecycle.cause(&staff, UNDO_STATUS);
    idempotent
        .write(&room.db, move |tx| {
            let change = undo::find(tx, body.event_id)?.ok_or(OrderError::ChangeToUndoNotFound)?;
            check_own(tx, &staff, &change)?;
            rules::check_open(&change, cause.now, zone)?;
            let records = undo::list(tx, change.change_id)?;
            let owners = lock_owners(tx, &change, &records)?;
            let ids: Vec<OrderId> = records.iter().map(|record| record.order_id).collect();
            let orders = find_all(tx, &ids)?;
            if !undo::claim(tx, change.change_id, cause.now)? {
                // Another undo of this change was faster.
                rules::check_open(&MadeChange { undone_at: Some(cause.now), ..change.clone() }, cause.now, zone)?;
            }
            let is_delivery = undo_delivery::withdraw(tx, &staff, &change, cause.now)?;
            if is_delivery && !records.iter().any(|record| record.former.process_status.is_completed_by_visa()) {
                // The order kept its status: only its visa returns.
                check_not_mailed(tx, &ids, change.made_at)?;
                let without_visa = without_visa(tx, &records)?;
                undo::clear_had_visa_or_dispute(tx, &without_visa)?;
                return Ok(undone(&ids, is_delivery));
            }
            check_unchanged(tx, &change, &records, &orders, zone)?;
            check_not_mailed(tx, &ids, change.made_at)?;
            match change.kind {
                ChangeKind::Owner => {
                    let owner = |order: &OrderState| {
                        let former = records.iter().find(|record| record.order_id == order.order_id);
                        To::Owner(former.and_then(|record| owners.get(&record.assign_to?).cloned()))
                    };
                    lifecycle.change(tx, &orders, owner, &Cause { action: UNDO_OWNER, ..cause.clone() })?;
                    inbox::withdraw(tx, &ids, change.made_at)?;
                    if remarks::is_added_at(tx, change.order_id, change.staff_id, change.made_at)? {
                        let message = rules::undone_but_note_message(&ids);
                        return Ok(OrdersChanged { message, ..undone(&ids, is_delivery) });
                    }
                }
                ChangeKind::Status => restore_statuses(tx, &lifecycle, &records, &orders, &change, &cause)?,
            }
            Ok(undone(&ids, is_delivery))
        })
        .await
}

fn undone(ids: &[OrderId], is_delivery: bool) -> OrdersChanged {
    let message = match ids {
        [order_id] if is_delivery => undo_delivery::undone_message(*order_id),
        ids => rules::undone_message(ids),
    };
    OrdersChanged { status: 1, message, changed: ids.len(), undo: None }
}

fn check_own(tx: &mut Conn, staff: &Staff, change: &MadeChange) -> Result<()> {
    if change.staff_id == staff.id {
        return Ok(());
    }
    let by = staff_store::names(tx, &[change.staff_id])?.remove(&change.staff_id).unwrap_or_default();
    Err(OrderError::ChangeOfAnotherMember { order_id: change.order_id, by }.into())
}

/// Locks the members who get orders back against deletion, before the orders, as every change of owner does.
fn lock_owners(tx: &mut Conn, change: &MadeChange, records: &[ChangeRecord]) -> Result<HashMap<StaffId, Owner>> {
    if change.kind != ChangeKind::Owner {
        return Ok(HashMap::new());
    }
    let mut owners = HashMap::new();
    let distinct: BTreeSet<StaffId> = records.iter().filter_map(|record| record.assign_to).collect();
    for staff_id in distinct {
        staff_store::lock_staff_shared(tx, staff_id)?;
        if let Some(owner) = staff_store::find(tx, staff_id)? {
            owners.insert(staff_id, Owner { id: staff_id, name: owner.name });
            continue;
        }
        let first = records.iter().find(|record| record.assign_to == Some(staff_id));
        let order_id = first.map_or(change.order_id, |record| record.order_id);
        let owner = staff_store::names(tx, &[staff_id])?.remove(&staff_id).unwrap_or_default();
        return Err(OrderError::UndoToDeletedMember { order_id, owner }.into());
    }
    Ok(owners)
}

/// Refuses the undo if an order was changed after the change.
fn check_unchanged(
    tx: &mut Conn,
    change: &MadeChange,
    records: &[ChangeRecord],
    states: &[LockedOrder],
    zone: Tz,
) -> Result<()> {
    let events: HashMap<OrderId, i64> = records.iter().map(|record| (record.order_id, record.event_id)).collect();
    let ids: Vec<OrderId> = states.iter().map(|state| state.order_id).collect();
    let first_event = events.values().min().copied().unwrap_or_default();
    let changes = audit::changes_after(tx, &ids, first_event)?;
    for state in states {
        let order_id = state.order_id;
        let since = changes
            .iter()
            .rev()
            .find(|change| change.order_id == order_id && Some(&change.audit_id) > events.get(&order_id));
        if since.is_none() && state.updated_at == change.made_at {
            continue;
        }
        let by = since.map_or_else(|| "another member of staff".to_owned(), |change| change.actor.clone());
        let at = format_instant(since.map_or(state.updated_at, |change| change.at), zone);
        return Err(OrderError::OrderChangedSince { order_id, by, at }.into());
    }
    Ok(())
}

/// Refuses the undo if an email about an order has left after the change, or is about to leave because of a later request.
fn check_not_mailed(tx: &mut Conn, ids: &[OrderId], made_at: Timestamp) -> Result<()> {
    let Some((order_id, staff_id)) = mail::find_left_since(tx, ids, made_at)? else { return Ok(()) };
    let by = match staff_id {
        Some(staff_id) => staff_store::names(tx, &[staff_id])?.remove(&staff_id),
        None => None,
    };
    Err(OrderError::MailLeftSince { order_id, by: by.unwrap_or_else(|| "the sales site".into()) }.into())
}

fn restore_statuses(
    tx: &mut Conn,
    lifecycle: &Lifecycle,
    records: &[ChangeRecord],
    orders: &[LockedOrder],
    change: &MadeChange,
    cause: &Cause,
) -> Result<()> {
    let without_visa = without_visa(tx, records)?;
    let former: HashMap<OrderId, Former> = records
        .iter()
        .zip(orders)
        .map(|(record, order)| {
            let process_status = record.former.process_status.unless_due(order.processing_date, cause.today);
            let had_visa_or_dispute = without_visa.contains(&record.order_id).then_some(false);
            (record.order_id, Former { process_status, had_visa_or_dispute, ..record.former.clone() })
        })
        .collect();
    check_disputes(tx, orders, &former, change.made_at)?;
    let kept = records.iter().filter_map(|record| Some((record.order_id, record.kept.clone()?))).collect();
    let to = |order: &OrderState| match former.get(&order.order_id) {
        Some(former) => To::Former(former.clone()),
        None => To::Status(order.process_status),
    };
    lifecycle.undo(tx, orders, &kept, to, cause)
}

/// The orders that had neither a visa nor a dispute before the change, and have no visa now: one may have been uploaded since.
fn without_visa(tx: &mut Conn, records: &[ChangeRecord]) -> Result<Vec<OrderId>> {
    let had_none = records.iter().filter(|record| record.former.had_visa_or_dispute == Some(false));
    let had_none: Vec<OrderId> = had_none.map(|record| record.order_id).collect();
    let visas = documents::newest_visas(tx, &had_none)?;
    Ok(had_none.into_iter().filter(|order_id| !visas.contains_key(order_id)).collect())
}

/// Refuses an undo that would open or withdraw a dispute whose record was edited after the change.
fn check_disputes(
    tx: &mut Conn,
    orders: &[LockedOrder],
    former: &HashMap<OrderId, Former>,
    made_at: Timestamp,
) -> Result<()> {
    let crosses = |order: &&LockedOrder| {
        former
            .get(&order.order_id)
            .is_some_and(|former| order.process_status.is_disputed() != former.process_status.is_disputed())
    };
    let disputed: Vec<OrderId> = orders.iter().filter(crosses).map(|order| order.order_id).collect();
    let edited = chargebacks::list(tx, &disputed)?.into_iter().filter(|(_, record)| record.updated_at > made_at);
    match edited.min_by_key(|(order_id, _)| *order_id) {
        None => Ok(()),
        Some((order_id, record)) => Err(OrderError::DisputeEditedSince { order_id, by: record.updated_by }.into()),
    }
}
