//! A payment that follows its order.

use super::errors::IntakeError;
use super::rules::{self, Context};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::facts::{self, Payment};
use crate::orders::status::ProcessStatus;
use crate::orders::{moves, new_order};

/// Adds the payment of an order. The same payment again changes nothing.
///
/// # Errors
/// [`OrderError::OrderNotFound`]; [`IntakeError::OrderAlreadyPaid`] if the order has another payment.
pub fn add(tx: &mut Conn, order_id: OrderId, payment: &Payment, by: &Actor, context: Context) -> Result<()> {
    let state = moves::lock(tx, &[order_id])?.pop().ok_or(OrderError::OrderNotFound)?;
    if let Some(known) = facts::find_payment(tx, order_id)? {
        return if is_same(&known, payment) { Ok(()) } else { Err(IntakeError::OrderAlreadyPaid(order_id).into()) };
    }
    new_order::add_payment(tx, order_id, payment)?;
    let paid = rules::first_status(true, state.processing_date, context.today);
    let after = match state.process_status {
        ProcessStatus::Pending => paid,
        status => status,
    };
    let before_deletion = match state.status_before_deletion {
        Some(ProcessStatus::Pending) => Some(paid),
        status => status,
    };
    moves::set_paid(tx, order_id, after, before_deletion, context.now)?;
    let change = Change {
        action: "order.pay",
        order_id: Some(order_id),
        before: Some(state.process_status.to_string()),
        after: Some(after.to_string()),
    };
    audit::add(tx, by, &[change], context.now)
}

/// Whether both are the same payment by the gateway's own facts.
fn is_same(known: &Payment, payment: &Payment) -> bool {
    let key = |one: &Payment| (one.gateway.clone(), one.payment_reference.clone(), one.amount());
    key(known) == key(payment)
}
