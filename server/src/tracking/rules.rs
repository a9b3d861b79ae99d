//! The life of a grant, and the rate limit of guesses. Pure.

use chrono::TimeDelta;

use crate::config::Limits;
use crate::http::address::Network;
use crate::http::failed_attempts::RateLimit;

/// The life of a grant.
pub const GRANT_LIFE: TimeDelta = TimeDelta::minutes(30);

/// The rate limit of guesses at an order's email. Guesses at orders that do not exist count alike.
pub fn tracking_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "track",
        refusal: "Too many tries",
        failures_per_address: limits.tracks_per_address,
        network: Network::Subscriber,
        free_failures: limits.wrong_emails_per_order,
        window: TimeDelta::minutes(15),
        wait_after,
    }
}

/// How many subscribers of one site may guess as much as they can.
const SUBSCRIBERS_PER_SITE: u32 = 4;

/// The rate limit of guesses with one email, over all orders. Order numbers are consecutive, so an attacker who knows an applicant's
/// email could otherwise find the order. The limit per order applies as well.
pub fn email_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "track-email",
        refusal: "Too many tries",
        failures_per_address: limits.tracks_per_address.saturating_mul(SUBSCRIBERS_PER_SITE),
        network: Network::Site,
        free_failures: limits.wrong_tries_per_email,
        window: EMAIL_WINDOW,
        wait_after: |failures, free| (failures >= free).then_some(EMAIL_WINDOW),
    }
}

/// How long wrong tries count for an email, and how long it then waits.
const EMAIL_WINDOW: TimeDelta = TimeDelta::hours(1);

/// The wait of an order after that many wrong emails: from the `free`th on 15, 30, and then 60 minutes.
fn wait_after(failures: u32, free: u32) -> Option<TimeDelta> {
    let over = failures.checked_sub(free)?;
    Some(TimeDelta::minutes(15 << over.min(2)))
}

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
}
