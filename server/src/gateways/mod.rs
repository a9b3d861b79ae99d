//! Gateways: whom payments go through, and which of them is active.
//!
//! - `rules.rs`: which gateway may be chosen, and what the config's list changes.
//! - `store.rs`: the gateways and the one that is active.
//! - `configured.rs`: brings the config's list into the database.
//! - `http.rs`: the list, the switch, and what the sales site asks.

pub mod configured;
pub mod http;
pub mod rules;
pub mod store;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// What the choice of a gateway needs.
#[derive(Clone)]
pub struct Gateways {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
