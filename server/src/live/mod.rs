//! Live: tells the browsers of staff what changed, as it happens.
//!
//! - `http.rs`: the stream. `routes.rs`: lists the call.
//! - `feed.rs`: reads what changed, once for all streams of this process. `followers.rs`: the streams. `moments.rs`: what changed at one moment,
//!   and what of it a member is told.

pub mod feed;
pub mod followers;
pub mod http;
pub mod moments;
pub mod routes;

use crate::clock::Clock;
use crate::db::Db;

use self::feed::Feed;

/// The dependencies of live.
pub struct Live {
    pub db: Db,
    pub clock: Clock,
    pub feed: Feed,
}
