//! Home: the orders that need a member of staff, and the numbers of the last 30 days.
//!
//! - `http.rs`: the call. `rules.rs`: what is listed, why, and for whom. `attention.rs`: the orders that need a member; `numbers.rs`: the last 30 days;
//!   `cache.rs`: keeps both for a minute.
//! - `first_run.rs`: the steps that a new installation still lacks.
//! - `http_inbox.rs`: what a member is told. `routes.rs`: lists the calls.

pub mod attention;
pub mod cache;
pub mod first_run;
pub mod http;
pub mod http_inbox;
pub mod numbers;
pub mod routes;
pub mod rules;

use std::sync::Arc;

use self::cache::HomeCache;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the home screen.
pub struct HomeRoom {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub cache: HomeCache,
}
