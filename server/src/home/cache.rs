//! The data that the home screen showed in the last minute.

use chrono::NaiveDate;

use super::attention::NeedingGroup;
use super::numbers::Numbers;
use crate::db::minute_cache::MinuteCache;
use crate::ids::StaffId;
use crate::staff::rules::StaffType;

/// The data that the home screen showed in the last minute.
#[derive(Default)]
pub struct HomeCache {
    /// By type of staff; of a type that may not list all orders, by member.
    pub groups: MinuteCache<(StaffType, Option<StaffId>), Vec<NeedingGroup>>,
    /// By the agency's calendar day.
    pub numbers: MinuteCache<NaiveDate, Numbers>,
}
