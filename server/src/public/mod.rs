//! The applicant's pages: what an applicant without an account may ask. They name an order and its email, see how it stands,
//! and fetch the visa.
//!
//! - `rules.rs`: whom an order lets in, how far it has come, and what it waits for.
//! - `orders.rs`: the order as its applicant sees it.
//! - `http.rs`: track, history and download.

pub mod http;
pub mod orders;
pub mod rules;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::secret::SecretKey;

/// What the applicant's calls need.
#[derive(Clone)]
pub struct Public {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub documents: Documents,
}
