//! Reads a whole list in batches. Each batch may be read in a snapshot of its own, so no transaction is open between them.

use std::collections::HashSet;

use super::find::{self, Search};
use super::search::Term;
use super::second_look;
use super::selection::Selection;
use super::store::{self, ListedOrder, RowKey};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;

/// The most rows of a batch.
pub const BATCH: usize = 1_000;

/// The place that a walk over a list has reached. Its size does not grow with the list.
pub struct Walk {
    /// The orders to read next; they come before the place in the list from which the walk goes on.
    ids: Vec<OrderId>,
    /// The number of `ids` that have been read.
    read: usize,
    /// None once the list is read to its end.
    rest: Option<Rest>,
}

/// The rest of a list, in its own order.
struct Rest {
    selection: Selection,
    /// Leaves out the other orders.
    term: Option<Term>,
    after: Option<RowKey>,
    is_reversed: bool,
}

impl Rest {
    fn of(selection: Selection, term: Option<Term>) -> Self {
        Self { selection, term, after: None, is_reversed: false }
    }
}

impl Walk {
    /// Begins with the first of `ids`, which are the whole list.
    pub fn over(ids: Vec<OrderId>) -> Self {
        Self { ids, read: 0, rest: None }
    }

    /// Begins at the start of the list that [`find::find`] shows with the same arguments.
    pub fn begin(conn: &mut Conn, selection: Selection, search: Option<Search>, first: Vec<OrderId>) -> Result<Self> {
        let Some(search) = search else {
            return Ok(Self { ids: first, read: 0, rest: Some(Rest::of(selection, None)) });
        };
        if let Some(hits) = find::find_rare(conn, &selection, &search)? {
            return Ok(Self::over(find::put_first(&first, hits.ids)));
        }
        let first = find::held(conn, &selection, Some(&search.term), &first)?;
        Ok(Self { ids: first, read: 0, rest: Some(Rest::of(selection, Some(search.term))) })
    }

    /// Begins at the end of a list, which is read in the reverse of its order.
    pub fn from_end(selection: Selection) -> Self {
        Self { ids: Vec::new(), read: 0, rest: Some(Rest { is_reversed: true, ..Rest::of(selection, None) }) }
    }

    /// Reads the next batch. None: there are no more rows. A batch may be empty: it had no row with a searched term.
    pub fn next(&mut self, conn: &mut Conn) -> Result<Option<Vec<ListedOrder>>> {
        if self.read < self.ids.len() {
            let end = self.ids.len().min(self.read + BATCH);
            let rows = store::rows(conn, &self.ids[self.read..end])?;
            self.read = end;
            return Ok(Some(rows));
        }
        let Some(rest) = &mut self.rest else { return Ok(None) };
        let rows = store::list_after(conn, &rest.selection, rest.after, rest.is_reversed, BATCH as i64)?;
        let Some(last) = rows.last() else {
            self.rest = None;
            return Ok(None);
        };
        rest.after = Some(last.0.key());
        let known: HashSet<OrderId> = self.ids.iter().copied().collect();
        let rows = rows.into_iter().filter(|(row, _, text)| {
            let may_have = |term: &Term| text.as_ref().is_some_and(|text| text.contains(&term.text));
            let may_have_either =
                |term: &Term| may_have(term) || term.older.as_ref().is_some_and(|older| may_have(older));
            !known.contains(&row.order_id) && rest.term.as_ref().is_none_or(may_have_either)
        });
        let mut rows: Vec<ListedOrder> = rows.map(|(row, owner, _)| (row, owner)).collect();
        if let Some(term) = rest.term.as_ref().filter(|term| term.needs_second_look()) {
            let ids: Vec<OrderId> = rows.iter().map(|(row, _)| row.order_id).collect();
            let having: HashSet<OrderId> = second_look::confirm(conn, term, &ids)?.into_iter().collect();
            rows.retain(|(row, _)| having.contains(&row.order_id));
        }
        Ok(Some(rows))
    }
}
