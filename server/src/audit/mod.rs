//! The audit: who did what to which order, append-only; and the access log of who viewed what.
//!
//! - `store.rs`: adds rows in the transaction of the change, and reads them. `dialect.rs`: where the databases differ.
//! - `chain.rs`: a hash chain over committed rows, which shows changes behind the triggers; `rules.rs`: its digests.
//! - `errors.rs`: why a call or a check fails.
//! - `http.rs`: the list for Admins; `http_access_log.rs`: the access log for Admins; `filters.rs`: the filters of both.
//! - `access_log.rs`: what staff viewed and what they were denied, written in batches; `denials.rs`: repeated denials, one row a minute.
//! - `reader.rs`: the member who notes what they see; `seen.rs`: what that is; `views.rs`: the entries as rows.
//! - `members.rs`: the names of members. `budgets.rs`: how many rows a member may see in an hour; `row_counters.rs`: how many they have seen.
//! - `routes.rs`: the calls.

pub mod access_log;
pub mod budgets;
pub mod chain;
pub mod denials;
mod dialect;
pub mod errors;
pub mod filters;
pub mod http;
pub mod http_access_log;
pub mod members;
pub mod reader;
pub mod routes;
pub mod row_counters;
pub mod rules;
pub mod seen;
pub mod store;
pub mod views;

use std::sync::Arc;

use self::access_log::AccessLog;
use self::members::Members;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of the audit.
pub struct Audit {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub access_log: AccessLog,
    pub members: Members,
}
