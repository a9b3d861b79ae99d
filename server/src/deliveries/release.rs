//! Delivers visas that waited: once their scan is read, after two minutes at the latest, or once a member has decided.

use std::sync::Arc;

use super::Deliveries;
use super::approval::{Approval, find_facts, note};
use super::waiting::{self, WaitingVisa};
use crate::audit::store::Actor;
use crate::db::Conn;
use crate::documents::store as documents;
use crate::error::{Permission, Result};
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::mail::errors::ChangedFacts;
use crate::mail::rules::Address;
use crate::mail::store as mail;
use crate::orders::errors::OrderError;
use crate::orders::moves;
use crate::staff::store as staff_store;

/// The number of visas that are delivered before the job pauses.
const BATCH: i64 = 100;

/// Delivers the visas that are due, and returns how many.
///
/// # Errors
/// Of the first one that could not be delivered, after all others were.
pub async fn deliver_due(room: &Arc<Deliveries>) -> Result<usize> {
    let now = room.clock.now();
    if !room.db.look_up(move |conn| waiting::is_due(conn, now)).await? {
        return Ok(0);
    }
    let due = room.db.read(move |conn| waiting::list_due(conn, now, BATCH)).await?;
    let (mut delivered, mut failure) = (0, None);
    for visa in due {
        match deliver(room, visa).await {
            Ok(is_delivered) => delivered += usize::from(is_delivered),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(delivered), Err)
}

/// Delivers a visa that is due, as the member who uploaded it. Returns false if it no longer waits, or waits for a decision now.
async fn deliver(room: &Arc<Deliveries>, visa: WaitingVisa) -> Result<bool> {
    let (composing, lifecycle, order_id, document_id) =
        (room.clone(), room.lifecycle.clone(), visa.order_id, visa.document_id);
    let prepared = room
        .db
        .read(move |conn| {
            let facts = mail::find_facts(conn, order_id)?.ok_or(OrderError::OrderNotFound)?;
            // The applicant of a deleted order could not open it.
            let may_open = facts.applicant.process_status.may_be_emailed_about();
            let approval =
                may_open.then(|| compose(&composing, conn, &visa, Permission::in_background())).transpose()?;
            let name = staff_store::names(conn, &[visa.staff_id])?.remove(&visa.staff_id).unwrap_or_default();
            let by = Actor { staff_id: Some(visa.staff_id), name, address: None };
            Ok((approval, by))
        })
        .await?;
    let (approval, by) = prepared;
    let cause = lifecycle.cause(by, "order.move");
    let is_delivered = room
        .db
        .write(move |tx| {
            let Some(approval) = &approval else {
                waiting::set_due(tx, document_id, None)?;
                return Ok(false);
            };
            release(tx, &lifecycle, approval, (order_id, document_id), "It had waited to be read", &cause)
        })
        .await?;
    room.mail.notify.notify();
    Ok(is_delivered)
}

/// Composes the email of a visa. One to an address of the order goes to its contact address if the former was corrected since.
pub fn compose(
    room: &Arc<Deliveries>,
    conn: &mut Conn,
    visa: &WaitingVisa,
    permission: Permission<ChangedFacts>,
) -> Result<Approval> {
    let facts = find_facts(conn, visa.order_id)?;
    let asked = Address::parse(&visa.recipient)?;
    let recipient = if visa.is_own && !asked.is_one_of(facts.addresses()) {
        Address::parse(&facts.applicant.contact_email_address).unwrap_or(asked)
    } else {
        asked
    };
    Approval::compose(room, conn, visa.order_id, (recipient, visa.provider), visa.staff_id, permission)
}

/// Makes a waiting visa the issued one, queues its email and completes its order. Returns false if it no longer waits.
pub fn release(
    tx: &mut Conn,
    lifecycle: &Lifecycle,
    approval: &Approval,
    (order_id, document_id): (OrderId, i64),
    why: &str,
    cause: &Cause,
) -> Result<bool> {
    let orders = moves::lock(tx, &[order_id])?;
    if !waiting::remove(tx, document_id)? {
        return Ok(false);
    }
    documents::deliver_visa(tx, document_id, cause.now)?;
    note(tx, order_id, "visa.deliver", why.to_owned(), cause)?;
    approval.deliver(tx, lifecycle, &orders, document_id, cause.now, cause)?;
    Ok(true)
}
