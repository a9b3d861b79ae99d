//! Papers: checks of the applicants' files, which run by themselves. A check never changes an order and never refuses one.
//!
//! - `rules.rs`: what a check finds, and what it means.
//! - `inspect.rs`: the child that looks into a file, with the crate `images`. `ocr.rs`: the child that becomes Tesseract.
//!   `reading.rs`: what was read. `limits.rs`: the limits of the government's portal.
//! - `worker.rs`: runs the checks that are due; `store.rs` and `dialect.rs`: their rows.
//! - `desk.rs`: the papers of an order as staff work on them, with what was asked for.
//! - `http.rs`: the calls of staff; `portal_version.rs`: the one that makes the portal's version of a photograph; `errors.rs`: why one is refused.
//! - `routes.rs`: the calls.

pub mod desk;
mod dialect;
pub mod errors;
pub mod http;
pub mod inspect;
pub mod limits;
pub mod ocr;
pub mod portal_version;
pub mod reading;
pub mod routes;
pub mod rules;
pub mod store;
pub mod worker;

use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Notify;

use crate::child::Children;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::lifecycle::Lifecycle;

/// The dependencies of papers.
pub struct Papers {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub lifecycle: Arc<Lifecycle>,
    /// This program, to start children from.
    pub program: PathBuf,
    /// Makes the portal's versions of photographs.
    pub portal_versions: Children,
    /// Wakes the worker of this process when a check is requested.
    pub notify: Notify,
}
