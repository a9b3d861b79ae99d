//! The numbers of the home screen: orders received and completed on each of the last days, payments, and times to delivery.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;

use super::rules::median;
use crate::calendar;
use crate::db::Conn;
use crate::error::Result;
use crate::money::{Currency, Money};
use crate::orders::days::{self, DeliveredOrder};
use crate::orders::rules::ProcessingMode;
use crate::timestamp::Timestamp;

/// The number of days that are counted, today included.
const DAYS: u64 = 30;

/// A day, and how many orders were received and completed on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayNumbers {
    pub day: NaiveDate,
    pub received: i64,
    pub completed: i64,
}

/// The numbers of the last 30 days.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The oldest first; the last is today so far.
    pub days: Vec<DayNumbers>,
    /// The payments of the received orders, one sum for each currency.
    pub paid: Vec<Money>,
    /// Minutes from payment to completion; none without a delivery.
    pub median_minutes: Option<i64>,
    /// The same, of orders with priority processing.
    pub priority_median_minutes: Option<i64>,
}

/// Reads the numbers of the 30 days to `today`, which begin and end in `zone`. These are three statements: orders are received and
/// completed by different columns, each with an index, and databases share no median, so the deliveries are read one by one.
pub fn read(conn: &mut Conn, today: NaiveDate, zone: Tz) -> Result<Numbers> {
    let dates: Vec<NaiveDate> = (0..DAYS).rev().filter_map(|back| today.checked_sub_days(Days::new(back))).collect();
    let starts: Vec<Timestamp> = dates.iter().map(|day| calendar::start(*day, zone)).collect();
    let until = calendar::end(today, zone);
    let received = days::received(conn, &starts, until)?;
    let completed = days::completed(conn, &starts, until)?;
    let first = starts.first().copied().unwrap_or(until);
    let deliveries = days::deliveries(conn, (first, until))?;
    let days = dates.iter().enumerate().map(|(place, day)| {
        let is_of_day = |of: i32| usize::try_from(of) == Ok(place);
        DayNumbers {
            day: *day,
            received: received.iter().filter(|row| is_of_day(row.day)).map(|row| row.orders).sum(),
            completed: completed.iter().filter(|row| is_of_day(row.day)).map(|row| row.orders).sum(),
        }
    });
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for row in &received {
        if let (Some(currency), Some(minor)) = (&row.currency, row.amount_minor) {
            let sum = sums.entry(currency).or_default();
            *sum = sum.saturating_add(minor);
        }
    }
    let money = |(code, minor): (&str, i64)| Currency::parse(code).ok().map(|currency| Money { minor, currency });
    Ok(Numbers {
        days: days.collect(),
        paid: sums.into_iter().filter_map(money).collect(),
        median_minutes: median_minutes(&deliveries, |_| true),
        priority_median_minutes: median_minutes(&deliveries, |mode| mode == ProcessingMode::Priority),
    })
}

/// The median of the minutes from payment to completion. An order of an older system may have been completed before its payment was
/// recorded: it does not count.
fn median_minutes(deliveries: &[DeliveredOrder], is_counted: impl Fn(ProcessingMode) -> bool) -> Option<i64> {
    let minutes = deliveries.iter().filter(|(mode, ..)| is_counted(*mode)).filter_map(|(_, paid_at, completed_at)| {
        let minutes = ((*completed_at)? - *paid_at).num_minutes();
        (minutes >= 0).then_some(minutes)
    });
    median(minutes.collect())
}
