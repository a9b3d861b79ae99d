//! A payment that follows its order.

use super::errors::IntakeError;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::orders::errors::OrderError;
use crate::orders::facts::{self, Payment};
use crate::orders::status::ProcessStatus;
use crate::orders::{moves, new_order};

/// Adds the payment of an order. The same payment again changes nothing.
///
/// # Errors
/// [`OrderError::OrderNotFound`]; [`IntakeError::OrderAlreadyPaid`] if the order has another payment.
pub fn add(tx: &mut Conn, lifecycle: &Lifecycle, order_id: OrderId, payment: &Payment, cause: &Cause) -> Result<()> {
    let orders = moves::lock(tx, &[order_id])?;
    let state = orders.first().ok_or(OrderError::OrderNotFound)?;
    if let Some(known) = facts::find_payment(tx, order_id)? {
        return if is_same(&known, payment) { Ok(()) } else { Err(IntakeError::OrderAlreadyPaid(order_id).into()) };
    }
    new_order::add_payment(tx, order_id, payment)?;
    let paid = |status| match status {
        ProcessStatus::Pending => ProcessStatus::first(true, state.processing_date, cause.today),
        status => status,
    };
    let (status, before_deletion) = (paid(state.process_status), state.status_before_deletion.map(paid));
    lifecycle.change(tx, &orders, |_| To::Paid { status, before_deletion }, cause)?;
    Ok(())
}

/// Returns true if both are the same payment by the gateway's own facts.
fn is_same(known: &Payment, payment: &Payment) -> bool {
    let key = |one: &Payment| (one.gateway.clone(), one.payment_reference.clone(), one.amount());
    key(known) == key(payment)
}
