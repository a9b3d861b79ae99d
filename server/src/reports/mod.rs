//! Reports: numbers about orders, on the screen and as files.
//!
//! - `http.rs`: how many orders each folder and each month holds. `http_days.rs`: countries, and who processed orders.
//! - `http_csv.rs`: the same as files.
//! - `routes.rs`: the calls.

pub mod errors;
pub mod http;
pub mod http_csv;
pub mod http_days;
pub mod routes;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the reports.
pub struct Reports {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
