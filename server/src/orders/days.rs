//! Counts of each of the last days: one query reads the rows of these days alone and groups them.

use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};

use super::counters::sum_between;
use super::rules::ProcessingMode;
use super::status::ProcessStatus;
use crate::db::Conn;
use crate::db::schema::{orders, payments};
use crate::error::Result;
use crate::ids::StaffId;
use crate::on_either;
use crate::timestamp::Timestamp;

/// The most deliveries whose times are read.
const MAX_DELIVERIES: i64 = 5_000;

/// Orders of a day, with payments of one currency.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct ReceivedOrders {
    /// The place of the day's beginning in the list of days.
    #[diesel(sql_type = Integer)]
    pub day: i32,
    /// None: without a payment.
    #[diesel(sql_type = Nullable<Text>)]
    pub currency: Option<String>,
    #[diesel(sql_type = BigInt)]
    pub orders: i64,
    /// In the currency's smallest unit.
    #[diesel(sql_type = Nullable<BigInt>)]
    pub amount_minor: Option<i64>,
}

/// Orders of a day.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct CompletedOrders {
    #[diesel(sql_type = Integer)]
    pub day: i32,
    #[diesel(sql_type = BigInt)]
    pub orders: i64,
}

/// The day of `column` as the place of its beginning in `starts`, which ascend; and the condition that it has one. A day is as long as
/// the zone's clocks make it, so no arithmetic of the database decides.
fn day_of(column: &str, starts: &[Timestamp], until: Timestamp) -> (String, String) {
    // As SQLite stores an instant; PostgreSQL reads it, too.
    let text = |at: Timestamp| format!("'{}'", at.format("%F %T%.f"));
    let mut day = "CASE".to_owned();
    for (place, start) in starts.iter().enumerate().rev() {
        day += &format!(" WHEN {column} >= {} THEN {place}", text(*start));
    }
    let first = starts.first().copied().unwrap_or(until);
    (day + " END", format!("{column} >= {} AND {column} < {}", text(first), text(until)))
}

macro_rules! load {
    ($conn:expr, $query:expr) => {
        match $conn {
            Conn::Sqlite(conn) => diesel::sql_query($query).load(conn)?,
            Conn::Postgres(conn) => diesel::sql_query($query).load(conn)?,
        }
    };
}

/// Counts the orders received on the days that begin at `starts`, the last one up to `until`, without unpaid and deleted ones, and adds
/// their payments up.
pub fn received(conn: &mut Conn, starts: &[Timestamp], until: Timestamp) -> Result<Vec<ReceivedOrders>> {
    let (day, is_within) = day_of("created_at", starts, until);
    let is_reported = ProcessStatus::condition(ProcessStatus::is_reported);
    let query = format!(
        "SELECT {day} AS day, currency, COUNT(*) AS orders, CAST(SUM(amount_minor) AS BIGINT) AS amount_minor
         FROM orders LEFT JOIN payments ON payments.order_id = orders.order_id
         WHERE {is_within} AND {is_reported} GROUP BY 1, 2"
    );
    Ok(load!(conn, query))
}

/// Counts the orders that were last completed on the days that begin at `starts`, the last one up to `until`.
pub fn completed(conn: &mut Conn, starts: &[Timestamp], until: Timestamp) -> Result<Vec<CompletedOrders>> {
    let (day, is_within) = day_of("processed_at", starts, until);
    let query = format!("SELECT {day} AS day, COUNT(*) AS orders FROM orders WHERE {is_within} GROUP BY 1");
    Ok(load!(conn, query))
}

/// A delivered order: its mode, when it was paid and when it was completed.
pub type DeliveredOrder = (ProcessingMode, Timestamp, Option<Timestamp>);

/// Lists the newest deliveries from the first instant up to the second, at most 5,000.
pub fn deliveries(conn: &mut Conn, (from, until): (Timestamp, Timestamp)) -> Result<Vec<DeliveredOrder>> {
    let rows = orders::table
        .inner_join(payments::table)
        .filter(orders::processed_at.ge(from))
        .filter(orders::processed_at.lt(until))
        .order(orders::processed_at.desc())
        .select((orders::processing_mode, payments::paid_at, orders::processed_at));
    Ok(rows.limit(MAX_DELIVERIES).load(conn)?)
}

/// Counts the open orders of the member, and those that the member completed last from the first instant up to the second.
pub fn count_own(conn: &mut Conn, staff_id: StaffId, (from, until): (Timestamp, Timestamp)) -> Result<(i64, i64)> {
    let completed = orders::table
        .filter(orders::processed_at.ge(from))
        .filter(orders::processed_at.lt(until))
        .filter(orders::processed_by.eq(staff_id));
    let key = staff_id.to_string();
    let open = sum_between("owner", &key, &key);
    Ok(on_either!(conn => completed.select((open, count_star())).get_result(conn)?))
}
