//! Calendar days in the agency's time zone, and periods of them. Pure.

use std::ops::RangeInclusive;

use chrono::{Datelike, Months, NaiveDate, NaiveTime, TimeDelta, TimeZone};
use chrono_tz::Tz;
use derive::Reason;

use crate::error::Result;
use crate::timestamp::Timestamp;

/// Why a day or a period is refused.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum CalendarError {
    #[error("Please choose the {0} date")]
    DateMissing(String),
    #[error("The {0} date is not a date. Please write it as 2026-01-31")]
    InvalidDate(String),
    #[error("The from date is after the to date. Please choose an earlier from date")]
    PeriodReversed,
    #[error("Please choose dates that are at most {MAX_YEARS} years apart")]
    PeriodTooLong,
}

/// The years that a day may lie in.
const YEARS: RangeInclusive<i32> = 1900..=2100;

/// The months of a year, as lists and reports name them.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The name of the month that `day` lies in.
pub fn month_name(day: NaiveDate) -> &'static str {
    MONTHS[day.month0() as usize]
}

/// The most years of one report.
const MAX_YEARS: u32 = 10;

/// From one day to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

impl Days {
    /// The period of a form.
    ///
    /// # Errors
    /// [`CalendarError`].
    pub fn read(from: Option<&str>, to: Option<&str>) -> Result<Self> {
        let given = |text: Option<&str>, name: &str| {
            let text = text.map(str::trim).filter(|text| !text.is_empty());
            let text = text.ok_or_else(|| CalendarError::DateMissing(name.into()))?;
            day(text, name)
        };
        let days = Self { from: given(from, "from")?, to: given(to, "to")? };
        if days.from > days.to {
            return Err(CalendarError::PeriodReversed.into());
        }
        if days.from.checked_add_months(Months::new(12 * MAX_YEARS)).is_none_or(|latest| days.to > latest) {
            return Err(CalendarError::PeriodTooLong.into());
        }
        Ok(days)
    }

    /// The instants of these days in `zone`, as UTC: from the first up to, not including, the second.
    pub fn instants(self, zone: Tz) -> (Timestamp, Timestamp) {
        (start(self.from, zone), end(self.to, zone))
    }
}

/// A day as YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY. `name` names it in the error.
///
/// # Errors
/// [`CalendarError::InvalidDate`].
pub fn day(text: &str, name: &str) -> Result<NaiveDate> {
    let number = |range: std::ops::Range<usize>| -> Option<u32> {
        let part = text.get(range)?;
        if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
    };
    let marks = (text.as_bytes().get(2), text.as_bytes().get(4), text.as_bytes().get(5), text.as_bytes().get(7));
    let parts = match (text.len(), marks) {
        (10, (_, Some(b'-'), _, Some(b'-'))) => (number(0..4), number(5..7), number(8..10)),
        (10, (Some(b'/'), _, Some(b'/'), _)) => (number(6..10), number(0..2), number(3..5)),
        (10, (Some(b'-'), _, Some(b'-'), _)) => (number(6..10), number(3..5), number(0..2)),
        _ => (None, None, None),
    };
    let date = match parts {
        (Some(year), Some(month), Some(day)) => {
            let year = i32::try_from(year).ok().filter(|year| YEARS.contains(year));
            year.and_then(|year| NaiveDate::from_ymd_opt(year, month, day))
        }
        _ => None,
    };
    date.ok_or_else(|| CalendarError::InvalidDate(name.into()).into())
}

/// When a day begins in `zone`, as UTC.
pub fn start(day: NaiveDate, zone: Tz) -> Timestamp {
    let midnight = day.and_time(NaiveTime::MIN);
    // Clocks have skipped midnight, and once a whole day: the day begins where they land.
    let landed = (0..=48)
        .find_map(|half_hours| zone.from_local_datetime(&(midnight + TimeDelta::minutes(30 * half_hours))).earliest());
    landed.map_or(midnight.and_utc(), |at| at.to_utc()).into()
}

/// When a day ends in `zone`, as UTC.
pub fn end(day: NaiveDate, zone: Tz) -> Timestamp {
    start(day.succ_opt().unwrap_or(day), zone)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(from: &str, to: &str) -> Result<(String, String), String> {
        let days = Days::read(Some(from), Some(to)).map_err(|error| error.message())?;
        Ok((days.from.to_string(), days.to.to_string()))
    }

    #[test]
    fn a_date_is_read_in_three_spellings() {
        let last_day = Ok(("2026-01-31".to_owned(), "2026-01-31".to_owned()));
        for spelled in ["2026-01-31", "01/31/2026", "31-01-2026", " 2026-01-31 "] {
            assert_eq!(read(spelled, "2026-01-31"), last_day, "{spelled}");
        }
        assert_eq!(
            read("02/03/2026", "2026-03-02").map(|days| days.0),
            Ok("2026-02-03".into()),
            "the month comes first"
        );
        assert_eq!(read("02-03-2026", "2026-03-02").map(|days| days.0), Ok("2026-03-02".into()), "the day comes first");
        assert!(read("2024-02-29", "2024-02-29").is_ok());
        assert!(read("2023-02-29", "2024-02-29").is_err_and(|message| message.contains("from date is not a date")));
    }

    #[test]
    fn the_days_are_in_order_and_at_most_ten_years_apart() {
        assert!(read("2016-03-01", "2026-03-01").is_ok());
        assert!(read("2016-02-29", "2026-03-01").is_err_and(|message| message.contains("10 years")));
        assert!(read("2026-03-02", "2026-03-01").is_err_and(|message| message.contains("after the to date")));
        assert_eq!(
            Days::read(None, Some("2026-03-01")).map_err(|error| error.message()),
            Err("Please choose the from date".into())
        );
        assert_eq!(read("2026-03-01", " "), Err("Please choose the to date".into()));
    }

    #[test]
    fn days_begin_and_end_in_the_zone_whatever_its_clocks_do() {
        let instants = |day: &str, zone: Tz| {
            let day = day.parse().expect("a date");
            let (from, until) = Days { from: day, to: day }.instants(zone);
            (from.naive_utc().to_string(), until.naive_utc().to_string())
        };
        let pair = |from: &str, until: &str| (from.to_owned(), until.to_owned());
        assert_eq!(
            instants("2026-01-31", chrono_tz::Asia::Jakarta),
            pair("2026-01-30 17:00:00", "2026-01-31 17:00:00")
        );
        // 23 hours, and a day that begins at one o'clock.
        assert_eq!(
            instants("2026-03-08", chrono_tz::America::New_York),
            pair("2026-03-08 05:00:00", "2026-03-09 04:00:00")
        );
        assert_eq!(
            instants("2018-11-04", chrono_tz::America::Sao_Paulo),
            pair("2018-11-04 03:00:00", "2018-11-05 02:00:00")
        );
        // Samoa left this day out.
        assert_eq!(
            instants("2011-12-30", chrono_tz::Pacific::Apia),
            pair("2011-12-30 10:00:00", "2011-12-30 10:00:00")
        );
    }
}
