//! Filtered lists. A filter examines the first orders of a list, so that its cost has a bound: no index serves every combination of values.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use diesel::prelude::*;

use super::dialect::walk_in_order;
use super::find::{RareHits, Search, find_rare, held, put_first};
use super::requirements::with_requirement;
use super::rules::filter::{OrderFilter, OwnerFilter};
use super::selection::Selection;
use super::status::ProcessStatus;
use super::store::{RowWindow, filter, newest_first, order_by, soonest_first};
use crate::db::one_of::{Both, one_of};
use crate::db::schema::{applications, orders};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The most orders of a list that a filter examines.
pub const MAX_EXAMINED: i64 = 50_000;

/// The orders that a filter admits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilteredOrders {
    /// In the order of the list.
    pub ids: Vec<OrderId>,
    /// True if the list has orders that were not examined.
    pub is_limited: bool,
    /// The newest remark with the term, of orders whose remarks have it.
    pub in_remarks: HashMap<OrderId, i64>,
    /// True if older remarks may have it as well.
    pub more: bool,
}

/// The effort that a filtered list may take.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The most orders of the list that are examined.
    pub examined: i64,
    /// The most orders that are returned.
    pub wanted: i64,
}

type OrdersQuery<'a, Columns> = orders::BoxedQuery<'a, Both, Columns>;

/// The first order of a list that is not examined, by the columns of the list's index.
#[derive(Clone, Copy, Debug)]
enum ExaminedEnd {
    Received(Timestamp, OrderId),
    /// In the future folder.
    Due(Option<NaiveDate>, OrderId),
}

/// The orders that a filter examines.
enum ExaminedOrders<'a> {
    /// The orders of a list before a place in it; all of them without one.
    Before(&'a Selection, Option<ExaminedEnd>),
    Ids(&'a [OrderId]),
}

/// Finds the orders of a list that the filter admits and that contain the term of `search`, if there is one. Those of `first` come before all
/// others, in that order; they must be in the list.
pub fn find(
    conn: &mut Conn,
    selection: &Selection,
    filter: &OrderFilter,
    search: Option<&Search>,
    first: &[OrderId],
    reach: Reach,
) -> Result<FilteredOrders> {
    let Some(search) = search else {
        let listed = list(conn, selection, filter, reach)?;
        let first = pick(conn, filter, first)?;
        let known: HashSet<OrderId> = first.iter().copied().collect();
        let others = listed.ids.into_iter().filter(|id| !known.contains(id));
        return Ok(FilteredOrders { ids: first.iter().copied().chain(others).collect(), ..listed });
    };
    if let Some(RareHits { ids, in_remarks, more }) = find_rare(conn, selection, search)? {
        let ids = put_first(first, pick(conn, filter, &ids)?);
        return Ok(FilteredOrders { ids, in_remarks, more, is_limited: false });
    }
    let listed = list(conn, selection, filter, Reach { wanted: reach.examined, ..reach })?;
    let hits = held(conn, selection, Some(&search.term), &listed.ids)?;
    Ok(FilteredOrders { ids: put_first(first, hits), ..listed })
}

/// Lists the orders of a list that the filter admits.
pub fn list(conn: &mut Conn, selection: &Selection, filter: &OrderFilter, reach: Reach) -> Result<FilteredOrders> {
    let (selection, filter) = &narrowed(selection, filter);
    walk_in_order(conn)?;
    let end = find_end(conn, selection, filter, reach.examined)?;
    let examined = ExaminedOrders::Before(selection, end);
    let ids = admitted(conn, examined.among(orders::table.select(orders::order_id).into_boxed()), &examined, filter)?;
    let window = RowWindow { start: 0, length: reach.wanted };
    let ids = order_by!(ids, selection, window).load(conn)?;
    Ok(FilteredOrders { ids, is_limited: end.is_some(), in_remarks: HashMap::new(), more: false })
}

/// Picks those of `ids` that the filter admits, in their order.
pub fn pick(conn: &mut Conn, filter: &OrderFilter, ids: &[OrderId]) -> Result<Vec<OrderId>> {
    let mut picked: HashSet<OrderId> = HashSet::new();
    for ids in ids.chunks(MAX_IDS) {
        let examined = ExaminedOrders::Ids(ids);
        let query = examined.among(orders::table.select(orders::order_id).into_boxed());
        picked.extend(admitted(conn, query, &examined, filter)?.load::<OrderId>(conn)?);
    }
    Ok(ids.iter().copied().filter(|id| picked.contains(id)).collect())
}

/// The part of Order History with a status is a list with an index of its own, so the status of its orders is not read. New orders are in several.
fn narrowed(selection: &Selection, filter: &OrderFilter) -> (Selection, OrderFilter) {
    match (selection, filter.status) {
        (Selection::Everything, Some(status)) if status != ProcessStatus::New => {
            (Selection::Queue(status.as_str()), OrderFilter { status: None, ..filter.clone() })
        }
        _ => (selection.clone(), filter.clone()),
    }
}

/// Finds the first order of a list that is not examined. The index of the list finds it without reading an order.
fn find_end(
    conn: &mut Conn,
    selection: &Selection,
    filter: &OrderFilter,
    examined: i64,
) -> Result<Option<ExaminedEnd>> {
    if let Selection::FutureDates(_) = selection {
        let keys = filter!(orders::table.select((orders::future_date, orders::order_id)).into_boxed(), selection);
        let end = soonest_first!(keys).offset(examined).limit(1).get_result(conn).optional()?;
        return Ok(end.map(|(day, order_id)| ExaminedEnd::Due(day, order_id)));
    }
    let keys = filter!(orders::table.select((orders::created_at, orders::order_id)).into_boxed(), selection);
    let end = newest_first!(received(keys, filter)).offset(examined).limit(1).get_result(conn).optional()?;
    Ok(end.map(|(created_at, order_id)| ExaminedEnd::Received(created_at, order_id)))
}

impl ExaminedOrders<'_> {
    /// Adds the condition that an order is examined.
    fn among<'q, Columns>(&self, query: OrdersQuery<'q, Columns>) -> OrdersQuery<'q, Columns> {
        let (selection, end) = match self {
            Self::Ids(ids) => return query.filter(one_of(orders::order_id, ids)),
            Self::Before(selection, end) => (*selection, *end),
        };
        let query = filter!(query, selection);
        // The first of the two conditions is where the index is left.
        match end {
            None => query,
            Some(ExaminedEnd::Due(day, order_id)) => query
                .filter(orders::future_date.le(day))
                .filter(orders::future_date.lt(day).or(orders::order_id.lt(order_id).nullable())),
            Some(ExaminedEnd::Received(created_at, order_id)) => query
                .filter(orders::created_at.ge(created_at))
                .filter(orders::created_at.gt(created_at).or(orders::order_id.gt(order_id))),
        }
    }
}

