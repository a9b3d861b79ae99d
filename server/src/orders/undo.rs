//! The records of the state of orders before the changes that can be undone.

use std::collections::HashMap;

use diesel::prelude::*;
use serde_json::{Map, Value};

use super::moves::LockedOrder;
use super::rules::undo::{ChangeKind, MadeChange};
use super::status::ProcessStatus;
use crate::add_rows;
use crate::db::schema::{orders, undo_records};
use crate::db::{Conn, MAX_IDS};
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// The values that an undo needs of rows that are attached to an order, by the name of the kind of row.
pub type KeptValues = Map<String, Value>;

/// The record of an order's change.
#[derive(Clone, Debug)]
pub struct ChangeRecord {
    /// The audit row of the change.
    pub event_id: i64,
    pub order_id: OrderId,
    /// The owner before the change.
    pub assign_to: Option<StaffId>,
    /// The status before the change.
    pub former: Former,
    /// None: the change was made by a release that kept nothing.
    pub kept: Option<KeptValues>,
}

/// The status of an order before a change, and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Former {
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processed_by: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
    /// None: it stays as it is. Releases before this one did not record it.
    pub had_visa_or_dispute: Option<bool>,
}

#[derive(Insertable)]
#[diesel(table_name = undo_records, treat_none_as_default_value = false)]
struct NewRecord {
    event_id: i64,
    change_id: i64,
    order_id: OrderId,
    staff_id: StaffId,
    kind: ChangeKind,
    made_at: Timestamp,
    undone_at: Option<Timestamp>,
    assign_to: Option<StaffId>,
    process_status: ProcessStatus,
    status_before_deletion: Option<ProcessStatus>,
    processed_by: Option<StaffId>,
    processed_at: Option<Timestamp>,
    had_visa_or_dispute: Option<bool>,
    attached: Option<String>,
}

/// A change of orders.
#[derive(Clone, Copy, Debug)]
pub struct NewChange<'a> {
    pub staff_id: StaffId,
    pub kind: ChangeKind,
    /// The orders as they were before.
    pub before: &'a [LockedOrder],
    /// Their audit rows: order and id.
    pub events: &'a [(Option<OrderId>, i64)],
    /// The values that an undo needs of the rows that are attached to them.
    pub kept: &'a HashMap<OrderId, KeptValues>,
}

/// Records what the orders of a change were before it. Returns the id of the first order's audit row; none if there are no orders.
pub fn record(tx: &mut Conn, change: &NewChange<'_>, now: Timestamp) -> Result<Option<i64>> {
    // The member may have changed an order twice at this instant: the last row is of this change, because it holds the lock.
    let events: HashMap<Option<OrderId>, i64> = change.events.iter().copied().collect();
    let events = change.before.iter().map(|order| events.get(&Some(order.order_id)).copied());
    let events: Vec<i64> =
        events.collect::<Option<_>>().ok_or_else(|| Error::internal("a change without its audit row"))?;
    let Some(change_id) = events.first().copied() else { return Ok(None) };
    let nothing = KeptValues::new();
    let record = |(order, event_id): (&LockedOrder, &i64)| NewRecord {
        event_id: *event_id,
        change_id,
        order_id: order.order_id,
        staff_id: change.staff_id,
        kind: change.kind,
        made_at: now,
        undone_at: None,
        assign_to: order.owner_id,
        process_status: order.process_status,
        status_before_deletion: order.status_before_deletion,
        processed_by: order.processed_by,
        processed_at: order.processed_at,
        had_visa_or_dispute: Some(order.had_visa_or_dispute),
        attached: serde_json::to_string(change.kept.get(&order.order_id).unwrap_or(&nothing)).ok(),
    };
    add_rows!(tx, undo_records::table, change.before.iter().zip(&events).map(record));
    Ok(Some(change_id))
}

