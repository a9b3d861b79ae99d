//! Intake: creates orders from the sales site's calls and from files of older systems.
//!
//! - `http.rs`: the calls for an order and its payment; `http_documents.rs`: for its documents; `wire.rs`: their response.
//! - `keys.rs`: the API keys of the sales sites.
//! - `rules.rs`: validates an order; `fields.rs`: one field; `errors.rs`: why a call is refused.
//! - `payments.rs`: a payment that follows its order.
//! - `import.rs`: files of orders from older systems; `import/`: their rows.

pub mod errors;
pub mod fields;
pub mod http;
pub mod http_documents;
pub mod import;
pub mod keys;
pub mod payments;
pub mod rules;
pub mod wire;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;

/// The dependencies of the sales site's calls.
pub struct Intake {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
}
