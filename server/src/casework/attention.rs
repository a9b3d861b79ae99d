//! Reads the orders that need a member of staff: the groups of the home screen, and lists of all in a group.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;

use super::rules::{
    EMAILS_OF, Group, Reason, UNTOUCHED_AFTER, folder_of_group, is_due, is_not_sent, is_untouched, waits,
};
use crate::audit::store as audit;
use crate::chargebacks::open;
use crate::chargebacks::rules::deadline;
use crate::chargebacks::store::Chargeback;
use crate::config::Chargebacks as Terms;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::not_sent;
use crate::orders::rules::{Folder, may_be_mailed_about, may_find};
use crate::orders::selection::Selection;
use crate::orders::store::{self, Listed};
use crate::orders::{find, in_work};
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
pub type Needing = (Listed, Reason);

/// A group of orders that need a member of staff.
#[derive(Clone, Debug)]
pub struct NeedingGroup {
    pub group: Group,
    /// Only orders that the list shows to which the group leads.
    pub total: i64,
    /// Whether there may be more than `total`.
    pub more: bool,
    /// The first of them.
    pub orders: Vec<Needing>,
}

/// The orders of a group, the most urgent first, and whether there may be more.
#[derive(Clone, Debug)]
pub struct Needed {
    pub orders: Vec<Needing>,
    pub more: bool,
}

/// Reads the groups for a member of staff, each from its own index.
pub fn read(conn: &mut Conn, staff: &Staff, at: Moment, terms: &Terms) -> Result<Vec<NeedingGroup>> {
    let mut groups = vec![priority(conn, staff, at)?];
    for (group, needed) in [
        (Group::Disputes, disputes(conn, at, terms)?),
        (Group::Emails, emails(conn, staff, at)?),
        (Group::Untouched, untouched(conn, staff, at)?),
    ] {
        groups.push(listed(conn, staff, group, needed)?);
    }
    Ok(groups)
}

/// Every type of staff may list Priority Orders, so the folder's own counter is the total.
fn priority(conn: &mut Conn, staff: &Staff, at: Moment) -> Result<NeedingGroup> {
    let rows = in_work::first_priority(conn, MAX_SHOWN as i64)?;
    let orders = rows.into_iter().map(|row| {
        let reason = waits(row.0.created_at, at.now);
        (row, reason)
    });
    let selection = Selection::of(Folder::Priority.holds(), staff.id);
    Ok(NeedingGroup {
        group: Group::Priority,
        orders: orders.collect(),
        total: store::count(conn, &selection)?,
        more: false,
    })
}

/// Orders with an open dispute. Every type of staff may list ChargeBack.
pub fn disputes(conn: &mut Conn, at: Moment, terms: &Terms) -> Result<Needed> {
    let open = open::list_earliest(conn, MAX_READ as i64)?;
    let due = |(order_id, known): &(OrderId, Chargeback)| {
        deadline(&known.dispute, at.today, terms).days_left.map(|days| (days, *order_id))
    };
    let mut due: Vec<(i64, OrderId)> = open.iter().filter_map(due).collect();
    due.sort_unstable();
    due.truncate(MAX_READ);
    let more = due.len() == MAX_READ;
    let ids: Vec<OrderId> = due.iter().map(|(_, order_id)| *order_id).collect();
    let rows = store::rows(conn, &ids)?.into_iter();
    let orders = rows.zip(due).map(|(row, (days, _))| (row, is_due(days))).collect();
    Ok(Needed { orders, more })
}

/// Orders with an email that did not arrive, and that the member may find.
pub fn emails(conn: &mut Conn, staff: &Staff, at: Moment) -> Result<Needed> {
    let (not_sent, more) = not_sent::list(conn, at.now - EMAILS_OF, MAX_READ as i64)?;
    let states: HashMap<OrderId, _> = not_sent.iter().copied().collect();
    let ids: Vec<OrderId> = not_sent.iter().map(|(order_id, _)| *order_id).collect();
    let rows = store::rows(conn, &ids)?.into_iter();
    let rows = rows.filter(|(row, _)| may_be_mailed_about(row.process_status));
    let needing = rows.filter_map(|row| states.get(&row.0.order_id).map(|state| (row, is_not_sent(*state))));
    Ok(found_by(staff, needing.collect(), more))
}

/// Orders in work that were not touched for days, and that the member may find.
pub fn untouched(conn: &mut Conn, staff: &Staff, at: Moment) -> Result<Needed> {
    let before = at.now - UNTOUCHED_AFTER;
    let rows = in_work::unchanged_since(conn, before, MAX_READ as i64)?;
    let more = rows.len() == MAX_READ;
    let ids: Vec<OrderId> = rows.iter().map(|(row, _)| row.order_id).collect();
    let touches = audit::last_touches(conn, &ids)?;
    let touched_at =
        |row: &Listed| touches.get(&row.0.order_id).map_or(row.0.updated_at, |at| row.0.updated_at.max(*at));
    let mut rows: Vec<Listed> = rows.into_iter().filter(|row| touched_at(row) <= before).collect();
    rows.sort_by_key(|row| (touched_at(row), row.0.order_id));
    let needing = rows.into_iter().map(|row| {
        let reason = is_untouched(touched_at(&row), at.now);
        (row, reason)
    });
    Ok(found_by(staff, needing.collect(), more))
}

/// Those orders that the member may find.
fn found_by(staff: &Staff, mut orders: Vec<Needing>, more: bool) -> Needed {
    orders.retain(|((row, _), _)| may_find(staff, &row.state(None)));
    Needed { orders, more }
}

/// The group of those orders that the folder it leads to shows to the member, with the first of them.
fn listed(conn: &mut Conn, staff: &Staff, group: Group, Needed { mut orders, more }: Needed) -> Result<NeedingGroup> {
    let selection = Selection::of(folder_of_group(group, staff.staff_type).holds(), staff.id);
    let ids: Vec<OrderId> = orders.iter().map(|((row, _), _)| row.order_id).collect();
    let held: HashSet<OrderId> = find::held(conn, &selection, None, &ids)?.into_iter().collect();
    orders.retain(|((row, _), _)| held.contains(&row.order_id));
    let total = i64::try_from(orders.len()).unwrap_or(i64::MAX);
    orders.truncate(MAX_SHOWN);
    Ok(NeedingGroup { group, total, more, orders })
}
