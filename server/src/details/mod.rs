//! Details of an order: everything that its screen shows.
//!
//! - `http.rs`: an order on the wire, with `files.rs` and `histories.rs`. `whole.rs`: reads it.
//! - `http_history.rs`: older rows of its histories. `routes.rs`: the calls.

pub mod files;
pub mod histories;
pub mod http;
pub mod http_history;
pub mod routes;
pub mod whole;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;

/// The dependencies of details.
pub struct DetailsRoom {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
}
