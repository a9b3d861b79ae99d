//! Intake: how orders get in.
//!
//! - `http.rs`: the sales site's calls: an order, its payment; `http_documents.rs`: its documents; `wire.rs`: what they answer.
//! - `keys.rs`: the keys that sales sites call with.
//! - `rules.rs`: what an order must be like; `fields.rs`: reading one field.
//! - `payments.rs`: a payment that comes after its order.
//! - `import.rs`: files of orders from older systems; `import/`: reading their rows.

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

/// What the sales site's calls need.
#[derive(Clone)]
pub struct Intake {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Documents,
}
