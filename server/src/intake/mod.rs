//! Intake: creates orders from the sales site's calls and from files of older systems.
//!
//! - `http.rs`: the calls for an order and its payment; `http_documents.rs`: for its documents; `wire.rs`: their response;
//!   `http_by_phone.rs`: orders by phone, from staff.
//! - `keys.rs`: the API keys of the sales sites; `authentication.rs`: whether a key may make a call; `key_calls.rs`: how many;
//!   `http_keys.rs`: the calls of Admins about keys; `command.rs`: the same from the command line.
//! - `rules.rs`: validates an order; `rules/keys.rs`: what limits a key; `errors.rs`: why a call is refused.
//! - `payments.rs`: a payment that follows its order.
//! - `import.rs`: files of orders from older systems; `import/`: their rows.
//! - `routes.rs`: the calls.

pub mod authentication;
pub mod command;
pub mod errors;
pub mod http;
pub mod http_by_phone;
pub mod http_documents;
pub mod http_papers;
pub mod http_keys;
pub mod import;
pub mod key_calls;
pub mod keys;
pub mod payments;
pub mod routes;
pub mod rules;
pub mod wire;

use std::sync::Arc;

use self::key_calls::KeyCalls;
use crate::audit::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::http::touched::PendingUses;
use crate::lifecycle::Lifecycle;
use crate::papers::Papers;

/// The dependencies of the sales site's calls and of its keys.
pub struct Intake {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub papers: Arc<Papers>,
    pub lifecycle: Arc<Lifecycle>,
    pub access_log: AccessLog,
    pub key_calls: KeyCalls,
    pub touched: PendingUses,
}
