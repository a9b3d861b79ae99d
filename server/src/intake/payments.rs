//! A payment that comes after its order.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use super::rules;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::schema::{orders, payments};
use crate::db::{self, Conn};
use crate::error::{Error, Result};
use crate::orders::arrivals;
use crate::orders::facts::Payment;
use crate::orders::id::OrderId;
use crate::orders::rules::ProcessStatus;

/// What the payment changes.
#[derive(Queryable)]
struct Standing {
    process_status: ProcessStatus,
    status_before_deletion: Option<ProcessStatus>,
    processing_date: Option<NaiveDate>,
}

/// Gives an order its payment. The same facts again change nothing; others are refused.
pub fn add(tx: &mut Conn, order_id: OrderId, payment: &Payment, by: &Actor, moment: rules::Moment) -> Result<()> {
    db::lock_orders(tx, &[order_id.0])?;
    let standing = orders::table
        .find(order_id.0)
        .select((orders::process_status, orders::status_before_deletion, orders::processing_date))
        .first::<Standing>(tx)
        .optional()?
        .ok_or_else(|| Error::not_found("There is no such order"))?;
    if let Some(there) = find(tx, order_id)? {
        return if is_same(&there, payment) {
            Ok(())
        } else {
            Err(Error::conflict(format!("Order {} has another payment already", order_id.0)))
        };
    }
    arrivals::add_payment(tx, order_id, payment)?;
    let paid = rules::first_status(true, standing.processing_date, moment.today);
    let after = match standing.process_status {
        ProcessStatus::Pending => paid,
        status => status,
    };
    let before_deletion = match standing.status_before_deletion {
        Some(ProcessStatus::Pending) => Some(paid),
        status => status,
    };
    diesel::update(orders::table.find(order_id.0))
        .set((
            orders::process_status.eq(after),
            orders::status_before_deletion.eq(before_deletion),
            orders::updated_at.eq(moment.now),
        ))
        .execute(tx)?;
    note(tx, order_id, standing.process_status, after, by, moment.now)
}

fn note(
    tx: &mut Conn,
    order_id: OrderId,
    before: ProcessStatus,
    after: ProcessStatus,
    by: &Actor,
    now: NaiveDateTime,
) -> Result<()> {
    let change = Change {
        action: "order.pay",
        order_id: Some(order_id.0),
        before: Some(before.as_str().to_owned()),
        after: Some(after.as_str().to_owned()),
    };
    audit::add(tx, by, &[change], now)
}

/// The facts that tell one payment from another.
#[derive(Queryable)]
struct Facts {
    gateway: String,
    payment_reference: String,
    amount_minor: i64,
    currency: String,
}

fn find(tx: &mut Conn, order_id: OrderId) -> Result<Option<Facts>> {
    let facts = (payments::gateway, payments::payment_reference, payments::amount_minor, payments::currency);
    Ok(payments::table.find(order_id.0).select(facts).first(tx).optional()?)
}

fn is_same(there: &Facts, payment: &Payment) -> bool {
    there.gateway == payment.gateway
        && there.payment_reference == payment.payment_reference
        && there.amount_minor == payment.amount_minor
        && there.currency == payment.currency
}
