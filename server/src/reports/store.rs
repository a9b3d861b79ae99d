//! Counts over a range of days: one query each, which reads the rows of the range alone.

use chrono::NaiveDateTime;
use diesel::dsl::{case_when, count, count_star};
use diesel::prelude::*;
use diesel::sql_types::Integer;

use crate::db::Conn;
use crate::db::schema::{orders, staff};
use crate::error::Result;
use crate::orders::rules::{ProcessStatus, ProcessingMode};

/// The orders of one nationality. The three parts add up to the count.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Country {
    pub nationality: Option<String>,
    pub count: i64,
    pub standard: i64,
    pub priority: i64,
    pub future: i64,
}

/// Orders that came in from the first instant up to the second, by nationality: all but unpaid and deleted ones.
pub fn countries(conn: &mut Conn, (from, until): (NaiveDateTime, NaiveDateTime)) -> Result<Vec<Country>> {
    let one = || 1.into_sql::<Integer>();
    let waits = || orders::process_status.eq(ProcessStatus::Future);
    let of_mode =
        |mode: ProcessingMode| orders::process_status.ne(ProcessStatus::Future).and(orders::processing_mode.eq(mode));
    let counted = orders::table
        .filter(orders::created_at.ge(from))
        .filter(orders::created_at.lt(until))
        .filter(orders::process_status.ne(ProcessStatus::Pending))
        .filter(orders::process_status.ne(ProcessStatus::Deleted))
        .group_by(orders::nationality)
        .select((
            orders::nationality,
            count_star(),
            count(case_when(of_mode(ProcessingMode::Regular), one())),
            count(case_when(of_mode(ProcessingMode::Priority), one())),
            count(case_when(waits(), one())),
        ));
    Ok(counted.load(conn)?)
}

/// The orders that were completed last from the first instant up to the second, by who did it: ids, names and counts.
pub fn processed_by(conn: &mut Conn, (from, until): (NaiveDateTime, NaiveDateTime)) -> Result<Vec<(i64, String, i64)>> {
    let counted = orders::table
        .inner_join(staff::table.on(orders::processed_by.eq(staff::staff_id.nullable())))
        .filter(orders::processed_at.ge(from))
        .filter(orders::processed_at.lt(until))
        .group_by((staff::staff_id, staff::name))
        .select((staff::staff_id, staff::name, count_star()));
    Ok(counted.load(conn)?)
}
