//! Orders that came back because their applicants sent everything, and that nobody has touched since. Their lists begin with them.

use std::sync::Arc;

use chrono::TimeDelta;

use super::Casework;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::moves;
use crate::orders::rules::Folder;
use crate::paper_requests::store::list_complete;
use crate::timestamp::Timestamp;

/// For how long an order that came back is first.
const FIRST_FOR: TimeDelta = TimeDelta::days(14);

/// The most orders that are first.
const MOST: i64 = 100;

/// Returns true if a list begins with the orders that came back: one that staff work through, the newest first.
pub fn begins_with_returned(folder: Folder) -> bool {
    matches!(folder, Folder::New | Folder::My | Folder::Priority | Folder::AwaitingGovt)
}

/// The orders that came back, the latest first, as they were within the last minute.
pub async fn returned(room: &Casework) -> Result<Arc<Vec<OrderId>>> {
    let now = room.clock.now();
    let (_, returned) = room.returned.get((), now, room.db.read(move |conn| read(conn, now))).await?;
    Ok(returned)
}

fn read(conn: &mut Conn, now: Timestamp) -> Result<Vec<OrderId>> {
    let complete = list_complete(conn, now - FIRST_FOR, MOST)?;
    let ids: Vec<OrderId> = complete.iter().map(|(order_id, _)| *order_id).collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    let states = moves::list(conn, &ids)?;
    // Any later change of the order is a touch.
    let is_untouched = |(order_id, at): &(OrderId, Timestamp)| {
        states.iter().any(|state| state.order_id == *order_id && state.updated_at == *at)
    };
    Ok(complete.iter().filter(|one| is_untouched(one)).map(|(order_id, _)| *order_id).collect())
}
