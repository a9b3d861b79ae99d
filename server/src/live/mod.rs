//! Live: tells the browsers of staff what changed, as it happens.
//!
//! - `http.rs`: the stream. `errors.rs`: why it is refused. `routes.rs`: lists the calls.
//! - `reading.rs`: reads what changed, once for all streams of this process. `feed.rs`: tells the streams; `followers.rs`: those that are open.
//! - `moments.rs`: the changes of one moment, and the part of them that a member is told; `colleagues.rs`: the part of the presences.
//! - `http_presence.rs`: records which orders a member has open.

pub mod colleagues;
pub mod errors;
pub mod feed;
pub mod followers;
pub mod http;
pub mod http_presence;
pub mod moments;
pub mod reading;
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
