//! Changes the status or the owner of orders.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;
use serde_json::Value;

use super::Lifecycle;
use super::attached::{Cause, Transition};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::orders::moves::{self, LockedOrder};
use crate::orders::new_orders::{self, WaitingSince};
use crate::orders::rules::OrderState;
use crate::orders::rules::changes::Owner;
use crate::orders::rules::undo::ChangeKind;
use crate::orders::status::ProcessStatus::{self, Completed, New};
use crate::orders::undo::{self, Former, KeptValues, NewChange};
use crate::staff::store as staff;

/// The name under which a change keeps since when its order has been New. It is stored, so it stays as it is.
const WAITING: &str = "new_orders";

/// The new status or owner of an order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum To {
    Status(ProcessStatus),
    Owner(Option<Owner>),
    /// The status of an order that was just paid, and the one that it gets if it is restored.
    Paid {
        status: ProcessStatus,
        before_deletion: Option<ProcessStatus>,
    },
    /// The status and what goes with it, as they were before a change that is undone.
    Former(Former),
}

/// A change that was made.
#[derive(Debug, Default)]
pub struct OrderChanges {
    /// The audit rows of the orders: order and id.
    events: Vec<(Option<OrderId>, i64)>,
    kept: HashMap<OrderId, KeptValues>,
}

impl OrderChanges {
    /// Adds what an undo needs of rows that the caller has changed itself.
    pub fn keep(&mut self, order_id: OrderId, name: &str, value: Value) {
        self.kept.entry(order_id).or_default().insert(name.to_owned(), value);
    }

    /// Names the last audit row of the transaction as that of the change, which is not one of the order's status or owner.
    pub fn ends_with(&mut self, events: Vec<(Option<OrderId>, i64)>) {
        self.events = events;
    }

    /// Records the change of those orders, so that `staff_id` can undo it. Returns the id by which it is undone; none if there are no orders.
    ///
    /// # Errors
    /// If a statement fails.
    pub fn record(
        &self,
        tx: &mut Conn,
        staff_id: StaffId,
        kind: ChangeKind,
        before: &[LockedOrder],
        cause: &Cause,
    ) -> Result<Option<i64>> {
        let change = NewChange { staff_id, kind, before, events: &self.events, kept: &self.kept };
        undo::record(tx, &change, cause.now)
    }
}

impl Lifecycle {
    /// The cause of a change that `by` makes now. `action` is that of its audit rows.
    pub fn cause(&self, by: impl Into<Actor>, action: &'static str) -> Cause {
        Cause { by: by.into(), action, now: self.clock.now(), today: self.clock.today(self.config.time_zone) }
    }

    /// Changes locked orders, and what is attached to them. `to` is asked for each; an order whose status stays is touched. The audit rows of
    /// the orders come last, so that an undo finds whether anything was changed after them.
    ///
    /// # Errors
    /// If a statement fails.
    pub fn change(
        &self,
        tx: &mut Conn,
        orders: &[LockedOrder],
        to: impl Fn(&OrderState) -> To,
        cause: &Cause,
    ) -> Result<OrderChanges> {
        let targets: Vec<To> = orders.iter().map(|order| to(order)).collect();
        let mut changed = OrderChanges::default();
        keep_waiting(tx, orders, &targets, &mut changed)?;
        let transitions = write(tx, orders, &targets, cause)?;
        for attached in &self.attached {
            for (order_id, kept) in attached.follow(tx, &transitions, cause)? {
                changed.keep(order_id, attached.name(), kept);
            }
        }
        changed.events = note(tx, orders, &targets, cause)?;
        Ok(changed)
    }

    /// Changes locked orders back, and what is attached to them. `kept` has what their change kept; an order of which it kept nothing was changed
    /// by a release that did not, and what is attached to it follows as in any other change.
    ///
    /// # Errors
    /// If a statement fails.
    pub fn undo(
        &self,
        tx: &mut Conn,
        orders: &[LockedOrder],
        kept: &HashMap<OrderId, KeptValues>,
        to: impl Fn(&OrderState) -> To,
        cause: &Cause,
    ) -> Result<()> {
        let targets: Vec<To> = orders.iter().map(|order| to(order)).collect();
        let transitions = write(tx, orders, &targets, cause)?;
        let (restored, followed): (Vec<Transition>, Vec<Transition>) =
            transitions.into_iter().partition(|transition| kept.contains_key(&transition.order_id));
        for Transition { order_id, .. } in &restored {
            if let Some(since) = kept.get(order_id).and_then(|kept| kept.get(WAITING)) {
                let since = WaitingSince::deserialize(since).map_err(Error::internal)?;
                new_orders::restore_waiting(tx, *order_id, since)?;
            }
        }
        for attached in &self.attached {
            attached.follow(tx, &followed, cause)?;
            for Transition { order_id, .. } in &restored {
                if let Some(value) = kept.get(order_id).and_then(|kept| kept.get(attached.name())) {
                    attached.restore(tx, *order_id, value, cause)?;
                }
            }
        }
        note(tx, orders, &targets, cause)?;
        Ok(())
    }
}

