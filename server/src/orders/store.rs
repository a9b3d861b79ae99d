//! Lists and counts. A folder's orders are found by one definition, which its count shares.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use super::dialect::counter_rows;
use super::rules::{Holds, OrderState, ProcessStatus, ProcessingMode};
use crate::db::schema::orders;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::staff::store as staff;
use crate::with_member;

/// An order as lists show it.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderRow {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    pub full_name: String,
    pub contact_email_address: String,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    pub refund_date: Option<NaiveDateTime>,
    pub assign_to: Option<i64>,
    pub created_at: NaiveDateTime,
    pub updated_at: NaiveDateTime,
}

/// An order, and its owner's name.
pub type Listed = (OrderRow, Option<String>);

impl OrderRow {
    /// What the rules need to know about the order.
    pub fn state(&self, owner_name: Option<&str>) -> OrderState {
        OrderState {
            order_id: self.order_id,
            process_status: self.process_status,
            status_before_deletion: self.status_before_deletion,
            processing_mode: self.processing_mode,
            processing_date: self.processing_date,
            refund_date: self.refund_date,
            updated_at: self.updated_at,
            owner_id: self.assign_to,
            owner_name: owner_name.map(str::to_owned),
        }
    }
}

/// Which orders a list holds: a folder's definition with its person or its months filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    Queue(&'static str),
    /// The open orders of a member of staff.
    OpenOrdersOf(i64),
    /// Orders waiting for a day in this half-open range.
    FutureDates(Option<(NaiveDate, NaiveDate)>),
    Everything,
}

impl Selection {
    /// What `holds` means for the member `staff_id`.
    pub fn of(holds: Holds, staff_id: i64) -> Self {
        match holds {
            Holds::Queue(queue) => Self::Queue(queue),
            Holds::OpenOrdersOfPerson => Self::OpenOrdersOf(staff_id),
            Holds::FutureDates => Self::FutureDates(None),
            Holds::Everything => Self::Everything,
        }
    }
}

/// A part of a list: rows from `start` up to, not including, `start + length`.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub start: i64,
    pub length: i64,
}

/// A query of orders, or of orders with their owners, narrowed to what the list holds.
macro_rules! held {
    ($query:expr, $selection:expr) => {
        match *$selection {
            Selection::Queue(queue) => $query.filter(orders::queue.eq(queue)),
            Selection::OpenOrdersOf(staff_id) => $query.filter(orders::open_owner.eq(staff_id)),
            Selection::FutureDates(None) => $query.filter(orders::future_date.is_not_null()),
            Selection::FutureDates(Some((from, until))) => {
                $query.filter(orders::future_date.ge(from)).filter(orders::future_date.lt(until))
            }
            Selection::Everything => $query,
        }
    };
}

/// A window of such a query. Newest first; orders waiting for their day: the soonest day first.
macro_rules! in_order {
    ($query:expr, $selection:expr, $window:expr) => {
        match $selection {
            Selection::FutureDates(_) => $query.order((orders::future_date.asc(), orders::order_id.asc())),
            _ => $query.order((orders::created_at.desc(), orders::order_id.desc())),
        }
        .offset($window.start)
        .limit($window.length)
    };
}

/// Up to this row, reading the rows on the way costs less than asking for the ids first.
const MAX_BUFFERED_READ: i64 = 200;

/// A window of the list. A deep one skips inside the index alone, and its rows are read afterwards.
pub fn list(conn: &mut Conn, selection: &Selection, window: Window) -> Result<Vec<Listed>> {
    if window.start > MAX_BUFFERED_READ {
        let ids = orders::table.select(orders::order_id).into_boxed();
        let ids = in_order!(held!(ids, selection), selection, window).load(conn)?;
        return rows(conn, &ids);
    }
    let rows = with_member!(orders::table).select((OrderRow::as_select(), staff::name())).into_boxed();
    Ok(in_order!(held!(rows, selection), selection, window).load(conn)?)
}

/// The search texts of the newest orders.
pub fn newest_texts(conn: &mut Conn, how_many: i64) -> Result<Vec<String>> {
    let newest = orders::table.order((orders::created_at.desc(), orders::order_id.desc()));
    Ok(newest.select(orders::search_text).limit(how_many).load(conn)?)
}

