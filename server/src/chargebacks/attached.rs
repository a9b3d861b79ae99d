//! Disputes are attached to their orders: an order that enters ChargeBack gets a dispute, and one that leaves it has its dispute withdrawn.

use std::collections::HashMap;

use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rules;
use super::store::{self, Dispute, NewDispute};
use super::terms::ChargebackOutcome;
use crate::audit::store::{self as audit, Actor, Change, add};
use crate::config::ChargebackSettings as Terms;
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::lifecycle::attached::{AttachedRows, Cause, Transition};
use crate::orders::facts;
use crate::orders::status::ProcessStatus::Deleted;
use crate::timestamp::Timestamp;

/// The disputes of orders.
pub struct AttachedDisputes {
    pub terms: Terms,
}

impl AttachedRows for AttachedDisputes {
    fn name(&self) -> &'static str {
        "dispute"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["chargebacks"]
    }

    fn follow(&self, tx: &mut Conn, changes: &[Transition], cause: &Cause) -> Result<Vec<(OrderId, Value)>> {
        let crossing: Vec<Transition> =
            changes.iter().filter(|change| change.from.is_disputed() != change.to.is_disputed()).copied().collect();
        let ids: Vec<OrderId> = crossing.iter().map(|change| change.order_id).collect();
        let before = store::list(tx, &ids)?;
        let before: HashMap<OrderId, Dispute> =
            before.into_iter().map(|(order_id, known)| (order_id, known.dispute)).collect();
        // An order that is restored brings its decided dispute back: that is not another one.
        let comes_back_decided = |change: &Transition| {
            change.from == Deleted && before.get(&change.order_id).is_some_and(|known| known.outcome.is_decided())
        };
        let ids_of = |holds: &dyn Fn(&Transition) -> bool| -> Vec<OrderId> {
            crossing.iter().filter(|change| holds(change)).map(|change| change.order_id).collect()
        };
        let entering = ids_of(&|change| change.to.is_disputed() && !comes_back_decided(change));
        let leaving = ids_of(&|change| change.from.is_disputed());
        self.open(tx, &entering, &before, cause)?;
        withdraw(tx, &leaving, &before, cause)?;
        let crossed = entering.into_iter().chain(leaving);
        Ok(crossed.map(|order_id| (order_id, json!(before.get(&order_id)))).collect())
    }

    /// The dispute becomes what it was; one that the change opened as the order's first is removed.
    fn restore(&self, tx: &mut Conn, order_id: OrderId, kept: &Value, cause: &Cause) -> Result<()> {
        let now = store::find(tx, order_id)?.map(|record| record.dispute);
        let before = Option::<Dispute>::deserialize(kept).map_err(Error::internal)?;
        match &before {
            Some(before) => store::set(tx, order_id, before, &cause.by.name, cause.now)?,
            None => store::remove(tx, order_id)?,
        }
        let action = match &before {
            Some(before) if before.outcome == ChargebackOutcome::Open => "chargeback.open",
            Some(_) | None => "chargeback.withdraw",
        };
        let restored = Change::of(action)
            .order(order_id)
            .before(now.as_ref().map(rules::describe))
            .after(before.as_ref().map(rules::describe));
        add(tx, &cause.by, &[restored], cause.now)
    }
}

impl AttachedDisputes {
    /// Adds missing records and opens the others again: a withdrawn one with its deadline if that is ahead, every other one with a new deadline.
    fn open(
        &self,
        tx: &mut Conn,
        order_ids: &[OrderId],
        before: &HashMap<OrderId, Dispute>,
        cause: &Cause,
    ) -> Result<()> {
        let new: Vec<OrderId> = order_ids.iter().copied().filter(|order_id| !before.contains_key(order_id)).collect();
        let payments: HashMap<OrderId, _> = facts::list_payments(tx, &new)?.into_iter().collect();
        let opened = new.into_iter().map(|order_id| {
            let dispute = rules::new_dispute(payments.get(&order_id), cause.today, &self.terms);
            (order_id, NewDispute { dispute, at: cause.now })
        });
        let opened: Vec<(OrderId, NewDispute)> = opened.collect();
        store::add(tx, opened.iter().map(|(order_id, opened)| (*order_id, opened)), &cause.by.name)?;
        let mut changes: Vec<Change> =
            opened.iter().map(|(order_id, opened)| opening(*order_id, &opened.dispute)).collect();
        let mut again: HashMap<(NaiveDate, NaiveDate), Vec<OrderId>> = HashMap::new();
        for order_id in order_ids {
            let Some(known) = before.get(order_id) else { continue };
            let opened = rules::opened_again(known, cause.today, &self.terms);
            again.entry((opened.opened_on, opened.respond_by)).or_default().push(*order_id);
            changes.push(Change { before: Some(rules::describe(known)), ..opening(*order_id, &opened) });
        }
        for ((opened_on, respond_by), order_ids) in again {
            store::open_again(tx, &order_ids, opened_on, respond_by, &cause.by.name, cause.now)?;
        }
        add(tx, &cause.by, &changes, cause.now)
    }
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

fn withdraw(tx: &mut Conn, order_ids: &[OrderId], before: &HashMap<OrderId, Dispute>, cause: &Cause) -> Result<()> {
    let is_open =
        |order_id: &OrderId| before.get(order_id).is_some_and(|known| known.outcome == ChargebackOutcome::Open);
    let open: Vec<OrderId> = order_ids.iter().copied().filter(is_open).collect();
    store::set_outcome(tx, &open, ChargebackOutcome::Withdrawn, &cause.by.name, cause.now)?;
    let changes = open.iter().map(|order_id| {
        Change::of("chargeback.withdraw")
            .order(*order_id)
            .before(ChargebackOutcome::Open.to_string())
            .after(ChargebackOutcome::Withdrawn.to_string())
    });
    add(tx, &cause.by, &changes.collect::<Vec<_>>(), cause.now)
}
