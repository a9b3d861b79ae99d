//! The only source of time. All other code takes instants as arguments, so that tests can shift them.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, FixedOffset, NaiveDate, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;

use crate::timestamp::Timestamp;

/// The fixed offset that the product calls EST: −05:00 all year, whatever a time zone database says.
pub fn est() -> FixedOffset {
    const { FixedOffset::west_opt(5 * 3600).expect("five hours are less than a day") }
}

/// Tells the time. Clones share their shift.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    shift_microseconds: Arc<AtomicI64>,
    stopped_at: Arc<OnceLock<DateTime<Utc>>>,
}

impl Clock {
    /// The instant, at microseconds: the precision that both databases keep.
    pub fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the system's clock")]
        let now = self.stopped_at.get().copied().unwrap_or_else(Utc::now);
        let now = now + TimeDelta::microseconds(self.shift_microseconds.load(Ordering::Relaxed));
        now.with_nanosecond(now.nanosecond() / 1_000 * 1_000).unwrap_or(now).into()
    }

    /// The calendar day in `zone`.
    pub fn today(&self, zone: Tz) -> NaiveDate {
        self.now().with_timezone(&zone).date_naive()
    }

    /// Stops this clock and all its clones, for tests of exact durations. [`Clock::shift`] still moves them.
    pub fn stop(&self) {
        #[expect(clippy::disallowed_methods, reason = "a stopped clock shows the system's time of the stop")]
        self.stopped_at.get_or_init(Utc::now);
    }

    /// Moves this clock and all its clones forward (or back), for tests of what happens later.
    pub fn shift(&self, by: TimeDelta) {
        self.shift_microseconds.fetch_add(by.num_microseconds().unwrap_or(i64::MAX), Ordering::Relaxed);
    }
}
