//! Searches a list: the index yields candidates for a rare term, the newest rows are scanned for a common one.

use super::dialect::{IndexTerm, search_index, walk_in_order};
use super::rules::{self, Folder};
use super::search::{Term, number_or_term, typed_number};
use super::store::{self, Listed, Selection, Window};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::staff::errors::StaffError;
use crate::staff::rules::Staff;
use crate::staff::store::find_active_by_name;

/// Up to this many candidates, each is checked and the hits are counted. Checking one reads a page of the disk, so this is also
/// about what a scan for a more common term reads until it has filled a page of a list.
const MAX_CANDIDATES: usize = 1_000;

/// The same for a term that none of the newest orders contains, in a list longer than this: a scan from the newest might reach the
/// very oldest order.
const MAX_OLD_CANDIDATES: usize = 20_000;

/// How many of the newest orders are sampled to estimate how common a term is.
const SAMPLE: i64 = 1_000;

/// A window of the hits, and how many there are.
#[derive(Clone, Debug)]
pub struct Hits {
    pub rows: Vec<Listed>,
    pub total: i64,
    /// Whether there may be more than `total`: counting every hit of a common term would cost more than showing a page.
    pub more: bool,
}

/// The member whose list and counts the request is about.
pub fn person(conn: &mut Conn, staff: &Staff, user_name: Option<&str>) -> Result<StaffId> {
    let Some(name) = rules::asks_about(staff, user_name) else { return Ok(staff.id) };
    let member = find_active_by_name(conn, name)?;
    member.map(|(id, _)| id).ok_or_else(|| StaffError::UnknownStaffName(name.to_owned()).into())
}

/// Finds the orders of the list that contain `term`; all of them without one.
pub fn find(conn: &mut Conn, selection: &Selection, term: Option<&Term>, window: Window) -> Result<Hits> {
    let Some(term) = term else {
        let rows = store::list(conn, selection, window)?;
        return Ok(Hits { rows, total: store::count(conn, selection)?, more: false });
    };
    let sampled = store::newest_texts(conn, SAMPLE)?;
    let holding = sampled.iter().filter(|text| text.contains(&term.text)).count();
    // The sample suggests more than twice the candidates that are checked: the index would not help.
    let is_common = holding as i64 * store::count(conn, &Selection::Everything)? > 2 * MAX_CANDIDATES as i64 * SAMPLE;
    if !is_common {
        let may_be_old = holding == 0 && store::count(conn, selection)? > MAX_OLD_CANDIDATES as i64;
        let most = if may_be_old { MAX_OLD_CANDIDATES } else { MAX_CANDIDATES };
        let question = IndexTerm { text: &term.text, fts: &term.fts, like: &term.like };
        let candidates = search_index(conn, &question, most as i64 + 1)?;
        if candidates.len() <= most {
            let hits = store::pick_ids(conn, selection, &term.like, &candidates)?;
            let total = hits.len() as i64;
            return Ok(Hits { rows: store::rows(conn, &page(&hits, window))?, total, more: false });
        }
    }
    let one_more = Window { length: window.length + 1, ..window };
    walk_in_order(conn)?;
    let mut ids = store::list_ids_like(conn, selection, &term.like, one_more)?;
    let more = ids.len() as i64 > window.length;
    ids.truncate(usize::try_from(window.length).unwrap_or(0));
    let seen = if ids.is_empty() { 0 } else { window.start + ids.len() as i64 };
    Ok(Hits { rows: store::rows(conn, &ids)?, total: seen, more })
}

/// Finds at most `max` orders for `typed` among those that the member may find: the order of exactly that number, without a search;
/// otherwise the newest that contain the text. None for an empty text.
pub fn find_few(conn: &mut Conn, staff: &Staff, typed: &str, max: i64) -> Result<Vec<Listed>> {
    if let Some(order_id) = typed_number(typed) {
        let mut exact = store::rows(conn, &[order_id])?;
        exact.retain(|(row, _)| rules::may_find(staff, &row.state(None)));
        if !exact.is_empty() {
            return Ok(exact);
        }
    }
    let Some(term) = number_or_term(typed) else { return Ok(Vec::new()) };
    let may_list_all = rules::may_list(staff.staff_type, Folder::All);
    let selection = if may_list_all { Selection::Everything } else { Selection::InFoldersOf(staff.id) };
    Ok(find(conn, &selection, Some(&term), Window { start: 0, length: max })?.rows)
}

fn page(hits: &[OrderId], window: Window) -> Vec<OrderId> {
    let (start, length) =
        (usize::try_from(window.start).unwrap_or(usize::MAX), usize::try_from(window.length).unwrap_or(0));
    hits.iter().skip(start).take(length).copied().collect()
}
