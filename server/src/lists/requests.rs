//! The request of a call about a list: the orders of a folder, or of a month of the future folder, searched or not, and their order.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{Datelike, Months, NaiveDate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Lists;
use super::errors::ListError;
use super::filters::SentFilter;
use super::returned::{begins_with_returned, returned};
use crate::chargebacks::urgency;
use crate::db::Conn;
use crate::error::Result;
use crate::home::attention::{self, Moment};
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::filtered::{self, FilteredOrders, MAX_EXAMINED, Reach};
use crate::orders::find::{self, Hits, Search};
use crate::orders::found_in;
use crate::orders::rules::filter::{OrderFilter, OwnerFilter};
use crate::orders::rules::{self, Folder};
use crate::orders::sample::Sample;
use crate::orders::search::{FoundIn, MAX_TERM_LEN, Term};
use crate::orders::selection::Selection;
use crate::orders::store::{self, RowWindow};
use crate::orders::walk::Walk;
use crate::staff::rules::Staff;

/// An order of rows other than the list's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// In chargeBackOrder: open disputes by working deadline, the earliest first, then the others, the newest first.
    Urgency,
    /// The reverse of the list's own order: the oldest order first, or in futureOrder the latest processing date.
    Reversed,
}

/// Why orders need a member of staff, as the home screen counts them. With at most 1,000 orders, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Needs {
    /// At least one email about the order did not arrive.
    Emails,
    /// They have an open dispute.
    Disputes,
    /// They are in work, and were not touched for three days.
    Untouched,
}

/// The values of a call as they were sent.
pub struct SentValues {
    pub folder: String,
    pub user_name: Option<String>,
    pub year: Option<i32>,
    pub month: Option<String>,
    pub search: Option<String>,
    pub sort: Option<Sort>,
    pub needs: Option<Needs>,
    pub filter: SentFilter,
}

/// Up to so many orders that a filter admits are counted; a page behind them counts up to its own end.
const MAX_COUNTED: i64 = 1_000;

/// Up to so many rows, a page costs less than a hop to another thread.
const MAX_BRIEF: i64 = 100;
/// The same for a search, which reads some rows for each that it shows.
const MAX_BRIEF_SEARCH: i64 = 25;

/// A list that the caller may see.
#[derive(Clone)]
pub struct ListRequest {
    pub folder: Folder,
    search: Option<Search>,
    sort: Option<Sort>,
    needs: Option<Needs>,
    filter: Option<OrderFilter>,
    months: Option<(NaiveDate, NaiveDate)>,
    user_name: Option<String>,
    /// The orders that the list begins with, if it holds them.
    returned: Arc<Vec<OrderId>>,
}

impl ListRequest {
    /// Validates what was sent.
    ///
    /// # Errors
    /// [`ListError`], and [`OrderError`] for an unknown folder and one that is closed to the caller.
    pub async fn check(typed: SentValues, staff: &Staff, room: &Lists) -> Result<Self> {
        let SentValues { folder, user_name, year, month, search, sort, needs, filter } = typed;
        let folder = Folder::parse(&folder)?;
        let text = search.unwrap_or_default();
        if text.chars().count() > MAX_TERM_LEN {
            return Err(ListError::SearchTermTooLong(MAX_TERM_LEN).into());
        }
        if sort == Some(Sort::Urgency) && (folder != Folder::ChargeBack || needs.is_some()) {
            return Err(ListError::SortNotOfFolder.into());
        }
        let months = months(folder, year, month.as_deref(), room.clock.today(room.config.time_zone))?;
        if !rules::may_list(staff.staff_type, folder) {
            return Err(OrderError::OrderHistoryClosed.into());
        }
        let filter = filter.read(staff, room).await?;
        let search = match Term::parse(&text) {
            Some(term) => Some(begin_search(room, term).await?),
            None => None,
        };
        let is_begun = search.is_none() && needs.is_none() && sort.is_none() && begins_with_returned(folder);
        let returned = if is_begun { returned(room).await? } else { Arc::default() };
        Ok(Self { folder, search, sort, needs, filter, months, user_name, returned })
    }

    /// Returns true if the list contains only orders with a searched text.
    pub fn is_searched(&self) -> bool {
        self.search.is_some()
    }

    /// Returns true if the list contains only orders with certain values.
    pub fn is_filtered(&self) -> bool {
        self.filter.is_some()
    }

    /// Returns true if one statement finds the window. The facts about each order may then be of a later moment than the rows.
    pub fn is_one_statement(&self, window: RowWindow) -> bool {
        self.is_plain() && window.start.saturating_add(window.length) <= MAX_BRIEF
    }

