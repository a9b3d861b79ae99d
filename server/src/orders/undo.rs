//! What orders were before the changes that can be undone.

use diesel::prelude::*;
use std::collections::HashMap;

use super::rules::undo::{ChangeKind, MadeChange};
use super::status::ProcessStatus;
use crate::add_rows;
use crate::db::schema::{orders, undo_records};
use crate::db::{Conn, MAX_IDS};
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// What an order was before a change.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct Before {
    pub order_id: OrderId,
    pub assign_to: Option<StaffId>,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processed_by: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
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
}

/// Records what the orders of a change were before it. `events` are their audit rows: order and id. Returns the id of the first order's
/// audit row; none if there are no orders.
pub fn record(
    tx: &mut Conn,
    staff_id: StaffId,
    kind: ChangeKind,
    events: Vec<(Option<OrderId>, i64)>,
    before: &[Before],
    now: Timestamp,
) -> Result<Option<i64>> {
    if before.is_empty() {
        return Ok(None);
    }
    // The member may have changed an order twice at this instant: the last row is of this change, because it holds the lock.
    let events: HashMap<Option<OrderId>, i64> = events.into_iter().collect();
    let events: Option<Vec<i64>> = before.iter().map(|one| events.get(&Some(one.order_id)).copied()).collect();
    let events = events.ok_or_else(|| Error::internal("a change without its audit row"))?;
    let change_id = events[0];
    let record = |(before, event_id): (&Before, &i64)| NewRecord {
        event_id: *event_id,
        change_id,
        order_id: before.order_id,
        staff_id,
        kind,
        made_at: now,
        undone_at: None,
        assign_to: before.assign_to,
        process_status: before.process_status,
        status_before_deletion: before.status_before_deletion,
        processed_by: before.processed_by,
        processed_at: before.processed_at,
    };
    add_rows!(tx, undo_records::table, before.iter().zip(&events).map(record));
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

/// Lists the orders of a change, each with its audit row, by ascending order id.
pub fn list(conn: &mut Conn, change_id: i64) -> Result<Vec<(i64, Before)>> {
    let records = undo_records::table.filter(undo_records::change_id.eq(change_id)).order(undo_records::order_id);
    let records = records.select((
        undo_records::event_id,
        (
            undo_records::order_id,
            undo_records::assign_to,
            undo_records::process_status,
            undo_records::status_before_deletion,
            undo_records::processed_by,
            undo_records::processed_at,
        ),
    ));
    Ok(records.load(conn)?)
}

/// Marks a change as undone. Returns whether it was not yet.
pub fn claim(tx: &mut Conn, change_id: i64, now: Timestamp) -> Result<bool> {
    let open =
        undo_records::table.filter(undo_records::change_id.eq(change_id)).filter(undo_records::undone_at.is_null());
    Ok(diesel::update(open).set(undo_records::undone_at.eq(now)).execute(tx)? > 0)
}

/// Sets the status of the orders back, with everything that goes with it.
pub fn restore_status(tx: &mut Conn, before: &[Before], now: Timestamp) -> Result<()> {
    type Group = (ProcessStatus, Option<ProcessStatus>, Option<StaffId>, Option<Timestamp>);
    let mut groups: HashMap<Group, Vec<OrderId>> = HashMap::new();
    for one in before {
        let group = (one.process_status, one.status_before_deletion, one.processed_by, one.processed_at);
        groups.entry(group).or_default().push(one.order_id);
    }
    for ((status, before_deletion, processed_by, processed_at), ids) in groups {
        diesel::update(orders::table.filter(orders::order_id.eq_any(ids)))
            .set((
                orders::process_status.eq(status),
                orders::status_before_deletion.eq(before_deletion),
                orders::processed_by.eq(processed_by),
                orders::processed_at.eq(processed_at),
                orders::updated_at.eq(now),
            ))
            .execute(tx)?;
    }
    Ok(())
}

/// Deletes up to [`MAX_IDS`] records of changes made before that instant. Returns how many.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    let old = undo_records::table.filter(undo_records::made_at.lt(before)).limit(MAX_IDS as i64);
    let old: Vec<i64> = old.select(undo_records::event_id).load(tx)?;
    Ok(diesel::delete(undo_records::table.filter(undo_records::event_id.eq_any(old))).execute(tx)?)
}
