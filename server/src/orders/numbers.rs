//! Counts over a range of days: one query each, which reads the rows of the range alone.

use diesel::dsl::{case_when, count, count_star, sql};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Integer};

use super::rules::ProcessingMode;
use super::status::ProcessStatus;
use crate::db::schema::orders;
use crate::db::{Conn, plan_for_values};
use crate::error::Result;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// The orders of one nationality, as it was typed. The three parts add up to the count.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct NationalityOrders {
    pub nationality: Option<String>,
    pub count: i64,
    pub standard: i64,
    pub priority: i64,
    pub future: i64,
}

impl NationalityOrders {
    /// Adds those of another spelling.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.standard += other.standard;
        self.priority += other.priority;
        self.future += other.future;
    }
}

/// Orders that came in from the first instant up to the second, by nationality: all but unpaid and deleted ones.
pub fn nationalities(conn: &mut Conn, (from, until): (Timestamp, Timestamp)) -> Result<Vec<NationalityOrders>> {
    plan_for_values(conn)?;
    let one = || 1.into_sql::<Integer>();
    let waits = || orders::process_status.eq(ProcessStatus::Future);
    let of_mode =
        |mode: ProcessingMode| orders::process_status.ne(ProcessStatus::Future).and(orders::processing_mode.eq(mode));
    let counted = orders::table
        .filter(orders::created_at.ge(from))
        .filter(orders::created_at.lt(until))
        .filter(sql::<Bool>(&ProcessStatus::condition(ProcessStatus::is_reported)))
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

/// The orders that were completed last from the first instant up to the second, by the member who did it: ids and counts.
pub fn processed_by(conn: &mut Conn, (from, until): (Timestamp, Timestamp)) -> Result<Vec<(StaffId, i64)>> {
    plan_for_values(conn)?;
    let counted = orders::table
        .filter(orders::processed_at.ge(from))
        .filter(orders::processed_at.lt(until))
        .filter(orders::processed_by.is_not_null())
        .group_by(orders::processed_by)
        .select((orders::processed_by, count_star()))
        .load::<(Option<StaffId>, i64)>(conn)?;
    Ok(counted.into_iter().filter_map(|(member, orders)| Some((member?, orders))).collect())
}