/// Keeps since when the orders that leave New have waited.
fn keep_waiting(tx: &mut Conn, orders: &[LockedOrder], targets: &[To], changed: &mut OrderChanges) -> Result<()> {
    let leaving =
        orders.iter().zip(targets).filter(|(order, to)| order.process_status == New && status_of(order, to) != New);
    let leaving: Vec<OrderId> = leaving.map(|(order, _)| order.order_id).collect();
    if leaving.is_empty() {
        return Ok(());
    }
    for (order_id, since) in new_orders::list_waiting(tx, &leaving)? {
        changed.keep(order_id, WAITING, serde_json::to_value(since).map_err(Error::internal)?);
    }
    Ok(())
}

/// Writes the rows of the orders, with one statement for all that become the same. Returns the changes of status.
fn write(tx: &mut Conn, orders: &[LockedOrder], targets: &[To], cause: &Cause) -> Result<Vec<Transition>> {
    let mut alike: HashMap<&To, Vec<OrderId>> = HashMap::new();
    for (order, to) in orders.iter().zip(targets) {
        alike.entry(to).or_default().push(order.order_id);
    }
    for (to, ids) in alike {
        match to {
            To::Status(status) => {
                moves::set_status(tx, &ids, *status, cause.now)?;
                if let (Completed, Some(member)) = (*status, cause.by.staff_id) {
                    moves::set_processed(tx, &ids, member, cause.now)?;
                }
            }
            To::Owner(owner) => {
                moves::set_owner(tx, &ids, owner.as_ref().map(|owner| owner.id), cause.now)?;
            }
            To::Paid { status, before_deletion } => moves::set_paid(tx, &ids, *status, *before_deletion, cause.now)?,
            To::Former(former) => undo::restore(tx, &ids, former, cause.now)?,
        }
    }
    let moved = orders.iter().zip(targets).filter_map(|(order, to)| {
        let (order_id, from, to) = (order.order_id, order.process_status, status_of(order, to));
        (from != to).then_some(Transition { order_id, from, to })
    });
    let moved: Vec<Transition> = moved.collect();
    release_of_deleted_members(tx, orders, &moved, cause)?;
    Ok(moved)
}

fn status_of(order: &OrderState, to: &To) -> ProcessStatus {
    match to {
        To::Status(status) | To::Paid { status, .. } => *status,
        To::Former(former) => former.process_status,
        To::Owner(_) => order.process_status,
    }
}

/// Gives back orders that come into work again, of members who were deleted since: deleting a member gives back open orders alone
/// (invariant 2).
fn release_of_deleted_members(
    tx: &mut Conn,
    orders: &[LockedOrder],
    moved: &[Transition],
    cause: &Cause,
) -> Result<()> {
    let reopened = moved.iter().filter(|moved| moved.from.is_final() && !moved.to.is_final());
    let reopened: Vec<OrderId> = reopened.map(|moved| moved.order_id).collect();
    let owned: Vec<(&LockedOrder, StaffId)> = orders
        .iter()
        .filter(|order| reopened.contains(&order.order_id))
        .filter_map(|order| Some((order, order.owner_id?)))
        .collect();
    let owners: BTreeSet<StaffId> = owned.iter().map(|(_, owner)| *owner).collect();
    for owner in owners {
        // After the orders, which is not the usual order of locks: the database sacrifices one of two that deadlock, which is tried again.
        staff::lock_staff_shared(tx, owner)?;
        if staff::find(tx, owner)?.is_some() {
            continue;
        }
        let theirs: Vec<&LockedOrder> = owned.iter().filter(|(_, of)| *of == owner).map(|(order, _)| *order).collect();
        let ids: Vec<OrderId> = theirs.iter().map(|order| order.order_id).collect();
        moves::set_owner(tx, &ids, None, cause.now)?;
        let changes = theirs
            .iter()
            .map(|order| Change::of("order.assign").order(order.order_id).before(order.owner_name.clone()));
        audit::add(tx, &cause.by, &changes.collect::<Vec<_>>(), cause.now)?;
    }
    Ok(())
}

/// Adds the audit rows of the orders. A move to the status that an order has already has none.
fn note(tx: &mut Conn, orders: &[LockedOrder], targets: &[To], cause: &Cause) -> Result<Vec<(Option<OrderId>, i64)>> {
    let changes = orders.iter().zip(targets).filter_map(|(order, to)| {
        let (before, after) = match to {
            To::Owner(owner) => (order.owner_name.clone(), owner.as_ref().map(|owner| owner.name.clone())),
            To::Status(status) if *status == order.process_status => return None,
            To::Status(_) | To::Paid { .. } | To::Former(_) => {
                (Some(order.process_status.to_string()), Some(status_of(order, to).to_string()))
            }
        };
        Some(Change::of(cause.action).order(order.order_id).before(before).after(after))
    });
    audit::add_of_orders(tx, &cause.by, &changes.collect::<Vec<_>>(), cause.now)
}
