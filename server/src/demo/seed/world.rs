//! What all histories share.

use chrono::{NaiveDate, TimeDelta};

use crate::config::Chargebacks as Terms;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// The three years that orders come from.
pub const SPAN: TimeDelta = TimeDelta::days(3 * 365);

/// What all histories share.
#[derive(Clone, Debug)]
pub struct World {
    pub seed: u64,
    /// How many orders there are in all.
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
