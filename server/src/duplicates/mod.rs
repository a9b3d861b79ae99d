//! Duplicates: the orders that share a fact with an order.
//!
//! - `http.rs`: the call. `routes.rs`: lists it.

pub mod http;
pub mod routes;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of duplicates.
pub struct Duplicates {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
