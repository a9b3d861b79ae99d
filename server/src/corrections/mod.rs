//! Corrections of what a customer entered ([decision 29](../../../docs/decisions/0029-corrections-keep-what-was-sent.md)).
//!
//! - `http.rs`: the call. `routes.rs`: lists it.

pub mod http;
pub mod routes;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::mail::Mail;

/// The dependencies of corrections.
pub struct Corrections {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub mail: Arc<Mail>,
}