/// Adds the conditions of the filter.
fn admitted<'q, Columns>(
    conn: &mut Conn,
    query: OrdersQuery<'q, Columns>,
    examined: &ExaminedOrders<'_>,
    filter: &OrderFilter,
) -> Result<OrdersQuery<'q, Columns>> {
    let query = with_columns(query, filter);
    if filter.nationality.is_none() {
        return Ok(query);
    }
    let typed = examined.among(orders::table.select(orders::nationality).distinct().into_boxed());
    let typed: Vec<Option<String>> = with_columns(typed, filter).load(conn)?;
    let spellings: Vec<String> = typed.into_iter().flatten().filter(|typed| filter.admits_nationality(typed)).collect();
    Ok(query.filter(orders::nationality.eq_any(spellings)))
}

/// Adds the conditions of the filter that columns decide.
fn with_columns<'q, Columns>(query: OrdersQuery<'q, Columns>, filter: &OrderFilter) -> OrdersQuery<'q, Columns> {
    let mut query = received(query, filter);
    query = match filter.owner {
        Some(OwnerFilter::Unassigned) => query.filter(orders::assign_to.is_null()),
        Some(OwnerFilter::Member(staff_id)) => query.filter(orders::assign_to.eq(staff_id)),
        None => query,
    };
    if let Some(status) = filter.status {
        query = query.filter(orders::process_status.eq(status));
    }
    if let Some(mode) = filter.mode {
        query = query.filter(orders::processing_mode.eq(mode));
    }
    if let Some(visa) = &filter.visa {
        query = query.filter(orders::visa_type.eq(visa.clone()));
    }
    if let Some(requirement) = &filter.requirement {
        query = with_requirement(query, requirement);
    }
    // As a subquery, it leaves the order of reading to the list.
    let arrivals = applications::table.filter(applications::order_id.eq(orders::order_id));
    match (filter.arrival_from, filter.arrival_to) {
        (None, None) => query,
        (Some(from), None) => query.filter(diesel::dsl::exists(arrivals.filter(applications::arrival_date.ge(from)))),
        (None, Some(to)) => query.filter(diesel::dsl::exists(arrivals.filter(applications::arrival_date.le(to)))),
        (Some(from), Some(to)) => {
            query.filter(diesel::dsl::exists(arrivals.filter(applications::arrival_date.between(from, to))))
        }
    }
}

/// Adds the conditions on when an order was received.
fn received<'q, Columns>(mut query: OrdersQuery<'q, Columns>, filter: &OrderFilter) -> OrdersQuery<'q, Columns> {
    if let Some(from) = filter.received_from {
        query = query.filter(orders::created_at.ge(from));
    }
    if let Some(until) = filter.received_until {
        query = query.filter(orders::created_at.lt(until));
    }
    query
}
