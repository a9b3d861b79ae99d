//! Changes of owner and status, as rows: locked in ascending order, all of them or none.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use super::rules::{ProcessStatus, ProcessingMode};
use crate::db::schema::{audit, orders, staff};
use crate::db::{Conn, lock_orders};
use crate::error::Result;

/// What a rule needs to know of an order before it moves.
#[derive(Clone, Debug, Queryable)]
pub struct Standing {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    /// When the money went back.
    pub refund_date: Option<NaiveDateTime>,
    pub updated_at: NaiveDateTime,
    pub owner_id: Option<i64>,
    pub owner_name: Option<String>,
}

/// Where those of `ids` stand that there are, in the order of `ids`. They cannot move until the transaction ends.
pub fn lock(tx: &mut Conn, ids: &[i64]) -> Result<Vec<Standing>> {
    lock_orders(tx, ids)?;
    list(tx, ids)
}

/// Where those of `ids` stand at the moment, in the order of `ids`.
pub fn list(conn: &mut Conn, ids: &[i64]) -> Result<Vec<Standing>> {
    let query = orders::table.left_join(staff::table).filter(orders::order_id.eq_any(ids)).select((
        orders::order_id,
        orders::process_status,
        orders::status_before_deletion,
        orders::processing_mode,
        orders::processing_date,
        orders::refund_date,
        orders::updated_at,
        orders::assign_to,
        staff::name.nullable(),
    ));
    let mut standings: Vec<Standing> = query.load(conn)?;
    standings.sort_by_key(|standing| ids.iter().position(|id| *id == standing.order_id));
    Ok(standings)
}

/// Gives the orders to a member, or to nobody; answers how many.
pub fn set_owner(tx: &mut Conn, ids: &[i64], owner: Option<i64>, now: NaiveDateTime) -> Result<usize> {
    let changed = diesel::update(orders::table)
        .filter(orders::order_id.eq_any(ids))
        .set((orders::assign_to.eq(owner), orders::updated_at.eq(now)));
    Ok(changed.execute(tx)?)
}

/// Sets the status, and keeps the one before a deletion; answers how many.
pub fn set_status(tx: &mut Conn, ids: &[i64], to: ProcessStatus, now: NaiveDateTime) -> Result<usize> {
    let target = orders::table.filter(orders::order_id.eq_any(ids));
    let changed = if to == ProcessStatus::Deleted {
        let set = (
            orders::status_before_deletion.eq(orders::process_status.nullable()),
            orders::process_status.eq(to),
            orders::updated_at.eq(now),
        );
        diesel::update(target).set(set).execute(tx)?
    } else {
        let set = (
            orders::status_before_deletion.eq(None::<ProcessStatus>),
            orders::process_status.eq(to),
            orders::updated_at.eq(now),
        );
        diesel::update(target).set(set).execute(tx)?
    };
    Ok(changed)
}

/// Notes who completed the orders, and when.
pub fn set_processed(tx: &mut Conn, ids: &[i64], by: i64, now: NaiveDateTime) -> Result<usize> {
    let changed = diesel::update(orders::table)
        .filter(orders::order_id.eq_any(ids))
        .set((orders::processed_by.eq(by), orders::processed_at.eq(now)));
    Ok(changed.execute(tx)?)
}

/// Who changed the order last, if the audit knows.
pub fn last_changed_by(conn: &mut Conn, order_id: i64) -> Result<Option<String>> {
    // Remarks, files and transaction details are about the order, and leave it as it is.
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        .filter(audit::action.ne("order.transaction"));
    Ok(changes.order(audit::audit_id.desc()).select(audit::actor).first(conn).optional()?)
}

/// At most `most` orders whose day has come by `today`.
pub fn due(conn: &mut Conn, today: NaiveDate, most: i64) -> Result<Vec<i64>> {
    let due = orders::table
        .filter(orders::future_date.le(today))
        .order((orders::future_date.asc(), orders::order_id.asc()))
        .limit(most)
        .select(orders::order_id);
    Ok(due.load(conn)?)
}
