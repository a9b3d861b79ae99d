//! Orders with new documents: the applicant sent everything that was requested, or a document that was missing, and no change of the order
//! followed. Their lists begin with them.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use chrono::TimeDelta;

use super::Lists;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::moves;
use crate::orders::rules::Folder;
use crate::paper_requests::store::list_complete;
use crate::paper_requests::unasked::list_sent;
use crate::timestamp::Timestamp;

/// For how long an order that came back is first.
const FIRST_FOR: TimeDelta = TimeDelta::days(14);

/// The most orders that are first.
const MOST: i64 = 100;

/// Returns true if a list begins with the orders that came back: one that staff work through, the newest first.
pub fn begins_with_returned(folder: Folder) -> bool {
    matches!(folder, Folder::New | Folder::My | Folder::Priority | Folder::AwaitingGovt)
}

/// The orders with new documents, the latest first, as they were within the last minute.
pub async fn returned(room: &Lists) -> Result<Arc<Vec<OrderId>>> {
    let now = room.clock.now();
    let (_, returned) = room.returned.get((), now, room.db.read(move |conn| read(conn, now))).await?;
    Ok(returned)
}

fn read(conn: &mut Conn, now: Timestamp) -> Result<Vec<OrderId>> {
    let mut sent = list_complete(conn, now - FIRST_FOR, MOST)?;
    sent.extend(list_sent(conn, now - FIRST_FOR, MOST)?);
    sent.sort_by_key(|(_, at)| Reverse(*at));
    let mut ids: Vec<OrderId> = sent.iter().map(|(order_id, _)| *order_id).collect();
    if ids.is_empty() {
        return Ok(ids);
    }
    ids.sort_unstable();
    ids.dedup();
    let states = moves::list(conn, &ids)?;
    // Any later change of the order is a touch.
    let is_untouched = |(order_id, at): &(OrderId, Timestamp)| {
        states.iter().any(|state| state.order_id == *order_id && state.updated_at <= *at)
    };
    let mut seen = HashSet::new();
    let first = sent.iter().filter(|one| is_untouched(one)).map(|(order_id, _)| *order_id);
    Ok(first.filter(|order_id| seen.insert(*order_id)).collect())
}
