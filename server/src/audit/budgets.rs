//! Budgets of rows about customers that a member may read in a clock hour (UTC), and the rows that are noted and not written yet.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DurationRound, TimeDelta};

use super::errors::AuditError;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// The hour in which `at` lies.
pub fn hour_of(at: Timestamp) -> Timestamp {
    // Only instants whose nanoseconds exceed 64 bits cannot be rounded: those before 1678 and after 2261.
    at.duration_trunc(TimeDelta::hours(1)).map_or(at, Timestamp::from)
}

/// Returns true if so many rows of an hour reach the budget; 0 sets none.
pub fn is_reached(rows: i64, rows_per_hour: i64) -> bool {
    rows_per_hour > 0 && rows >= rows_per_hour
}

/// Refuses a read in an hour in which so many rows have reached the budget.
///
/// # Errors
/// [`AuditError::RowBudgetReached`], until the hour is over.
pub fn check(rows: i64, rows_per_hour: i64, now: Timestamp) -> Result<(), AuditError> {
    if !is_reached(rows, rows_per_hour) {
        return Ok(());
    }
    let left = hour_of(now) + TimeDelta::hours(1) - now;
    let seconds = u64::try_from(left.num_milliseconds()).unwrap_or(0).div_ceil(1_000).max(1);
    Err(AuditError::RowBudgetReached { rows_per_hour, minutes: seconds.div_ceil(60), seconds })
}

/// The text in the audit when a budget is reached.
pub fn summary(rows: i64, rows_per_hour: i64) -> String {
    format!("{rows} rows in an hour, with a budget of {rows_per_hour}")
}

/// The rows that this node has noted and not written yet, by member and hour.
#[derive(Clone, Debug, Default)]
pub struct Unwritten(Arc<Mutex<HashMap<(Timestamp, StaffId), i64>>>);

impl Unwritten {
    /// Adds `rows`, unless they and the `written` ones of the hour have reached the budget before.
    ///
    /// # Errors
    /// [`AuditError::RowBudgetReached`].
    pub fn admit(
        &self,
        staff_id: StaffId,
        rows: i64,
        written: i64,
        rows_per_hour: i64,
        now: Timestamp,
    ) -> Result<(), AuditError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unwritten = all.get(&(hour_of(now), staff_id)).copied().unwrap_or(0);
        check(written + unwritten, rows_per_hour, now)?;
        *all.entry((hour_of(now), staff_id)).or_default() += rows;
        Ok(())
    }

    /// Removes rows that are written.
    pub fn remove(&self, hour: Timestamp, staff_id: StaffId, rows: i64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unwritten) = all.get_mut(&(hour, staff_id)) {
            *unwritten -= rows;
            if *unwritten <= 0 {
                all.remove(&(hour, staff_id));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::EPOCH + TimeDelta::seconds(seconds)
    }

    #[test]
    fn a_budget_is_reached_with_its_last_row_and_refuses_until_the_hour_is_over() {
        assert_eq!(hour_of(at(3_599)), at(0));
        assert_eq!(hour_of(at(3_600)), at(3_600));
        assert!(check(99, 100, at(0)).is_ok());
        assert!(check(1_000_000, 0, at(0)).is_ok(), "0 sets no budget");
        let refused = |now| match check(100, 100, now) {
            Err(AuditError::RowBudgetReached { minutes, seconds, .. }) => (minutes, seconds),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(at(0)), (60, 3_600));
        assert_eq!(refused(at(3_599) + TimeDelta::milliseconds(999)), (1, 1));
    }

    #[test]
    fn rows_that_are_not_written_yet_count_until_they_are() {
        let (unwritten, budi, ayu) = (Unwritten::default(), StaffId(2), StaffId(1));
        assert!(unwritten.admit(budi, 60, 0, 100, at(0)).is_ok());
        assert!(unwritten.admit(budi, 60, 0, 100, at(1)).is_ok(), "the read that reaches the budget is answered");
        let is_refused = |written| {
            let admitted = unwritten.admit(budi, 1, written, 100, at(2));
            matches!(admitted, Err(AuditError::RowBudgetReached { rows_per_hour: 100, minutes: 60, seconds: 3_598 }))
        };
        assert!(is_refused(0));
        assert!(unwritten.admit(ayu, 1, 0, 100, at(2)).is_ok(), "each member has a budget");
        assert!(unwritten.admit(budi, 1, 0, 100, at(3_600)).is_ok(), "and each hour");
        unwritten.remove(at(0), budi, 60);
        assert!(is_refused(40), "40 on another node");
        assert!(unwritten.admit(budi, 1, 39, 100, at(2)).is_ok());
    }
}
