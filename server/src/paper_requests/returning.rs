//! An order goes back to where it was before documents were requested from its applicant.

use super::rules::{ItemState, PaperFault, RequestEnd};
use super::store::{self, PaperRequest};
use super::unasked;
use crate::audit::store::{self as audit, Change};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::orders::status::ProcessStatus;
use crate::orders::{moves, new_orders};

/// The name of the program in the audit.
pub const ACTOR: &str = "paper request";

/// Notes what the check of a file found. If that was the last document that was requested, the order goes back. The caller has locked it.
pub fn after_check(
    tx: &mut Conn,
    lifecycle: &Lifecycle,
    order_id: OrderId,
    document_id: i64,
    faults: &[PaperFault],
    cause: &Cause,
) -> Result<()> {
    unasked::note_check(tx, document_id, faults)?;
    if store::note_check(tx, document_id, faults, cause.now)? {
        return_if_complete(tx, lifecycle, order_id, cause)?;
    }
    Ok(())
}

/// Takes the order back if everything that was requested is there. The caller has locked it.
pub fn return_if_complete(tx: &mut Conn, lifecycle: &Lifecycle, order_id: OrderId, cause: &Cause) -> Result<()> {
    let Some((request, items)) = store::find_open(tx, order_id)? else { return Ok(()) };
    if items.iter().all(|item| item.state == ItemState::In) {
        finish(tx, lifecycle, &request, RequestEnd::Complete, cause)?;
    }
    Ok(())
}

/// Ends a request, and moves its order back to its former status unless staff have moved it on. Its owner stays. Returns where the order is
/// then.
pub fn finish(
    tx: &mut Conn,
    lifecycle: &Lifecycle,
    request: &PaperRequest,
    how: RequestEnd,
    cause: &Cause,
) -> Result<Option<ProcessStatus>> {
    store::end(tx, &[request.request_id], how, cause.now)?;
    let order_id = request.order_id;
    let orders = moves::lock(tx, &[order_id])?;
    let Some(order) = orders.first() else { return Ok(None) };
    let action = match how {
        RequestEnd::Complete => "paper.complete",
        RequestEnd::Withdrawn => "paper.withdraw",
    };
    audit::add(tx, &cause.by, &[Change::of(action).order(order_id)], cause.now)?;
    let mut status = order.process_status;
    if status.waits_for_applicant() {
        status = request.former_status.unless_due(order.processing_date, cause.today);
        // Also if it stays: the order was touched by this, and by nothing after it.
        lifecycle.change(tx, &orders, |_| To::Status(status), cause)?;
    }
    if how == RequestEnd::Complete {
        new_orders::note_documents(tx, order_id)?;
    }
    Ok(Some(status))
}
