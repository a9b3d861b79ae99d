//! Tracking: how long an applicant may look at an order, and what was downloaded.
//!
//! - `grants.rs`: what an applicant who named an order and its email may see, for half an hour; `rules.rs`: how guessing is slowed.
//! - `limits.rs`: how many public calls there may be in a minute.
//! - `store.rs`: downloads; `evidence.rs`: what they prove.
//! - `devices.rs`: what a browser says of itself; `places.rs`: the country of an address.

pub mod devices;
pub mod evidence;
pub mod grants;
pub mod limits;
pub mod places;
pub mod rules;
pub mod store;

use std::sync::Arc;

use self::limits::PublicCalls;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// What grants and limits need.
#[derive(Clone)]
pub struct Tracking {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub calls: Arc<PublicCalls>,
}
