//! Canned texts: what members write once and use often, in remarks and in messages to applicants.
//!
//! - `rules.rs`: what a text may say, and its placeholders. Pure.
//! - `store.rs`: the texts, of one member or of all.
//! - `http.rs`: the calls; `errors.rs`: why one is refused. `routes.rs`: the calls by their tag.

pub mod errors;
pub mod http;
pub mod routes;
pub mod rules;
pub mod store;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of canned texts.
pub struct CannedTexts {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
