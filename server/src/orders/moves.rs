//! Changes of owner and status. Orders are locked in ascending order; a change applies to all or none.

use std::borrow::Borrow;
use std::ops::Deref;

use chrono::NaiveDate;
use diesel::IntoSql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};

use super::presences::{OrderActivity, Presence};
use super::rules::{OrderState, ProcessingMode};
use super::status::ProcessStatus;
use crate::audit::store as audit;
use crate::db::Conn;
use crate::db::kept::kept_update;
use crate::db::one_of::one_of;
use crate::db::schema::{orders, presences};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;
use crate::{changed_after, last_change, member_name, on_either};

/// An order as it is until the transaction ends, which has locked it.
#[derive(Clone, Debug)]
pub struct LockedOrder {
    state: OrderState,
    /// The member who completed it, and the time.
    pub processed_by: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
}

impl Deref for LockedOrder {
    type Target = OrderState;

    fn deref(&self) -> &OrderState {
        &self.state
    }
}

impl Borrow<OrderState> for LockedOrder {
    fn borrow(&self) -> &OrderState {
        self
    }
}

#[derive(Queryable)]
struct StateRow {
    order_id: OrderId,
    process_status: ProcessStatus,
    status_before_deletion: Option<ProcessStatus>,
    processing_mode: ProcessingMode,
    processing_date: Option<NaiveDate>,
    refund_date: Option<Timestamp>,
    updated_at: Timestamp,
    had_visa_or_dispute: bool,
    processed_by: Option<StaffId>,
    processed_at: Option<Timestamp>,
    owner_id: Option<StaffId>,
    owner_name: Option<String>,
}

/// The columns of [`StateRow`]: those of an order, and its owner's name.
macro_rules! columns {
    () => {
        (
            orders::order_id,
            orders::process_status,
            orders::status_before_deletion,
            orders::processing_mode,
            orders::processing_date,
            orders::refund_date,
            orders::updated_at,
            orders::had_visa_or_dispute,
            orders::processed_by,
            orders::processed_at,
            orders::assign_to,
            member_name!(orders::assign_to),
        )
    };
}

/// The rows of orders.
macro_rules! rows {
    ($ids:expr) => {
        orders::table.filter(one_of(orders::order_id, $ids)).select(columns!())
    };
}

impl StateRow {
    fn locked(self) -> LockedOrder {
        LockedOrder { processed_by: self.processed_by, processed_at: self.processed_at, state: self.state() }
    }

    fn state(self) -> OrderState {
        OrderState {
            order_id: self.order_id,
            process_status: self.process_status,
            status_before_deletion: self.status_before_deletion,
            processing_mode: self.processing_mode,
            processing_date: self.processing_date,
            refund_date: self.refund_date,
            updated_at: self.updated_at,
            had_visa_or_dispute: self.had_visa_or_dispute,
            owner_id: self.owner_id,
            owner_name: self.owner_name,
        }
    }
}

/// Locks the orders until the transaction ends and returns those that exist, in the order of `ids`.
pub fn lock(tx: &mut Conn, ids: &[OrderId]) -> Result<Vec<LockedOrder>> {
    let rows = match tx {
        Conn::Sqlite(tx) => rows!(ids).load(tx)?,
        // In ascending order, so that two bulk changes cannot deadlock. A row that another transaction held is read again once it is
        // locked, and its new owner's name with it, which a join would leave out.
        Conn::Postgres(tx) => rows!(ids).order(orders::order_id).for_no_key_update().load(tx)?,
    };
    Ok(in_order_of(ids, rows).into_iter().map(StateRow::locked).collect())
}

