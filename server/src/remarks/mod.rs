//! Remarks: what members note about an order. Their rows and rules are those of orders.
//!
//! - `http.rs`: adds one. `writing.rs`: writes it; `mentions.rs`: the members whom its text mentions. `entry.rs`: one on the wire.
//!   `routes.rs`: the calls.

pub mod entry;
pub mod http;
pub mod mentions;
pub mod routes;
pub mod writing;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of remarks.
pub struct Remarks {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
