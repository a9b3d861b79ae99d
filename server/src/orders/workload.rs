//! The open orders of each member, and the New orders without one. Each query reads an index that holds what it selects.

use diesel::dsl::{count_star, min, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::rules::{Folder, Holds, ProcessingMode};
use super::status::ProcessStatus;
use crate::db::Conn;
use crate::db::schema::orders;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// The open orders of a member that have one status and mode.
#[derive(Clone, Debug, Queryable)]
pub struct OwnedOrders {
    pub owner_id: StaffId,
    pub status: ProcessStatus,
    pub mode: ProcessingMode,
    pub count: i64,
    /// When the oldest of them was received.
    pub oldest_at: Timestamp,
}

/// Counts the open orders of all members. Not by `open_owner`: SQLite reads the row of an order for each generated column that an index has.
pub fn count_owned(conn: &mut Conn) -> Result<Vec<OwnedOrders>> {
    let counted = orders::table
        .filter(sql::<Bool>(&ProcessStatus::condition(|status| !status.is_final())))
        .filter(orders::assign_to.is_not_null())
        .group_by((orders::assign_to, orders::process_status, orders::processing_mode))
        .select((
            orders::assign_to.assume_not_null(),
            orders::process_status,
            orders::processing_mode,
            count_star(),
            min(orders::created_at).assume_not_null(),
        ));
    Ok(counted.load(conn)?)
}

/// Lists the oldest open orders of a member, at most `max`.
pub fn list_oldest(conn: &mut Conn, owner_id: StaffId, max: i64) -> Result<Vec<OrderId>> {
    let own = orders::table.filter(orders::open_owner.eq(owner_id));
    let oldest = own.order((orders::created_at.asc(), orders::order_id.asc())).limit(max);
    Ok(oldest.select(orders::order_id).load(conn)?)
}

/// Lists the oldest New orders without an owner, at most `max`, each with the time when it was received.
pub fn list_oldest_unassigned(conn: &mut Conn, max: i64) -> Result<Vec<(Timestamp, OrderId)>> {
    let mut oldest: Vec<(Timestamp, OrderId)> = Vec::new();
    for folder in [Folder::New, Folder::Priority] {
        let Holds::Queue(queue) = folder.holds() else { continue };
        let first = orders::table.filter(orders::queue.eq(queue)).select((orders::created_at, orders::order_id));
        let first = first.order((orders::created_at.asc(), orders::order_id.asc())).limit(max);
        oldest.extend(first.load::<(Timestamp, OrderId)>(conn)?);
    }
    oldest.sort_unstable();
    oldest.truncate(usize::try_from(max).unwrap_or_default());
    Ok(oldest)
}
