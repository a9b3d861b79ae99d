//! Delivers a stored visa: queues the email about it and completes its order.

use std::sync::Arc;

use super::Deliveries;
use super::errors::DeliveryError;
use crate::audit::store::{self as audit, Change};
use crate::db::Conn;
use crate::error::{Permission, Result};
use crate::ids::{OrderId, StaffId};
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::{OrderChanges, To};
use crate::mail::errors::ChangedFacts;
use crate::mail::outbox;
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, MailKind, Provider};
use crate::mail::store::{self as mail, MailFacts};
use crate::mail::templates::Letter;
use crate::orders::errors::OrderError;
use crate::orders::moves::LockedOrder;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// The email about an issued visa, composed before the transaction that delivers the visa.
#[derive(Clone)]
pub struct Approval(PreparedMail);

impl Approval {
    /// Composes the email of a visa of an order.
    ///
    /// # Errors
    /// [`OrderError::OrderNotFound`], or [`DeliveryError::VisaOfDeletedOrder`].
    pub fn compose(
        room: &Arc<Deliveries>,
        conn: &mut Conn,
        order_id: OrderId,
        (recipient, provider): (Address, Provider),
        staff_id: StaffId,
        permission: Permission<ChangedFacts>,
    ) -> Result<Self> {
        let facts = find_facts(conn, order_id)?;
        let letter = Letter { is_issued: true, ..facts.letter(order_id) };
        let mail = PreparedMail::compose(&room.mail, permission, MailKind::Approval, recipient, &facts, letter)?;
        Ok(Self(mail.requested_by(staff_id).through(provider).with_link(room.clock.now())))
    }

    /// Queues the email for `due_at`, and completes the order if its visa completes it. `orders` is the locked order as it was without the visa.
    ///
    /// # Errors
    /// [`MailError::MailFactsChanged`](crate::mail::errors::MailError) if the order has changed since the email was composed.
    pub fn deliver(
        &self,
        tx: &mut Conn,
        lifecycle: &Lifecycle,
        orders: &[LockedOrder],
        document_id: i64,
        due_at: Timestamp,
        cause: &Cause,
    ) -> Result<OrderChanges> {
        let facts = find_facts(tx, orders.first().ok_or(OrderError::OrderNotFound)?.order_id)?;
        let new_mail = self.0.ready(&facts, Some(document_id))?;
        outbox::queue_at(tx, &new_mail, due_at, cause.now)?;
        if facts.applicant.process_status.is_completed_by_visa() {
            lifecycle.change(tx, orders, |_| To::Status(ProcessStatus::Completed), cause)
        } else {
            Ok(OrderChanges::default())
        }
    }
}

/// Finds the facts of an order whose applicant may open a visa (invariant 16).
///
/// # Errors
/// [`OrderError::OrderNotFound`], or [`DeliveryError::VisaOfDeletedOrder`].
pub fn find_facts(conn: &mut Conn, order_id: OrderId) -> Result<MailFacts> {
    let facts = mail::find_facts(conn, order_id)?.ok_or(OrderError::OrderNotFound)?;
    if !facts.applicant.process_status.may_be_emailed_about() {
        return Err(DeliveryError::VisaOfDeletedOrder(order_id).into());
    }
    Ok(facts)
}

/// Adds an audit row about a visa of an order.
pub fn note(tx: &mut Conn, order_id: OrderId, action: &'static str, after: String, cause: &Cause) -> Result<()> {
    let change = Change::of(action).order(order_id).after(after);
    audit::add(tx, &cause.by, &[change], cause.now)
}
