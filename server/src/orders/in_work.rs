//! Orders that need a member of staff: priority orders without an owner, and orders in work by their last change.

use compact_str::CompactString;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::counters::sum_between;
use super::rules::{Folder, Holds};
use super::status::ProcessStatus;
use super::store::{ListedOrder, OrderRow};
use crate::db::Conn;
use crate::db::schema::orders;
use crate::error::Result;
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::{last_touch, on_either, with_member};

/// Lists the orders of Priority Orders that came first, at most `max`, and counts all of them.
pub fn first_priority(conn: &mut Conn, max: i64) -> Result<(Vec<ListedOrder>, i64)> {
    let Holds::Queue(queue) = Folder::Priority.holds() else { return Ok((Vec::new(), 0)) };
    let first = with_member!(orders::table)
        .filter(orders::queue.eq(queue))
        .order((orders::created_at.asc(), orders::order_id.asc()))
        .limit(max);
    let total = sum_between("queue", queue, queue);
    let rows: Vec<(OrderRow, Option<CompactString>, i64)> =
        on_either!(conn => first.select((OrderRow::as_select(), staff::name(), total)).load(conn)?);
    let total = rows.first().map_or(0, |(.., total)| *total);
    Ok((rows.into_iter().map(|(row, owner, _)| (row, owner)).collect(), total))
}

/// An order, its owner's name, and when a member of staff last did something about it.
pub type OrderInWork = (OrderRow, Option<CompactString>, Option<Timestamp>);

/// Lists the orders in work that were not changed since `before`, the longest unchanged first, at most `max`. Remarks, files and mails do
/// not change an order, but touch it.
pub fn unchanged_since(conn: &mut Conn, before: Timestamp, max: i64) -> Result<Vec<OrderInWork>> {
    let rows = with_member!(orders::table)
        .filter(sql::<Bool>(&ProcessStatus::condition(ProcessStatus::is_in_work)))
        .filter(orders::updated_at.le(before))
        .order((orders::updated_at.asc(), orders::order_id.asc()))
        .limit(max);
    Ok(on_either!(conn => {
        rows.select((OrderRow::as_select(), staff::name(), last_touch!(orders::order_id))).load(conn)?
    }))
}
