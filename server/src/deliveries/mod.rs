//! Deliveries: whether an issued visa is that of its order ([decision 28](../../../docs/decisions/0028-a-visa-is-compared-with-its-order.md)).
//!
//! - `rules.rs`: compares the text of a visa with the order; `rules/scan.rs`: what may be said of a text that Tesseract read.
//! - `text.rs`: the child that reads the text of a PDF; `pages.rs`: the one that draws the pages of a visa without a text.
//! - `worker.rs`: has those pages read; `readings.rs` and `dialect.rs`: their rows.
//! - `waiting.rs`: the visas that are not delivered until they are read or decided about, as rows.
//! - `store.rs`: what was found, for each visa, and who has looked at it. `errors.rs`: why a visa is not delivered, or its delivery not undone.

mod dialect;
pub mod errors;
pub mod pages;
pub mod readings;
pub mod rules;
pub mod store;
pub mod text;
pub mod waiting;
pub mod worker;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;

/// The dependencies of deliveries.
pub struct Deliveries {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    /// This program, to start children from.
    pub program: PathBuf,
    /// Wakes the worker of this process when a visa is to be read.
    pub notify: Notify,
}
