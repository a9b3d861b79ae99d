//! Days and instants as people and programs write them. A text that could be two days is none. Pure.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::characters::plain_number;
use crate::timestamp::Timestamp;

/// The years that eight digits may begin with. Others are a day and a month.
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2100;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The times of day that ISO 8601 allows, with seconds and without.
const TIMES: [&str; 2] = ["%H:%M:%S%.f", "%H:%M"];

/// A date that must exist in the calendar.
pub const fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    match NaiveDate::from_ymd_opt(year, month, day) {
        Some(date) => date,
        None => NaiveDate::MIN,
    }
}

/// A date as YYYY-MM-DD, and in no other form.
pub fn parse_date(text: &str) -> Option<NaiveDate> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if shape { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

/// An instant in ISO 8601 at microseconds, in UTC if it names no zone. A bare date is its midnight.
pub fn parse_instant(text: &str) -> Option<Timestamp> {
    let at = if let Some(date) = parse_date(text) {
        date.and_time(NaiveTime::MIN)
    } else if let Ok(at) = text.parse::<Timestamp>() {
        at.naive_utc()
    } else {
        let without_zone = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
        without_zone.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())?
    };
    stored(at)
}

/// An instant at the microseconds that the databases store. None: a leap second, which they do not store.
fn stored(at: NaiveDateTime) -> Option<Timestamp> {
    let nanosecond = at.nanosecond();
    if nanosecond >= 1_000_000_000 {
        return None;
    }
    Some(at.with_nanosecond(nanosecond / 1_000 * 1_000)?.and_utc().into())
}

/// Reads an instant as programs write it: also without seconds, and with an offset without a colon.
pub fn read_instant(text: &str) -> Option<Timestamp> {
    parse_instant(text).or_else(|| stored(zoned(text).map(|at| at.naive_utc()).or_else(|| unzoned(text))?))
}

fn zoned(text: &str) -> Option<DateTime<FixedOffset>> {
    ["T", " "].iter().find_map(|between| {
        TIMES.iter().find_map(|time| DateTime::parse_from_str(text, &format!("%Y-%m-%d{between}{time}%#z")).ok())
    })
}

fn unzoned(text: &str) -> Option<NaiveDateTime> {
    ["T", " "].iter().find_map(|between| {
        TIMES.iter().find_map(|time| NaiveDateTime::parse_from_str(text, &format!("%Y-%m-%d{between}{time}")).ok())
    })
}

/// Reads a day in any form that leaves one reading: the year first, a day above twelve, or the month as a word.
pub fn read_day(typed: &str) -> Option<NaiveDate> {
    let text = plain_number(typed);
    parse_date(&text)
        .or_else(|| day_of_instant(&text))
        .or_else(|| of_eight_digits(&text))
        .or_else(|| of_numbers(&text))
        .or_else(|| of_words(&text))
}

/// The day of a date with a time. A zone is understood at midnight alone: another time may belong to the day before or after.
fn day_of_instant(text: &str) -> Option<NaiveDate> {
    match zoned(text) {
        Some(at) => (at.time() == NaiveTime::MIN).then(|| at.date_naive()),
        None => unzoned(text).map(|at| at.date()),
    }
}

fn of_eight_digits(text: &str) -> Option<NaiveDate> {
    let is_plain = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let year = i32::try_from(number(0, 4)?).ok().filter(|year| is_plain && YEARS.contains(year))?;
    NaiveDate::from_ymd_opt(year, number(4, 6)?, number(6, 8)?)
}

fn of_numbers(text: &str) -> Option<NaiveDate> {
    let separator = text.chars().find(|one| "-/.".contains(*one))?;
    let parts: Vec<&str> = text.split(separator).map(str::trim).collect();
    let [first, second, third] = parts[..] else { return None };
    if let Some(year) = year(first) {
        return NaiveDate::from_ymd_opt(year, short(second)?, short(third)?);
    }
    let (year, first, second) = (year(third)?, short(first)?, short(second)?);
    let day_first = NaiveDate::from_ymd_opt(year, second, first);
    let month_first = NaiveDate::from_ymd_opt(year, first, second);
    match (day_first, month_first) {
        (Some(one), Some(other)) => (one == other).then_some(one),
        (one, other) => one.or(other),
    }
}

