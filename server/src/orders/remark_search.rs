//! Searches the remarks about orders. An index answers for a rare term; for a common one, the newest remarks are read.

use std::collections::HashMap;

use diesel::dsl::max;
use diesel::prelude::*;

use super::dialect;
use super::grams::is_gram;
use super::sample::Sample;
use super::search::{Term, plain_text};
use crate::db::one_of::one_of;
use crate::db::schema::remarks;
use crate::db::{Conn, Db, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;

/// The most remarks with a term that are looked at.
const MAX_FOUND: i64 = 1_000;

/// The newest remarks, which are read for a common term.
const MAX_READ: i64 = 20_000;

/// The remarks that get their text for searches in one transaction. Others wait meanwhile.
const WRITTEN: i64 = 200;

/// The remarks with a term.
#[derive(Clone, Debug, Default)]
pub struct RemarkHits {
    /// The newest remark of each order that contains the term.
    pub newest: HashMap<OrderId, i64>,
    /// True if older remarks may contain it as well.
    pub more: bool,
}

/// Finds the remarks that contain a term. Terms of one or two characters are looked up in no remark: nearly all have them.
pub fn find(conn: &mut Conn, term: &Term, sample: &Sample) -> Result<RemarkHits> {
    if is_gram(&term.text) {
        return Ok(RemarkHits::default());
    }
    let indexed = match sample.is_common_in_remarks(term) {
        true => None,
        false => Some(dialect::search_remarks(conn, term, MAX_FOUND + 1)?),
    };
    let (rows, more) = match indexed.filter(|ids| ids.len() as i64 <= MAX_FOUND) {
        Some(ids) => (list(conn, &ids)?, false),
        None => newest_with(conn, term)?,
    };
    let mut newest: HashMap<OrderId, i64> = HashMap::new();
    for SearchedRemark { remark_id, order_id, remark } in rows {
        if term.is_in_text(&remark) {
            let known = newest.entry(order_id).or_insert(remark_id);
            *known = remark_id.max(*known);
        }
    }
    Ok(RemarkHits { newest, more })
}

/// A remark that may contain a term.
#[derive(Queryable)]
struct SearchedRemark {
    remark_id: i64,
    order_id: OrderId,
    remark: String,
}

fn list(conn: &mut Conn, ids: &[i64]) -> Result<Vec<SearchedRemark>> {
    let mut rows = Vec::with_capacity(ids.len());
    for ids in ids.chunks(MAX_IDS) {
        let found = remarks::table.filter(one_of(remarks::remark_id, ids));
        let found = found.select((remarks::remark_id, remarks::order_id, remarks::remark));
        rows.extend(on_either!(conn => found.load::<SearchedRemark>(conn)?));
    }
    Ok(rows)
}

/// The newest remarks with a term, and whether there may be more.
fn newest_with(conn: &mut Conn, term: &Term) -> Result<(Vec<SearchedRemark>, bool)> {
    let last: Option<i64> = remarks::table.select(max(remarks::remark_id)).first(conn)?;
    let after = last.unwrap_or(0) - MAX_READ;
    dialect::walk_in_order(conn)?;
    let read = remarks::table
        .filter(remarks::remark_id.gt(after))
        .filter(remarks::search_text.like(&term.like).escape('\\'))
        .order(remarks::remark_id.desc())
        .limit(MAX_FOUND)
        .select((remarks::remark_id, remarks::order_id, remarks::remark));
    let rows: Vec<SearchedRemark> = read.load(conn)?;
    let more = after > 0 || rows.len() as i64 == MAX_FOUND;
    Ok((rows, more))
}

/// Adds the text for searches to all remarks that nodes of the previous release wrote. Returns how many there were.
pub async fn add_texts(db: &Db) -> Result<usize> {
    let (mut place, mut added) = (0, 0);
    loop {
        let ids = db.write(move |tx| add_next_texts(tx, place)).await?;
        let Some(&last) = ids.last() else { return Ok(added) };
        added += ids.len();
        place = last;
    }
}

/// Adds the text to the next remarks after `place` that have none. Returns their ids, ascending.
fn add_next_texts(tx: &mut Conn, place: i64) -> Result<Vec<i64>> {
    let missing = remarks::table.filter(remarks::remark_id.gt(place)).filter(remarks::search_text.is_null());
    let missing = missing.order(remarks::remark_id).limit(WRITTEN).select((remarks::remark_id, remarks::remark));
    let rows: Vec<(i64, String)> = missing.load(tx)?;
    for (remark_id, text) in &rows {
        let row = remarks::table.find(remark_id).filter(remarks::search_text.is_null());
        diesel::update(row).set(remarks::search_text.eq(plain_text(text))).execute(tx)?;
    }
    Ok(rows.into_iter().map(|(remark_id, _)| remark_id).collect())
}
