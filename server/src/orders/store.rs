//! Lists and counts. A folder's list and its count use the same definition.

use std::collections::HashMap;

use chrono::NaiveDate;
use compact_str::CompactString;
use diesel::prelude::*;
use memchr::memmem::Finder;

use super::counters::{by_key, counter_rows, sum_between, sum_of_kind};
use super::far_pages::{PageStart, find_entry};
use super::rules::{OrderState, ProcessingMode};
use super::search::Term;
use super::selection::{Selection, TAKEN};
use super::status::ProcessStatus;
use crate::db::first_rows::first_rows;
use crate::db::one_of::one_of;
use crate::db::schema::{orders, search_texts};
use crate::db::{Conn, MAX_IDS, is_guessing};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::{on_either, with_member};

/// An order in a list.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderRow {
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    pub full_name: CompactString,
    pub contact_email_address: CompactString,
    pub country_code: Option<CompactString>,
    pub phone_number: Option<CompactString>,
    pub nationality: Option<CompactString>,
    pub visa_type: Option<CompactString>,
    pub refund_date: Option<Timestamp>,
    pub assign_to: Option<StaffId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub had_visa_or_dispute: bool,
    /// The kinds of its files, separated by commas.
    pub document_kinds: Option<CompactString>,
    /// The state of its newest mail if that failed or may not have arrived; tracking codes and stopped mails do not count.
    pub mail_problem: Option<CompactString>,
    /// The worst problem that a check found in its papers, if there is one.
    pub papers_problem: Option<CompactString>,
    /// The worst problem of its issued visas that nobody has looked at, if there is one.
    pub visa_problem: Option<CompactString>,
    /// The number of its fields that are not understood.
    pub unclear_fields: i32,
}

/// An order, and its owner's name.
pub type ListedOrder = (OrderRow, Option<CompactString>);

/// An order, its owner's name, and its search text.
pub type Searchable = (OrderRow, Option<CompactString>, Option<String>);

impl OrderRow {
    /// Its place in its list.
    pub fn key(&self) -> RowKey {
        RowKey { day: self.processing_date, created_at: self.created_at, order_id: self.order_id }
    }

    /// Returns the values of the order that the rules need.
    pub fn state(&self, owner_name: Option<&str>) -> OrderState {
        OrderState {
            order_id: self.order_id,
            process_status: self.process_status,
            status_before_deletion: self.status_before_deletion,
            processing_mode: self.processing_mode,
            processing_date: self.processing_date,
            refund_date: self.refund_date,
            updated_at: self.updated_at,
            had_visa_or_dispute: self.had_visa_or_dispute,
            owner_id: self.assign_to,
            owner_name: owner_name.map(str::to_owned),
        }
    }
}

/// The rows of a list from `start` to `start + length`, exclusive.
#[derive(Clone, Copy, Debug)]
pub struct RowWindow {
    pub start: i64,
    pub length: i64,
}

impl RowWindow {
    /// Those of `hits` that are in the window.
    pub fn cut<T>(self, hits: impl IntoIterator<Item = T>) -> Vec<T> {
        let (start, length) =
            (usize::try_from(self.start).unwrap_or(usize::MAX), usize::try_from(self.length).unwrap_or(0));
        hits.into_iter().skip(start).take(length).collect()
    }
}

/// Filters a query of orders, or of orders with their owners, by the selection.
macro_rules! filter {
    ($query:expr, $selection:expr) => {
        match *$selection {
            Selection::Queue(queue) => $query.filter(orders::queue.eq(queue)),
            Selection::OpenOrdersOf(staff_id) => $query.filter(orders::open_owner.eq(staff_id)),
            Selection::FutureDates(None) => $query.filter(orders::future_date.is_not_null()),
            Selection::FutureDates(Some((from, until))) => {
                $query.filter(orders::future_date.ge(from)).filter(orders::future_date.lt(until))
            }
            Selection::Everything => $query,
            Selection::InFoldersOf(staff_id) => $query.filter(
                orders::queue.ne($crate::orders::selection::TAKEN).nullable().or(orders::open_owner.eq(staff_id)),
            ),
        }
    };
}

pub(super) use filter;

/// Joins the order that the rows of a query are about, and its owner. [`OrderRow`] and [`staff::name`] select from it.
#[macro_export]
macro_rules! with_order {
    ($query:expr) => {
        diesel::QueryDsl::inner_join($query, $crate::with_member!($crate::db::schema::orders::table))
    };
}

/// Orders such a query by the order in which most folders are shown.
macro_rules! newest_first {
    ($query:expr) => {
        $query.order((orders::created_at.desc(), orders::order_id.desc()))
    };
}

/// Orders such a query as the future folder is shown.
macro_rules! soonest_first {
    ($query:expr) => {
        $query.order((orders::future_date.asc(), orders::order_id.asc()))
    };
}

/// Orders a boxed query as its list is shown, and cuts out the window.
macro_rules! order_by {
    ($query:expr, $selection:expr, $window:expr) => {
        match $selection {
            Selection::FutureDates(_) => soonest_first!($query),
            _ => newest_first!($query),
        }
        .offset($window.start)
        .limit($window.length)
    };
}