/// The current states of the orders that exist, in the order of `ids`, without a lock.
pub fn list(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<OrderState>> {
    let rows = on_either!(conn => rows!(ids).load(conn)?);
    Ok(in_order_of(ids, rows).into_iter().map(StateRow::state).collect())
}

/// The part of the orders that desks are told.
#[derive(Debug)]
pub struct OrdersNow {
    /// The orders that changed, each with its last audit row.
    pub changed: Vec<(OrderState, i64)>,
    /// The members who have orders open.
    pub presences: Vec<Presence>,
}

/// Reads the orders of the first `max` audit rows after `audit_id`, and those that members have open, in one statement. Its parts are apart
/// because PostgreSQL would read all orders for an OR.
pub fn read_now(conn: &mut Conn, audit_id: i64, max: i64) -> Result<OrdersNow> {
    type MaybeId = Nullable<BigInt>;
    let changed = orders::table.filter(orders::order_id.nullable().eq_any(changed_after!(audit_id, max))).select((
        columns!(),
        last_change!(orders::order_id),
        None::<StaffId>.into_sql::<MaybeId>(),
        None::<OrderActivity>.into_sql::<Nullable<Text>>(),
    ));
    let open = orders::table.inner_join(presences::table).filter(presences::expires_at.gt(diesel::dsl::now)).select((
        columns!(),
        None::<i64>.into_sql::<MaybeId>(),
        presences::staff_id.nullable(),
        presences::activity.nullable(),
    ));
    type NowRow = (StateRow, Option<i64>, Option<StaffId>, Option<OrderActivity>);
    let rows: Vec<NowRow> = on_either!(conn => changed.union_all(open).load(conn)?);
    let mut read = OrdersNow { changed: Vec::new(), presences: Vec::new() };
    for (row, last, staff_id, activity) in rows {
        match (last, staff_id.zip(activity)) {
            (_, Some((staff_id, activity))) => read.presences.push(Presence { order: row.state(), staff_id, activity }),
            (Some(last), None) => read.changed.push((row.state(), last)),
            (None, None) => {}
        }
    }
    Ok(read)
}

fn in_order_of(ids: &[OrderId], mut rows: Vec<StateRow>) -> Vec<StateRow> {
    rows.sort_by_cached_key(|row| ids.iter().position(|id| *id == row.order_id));
    rows
}

/// The status of an order, if it exists.
pub fn find_status(conn: &mut Conn, order_id: OrderId) -> Result<Option<ProcessStatus>> {
    let order = orders::table.find(order_id).select(orders::process_status);
    Ok(on_either!(conn => order.first(conn).optional()?))
}

/// Sets or clears the owner of the orders and returns how many changed.
pub fn set_owner(tx: &mut Conn, ids: &[OrderId], owner: Option<StaffId>, now: Timestamp) -> Result<usize> {
    let (rows, set) = (one_of(orders::order_id, ids), (orders::assign_to.eq(owner), orders::updated_at.eq(now)));
    Ok(on_either!(tx => kept_update(orders::table, rows, set).execute(tx)?))
}

/// Sets the status of the orders, remembers the one before a deletion, and returns how many changed.
pub fn set_status(tx: &mut Conn, ids: &[OrderId], to: ProcessStatus, now: Timestamp) -> Result<usize> {
    let rows = one_of(orders::order_id, ids);
    let changed = if to == ProcessStatus::Deleted {
        let set = (
            orders::status_before_deletion.eq(orders::process_status.nullable()),
            orders::process_status.eq(to),
            orders::updated_at.eq(now),
        );
        on_either!(tx => kept_update(orders::table, rows, set).execute(tx)?)
    } else {
        let set = (
            orders::status_before_deletion.eq(None::<ProcessStatus>),
            orders::process_status.eq(to),
            orders::updated_at.eq(now),
        );
        on_either!(tx => kept_update(orders::table, rows, set).execute(tx)?)
    };
    Ok(changed)
}

/// Sets the status of orders that were just paid, and the one they are restored to if they are deleted.
pub fn set_paid(
    tx: &mut Conn,
    ids: &[OrderId],
    to: ProcessStatus,
    before_deletion: Option<ProcessStatus>,
    now: Timestamp,
) -> Result<()> {
    diesel::update(orders::table.filter(orders::order_id.eq_any(ids)))
        .set((
            orders::process_status.eq(to),
            orders::status_before_deletion.eq(before_deletion),
            orders::updated_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// Records who completed the orders, and when.
pub fn set_processed(tx: &mut Conn, ids: &[OrderId], by: StaffId, now: Timestamp) -> Result<usize> {
    let (rows, set) = (one_of(orders::order_id, ids), (orders::processed_by.eq(by), orders::processed_at.eq(now)));
    Ok(on_either!(tx => kept_update(orders::table, rows, set).execute(tx)?))
}

/// Lists the open orders of a member, ascending.
pub fn list_open(conn: &mut Conn, staff_id: StaffId) -> Result<Vec<OrderId>> {
    let open = orders::table.filter(orders::open_owner.eq(staff_id)).order(orders::order_id);
    Ok(open.select(orders::order_id).load(conn)?)
}

/// Lists at most `max` Future orders whose processing date has come.
pub fn due(conn: &mut Conn, today: NaiveDate, max: i64) -> Result<Vec<OrderId>> {
    let due = orders::table
        .filter(orders::future_date.le(today))
        .order((orders::future_date.asc(), orders::order_id.asc()))
        .limit(max)
        .select(orders::order_id);
    Ok(due.load(conn)?)
}

/// The last status of the order before it waited for its applicant. None: it has never moved there, or its history does not say.
pub fn status_before_waiting(conn: &mut Conn, order_id: OrderId) -> Result<Option<ProcessStatus>> {
    let statuses = audit::status_changes(conn, order_id)?.into_iter().filter_map(|change| change.before);
    let mut statuses = statuses.filter_map(|status| ProcessStatus::parse(&status));
    Ok(statuses.rfind(|status| !status.waits_for_applicant()))
}

/// The changes of the order's status that hold, the oldest first: without those that were undone.
pub fn status_changes(conn: &mut Conn, order_id: OrderId) -> Result<Vec<(Timestamp, ProcessStatus)>> {
    let mut holding = Vec::new();
    for change in audit::status_changes(conn, order_id)? {
        if change.action == audit::UNDO_STATUS {
            // A change is undone only while it is the last one of its order.
            holding.pop();
        } else if let Some(status) = change.after.as_deref().and_then(ProcessStatus::parse) {
            holding.push((change.at, status));
        }
    }
    Ok(holding)
}
