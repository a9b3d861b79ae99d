//! Gateways: the payment gateways, and which of them is active.
//!
//! - `rules.rs`: which gateway may be chosen, and what the configured list changes; `errors.rs`: why one cannot be chosen.
//! - `store.rs`: the gateways and the one that is active.
//! - `configured.rs`: syncs the configured list into the database.
//! - `http.rs`: the list, the switch, and the active gateway for the sales site.
//! - `routes.rs`: the calls.

pub mod configured;
pub mod errors;
pub mod http;
pub mod routes;
pub mod rules;
pub mod store;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the gateways.
pub struct Gateways {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
