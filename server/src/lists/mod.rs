//! Lists of orders: folders, search, and a folder as a file.
//!
//! - `http.rs`: folders and search. `http_rows.rs`: single rows of a folder, as they are now. `http_csv.rs`: a folder as a file.
//!   `http_views.rs`, `saved_views.rs`: filtered lists under a name. `http_find.rs`: finds a few orders in all folders. `http_settings.rs`: how a member wants to see lists. `routes.rs`: the calls.
//! - `requests.rs`: what a list is asked for; `filters.rs`, `open_requirements.rs`: the filters of it. `rows.rs`: its rows, with what is wrong with each. `returned.rs`: the orders that it begins with.
//! - `errors.rs`: why a list, a search or a history is refused.

pub mod errors;
pub mod filters;
pub mod http;
pub mod http_csv;
pub mod http_find;
pub mod http_rows;
pub mod http_settings;
pub mod http_views;
pub mod open_requirements;
pub mod requests;
pub mod returned;
pub mod routes;
pub mod rows;
pub mod saved_views;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::db::minute_cache::MinuteCache;
use crate::ids::{OrderId, StaffId};
use crate::orders::rules::Folder;
use crate::orders::sample::Sample;

/// The dependencies of lists.
pub struct Lists {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub samples: MinuteCache<(), Sample>,
    pub returned: MinuteCache<(), Vec<OrderId>>,
    /// The number of orders in each saved view: by folder and filter, and by member where each has other orders.
    pub view_counts: MinuteCache<(Folder, String, Option<StaffId>), i64>,
}