fn of_words(text: &str) -> Option<NaiveDate> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split([' ', '-', '/', ',', '.']).filter(|word| !word.is_empty()).collect();
    let (day, month, year) = match words[..] {
        [one, two, three] if month(two).is_some() => year(three).map_or((three, two, one), |_| (one, two, three)),
        [one, two, three] if month(one).is_some() => (two, one, three),
        _ => return None,
    };
    let day = ["st", "nd", "rd", "th"].iter().find_map(|end| day.strip_suffix(end)).unwrap_or(day);
    NaiveDate::from_ymd_opt(self::year(year)?, self::month(month)?, short(day)?)
}

/// A month by its English name, or its first three letters.
fn month(word: &str) -> Option<u32> {
    let is_it = |name: &str| name == word || name.get(..3) == Some(word) || (name == "september" && word == "sept");
    MONTHS.iter().zip(1..).find_map(|(name, number)| is_it(name).then_some(number))
}

/// A year of four digits.
fn year(text: &str) -> Option<i32> {
    (text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// A day or a month of one or two digits.
fn short(text: &str) -> Option<u32> {
    ((1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_in_one_form_only() {
        assert_eq!(parse_date("2026-02-28"), Some(day(2026, 2, 28)));
        for odd in [
            "2026-02-29",
            "2026-2-8",
            "28-02-2026",
            "02/28/2026",
            "20260228",
            "2026-02-28T",
            "+2026-02-2",
            "0000-00-00",
            "２０２６-02-28",
        ] {
            assert_eq!(parse_date(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_instant_is_utc_at_microseconds() {
        let at = |text| parse_instant(text).map(|at| at.naive_utc().to_string());
        assert_eq!(at("2026-01-31T13:45:00+07:00").as_deref(), Some("2026-01-31 06:45:00"));
        assert_eq!(at("2026-01-31 13:45:00").as_deref(), Some("2026-01-31 13:45:00"));
        assert_eq!(at("2026-01-31T13:45:00.123456789Z").as_deref(), Some("2026-01-31 13:45:00.123456"));
        assert_eq!(at("2026-01-31").as_deref(), Some("2026-01-31 00:00:00"));
        for odd in ["2026-01-31T25:00:00Z", "2026-01-31T13:45", "1769866800", "2026-06-30T23:59:60Z", "yesterday"] {
            assert_eq!(at(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_instant_of_a_program_is_read_without_seconds_and_colons() {
        let at = |text| read_instant(text).map(|at| at.naive_utc().to_string());
        assert_eq!(at("2026-05-01T10:00").as_deref(), Some("2026-05-01 10:00:00"));
        assert_eq!(at("2026-05-01T10:00:00+0700").as_deref(), Some("2026-05-01 03:00:00"));
        assert_eq!(at("2026-05-01 10:00Z").as_deref(), Some("2026-05-01 10:00:00"));
        for odd in ["2026-05-01 10:00:00 IST", "05/01/2026", "1769866800", "2026-06-30T23:59:60"] {
            assert_eq!(at(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_day_is_read_if_it_can_be_one_day_only() {
        for (typed, is) in [
            ("2026-02-28", (2026, 2, 28)),
            ("２０２６-2-8", (2026, 2, 8)),
            ("2031/04/12", (2031, 4, 12)),
            ("20270501", (2027, 5, 1)),
            ("2027-05-01T10:00", (2027, 5, 1)),
            ("1990-04-12T00:00:00.000Z", (1990, 4, 12)),
            ("25/12/1990", (1990, 12, 25)),
            ("12/25/1990", (1990, 12, 25)),
            ("5.5.1990", (1990, 5, 5)),
            ("12 April 1990", (1990, 4, 12)),
            ("Apr 12, 2031", (2031, 4, 12)),
            ("1990-Sept-3rd", (1990, 9, 3)),
        ] {
            assert_eq!(read_day(typed), Some(day(is.0, is.1, is.2)), "{typed}");
        }
        for unclear in [
            "04/12/1990",
            "04121990",
            "25/12/31",
            "1990-04-11T17:00:00.000Z",
            "1900-02-29",
            "see passport",
            "end of May",
            "12 Abril 1990",
            "31/04/1990",
            "April 1990",
            "0412",
            "",
        ] {
            assert_eq!(read_day(unclear), None, "{unclear}");
        }
    }
}
