//! An order goes back to where it was before its applicant was asked for papers.

use super::rules::{Ended, ItemState, PaperFault};
use super::store::{self, PaperRequest};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::moves;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// Notes what the check of a file found. If that was the last paper that was asked for, the order goes back. The caller has locked it.
pub fn after_check(
    tx: &mut Conn,
    order_id: OrderId,
    document_id: i64,
    faults: &[PaperFault],
    now: Timestamp,
) -> Result<()> {
    if store::note_check(tx, document_id, faults, now)? { return_if_complete(tx, order_id, now) } else { Ok(()) }
}

/// Takes the order back if everything that its applicant was asked for is there. The caller has locked it.
pub fn return_if_complete(tx: &mut Conn, order_id: OrderId, now: Timestamp) -> Result<()> {
    let Some((request, items)) = store::find_open(tx, order_id)? else { return Ok(()) };
    if items.iter().all(|item| item.state == ItemState::In) {
        finish(tx, &request, Ended::Complete, &Actor::program("paper request"), now)?;
    }
    Ok(())
}

/// Ends a request, and moves its order back to its former status and owner unless staff have moved it on. Returns where the order is then.
pub fn finish(
    tx: &mut Conn,
    request: &PaperRequest,
    how: Ended,
    by: &Actor,
    now: Timestamp,
) -> Result<Option<ProcessStatus>> {
    store::end(tx, request.request_id, how, now)?;
    let order_id = request.order_id;
    let Some(state) = moves::lock(tx, &[order_id])?.pop() else { return Ok(None) };
    let action = match how {
        Ended::Complete => "paper.complete",
        Ended::Withdrawn => "paper.withdraw",
    };
    let mut changes = vec![Change { action, order_id: Some(order_id), ..Change::default() }];
    let to = request.former_status;
    if state.process_status.waits_for_applicant() {
        // A member who has taken the order meanwhile keeps it.
        if state.owner_id.is_none() && request.former_owner.is_some() {
            moves::set_owner(tx, &[order_id], request.former_owner, now)?;
        }
        // Written even if it stays: the order was touched by this, and by nothing after it.
        moves::set_status(tx, &[order_id], to, now)?;
        changes.push(Change {
            action: "order.move",
            order_id: Some(order_id),
            before: Some(state.process_status.to_string()),
            after: Some(to.to_string()),
        });
    }
    audit::add(tx, by, &changes, now)?;
    Ok(Some(if state.process_status.waits_for_applicant() { to } else { state.process_status }))
}
