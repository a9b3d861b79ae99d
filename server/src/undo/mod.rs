//! Undo: a member takes a change of orders back ([decision 19](../../../docs/decisions/0019-undo-is-a-change-of-its-own.md)).
//!
//! - `http.rs`: the call. `delivery.rs`: what the undo of a delivery takes back beside the status. `routes.rs`: lists the call.

pub mod delivery;
pub mod http;
pub mod routes;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::lifecycle::Lifecycle;

/// The dependencies of undo.
pub struct Undo {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub lifecycle: Arc<Lifecycle>,
}