/// Finds the change that an audit row belongs to.
pub fn find(conn: &mut Conn, event_id: i64) -> Result<Option<MadeChange>> {
    let found = undo_records::table.find(event_id).select((
        undo_records::change_id,
        undo_records::order_id,
        undo_records::staff_id,
        undo_records::kind,
        undo_records::made_at,
        undo_records::undone_at,
    ));
    type Row = (i64, OrderId, StaffId, ChangeKind, Timestamp, Option<Timestamp>);
    let found: Option<Row> = found.first(conn).optional()?;
    Ok(found.map(|(change_id, order_id, staff_id, kind, made_at, undone_at)| MadeChange {
        change_id,
        order_id,
        staff_id,
        kind,
        made_at,
        undone_at,
    }))
}

/// Lists the orders of a change by ascending order id.
pub fn list(conn: &mut Conn, change_id: i64) -> Result<Vec<ChangeRecord>> {
    let records = undo_records::table.filter(undo_records::change_id.eq(change_id)).order(undo_records::order_id);
    let records = records.select((
        undo_records::event_id,
        undo_records::order_id,
        undo_records::assign_to,
        (
            undo_records::process_status,
            undo_records::status_before_deletion,
            undo_records::processed_by,
            undo_records::processed_at,
            undo_records::had_visa_or_dispute,
        ),
        undo_records::attached,
    ));
    type FormerRow = (ProcessStatus, Option<ProcessStatus>, Option<StaffId>, Option<Timestamp>, Option<bool>);
    type Row = (i64, OrderId, Option<StaffId>, FormerRow, Option<String>);
    let record = |(event_id, order_id, assign_to, former, attached): Row| {
        let (process_status, status_before_deletion, processed_by, processed_at, had_visa_or_dispute) = former;
        ChangeRecord {
            event_id,
            order_id,
            assign_to,
            former: Former { process_status, status_before_deletion, processed_by, processed_at, had_visa_or_dispute },
            kept: attached.and_then(|attached| serde_json::from_str(&attached).ok()),
        }
    };
    Ok(records.load::<Row>(conn)?.into_iter().map(record).collect())
}

/// Marks a change as undone. Returns whether it was not yet.
pub fn claim(tx: &mut Conn, change_id: i64, now: Timestamp) -> Result<bool> {
    let open =
        undo_records::table.filter(undo_records::change_id.eq(change_id)).filter(undo_records::undone_at.is_null());
    Ok(diesel::update(open).set(undo_records::undone_at.eq(now)).execute(tx)? > 0)
}

/// Sets the status of the orders back, with everything that goes with it.
pub fn restore(tx: &mut Conn, ids: &[OrderId], former: &Former, now: Timestamp) -> Result<()> {
    diesel::update(orders::table.filter(orders::order_id.eq_any(ids)))
        .set((
            orders::process_status.eq(former.process_status),
            orders::status_before_deletion.eq(former.status_before_deletion),
            orders::processed_by.eq(former.processed_by),
            orders::processed_at.eq(former.processed_at),
            orders::updated_at.eq(now),
        ))
        .execute(tx)?;
    if former.had_visa_or_dispute == Some(false) {
        clear_had_visa_or_dispute(tx, ids)?;
    }
    Ok(())
}

/// Forgets that the orders had a visa or a dispute.
pub fn clear_had_visa_or_dispute(tx: &mut Conn, ids: &[OrderId]) -> Result<()> {
    let rows = orders::table.filter(orders::order_id.eq_any(ids));
    diesel::update(rows).set(orders::had_visa_or_dispute.eq(false)).execute(tx)?;
    Ok(())
}

/// Deletes up to [`MAX_IDS`] records of changes made before that instant. Returns how many.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    let old = undo_records::table.filter(undo_records::made_at.lt(before)).limit(MAX_IDS as i64);
    let old: Vec<i64> = old.select(undo_records::event_id).load(tx)?;
    Ok(diesel::delete(undo_records::table.filter(undo_records::event_id.eq_any(old))).execute(tx)?)
}
