//! Refunds: marks orders as refunded and mails their applicants.
//!
//! - `http.rs`: marks orders. `http_approvals.rs`: marks that a second person approves. `http_mails.rs`: stops emails while they wait.
//! - `http_take_back.rs`: takes a mistaken mark back. `marks.rs`: the marks of an order, as its details show them. `routes.rs`: the calls.

pub mod http;
pub mod http_approvals;
pub mod http_mails;
pub mod http_take_back;
pub mod marks;
pub mod routes;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::mail::Mail;

/// The dependencies of refunds.
pub struct Refunds {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub mail: Arc<Mail>,
}
