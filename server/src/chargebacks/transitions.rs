//! The hook after a status change: an order that enters ChargeBack gets a dispute, and one that leaves it has its dispute withdrawn, in
//! the same transaction.

use std::collections::HashMap;

use chrono::NaiveDate;

use super::rules;
use super::store::{self, Dispute, NewDispute};
use super::terms::ChargebackOutcome;
use crate::audit::store::{self as audit, Actor, Change, add};
use crate::config::Chargebacks as Terms;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::facts;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// A status change: the order's id, the status before, the status after.
pub type Move = (OrderId, ProcessStatus, ProcessStatus);

/// The time of a status change, the agency's calendar day, and its settings.
#[derive(Clone, Debug)]
pub struct Context {
    pub now: Timestamp,
    pub today: NaiveDate,
    pub terms: Terms,
}

/// Opens the disputes of orders that enter ChargeBack, and withdraws the open disputes of orders that leave it. The caller has locked
/// the orders.
pub fn after_status_change(tx: &mut Conn, moves: &[Move], by: &Actor, context: &Context) -> Result<()> {
    let is_disputed = |status: ProcessStatus| status == ProcessStatus::ChargeBack;
    let crossing = |enters: bool| -> Vec<OrderId> {
        let crossing = moves.iter().filter(|(_, from, to)| is_disputed(*from) != enters && is_disputed(*to) == enters);
        crossing.map(|(order_id, ..)| *order_id).collect()
    };
    open(tx, &crossing(true), by, context)?;
    withdraw(tx, &crossing(false), by, context)
}

/// Adds missing records and reopens withdrawn ones. A decided dispute stays decided.
fn open(tx: &mut Conn, order_ids: &[OrderId], by: &Actor, context: &Context) -> Result<()> {
    if order_ids.is_empty() {
        return Ok(());
    }
    let known: HashMap<OrderId, Dispute> =
        store::list(tx, order_ids)?.into_iter().map(|(order_id, known)| (order_id, known.dispute)).collect();
    let new: Vec<OrderId> = order_ids.iter().copied().filter(|order_id| !known.contains_key(order_id)).collect();
    let payments: HashMap<OrderId, _> = facts::list_payments(tx, &new)?.into_iter().collect();
    let opened = |order_id: OrderId| {
        let dispute = rules::new_dispute(payments.get(&order_id), context.today, &context.terms);
        (order_id, NewDispute { dispute, at: context.now })
    };
    let opened: Vec<(OrderId, NewDispute)> = new.into_iter().map(opened).collect();
    store::add(tx, opened.iter().map(|(order_id, opened)| (*order_id, opened)), &by.name)?;
    let again: Vec<OrderId> = order_ids
        .iter()
        .copied()
        .filter(|order_id| known.get(order_id).is_some_and(|known| known.outcome == ChargebackOutcome::Withdrawn))
        .collect();
    store::set_outcome(tx, &again, ChargebackOutcome::Open, &by.name, context.now)?;
    let reopened = again.iter().filter_map(|order_id| known.get(order_id).map(|known| (*order_id, known))).map(
        |(order_id, known)| Change {
            action: "chargeback.open",
            order_id: Some(order_id),
            before: Some(ChargebackOutcome::Withdrawn.to_string()),
            after: Some(rules::describe(&Dispute { outcome: ChargebackOutcome::Open, ..known.clone() })),
        },
    );
    let changes: Vec<Change> =
        opened.iter().map(|(order_id, opened)| opening(*order_id, &opened.dispute)).chain(reopened).collect();
    add(tx, by, &changes, context.now)
}

/// Adds the disputes of new orders, and their audit rows.
pub fn add_new(tx: &mut Conn, opened: &[(OrderId, NewDispute)], by: &Actor) -> Result<()> {
    store::add(tx, opened.iter().map(|(order_id, opened)| (*order_id, opened)), &by.name)?;
    let changes: Vec<(Timestamp, Change)> =
        opened.iter().map(|(order_id, opened)| (opened.at, opening(*order_id, &opened.dispute))).collect();
    audit::add_at(tx, by, &changes)
}

/// The audit row of a new dispute.
fn opening(order_id: OrderId, dispute: &Dispute) -> Change {
    let after = Some(rules::describe(dispute));
    Change { action: "chargeback.open", order_id: Some(order_id), before: None, after }
}

fn withdraw(tx: &mut Conn, order_ids: &[OrderId], by: &Actor, context: &Context) -> Result<()> {
    let known = store::list(tx, order_ids)?;
    let open: Vec<OrderId> = known
        .iter()
        .filter(|(_, known)| known.dispute.outcome == ChargebackOutcome::Open)
        .map(|(order_id, _)| *order_id)
        .collect();
    store::set_outcome(tx, &open, ChargebackOutcome::Withdrawn, &by.name, context.now)?;
    let changes = open.iter().map(|order_id| Change {
        action: "chargeback.withdraw",
        order_id: Some(*order_id),
        before: Some(ChargebackOutcome::Open.to_string()),
        after: Some(ChargebackOutcome::Withdrawn.to_string()),
    });
    add(tx, by, &changes.collect::<Vec<_>>(), context.now)
}
