//! The audit: who did what to which order, append-only; and the access log of who looked at what.
//!
//! - `store.rs`: what staff changed, in the transaction of the change; reading it. `dialect.rs`: where the databases differ.
//! - `chain.rs`: digests over what is committed, so that a change behind the triggers shows; `rules.rs`: how they are made.
//! - `http.rs`: the list for Admins.
//! - `access_log.rs`: what staff looked at and what they were denied, in batches; `denials.rs`: how often, noted once a minute.

pub mod access_log;
pub mod chain;
pub mod denials;
mod dialect;
pub mod http;
pub mod rules;
pub mod store;

use std::sync::Arc;

use self::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// What the audit needs.
#[derive(Clone)]
pub struct Audit {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub access_log: AccessLog,
}
