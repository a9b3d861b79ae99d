//! The audit: who did what to which order, append-only; and the access log of who viewed what.
//!
//! - `store.rs`: adds rows in the transaction of the change, and reads them. `dialect.rs`: where the databases differ.
//! - `chain.rs`: a hash chain over committed rows, which shows changes behind the triggers; `rules.rs`: its digests.
//! - `errors.rs`: why a call or a check fails.
//! - `http.rs`: the list for Admins.
//! - `access_log.rs`: what staff viewed and what they were denied, written in batches; `denials.rs`: repeated denials, one row a minute.

pub mod access_log;
pub mod chain;
pub mod denials;
mod dialect;
pub mod errors;
pub mod http;
pub mod rules;
pub mod store;

use std::sync::Arc;

use self::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the audit.
pub struct Audit {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub access_log: AccessLog,
}
