//! Rewrites the search texts of older rules, from the first order to the last, in batches. Any node may do it at any time, because all of them write the
//! same and the recorded progress only moves forward.

use std::collections::HashMap;

use diesel::prelude::*;

use super::search::{VERSION, search_text};
use super::second_look::SearchedRow;
use super::{corrections, dialect};
use crate::db::one_of::one_of;
use crate::db::schema::{search_progress, search_texts};
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;

/// The texts that are looked at together.
const BATCH: i64 = 1_000;

/// The texts that one transaction writes. Others wait meanwhile.
const WRITTEN: usize = 200;

/// On PostgreSQL an order may be committed after others with higher numbers, by a node with older rules. It is among so many.
const LATE: i64 = 1_000;

/// The key of the only row of the place that is reached.
const ONLY_ONE: i32 = 1;

/// Rewrites all texts of older rules. Returns how many there were.
pub async fn rewrite(db: &Db) -> Result<usize> {
    let mut place = OrderId(db.read(through).await?.0 - LATE);
    let mut rewritten = 0;
    while let Some((through, count)) = rewrite_next(db, place, BATCH).await? {
        rewritten += count;
        place = through;
    }
    Ok(rewritten)
}

/// Looks at the next `max` texts after `place` and rewrites those that are outdated. Returns the last order that was looked at, and how many texts were
/// rewritten; none at the end.
pub async fn rewrite_next(db: &Db, place: OrderId, max: i64) -> Result<Option<(OrderId, usize)>> {
    let next = db.read(move |conn| Ok((next_texts(conn, place, max)?, through(conn)?))).await?;
    let (Some((last, outdated)), reached) = next else { return Ok(None) };
    let mut rewritten = 0;
    for ids in outdated.chunks(WRITTEN) {
        let ids = ids.to_vec();
        rewritten += db.write(move |tx| write(tx, &ids)).await?;
    }
    if last > reached {
        db.write(move |tx| reach(tx, last)).await?;
    }
    Ok(Some((last, rewritten)))
}

/// The last order up to which all texts are by the rules of this version.
fn through(conn: &mut Conn) -> Result<OrderId> {
    let row = search_progress::table.select((search_progress::search_version, search_progress::through));
    let reached: Option<(i32, OrderId)> = row.first(conn).optional()?;
    Ok(reached.filter(|(version, _)| *version >= VERSION).map_or(OrderId(0), |(_, through)| through))
}

/// The versions of the next texts, by ascending order.
fn versions_after(conn: &mut Conn, place: OrderId, max: i64) -> Result<Vec<(OrderId, i32)>> {
    let next = search_texts::table.filter(search_texts::order_id.gt(place)).order(search_texts::order_id).limit(max);
    Ok(next.select((search_texts::order_id, search_texts::search_version)).load(conn)?)
}

/// The last order of the next batch, and those of it whose texts come out differently.
fn next_texts(conn: &mut Conn, place: OrderId, max: i64) -> Result<Option<(OrderId, Vec<OrderId>)>> {
    let rows = versions_after(conn, place, max)?;
    let Some(&(last, _)) = rows.last() else { return Ok(None) };
    let older: Vec<OrderId> = rows.into_iter().filter(|(_, version)| *version < VERSION).map(|(id, _)| id).collect();
    let outdated = changed_texts(conn, &older)?;
    Ok(Some((last, outdated.into_iter().map(|(id, ..)| id).collect())))
}

/// Those of the orders whose texts come out differently, with their texts before and after.
fn changed_texts(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<(OrderId, String, String)>> {
    let stored = search_texts::table.filter(one_of(search_texts::order_id, ids));
    let stored = stored.select((search_texts::order_id, search_texts::search_text));
    let stored: Vec<(OrderId, String)> = on_either!(conn => stored.load(conn)?);
    let mut stored: HashMap<OrderId, String> = stored.into_iter().collect();
    let texts = SearchedRow::list(conn, ids)?.into_iter().filter_map(|row| {
        let after = search_text(row.order_id, row.fields());
        stored.remove(&row.order_id).filter(|before| *before != after).map(|before| (row.order_id, before, after))
    });
    Ok(texts.collect())
}

/// Rewrites the texts of orders, unless they have become right meanwhile. A text that comes out the same keeps its version, because PostgreSQL would
/// index it again.
fn write(tx: &mut Conn, ids: &[OrderId]) -> Result<usize> {
    dialect::lock_orders(tx, ids)?;
    let changed = changed_texts(tx, ids)?;
    for (order_id, before, after) in &changed {
        corrections::replace_search_text(tx, *order_id, before, after)?;
    }
    Ok(changed.len())
}

/// Records that all texts up to `last` are by the rules of this version. Another node may be further.
fn reach(tx: &mut Conn, last: OrderId) -> Result<()> {
    let place = (search_progress::search_version.eq(VERSION), search_progress::through.eq(last));
    let is_behind = search_progress::search_version
        .lt(VERSION)
        .or(search_progress::search_version.eq(VERSION).and(search_progress::through.lt(last)));
    on_either!(tx => diesel::insert_into(search_progress::table)
        .values((search_progress::only_one.eq(ONLY_ONE), place))
        .on_conflict_do_nothing()
        .execute(tx)?);
    diesel::update(search_progress::table.filter(is_behind)).set(place).execute(tx)?;
    Ok(())
}

/// Returns true if texts that older rules wrote follow the place that is reached.
pub fn has_older_texts(conn: &mut Conn) -> Result<bool> {
    let place = through(conn)?;
    Ok(versions_after(conn, place, BATCH)?.into_iter().any(|(_, version)| version < VERSION))
}
