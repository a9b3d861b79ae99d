//! Filing: what the government's portal asks for about an order, and the applications that were filed there ([decision 31](../../../docs/decisions/0031-filing-is-copied-by-hand.md)).
//!
//! - `rules.rs`: when an application may be filed or refused, and what is typed about it. `rules/values.rs`: an order's values in the portal's order and
//!   spelling; `rules/kit.rs`: the files for the portal.
//! - `http.rs`: files an application, and records that it was refused; `http_view.rs`: what is filed; `warnings.rs`: what is open before it is;
//!   `http_kit.rs`: its files. `routes.rs`: the calls.
//! - `claims.rs`: who is filing an order; `http_claims.rs`: claims it ([decision 43](../../../docs/decisions/0043-one-member-files-an-order.md)).
//! - `archive.rs`: writes files as one ZIP. `store.rs`: the filed applications. `errors.rs`: why one is not recorded.

pub mod archive;
pub mod attached;
pub mod claims;
pub mod errors;
pub mod http;
pub mod http_claims;
pub mod http_kit;
pub mod http_view;
pub mod routes;
pub mod rules;
pub mod store;
pub mod warnings;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::lifecycle::Lifecycle;

/// The dependencies of filing.
pub struct FilingRoom {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub lifecycle: Arc<Lifecycle>,
}
