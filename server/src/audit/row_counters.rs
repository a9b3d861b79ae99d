//! The number of rows about customers that each member has read in each clock hour, on all nodes together.

use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::row_counters;
use crate::error::Result;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// A budget that a member has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable)]
pub struct ReachedBudget {
    pub hour: Timestamp,
    pub staff_id: StaffId,
    pub row_count: i64,
    pub rows_per_hour: i64,
}

/// Adds rows that a member has read in the hour. Returns the sum.
pub fn add(tx: &mut Conn, hour: Timestamp, staff_id: StaffId, rows: i64) -> Result<i64> {
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(row_counters::table)
                .values((
                    row_counters::hour.eq(hour),
                    row_counters::staff_id.eq(staff_id),
                    row_counters::row_count.eq(rows),
                ))
                .on_conflict((row_counters::hour, row_counters::staff_id))
                .do_update()
                .set(row_counters::row_count.eq(row_counters::row_count + rows))
                .returning(row_counters::row_count)
                .get_result($tx)?
        };
    }
    Ok(match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    })
}

/// Records that the member has reached the budget of the hour. Returns whether that is new.
pub fn set_reached(
    tx: &mut Conn,
    hour: Timestamp,
    staff_id: StaffId,
    rows_per_hour: i64,
    now: Timestamp,
) -> Result<bool> {
    let counter = row_counters::table.find((hour, staff_id)).filter(row_counters::reached_at.is_null());
    let set = (row_counters::rows_per_hour.eq(rows_per_hour), row_counters::reached_at.eq(now));
    Ok(diesel::update(counter).set(set).execute(tx)? > 0)
}

/// The rows that the member has read in the hour, as far as they are written.
pub fn find(conn: &mut Conn, hour: Timestamp, staff_id: StaffId) -> Result<i64> {
    let counted = row_counters::table.find((hour, staff_id)).select(row_counters::row_count);
    Ok(counted.first(conn).optional()?.unwrap_or(0))
}

/// The budgets that were reached since the hour `from`, the newest first.
pub fn list_reached(conn: &mut Conn, from: Timestamp) -> Result<Vec<ReachedBudget>> {
    let reached =
        row_counters::table.filter(row_counters::hour.ge(from)).filter(row_counters::reached_at.is_not_null());
    let newest_first = (row_counters::hour.desc(), row_counters::row_count.desc(), row_counters::staff_id);
    // The table requires a budget where one was reached.
    let budget = row_counters::rows_per_hour.assume_not_null();
    let columns = (row_counters::hour, row_counters::staff_id, row_counters::row_count, budget);
    Ok(reached.order(newest_first).select(columns).load(conn)?)
}

/// Deletes the counters of hours before `before`: a few for each member. Returns how many.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    Ok(diesel::delete(row_counters::table.filter(row_counters::hour.lt(before))).execute(tx)?)
}
