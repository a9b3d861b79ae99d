//! Where a page far behind in a list begins. The counters of each month and day of creation say how many orders come before a day, so only
//! the orders of one day are skipped in the index.

use chrono::{Days, NaiveDate, NaiveTime};

use super::counters::counters_between;
use crate::db::Conn;
use crate::error::Result;
use crate::timestamp::Timestamp;

/// The place from which a page is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageStart {
    /// The orders created before this instant follow.
    pub before: Timestamp,
    /// The number of them that come before the page.
    pub skip: i64,
}

/// Finds row `start` of a list, counted from 0. `list` is the list's name in the counters. None: the list is empty.
pub fn find_entry(conn: &mut Conn, list: &str, start: i64) -> Result<Option<PageStart>> {
    let months = counters_between(conn, &format!("created month of {list}"), "", "9")?;
    let Some((month, skip)) = period_of(months, start) else { return Ok(None) };
    let (first, last) = (format!("{month}-01"), format!("{month}-31"));
    let days = counters_between(conn, &format!("created day of {list}"), &first, &last)?;
    let Some((day, skip)) = period_of(days, skip) else { return Ok(None) };
    let next = day.parse::<NaiveDate>().ok().and_then(|day| day.checked_add_days(Days::new(1)));
    Ok(next.map(|next| PageStart { before: next.and_time(NaiveTime::MIN).and_utc().into(), skip }))
}

/// Of periods by the number of their orders, the one that holds the row `start` of all of them, the latest first, and how many rows of it
/// come before. A row past the end is in the first period.
fn period_of(periods: Vec<(String, i64)>, start: i64) -> Option<(String, i64)> {
    let mut skip = start;
    let mut periods = periods.into_iter().rev().peekable();
    while let Some((period, count)) = periods.next() {
        if skip < count || periods.peek().is_none() {
            return Some((period, skip));
        }
        skip -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_in_the_period_that_the_later_ones_lead_up_to() {
        let periods = || vec![("2026-01".to_owned(), 3), ("2026-02".to_owned(), 0), ("2026-03".to_owned(), 2)];
        for (start, month, skip) in [(0, "03", 0), (1, "03", 1), (2, "01", 0), (4, "01", 2), (5, "01", 3), (9, "01", 7)]
        {
            assert_eq!(period_of(periods(), start), Some((format!("2026-{month}"), skip)), "row {start}");
        }
        assert_eq!(period_of(Vec::new(), 0), None);
    }
}
