//! Paper requests: what staff say about an order's papers, and what its applicant is asked to send once more.
//!
//! - `rules.rs`: the states of papers and of what is asked for, languages, and when applicants are reminded. Pure.
//! - `reasons.rs`: why a paper is not fine, in the applicants' languages: `reasons.json`, with the changes of the agency.
//! - `states.rs`: what staff say about papers; `store.rs`: requests and their items.
//! - `unasked.rs`: documents that applicants sent without a request.
//! - `attached.rs`: a request ends as its order is closed. `returning.rs`: an order goes back to where it was when everything is there.
//! - `http.rs`: the calls of staff; `errors.rs`: why one is refused.
//! - `routes.rs`: the calls.

pub mod attached;
pub mod errors;
pub mod http;
pub mod reasons;
pub mod returning;
pub mod routes;
pub mod rules;
pub mod states;
pub mod store;
pub mod unasked;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of paper requests.
pub struct PaperRequests {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
}
