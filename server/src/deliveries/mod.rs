//! Deliveries: whether an issued visa is that of its order ([decision 28](../../../docs/decisions/0028-a-visa-is-compared-with-its-order.md)).
//!
//! - `rules.rs`: compares the text of a visa with the order; `rules/scan.rs`: what may be said of a text that Tesseract read.
//! - `text.rs`: the child that reads the text of a PDF; `pages.rs`: the one that draws the pages of a visa without a text.
//! - `worker.rs`: has those pages read; `readings.rs` and `dialect.rs`: their rows.
//! - `waiting.rs`: the visas that are not delivered until they are read or decided about, as rows.
//! - `http.rs`: uploads an issued visa; `visa_check.rs`: compares it with its order; `approval.rs`: delivers it. `http_check.rs`: notes that a member
//!   has reviewed it; `http_waiting.rs`: the decision about one that waits; `release.rs`: delivers those that waited. `routes.rs`: the calls.
//! - `store.rs`: what was found, for each visa, and who has looked at it. `errors.rs`: why a visa is not delivered, or its delivery not undone.

pub mod approval;
mod dialect;
pub mod errors;
pub mod http;
pub mod http_check;
pub mod http_waiting;
pub mod release;
pub mod pages;
pub mod readings;
pub mod routes;
pub mod rules;
pub mod store;
pub mod text;
pub mod visa_check;
pub mod waiting;
pub mod worker;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

use self::text::TextReader;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::lifecycle::Lifecycle;
use crate::mail::Mail;

/// The dependencies of deliveries.
pub struct Deliveries {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub mail: Arc<Mail>,
    pub lifecycle: Arc<Lifecycle>,
    pub texts: TextReader,
    /// This program, to start children from.
    pub program: PathBuf,
    /// Wakes the worker of this process when a visa is to be read.
    pub notify: Notify,
}
