//! Searches a list: the index yields candidates for a rare term, the newest rows are scanned for a common one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::dialect::{search_index, walk_in_order};
use super::grams::TermParts;
use super::remark_search::{self, RemarkHits};
use super::rules::{self, Folder};
use super::sample::{Estimate, Sample};
use super::search::Term;
use super::selection::Selection;
use super::store::{self, ListedOrder, RowWindow};
use super::{search_texts, second_look};
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

/// A term that is searched, and the sample that says how common it is.
#[derive(Clone)]
pub struct Search {
    pub term: Term,
    pub sample: Arc<Sample>,
}

impl Search {
    /// A search for `term`. What older rules made of it is left out if they wrote no text any more.
    pub fn new(term: Term, sample: Arc<Sample>) -> Self {
        Self { term: if sample.has_older_texts { term } else { term.without_older() }, sample }
    }

    /// Returns true if the term is probably so common that the newest orders fill a page with it, and their texts alone decide.
    pub fn is_for_common(&self) -> bool {
        !self.term.needs_second_look() && self.sample.estimate(&self.term, MAX_CANDIDATES) == Estimate::Many
    }
}

/// A window of the hits, and how many there are.
#[derive(Clone, Debug)]
pub struct Hits {
    pub rows: Vec<ListedOrder>,
    pub total: i64,
    /// True if there may be more than `total`: counting every hit of a common term would cost more than showing a page.
    pub more: bool,
    /// True if the list has orders that a filter did not examine.
    pub limited: bool,
    /// The newest remark with the term, of orders whose remarks have it.
    pub in_remarks: HashMap<OrderId, i64>,
}

impl Hits {
    /// All orders of a list, or those before its end, without a search.
    pub fn of(rows: Vec<ListedOrder>, total: i64) -> Self {
        Self { rows, total, more: false, limited: false, in_remarks: HashMap::new() }
    }
}

/// The orders of a list that contain a rare term.
#[derive(Clone, Debug)]
pub struct RareHits {
    /// In the order of the list.
    pub ids: Vec<OrderId>,
    /// The newest remark with the term, of orders whose remarks have it.
    pub in_remarks: HashMap<OrderId, i64>,
    /// True if older remarks may have it as well.
    pub more: bool,
}

/// The member whose list and counts the request is about.
pub fn person(conn: &mut Conn, staff: &Staff, user_name: Option<&str>) -> Result<StaffId> {
    let Some(name) = rules::asks_about(staff, user_name) else { return Ok(staff.id) };
    let member = find_active_by_name(conn, name)?;
    member.map(|(id, _)| id).ok_or_else(|| StaffError::UnknownStaffName(name.to_owned()).into())
}

/// Finds the orders of the list that contain the term of `search`; all of them without one. Those of `first` come before all others, in
/// that order; they must be in the list.
pub fn find(
    conn: &mut Conn,
    selection: &Selection,
    search: Option<&Search>,
    first: &[OrderId],
    window: RowWindow,
) -> Result<Hits> {
    let Some(search) = search else {
        let (rows, total) = list(conn, selection, first, window)?;
        return Ok(Hits::of(rows, total));
    };
    if let Some(RareHits { ids, in_remarks, more }) = find_rare(conn, selection, search)? {
        let total = ids.len() as i64;
        let rows = store::rows(conn, &window.cut(put_first(first, ids)))?;
        return Ok(Hits { more, in_remarks, ..Hits::of(rows, total) });
    }
    let term = &search.term;
    let first = if first.is_empty() { Vec::new() } else { held(conn, selection, Some(term), first)? };
    let one_more = RowWindow { length: window.length + 1, ..window };
    walk_in_order(conn)?;
    let mut read = |window| match term.needs_second_look() {
        true => second_look::list_ids_with(conn, selection, term, window),
        false => search_texts::list_ids_with(conn, selection, term, window),
    };
    let mut ids = if first.is_empty() { read(one_more)? } else { first_and_others(&first, one_more, read)? };
    let more = ids.len() as i64 > window.length;
    ids.truncate(usize::try_from(window.length).unwrap_or(0));
    let seen = if ids.is_empty() { 0 } else { window.start + ids.len() as i64 };
    Ok(Hits { more, ..Hits::of(store::rows(conn, &ids)?, seen) })
}

/// The orders of the list that contain a rare term, in a field or in a remark. None: so many orders have the term in a field that the index would not help.
/// Their remarks are not asked then.
pub fn find_rare(conn: &mut Conn, selection: &Selection, search: &Search) -> Result<Option<RareHits>> {
    let Some(ids) = find_in_fields(conn, selection, search)? else { return Ok(None) };
    let RemarkHits { newest: in_remarks, more } = remark_search::find(conn, &search.term, &search.sample)?;
    let known: HashSet<OrderId> = ids.iter().copied().collect();
    let others: Vec<OrderId> = in_remarks.keys().filter(|id| !known.contains(id)).copied().collect();
    let ids = if others.is_empty() { ids } else { store::pick_ids(conn, selection, None, &[ids, others].concat())? };
    Ok(Some(RareHits { ids, in_remarks, more }))
}

