//! Orders: what an order is, where it lies, and finding it.
//!
//! - `rules.rs`: statuses, folders, and who may do what to which order; `rules/refunds.rs`: whose money goes back.
//! - `search.rs`: normalizing text and terms, so that a search finds what a person means; `find.rs`: whose list, and searching it.
//! - `facts.rs`: what is known of an order; `new_order.rs`: its first rows; `bulk.rs`: loading very many.
//! - `store.rs`: lists and counts; `dialect.rs`: where the databases differ; `numbers.rs`: counts over days.
//! - `moves.rs`: changes of owner and status; `refunds.rs`: money that went back; `remarks.rs`: what staff write about an order.
//! - `purchases.rs`: orders that were bought from the same address or with the same device.
//! - `scheduler.rs`: brings orders to New on their day.

pub mod bulk;
pub mod dialect;
pub mod errors;
pub mod facts;
pub mod find;
pub mod moves;
pub mod new_order;
pub mod numbers;
pub mod purchases;
pub mod refunds;
pub mod remarks;
pub mod rules;
pub mod scheduler;
pub mod search;
pub mod store;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// What the work that orders do by themselves needs.
#[derive(Clone)]
pub struct Orders {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