/// The ids of a window of those orders of the list whose search text is like `pattern`: reads rows until it is full.
pub fn list_ids_like(conn: &mut Conn, selection: &Selection, pattern: &str, window: Window) -> Result<Vec<i64>> {
    let ids = orders::table.select(orders::order_id).into_boxed();
    let ids = held!(ids, selection).filter(orders::search_text.like(pattern.to_owned()).escape('\\'));
    Ok(in_order!(ids, selection, window).load(conn)?)
}

/// Those of `candidates` that the list holds and whose search text is like `pattern`, in the list's order.
pub fn pick_ids(conn: &mut Conn, selection: &Selection, pattern: &str, candidates: &[i64]) -> Result<Vec<i64>> {
    let mut picked: Vec<(Option<NaiveDate>, NaiveDateTime, i64)> = Vec::new();
    for ids in candidates.chunks(MAX_IDS) {
        let places = orders::table.select((orders::future_date, orders::created_at, orders::order_id)).into_boxed();
        let held = held!(places, selection)
            .filter(orders::order_id.eq_any(ids))
            .filter(orders::search_text.like(pattern.to_owned()).escape('\\'));
        picked.extend(held.load::<(Option<NaiveDate>, NaiveDateTime, i64)>(conn)?);
    }
    match selection {
        Selection::FutureDates(_) => picked.sort_by_key(|(day, _, id)| (*day, *id)),
        _ => picked.sort_by_key(|(_, created_at, id)| std::cmp::Reverse((*created_at, *id))),
    }
    Ok(picked.into_iter().map(|(.., id)| id).collect())
}

/// The rows of `ids`, in the order given.
pub fn rows(conn: &mut Conn, ids: &[i64]) -> Result<Vec<Listed>> {
    let mut rows: Vec<Listed> = Vec::with_capacity(ids.len());
    for ids in ids.chunks(MAX_IDS) {
        let query = with_member!(orders::table)
            .filter(orders::order_id.eq_any(ids))
            .select((OrderRow::as_select(), staff::name()));
        rows.extend(query.load::<Listed>(conn)?);
    }
    let places: std::collections::HashMap<i64, usize> =
        ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    rows.sort_by_key(|(row, _)| places.get(&row.order_id).copied());
    Ok(rows)
}

/// How many orders the list holds, from the folder counters: it costs the same however many there are.
pub fn count(conn: &mut Conn, selection: &Selection) -> Result<i64> {
    match selection {
        Selection::Queue(queue) => folder_count(conn, "queue", Some(queue)),
        Selection::OpenOrdersOf(staff_id) => folder_count(conn, "owner", Some(&staff_id.to_string())),
        Selection::FutureDates(None) => folder_count(conn, "queue", Some(ProcessStatus::Future.as_str())),
        Selection::FutureDates(Some((from, until))) => {
            let months = counts_by_key(conn, "month")?;
            let (from, until) = (from.format("%Y-%m").to_string(), until.format("%Y-%m").to_string());
            Ok(months.iter().filter(|(month, _)| *month >= from && *month < until).map(|(_, count)| count).sum())
        }
        Selection::Everything => folder_count(conn, "queue", None),
    }
}

/// The orders counted under `kind`, by key: queues, owners' ids or months (`2026-11`).
pub fn counts_by_key(conn: &mut Conn, kind: &str) -> Result<Vec<(String, i64)>> {
    let mut counts: std::collections::BTreeMap<String, i64> = std::collections::BTreeMap::new();
    for (key, count) in counter_rows(conn, kind)? {
        *counts.entry(key).or_default() += count;
    }
    Ok(counts.into_iter().collect())
}

fn folder_count(conn: &mut Conn, kind: &str, key: Option<&str>) -> Result<i64> {
    let counts = counts_by_key(conn, kind)?;
    Ok(counts.iter().filter(|(counted, _)| key.is_none_or(|key| counted == key)).map(|(_, count)| count).sum())
}

/// Whether there is such an order.
pub fn exists(conn: &mut Conn, id: OrderId) -> Result<bool> {
    Ok(diesel::select(diesel::dsl::exists(orders::table.find(id.0))).get_result(conn)?)
}

/// Whether there is no order at all.
pub fn is_empty(conn: &mut Conn) -> Result<bool> {
    Ok(orders::table.select(orders::order_id).first::<i64>(conn).optional()?.is_none())
}
