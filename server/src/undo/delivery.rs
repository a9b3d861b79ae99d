//! The parts of a delivery that its undo takes back beside the order's status: the visa, and the mail about it.

use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::deliveries::errors::DeliveryError;
use crate::deliveries::store as deliveries;
use crate::documents::store as documents;
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::stops;
use crate::orders::rules::undo::MadeChange;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;
use crate::tracking::store as tracking;

/// The message of the response.
pub fn undone_message(order_id: OrderId) -> String {
    format!("Undone: the visa is withdrawn, no mail was sent, and order {order_id} is as it was before")
}

/// Withdraws the visa of a delivery, and stops its mail if no attempt of it has begun: one that has is found by the caller, as every other
/// mail that left after the change. Returns whether the change is a delivery. The order must be locked.
///
/// # Errors
/// [`DeliveryError::VisaDownloaded`]
pub fn withdraw(tx: &mut Conn, staff: &Staff, change: &MadeChange, now: Timestamp) -> Result<bool> {
    let Some(document_id) = deliveries::find_by_event(tx, change.change_id)? else { return Ok(false) };
    let order_id = change.order_id;
    if tracking::was_downloaded(tx, order_id, document_id)? {
        return Err(DeliveryError::VisaDownloaded { order_id }.into());
    }
    let mails: Vec<i64> = stops::find_approval(tx, document_id)?.into_iter().collect();
    let unsent = stops::lock_unsent(tx, &mails)?;
    let why = format!("Stopped: {} undid the delivery before it was sent", staff.name);
    stops::stop(tx, &unsent, &why, now)?;
    documents::withdraw_visa(tx, document_id)?;
    deliveries::look(tx, order_id, document_id, staff.id, now)?;
    let withdrawn = Change::of("visa.withdraw").order(order_id).after("before its mail was sent".to_owned());
    audit::add(tx, &Actor::from(staff), &[withdrawn], now)?;
    Ok(true)
}
