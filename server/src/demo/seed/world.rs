//! The values that all histories share.

use chrono::{NaiveDate, TimeDelta};

use crate::config::ChargebackSettings as Terms;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// The three years that orders come from.
const SPAN: TimeDelta = TimeDelta::days(3 * 365);

/// Orders at work came at most this long ago.
const AT_WORK: TimeDelta = TimeDelta::days(30);

/// The values that all histories share.
#[derive(Clone, Debug)]
pub struct World {
    pub seed: u64,
    /// The number of orders in all.
    pub orders: u64,
    /// The start of `today`: everything in the histories happened before. Never the current time, which would make two seedings
    /// of one day differ.
    pub until: Timestamp,
    /// The agency's calendar day.
    pub today: NaiveDate,
    /// The time to respond to a chargeback.
    pub terms: Terms,
    /// Members of staff, by id.
    pub staff: Vec<StaffId>,
}

impl World {
    /// The running number of the oldest order at work: two fifths are, at most 4,000; those before it are done.
    pub fn first_at_work(&self) -> u64 {
        self.orders - (self.orders * 2 / 5).clamp(1, 4_000).min(self.orders)
    }

    /// The earliest that the order of the running number `number` comes. Instants rise with the number: those at work come evenly
    /// over [`AT_WORK`], or faster where the others do, and those before evenly over the rest of three years.
    pub fn starts_at(&self, number: u64) -> Timestamp {
        let (done, share) = (self.first_at_work(), self.share_at_work());
        let since = match number.checked_sub(done) {
            Some(place) => SPAN - share + part(share, place, self.orders - done),
            None => part(SPAN - share, number, done),
        };
        self.until - SPAN + since
    }

    /// The running number of the first order that comes so long ago or later; of those before the ones at work.
    pub fn number_ago(&self, ago: TimeDelta) -> u64 {
        let (done, span) = (self.first_at_work(), SPAN - self.share_at_work());
        let [since, span] = [SPAN - ago, span].map(|time| u64::try_from(time.num_seconds()).unwrap_or_default());
        (done * since).div_ceil(span).min(done)
    }

    fn share_at_work(&self) -> TimeDelta {
        part(SPAN, self.orders - self.first_at_work(), self.orders).min(AT_WORK)
    }
}

/// `place` parts of `of` of a span, in whole seconds.
fn part(span: TimeDelta, place: u64, of: u64) -> TimeDelta {
    let seconds = u128::from(span.num_seconds().unsigned_abs()) * u128::from(place) / u128::from(of.max(1));
    TimeDelta::seconds(i64::try_from(seconds).unwrap_or_default())
}
