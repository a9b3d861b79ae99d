//! Reads the orders that need a member of staff: the groups of the home screen, and lists of all in a group.

use chrono::NaiveDate;

use super::rules::{
    AttentionReason, EMAILS_OF, Group, UNTOUCHED_AFTER, folder_of_group, is_due, is_not_sent, is_untouched, waits,
};
use crate::chargebacks::open::{self, DisputedOrder};
use crate::chargebacks::rules::deadline;
use crate::config::ChargebackSettings as Terms;
use crate::db::Conn;
use crate::error::Result;
use crate::mail::not_sent;
use crate::orders::in_work::{self, OrderInWork};
use crate::orders::rules::{is_listed, may_find};
use crate::orders::store::ListedOrder;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The first orders of a group that are shown.
const MAX_SHOWN: usize = 3;

/// The most orders of a group that are read to count those that the member sees. With more, the group says so.
const MAX_READ: usize = 1_000;

/// The moment that the groups are about.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub now: Timestamp,
    /// The agency's calendar day.
    pub today: NaiveDate,
}

/// An order, and why it needs a member of staff.
pub type NeedingOrder = (ListedOrder, AttentionReason);

/// A group of orders that need a member of staff.
#[derive(Clone, Debug)]
pub struct NeedingGroup {
    pub group: Group,
    /// Only orders that the list shows to which the group leads.
    pub total: i64,
    /// There may be more than `total`.
    pub more: bool,
    /// The first of them.
    pub orders: Vec<NeedingOrder>,
}

/// The orders of a group, the most urgent first, and whether there may be more.
#[derive(Clone, Debug)]
pub struct NeededOrders {
    pub orders: Vec<NeedingOrder>,
    pub more: bool,
}

/// Reads the groups for a member of staff, each with one statement from an index of its own.
pub fn read(conn: &mut Conn, staff: &Staff, at: Moment, terms: &Terms) -> Result<Vec<NeedingGroup>> {
    Ok(vec![
        priority(conn, at)?,
        listed(staff, Group::Disputes, disputes(conn, at, terms)?),
        listed(staff, Group::Emails, emails(conn, staff, at)?),
        listed(staff, Group::Untouched, untouched(conn, staff, at)?),
    ])
}

/// Every type of staff may list Priority Orders, so the folder's own counter is the total.
fn priority(conn: &mut Conn, at: Moment) -> Result<NeedingGroup> {
    let (rows, total) = in_work::first_priority(conn, MAX_SHOWN as i64)?;
    let orders = rows.into_iter().map(|row| {
        let reason = waits(row.0.created_at, at.now);
        (row, reason)
    });
    Ok(NeedingGroup { group: Group::Priority, orders: orders.collect(), total, more: false })
}

/// Orders with an open dispute. Every type of staff may list ChargeBack.
pub fn disputes(conn: &mut Conn, at: Moment, terms: &Terms) -> Result<NeededOrders> {
    let open = open::list_earliest(conn, MAX_READ as i64)?;
    let due = |(row, owner, dispute): DisputedOrder| {
        deadline(&dispute, at.today, terms).days_left.map(|days| (days, (row, owner)))
    };
    let mut due: Vec<(i64, ListedOrder)> = open.into_iter().filter_map(due).collect();
    due.sort_by_key(|(days, (row, _))| (*days, row.order_id));
    due.truncate(MAX_READ);
    let more = due.len() == MAX_READ;
    Ok(NeededOrders { orders: due.into_iter().map(|(days, row)| (row, is_due(days))).collect(), more })
}

/// Orders with an email that did not arrive, and that the member may find.
pub fn emails(conn: &mut Conn, staff: &Staff, at: Moment) -> Result<NeededOrders> {
    let rows = not_sent::list(conn, at.now - EMAILS_OF, MAX_READ as i64)?;
    let more = rows.len() == MAX_READ;
    let rows = rows.into_iter().filter(|(row, ..)| row.process_status.may_be_emailed_about());
    let needing = rows.map(|(row, owner, state)| ((row, owner), is_not_sent(state)));
    Ok(found_by(staff, needing.collect(), more))
}

/// Orders in work that were not touched for days, and that the member may find.
pub fn untouched(conn: &mut Conn, staff: &Staff, at: Moment) -> Result<NeededOrders> {
    let before = at.now - UNTOUCHED_AFTER;
    let rows = in_work::unchanged_since(conn, before, MAX_READ as i64)?;
    let more = rows.len() == MAX_READ;
    let touched =
        |(row, owner, at): OrderInWork| (at.map_or(row.updated_at, |at| row.updated_at.max(at)), (row, owner));
    let mut rows: Vec<(Timestamp, ListedOrder)> =
        rows.into_iter().map(touched).filter(|(touched_at, _)| *touched_at <= before).collect();
    rows.sort_by_key(|(touched_at, (row, _))| (*touched_at, row.order_id));
    let needing = rows.into_iter().map(|(touched_at, row)| (row, is_untouched(touched_at, at.now)));
    Ok(found_by(staff, needing.collect(), more))
}

/// Those orders that the member may find.
fn found_by(staff: &Staff, mut orders: Vec<NeedingOrder>, more: bool) -> NeededOrders {
    orders.retain(|((row, _), _)| may_find(staff, &row.state(None)));
    NeededOrders { orders, more }
}

/// The group of those orders that the folder it leads to shows to the member, with the first of them.
fn listed(staff: &Staff, group: Group, NeededOrders { mut orders, more }: NeededOrders) -> NeedingGroup {
    let folder = folder_of_group(group, staff.staff_type);
    orders.retain(|((row, _), _)| is_listed(folder, &row.state(None), staff.id));
    let total = i64::try_from(orders.len()).unwrap_or(i64::MAX);
    orders.truncate(MAX_SHOWN);
    NeedingGroup { group, total, more, orders }
}
