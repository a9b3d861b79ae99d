//! Whose list is asked for, and searching it: the index names candidates for a rare term, the newest rows are read for a common one.

use super::rules;
use super::search::Term;
use super::store::{self, Selection, Window};
use crate::db::{Conn, IndexTerm, search_index};
use crate::error::{Error, Result};
use crate::staff::rules::Staff;
use crate::staff::store::find_active_by_name;

/// Up to this many candidates, each is looked at. A term that more orders hold fills a page within the newest rows.
const MOST_CANDIDATES: usize = 5_000;

/// A window of the orders found, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hits {
    pub ids: Vec<i64>,
    pub total: i64,
    /// Whether there are more than `total`: counting every hit of a common term would cost more than showing it.
    pub more: bool,
}

/// The member whose own list and counts are asked for.
pub fn person(conn: &mut Conn, staff: &Staff, user_name: Option<&str>) -> Result<i64> {
    let Some(name) = rules::asks_about(staff, user_name) else { return Ok(staff.id) };
    let member = find_active_by_name(conn, name)?;
    member.map(|(id, _)| id).ok_or_else(|| Error::invalid(format!("There is no member of staff named {name}")))
}

/// The orders of the list that `term` is in; none: all of them.
pub fn find(conn: &mut Conn, selection: &Selection, term: Option<&Term>, window: Window) -> Result<Hits> {
    let Some(term) = term else {
        let ids = store::list_ids(conn, selection, window)?;
        return Ok(Hits { ids, total: store::count(conn, selection)?, more: false });
    };
    let question = IndexTerm { text: &term.text, fts: &term.fts, like: &term.like };
    let candidates = search_index(conn, &question, MOST_CANDIDATES as i64 + 1)?;
    if candidates.len() <= MOST_CANDIDATES {
        let hits = store::pick_ids(conn, selection, &term.like, &candidates)?;
        let total = hits.len() as i64;
        return Ok(Hits { ids: page(&hits, window), total, more: false });
    }
    let one_more = Window { length: window.length + 1, ..window };
    let mut ids = store::list_ids_like(conn, selection, &term.like, one_more)?;
    let more = ids.len() as i64 > window.length;
    ids.truncate(usize::try_from(window.length).unwrap_or(0));
    let seen = if ids.is_empty() { 0 } else { window.start + ids.len() as i64 };
    Ok(Hits { ids, total: seen, more })
}

fn page(hits: &[i64], window: Window) -> Vec<i64> {
    let (start, length) =
        (usize::try_from(window.start).unwrap_or(usize::MAX), usize::try_from(window.length).unwrap_or(0));
    hits.iter().skip(start).take(length).copied().collect()
}
