//! The applicant's pages: applicants without an account confirm an order and its email, see its progress, and download the visa.
//!
//! - `rules.rs`: which emails confirm an order, its stage, and what it needs; `errors.rs`: why a call is refused.
//! - `orders.rs`: the order as its applicant sees it.
//! - `http.rs`: track and history; `http_downloads.rs`: download. `http_codes.rs`: the code and the link in a mail; `codes.rs`: mails the codes.
//! - `http_papers.rs`: the papers that the applicant was asked for; `asked.rs`: what the page says about them.
//! - `routes.rs`: the calls.

pub mod asked;
pub mod codes;
pub mod errors;
pub mod http;
pub mod http_codes;
pub mod http_downloads;
pub mod http_papers;
pub mod orders;
pub mod routes;
pub mod rules;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::lifecycle::Lifecycle;
use crate::mail::Mail;
use crate::papers::Papers;
use crate::secret::SecretKey;
use crate::tracking::Tracking;

/// The dependencies of the applicant's calls.
pub struct Public {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub documents: Arc<Documents>,
    pub mail: Arc<Mail>,
    pub papers: Arc<Papers>,
    pub lifecycle: Arc<Lifecycle>,
    pub tracking: Arc<Tracking>,
}
