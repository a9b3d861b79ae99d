//! The life of a grant, the limits of codes, and the rate limits of guesses. Pure.

pub mod traces;

use chrono::TimeDelta;

use crate::config::Limits;
use crate::http::address::ClientNetwork;
use crate::http::failed_attempts::RateLimit;

/// The life of a grant.
pub const GRANT_LIFE: TimeDelta = TimeDelta::minutes(30);

/// The rate limit of guesses at an order's email. Guesses at orders that do not exist count alike.
pub fn tracking_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "track",
        refusal: "Too many tries",
        failures_per_address: limits.tracks_per_address,
        network: ClientNetwork::Subscriber,
        free_failures: limits.wrong_emails_per_order,
        window: TimeDelta::minutes(15),
        wait_after,
    }
}

/// The number of subscribers of one site who may each use up the limit of guesses per address.
const SUBSCRIBERS_PER_SITE: u32 = 4;

/// The rate limit of guesses with one email, over all orders. Order numbers are consecutive, so an attacker who knows an applicant's
/// email could otherwise find the order. The limit per order applies as well.
pub fn email_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "track-email",
        refusal: "Too many tries",
        failures_per_address: limits.tracks_per_address.saturating_mul(SUBSCRIBERS_PER_SITE),
        network: ClientNetwork::Site,
        free_failures: limits.wrong_tries_per_email,
        window: EMAIL_WINDOW,
        wait_after: |failures, free| (failures >= free).then_some(EMAIL_WINDOW),
    }
}

/// The time that wrong tries count for an email, and the time that the email must then wait.
const EMAIL_WINDOW: TimeDelta = TimeDelta::hours(1);

/// The wait of an order after that many wrong emails: from the `free`th on 15, 30, and then 60 minutes.
fn wait_after(failures: u32, free: u32) -> Option<TimeDelta> {
    let over = failures.checked_sub(free)?;
    Some(TimeDelta::minutes(15 << over.min(2)))
}

/// The time that a code is valid after it was requested.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);

/// The tries of one code.
pub const CODE_TRIES: i32 = 5;

/// The time that a mailed code counts against the limits of its order.
pub const CODES_COUNT_FOR: TimeDelta = TimeDelta::days(1);

/// The time that a code counts against the limit of all codes that strangers requested.
pub const STRANGERS_WINDOW: TimeDelta = TimeDelta::hours(1);

/// The mailed codes that count against the limits.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecentCodes {
    /// For the order, in a day.
    pub of_order: i64,
    /// Those of them that were asked for without one of the order's addresses.
    pub of_order_by_strangers: i64,
    /// For all orders, in an hour, asked for without one of the order's addresses.
    pub by_strangers: i64,
}

/// Another code may be mailed: three a day for an order, one of which is kept for requests that name one of its addresses, so that
/// strangers cannot use up an applicant's codes.
///
/// The odds of guessing: 5 tries of each of 3 codes a day, which is 15 in 1,000,000 (1 in 66,667) for one order and day, however many
/// addresses guess. Guessing at any order at all has, with the default of 30 codes an hour, 150 tries an hour: 1 in 6,667 for
/// each hour, in which 30 applicants get a mail that they did not ask for.
pub fn may_mail_code(recent: &RecentCodes, by_owner: bool, limits: &Limits) -> bool {
    let is_within = recent.of_order < CODES_PER_ORDER;
    let stranger_is_within = recent.of_order_by_strangers < CODES_PER_ORDER - KEPT_FOR_OWNER
        && recent.by_strangers < i64::from(limits.codes_per_hour);
    is_within && (by_owner || stranger_is_within)
}

/// The codes mailed for one order in a day.
const CODES_PER_ORDER: i64 = 3;

/// The codes of a day that only requests with one of the order's addresses get.
const KEPT_FOR_OWNER: i64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_fifth_wrong_email_on_an_order_waits_and_never_longer_than_an_hour() {
        let waits = |failures| wait_after(failures, 5).map(|wait| wait.num_minutes());
        assert_eq!(
            [1, 4, 5, 6, 7, 8, u32::MAX].map(waits),
            [None, None, Some(15), Some(30), Some(60), Some(60), Some(60)]
        );
    }

    #[test]
    fn an_order_gets_three_codes_a_day_and_strangers_leave_the_last_one() {
        let limits = crate::config::Config::default().limits;
        let mails = |of_order, of_order_by_strangers, by_strangers| {
            let recent = RecentCodes { of_order, of_order_by_strangers, by_strangers };
            [true, false].map(|by_owner| may_mail_code(&recent, by_owner, &limits))
        };
        assert_eq!(mails(0, 0, 0), [true, true]);
        assert_eq!(mails(2, 2, 2), [true, false]);
        assert_eq!(mails(2, 0, 0), [true, true]);
        assert_eq!(mails(3, 0, 0), [false, false]);
        assert_eq!(mails(0, 0, 30), [true, false], "strangers have asked for many codes of other orders");
    }
}