/// The orders of the list that contain a rare term in a field, in the list's order.
fn find_in_fields(
    conn: &mut Conn,
    selection: &Selection,
    Search { term, sample }: &Search,
) -> Result<Option<Vec<OrderId>>> {
    let most = match sample.estimate(term, MAX_CANDIDATES) {
        Estimate::Many => return Ok(None),
        Estimate::Unseen if store::count(conn, selection)? > MAX_OLD_CANDIDATES as i64 => MAX_OLD_CANDIDATES,
        Estimate::Unseen | Estimate::Few => MAX_CANDIDATES,
    };
    let parts = sample.parts_to_ask(term);
    let mut candidates = search_index(conn, term, &parts, most as i64 + 1)?;
    if candidates.len() > most && matches!(parts, TermParts::Trigrams(_) | TermParts::DigitRuns(_)) {
        candidates = search_index(conn, term, &TermParts::Whole, most as i64 + 1)?;
    }
    if let Some(older) = &term.older {
        candidates.extend(search_index(conn, older, &sample.parts_to_ask(older), most as i64 + 1)?);
        candidates.sort();
        candidates.dedup();
    }
    if candidates.len() > most {
        return Ok(None);
    }
    pick(conn, selection, term, &candidates).map(Some)
}

/// Those of the candidates that the list holds and that have the term, in the list's order.
fn pick(conn: &mut Conn, selection: &Selection, term: &Term, candidates: &[OrderId]) -> Result<Vec<OrderId>> {
    // The text of an older rule may have another form of the term.
    let picked = store::pick_ids(conn, selection, Some(term).filter(|term| term.older.is_none()), candidates)?;
    if term.needs_second_look() { second_look::confirm(conn, term, &picked) } else { Ok(picked) }
}

/// Those of `orders` that the list holds and that a search of it finds, in their order.
pub fn held_and_found(
    conn: &mut Conn,
    selection: &Selection,
    search: Option<&Search>,
    orders: &[OrderId],
) -> Result<RareHits> {
    let found = search.map(|search| find_rare(conn, selection, search)).transpose()?.flatten();
    let Some(RareHits { ids, in_remarks, more }) = found else {
        let ids = held(conn, selection, search.map(|search| &search.term), orders)?;
        return Ok(RareHits { ids, in_remarks: HashMap::new(), more: false });
    };
    let ids: HashSet<OrderId> = ids.into_iter().collect();
    let ids = orders.iter().copied().filter(|id| ids.contains(id)).collect();
    Ok(RareHits { ids, in_remarks, more })
}

/// Those of `orders` that the list holds and that contain the term, if there is one, in their order.
pub fn held(conn: &mut Conn, selection: &Selection, term: Option<&Term>, orders: &[OrderId]) -> Result<Vec<OrderId>> {
    let hits = match term {
        Some(term) => pick(conn, selection, term, orders)?,
        None => store::pick_ids(conn, selection, None, orders)?,
    };
    let hits: HashSet<OrderId> = hits.into_iter().collect();
    Ok(orders.iter().copied().filter(|id| hits.contains(id)).collect())
}

fn list(
    conn: &mut Conn,
    selection: &Selection,
    first: &[OrderId],
    window: RowWindow,
) -> Result<(Vec<ListedOrder>, i64)> {
    if first.is_empty() {
        return store::list(conn, selection, window);
    }
    let ids = first_and_others(first, window, |window| store::list_ids(conn, selection, window))?;
    Ok((store::rows(conn, &ids)?, store::count(conn, selection)?))
}

/// A window of the list in the reverse of its order.
pub fn from_end(conn: &mut Conn, selection: &Selection, window: RowWindow) -> Result<Hits> {
    let total = store::count(conn, selection)?;
    let end = total.saturating_sub(window.start).max(0);
    let start = end.saturating_sub(window.length).max(0);
    let mut ids = store::list_far_ids(conn, selection, RowWindow { start, length: end - start })?;
    ids.reverse();
    Ok(Hits::of(store::rows(conn, &ids)?, total))
}

/// A window of `first` and then the other orders of a list, which `read` reads.
fn first_and_others(
    first: &[OrderId],
    window: RowWindow,
    read: impl FnOnce(RowWindow) -> Result<Vec<OrderId>>,
) -> Result<Vec<OrderId>> {
    let length = window.start.saturating_add(window.length);
    // Any of `first` may be anywhere in the list, so the place of the others is known only by counting from its start.
    let others = if first.len() as i64 >= length { Vec::new() } else { read(RowWindow { start: 0, length })? };
    let known: HashSet<OrderId> = first.iter().copied().collect();
    let others = others.into_iter().filter(|id| !known.contains(id));
    Ok(window.cut(first.iter().copied().chain(others)))
}

/// Puts those of `hits` first that are in `first`, in the order there.
pub fn put_first(first: &[OrderId], hits: Vec<OrderId>) -> Vec<OrderId> {
    let places: HashMap<OrderId, usize> = first.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let mut hits = hits;
    hits.sort_by_key(|id| places.get(id).copied().unwrap_or(usize::MAX));
    hits
}

/// The order of exactly that number, if the member may find it.
pub fn find_number(conn: &mut Conn, staff: &Staff, order_id: OrderId) -> Result<Option<ListedOrder>> {
    let found = store::rows(conn, &[order_id])?.pop();
    Ok(found.filter(|(row, _)| rules::may_find(staff, &row.state(None))))
}

/// Finds at most `max` orders among those that the member may find, the newest first.
pub fn find_few(conn: &mut Conn, staff: &Staff, search: &Search, max: i64) -> Result<Hits> {
    let may_list_all = rules::may_list(staff.staff_type, Folder::All);
    let selection = if may_list_all { Selection::Everything } else { Selection::InFoldersOf(staff.id) };
    find(conn, &selection, Some(search), &[], RowWindow { start: 0, length: max })
}