    /// Returns true if a few statements find the window, none of which reads many rows. A term is known to be common among all orders only; a
    /// folder may be read to its end for it.
    pub fn is_brief(&self, window: RowWindow) -> bool {
        let Some(search) = &self.search else { return self.is_plain() && window.length <= MAX_BRIEF };
        let is_start = window.start.saturating_add(window.length) <= MAX_BRIEF_SEARCH;
        is_start && self.is_in_own_order() && self.folder == Folder::All && search.is_for_common()
    }

    fn is_plain(&self) -> bool {
        self.search.is_none() && self.is_in_own_order()
    }

    /// Returns true if these are all orders of the list, in its own order.
    fn is_in_own_order(&self) -> bool {
        self.sort.is_none() && self.needs.is_none() && self.filter.is_none()
    }

    /// The normalized search text, for the access log.
    pub fn searched(&self) -> Option<String> {
        self.term().map(|term| term.text.clone())
    }

    fn term(&self) -> Option<&Term> {
        self.search.as_ref().map(|search| &search.term)
    }

    /// Which orders the list holds for `caller`.
    fn selection(&self, conn: &mut Conn, caller: &Staff) -> Result<Selection> {
        let person = find::person(conn, caller, self.user_name.as_deref())?;
        Ok(match self.months {
            Some(months) => Selection::FutureDates(Some(months)),
            None => Selection::of(self.folder.holds(), person),
        })
    }

    /// The orders of the list that come before all others; at most `max` of them.
    fn first(&self, conn: &mut Conn, room: &Lists, selection: &Selection, max: i64) -> Result<Vec<OrderId>> {
        match self.sort {
            Some(Sort::Urgency) => urgency::list_most_urgent(conn, max, &room.config.chargebacks),
            Some(Sort::Reversed) => Ok(Vec::new()),
            None if self.returned.is_empty() => Ok(Vec::new()),
            None => find::held(conn, selection, None, &self.returned),
        }
    }

    /// Returns true if everything that its applicant was asked for is there, and the order has not been touched since.
    pub fn is_returned(&self, order_id: OrderId) -> bool {
        self.returned.contains(&order_id)
    }

    /// All orders of the list, if it is of those that need a member of staff.
    fn needing(
        &self,
        conn: &mut Conn,
        room: &Lists,
        caller: &Staff,
        selection: &Selection,
    ) -> Result<Option<FilteredOrders>> {
        let Some(needs) = self.needs else { return Ok(None) };
        let at = Moment { now: room.clock.now(), today: room.clock.today(room.config.time_zone) };
        let needed = match needs {
            Needs::Emails => attention::emails(conn, caller, at)?,
            Needs::Disputes => attention::disputes(conn, at, &room.config.chargebacks)?,
            Needs::Untouched => attention::untouched(conn, caller, at)?,
        };
        let ids: Vec<OrderId> = needed.orders.iter().map(|((row, _), _)| row.order_id).collect();
        let found = find::held_and_found(conn, selection, self.search.as_ref(), &ids)?;
        let mut ids = match &self.filter {
            Some(filter) => filtered::pick(conn, filter, &found.ids)?,
            None => found.ids,
        };
        if self.is_reversed() {
            ids.reverse();
        }
        let more = found.more || needed.more;
        Ok(Some(FilteredOrders { ids, is_limited: false, in_remarks: found.in_remarks, more }))
    }

    fn is_reversed(&self) -> bool {
        self.sort == Some(Sort::Reversed)
    }

    /// All orders of the list that its filter admits, at most `wanted`; none without a filter. A search from the end of a list is one
    /// as well: the oldest text with a common term may be anywhere.
    fn filtered(
        &self,
        conn: &mut Conn,
        room: &Lists,
        selection: &Selection,
        wanted: i64,
    ) -> Result<Option<FilteredOrders>> {
        let is_filtered = self.filter.is_some() || (self.is_reversed() && self.search.is_some());
        if !is_filtered {
            return Ok(None);
        }
        let filter = self.filter.clone().unwrap_or_default();
        let first = self.first(conn, room, selection, i64::MAX)?;
        let reach = Reach { examined: MAX_EXAMINED, wanted: if self.is_reversed() { MAX_EXAMINED } else { wanted } };
        let mut found = filtered::find(conn, selection, &filter, self.search.as_ref(), &first, reach)?;
        if self.is_reversed() {
            found.ids.reverse();
        }
        Ok(Some(found))
    }

