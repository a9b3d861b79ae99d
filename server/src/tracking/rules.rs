//! How long a grant lasts, and how guessing is slowed down. Pure.

use chrono::TimeDelta;

use crate::config::Limits;
use crate::http::failed_attempts::RateLimit;

/// What is told to whoever has not confirmed an order's email, whatever they ask for.
pub const CONFIRM: &str = "Please confirm the email used on the application";

/// How long a grant lasts.
pub const GRANT_LASTS: TimeDelta = TimeDelta::minutes(30);

/// How guessing at an order's email is slowed down. Guesses at orders that are not there count alike.
pub fn tracking_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "track",
        refusal: "Too many tries",
        failures_per_address: limits.tracks_per_address,
        free_failures: limits.wrong_emails_per_order,
        window: TimeDelta::minutes(15),
        wait_after,
    }
}

/// How long an order waits after that many wrong emails: from the `free`th on 15, 30, and then 60 minutes.
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