pub(super) use {newest_first, order_by, soonest_first};

/// Up to this row, reading the skipped rows costs less than reading the ids first.
const MAX_BUFFERED_READ: i64 = 200;

/// Lists a window, and counts the orders of the list. A window far behind is entered at its day, and its rows are read after their ids.
pub fn list(conn: &mut Conn, selection: &Selection, window: RowWindow) -> Result<(Vec<ListedOrder>, i64)> {
    let counters = selection.counters().filter(|_| window.start <= MAX_BUFFERED_READ);
    let Some((kind, keys)) = counters else {
        let ids = list_far_ids(conn, selection, window)?;
        return Ok((rows(conn, &ids)?, count(conn, selection)?));
    };
    let (from, to) = keys.unwrap_or_default();
    let orders = || with_member!(orders::table);
    // Each of them is a type of its own, so its prepared statement is found without its SQL being written first.
    macro_rules! columns {
        ($total:expr) => {
            (OrderRow::as_select(), staff::name(), $total)
        };
    }
    macro_rules! load {
        ($orders:expr, $total:expr) => {{
            macro_rules! first {
                ($length:literal) => {
                    on_either!(conn => first_rows::<$length, _>($orders.select(columns!($total))).load(conn)?)
                };
            }
            match (window.start, window.length) {
                // The lengths that the web app offers.
                (0, 10) => first!(10),
                (0, 25) => first!(25),
                (0, 50) => first!(50),
                (0, 100) => first!(100),
                (0, 500) => first!(500),
                (start, length) => {
                    on_either!(conn => $orders.offset(start).limit(length).select(columns!($total)).load(conn)?)
                }
            }
        }};
    }
    let total = sum_between(kind, &from, &to);
    let rows: Vec<(OrderRow, Option<CompactString>, i64)> = match *selection {
        Selection::Queue(queue) => load!(newest_first!(orders().filter(orders::queue.eq(queue))), total),
        Selection::OpenOrdersOf(staff_id) => {
            load!(newest_first!(orders().filter(orders::open_owner.eq(staff_id))), total)
        }
        Selection::FutureDates(None) => {
            load!(soonest_first!(orders().filter(orders::future_date.is_not_null())), total)
        }
        Selection::FutureDates(Some((from, until))) => {
            let in_months = orders().filter(orders::future_date.ge(from)).filter(orders::future_date.lt(until));
            load!(soonest_first!(in_months), total)
        }
        Selection::Everything | Selection::InFoldersOf(_) => load!(newest_first!(orders()), sum_of_kind(kind)),
    };
    let total = match rows.first() {
        Some((.., total)) => *total,
        None if is_guessing(conn) => 0,
        None => count(conn, selection)?,
    };
    Ok((rows.into_iter().map(|(row, owner, _)| (row, owner)).collect(), total))
}

/// Lists the ids of a window far behind.
pub fn list_far_ids(conn: &mut Conn, selection: &Selection, window: RowWindow) -> Result<Vec<OrderId>> {
    let entry = match selection.list_counted_by_day() {
        Some(list) => find_entry(conn, list, window.start)?,
        None => None,
    };
    let Some(PageStart { before, skip }) = entry else { return list_ids(conn, selection, window) };
    let orders = orders::table.select(orders::order_id).filter(orders::created_at.lt(before));
    macro_rules! load {
        ($orders:expr) => {
            on_either!(conn => newest_first!($orders).offset(skip).limit(window.length).load(conn)?)
        };
    }
    Ok(match selection {
        Selection::Queue(queue) => load!(orders.filter(orders::queue.eq(*queue))),
        _ => load!(orders),
    })
}

/// Lists the ids of a window.
pub fn list_ids(conn: &mut Conn, selection: &Selection, window: RowWindow) -> Result<Vec<OrderId>> {
    let ids = orders::table.select(orders::order_id).into_boxed();
    Ok(order_by!(filter!(ids, selection), selection, window).load(conn)?)
}

/// The position of a row in its list, after which the list is read on.
#[derive(Clone, Copy, Debug)]
pub struct RowKey {
    /// The processing date; every order of the future folder has one.
    day: Option<NaiveDate>,
    created_at: Timestamp,
    order_id: OrderId,
}