    /// Finds a window of the list.
    pub fn find(&self, conn: &mut Conn, room: &Lists, caller: &Staff, window: RowWindow) -> Result<Hits> {
        let selection = self.selection(conn, caller)?;
        if let Some(FilteredOrders { ids, in_remarks, more, .. }) = self.needing(conn, room, caller, &selection)? {
            let total = ids.len() as i64;
            return Ok(Hits { more, in_remarks, ..Hits::of(store::rows(conn, &window.cut(ids))?, total) });
        }
        let counted = window.start.saturating_add(window.length).max(MAX_COUNTED);
        if let Some(found) = self.filtered(conn, room, &selection, counted.saturating_add(1))? {
            let FilteredOrders { ids, is_limited: limited, in_remarks, more } = found;
            let known = ids.len() as i64;
            let hits = Hits::of(store::rows(conn, &window.cut(ids))?, known.min(counted));
            return Ok(Hits { more: more || known > counted, limited, in_remarks, ..hits });
        }
        if self.is_reversed() {
            return find::from_end(conn, &selection, window);
        }
        // A search may leave out any of them.
        let max = if self.search.is_some() { i64::MAX } else { window.start.saturating_add(window.length) };
        let first = self.first(conn, room, &selection, max)?;
        find::find(conn, &selection, self.search.as_ref(), &first, window)
    }

    /// Finds where the orders of a window have the searched term that the columns of a list do not show. Empty without a search.
    pub fn places(&self, conn: &mut Conn, hits: &Hits) -> Result<HashMap<OrderId, FoundIn>> {
        let Some(term) = self.term() else { return Ok(HashMap::new()) };
        let ids: Vec<OrderId> = hits.rows.iter().map(|(row, _)| row.order_id).collect();
        let places = found_in::places(conn, term, &ids, &hits.in_remarks)?;
        Ok(places.into_iter().filter(|(_, place)| !place.is_shown_in_lists()).collect())
    }

    /// Returns true if the list has other orders for other callers.
    pub fn is_of(&self, caller: &Staff) -> bool {
        let owner = self.filter.as_ref().and_then(|filter| filter.owner);
        self.folder == Folder::My || owner == Some(OwnerFilter::Member(caller.id))
    }

    /// Counts the orders of the list, at most `max`.
    pub fn count(&self, conn: &mut Conn, caller: &Staff, max: i64) -> Result<i64> {
        let selection = self.selection(conn, caller)?;
        let Some(filter) = &self.filter else { return Ok(store::count(conn, &selection)?.min(max)) };
        let reach = Reach { examined: MAX_EXAMINED, wanted: max };
        Ok(filtered::list(conn, &selection, filter, reach)?.ids.len() as i64)
    }

    /// Begins to read the whole list.
    pub fn walk(self, conn: &mut Conn, room: &Lists, caller: &Staff) -> Result<Walk> {
        let selection = self.selection(conn, caller)?;
        if let Some(FilteredOrders { ids, .. }) = self.needing(conn, room, caller, &selection)? {
            return Ok(Walk::over(ids));
        }
        if let Some(found) = self.filtered(conn, room, &selection, MAX_EXAMINED)? {
            return Ok(Walk::over(found.ids));
        }
        if self.is_reversed() {
            return Ok(Walk::from_end(selection));
        }
        let first = self.first(conn, room, &selection, i64::MAX)?;
        Walk::begin(conn, selection, self.search, first)
    }
}

/// A search for `term`, with a sample that is at most a minute old.
pub async fn begin_search(room: &Lists, term: Term) -> Result<Search> {
    let (_, sample) = room.samples.get((), room.clock.now(), room.db.read(Sample::read)).await?;
    Ok(Search::new(term, sample))
}

/// The days of `year` and `month` of the future folder, as a half-open range.
fn months(
    folder: Folder,
    year: Option<i32>,
    month: Option<&str>,
    today: NaiveDate,
) -> Result<Option<(NaiveDate, NaiveDate)>> {
    if folder != Folder::Future || (year.is_none() && month.is_none()) {
        return Ok(None);
    }
    let number = match month {
        None => None,
        Some(name) => Some(month_number(name).ok_or(ListError::InvalidProcessingMonth)?),
    };
    let from = NaiveDate::from_ymd_opt(year.unwrap_or(today.year()), number.unwrap_or(1), 1);
    let from = from.filter(|from| (1970..=9999).contains(&from.year())).ok_or(ListError::InvalidProcessingYear)?;
    let length = Months::new(if number.is_some() { 1 } else { 12 });
    Ok(Some((from, from + length)))
}

fn month_number(name: &str) -> Option<u32> {
    match name.parse::<u32>() {
        Ok(number) => (1..=12).contains(&number).then_some(number),
        Err(_) => name.parse::<chrono::Month>().ok().map(|month| month.number_from_month()),
    }
}