/// Lists at most `max` rows after a key, or from the start, with their search texts. `is_reversed`: in the reverse of the list's order.
pub fn list_after(
    conn: &mut Conn,
    selection: &Selection,
    after: Option<RowKey>,
    is_reversed: bool,
    max: i64,
) -> Result<Vec<Searchable>> {
    // A left join, so that SQLite reads the orders first.
    let rows = with_member!(orders::table.left_join(search_texts::table));
    let text = search_texts::search_text.nullable();
    let rows = rows.select((OrderRow::as_select(), staff::name(), text)).into_boxed();
    let mut rows = filter!(rows, selection);
    if let Some(RowKey { day, created_at, order_id }) = after {
        // The first of the two conditions is where the index is entered.
        rows = match (selection, is_reversed) {
            (Selection::FutureDates(_), false) => rows
                .filter(orders::future_date.ge(day))
                .filter(orders::future_date.gt(day).or(orders::order_id.gt(order_id).nullable())),
            (Selection::FutureDates(_), true) => rows
                .filter(orders::future_date.le(day))
                .filter(orders::future_date.lt(day).or(orders::order_id.lt(order_id).nullable())),
            (_, false) => rows
                .filter(orders::created_at.le(created_at))
                .filter(orders::created_at.lt(created_at).or(orders::order_id.lt(order_id))),
            (_, true) => rows
                .filter(orders::created_at.ge(created_at))
                .filter(orders::created_at.gt(created_at).or(orders::order_id.gt(order_id))),
        };
    }
    let rows = match (selection, is_reversed) {
        (Selection::FutureDates(_), true) => rows.order((orders::future_date.desc(), orders::order_id.desc())),
        (_, true) => rows.order((orders::created_at.asc(), orders::order_id.asc())),
        (_, false) => return Ok(order_by!(rows, selection, RowWindow { start: 0, length: max }).load(conn)?),
    };
    Ok(rows.limit(max).load(conn)?)
}

/// Picks the candidates that the list holds and whose search text contains the term, if there is one, in the list's order.
pub fn pick_ids(
    conn: &mut Conn,
    selection: &Selection,
    term: Option<&Term>,
    candidates: &[OrderId],
) -> Result<Vec<OrderId>> {
    let finder = Finder::new(term.map_or("", |term| term.text.as_str()));
    let mut picked: Vec<(Option<NaiveDate>, Timestamp, OrderId)> = Vec::new();
    for ids in candidates.chunks(MAX_IDS) {
        let texts = orders::table.inner_join(search_texts::table).filter(one_of(orders::order_id, ids));
        let columns = (orders::future_date, orders::created_at, orders::order_id, search_texts::search_text);
        let rows: Vec<(Option<NaiveDate>, Timestamp, OrderId, String)> = if let Selection::Everything = selection {
            on_either!(conn => texts.select(columns).load(conn)?)
        } else {
            filter!(texts.select(columns).into_boxed(), selection).load(conn)?
        };
        let hits = rows.into_iter().filter(|(.., text)| finder.find(text.as_bytes()).is_some());
        picked.extend(hits.map(|(day, created_at, id, _)| (day, created_at, id)));
    }
    match selection {
        Selection::FutureDates(_) => picked.sort_by_key(|(day, _, id)| (*day, *id)),
        _ => picked.sort_by_key(|(_, created_at, id)| std::cmp::Reverse((*created_at, *id))),
    }
    Ok(picked.into_iter().map(|(.., id)| id).collect())
}

/// Lists the rows of `ids`, in the order given.
pub fn rows(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<ListedOrder>> {
    let mut rows: Vec<ListedOrder> = Vec::with_capacity(ids.len());
    for ids in ids.chunks(MAX_IDS) {
        let query = with_member!(orders::table).filter(one_of(orders::order_id, ids));
        let read = on_either!(conn => query.select((OrderRow::as_select(), staff::name())).load::<ListedOrder>(conn));
        rows.extend(read?);
    }
    let places: HashMap<OrderId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    rows.sort_by_key(|(row, _)| places.get(&row.order_id).copied());
    Ok(rows)
}

/// Counts the orders of a list from the folder counters, at a cost that does not grow with the orders.
pub fn count(conn: &mut Conn, selection: &Selection) -> Result<i64> {
    if let Selection::InFoldersOf(staff_id) = selection {
        let own = orders::table.filter(orders::open_owner.eq(staff_id)).filter(orders::queue.eq(TAKEN));
        let own: i64 = own.count().get_result(conn)?;
        return Ok(count(conn, &Selection::Everything)? - count(conn, &Selection::Queue(TAKEN))? + own);
    }
    Ok(match selection.counters() {
        Some((kind, Some((from, to)))) => diesel::select(sum_between(kind, &from, &to)).get_result(conn)?,
        Some((kind, None)) => diesel::select(sum_of_kind(kind)).get_result(conn)?,
        None => 0,
    })
}

/// The folder counters of `kind`, by key: `queue` by queue, `owner` by staff id, `month` by month (`2026-11`).
pub fn counts_by_key(conn: &mut Conn, kind: &str) -> Result<Vec<(String, i64)>> {
    Ok(by_key(counter_rows(conn, kind, None)?.into_iter().map(|(_, key, count)| (key, count))))
}

/// Returns true if the order exists.
pub fn exists(conn: &mut Conn, id: OrderId) -> Result<bool> {
    Ok(diesel::select(diesel::dsl::exists(orders::table.find(id))).get_result(conn)?)
}

/// Returns true if there is no order at all.
pub fn is_empty(conn: &mut Conn) -> Result<bool> {
    Ok(orders::table.select(orders::order_id).first::<OrderId>(conn).optional()?.is_none())
}
