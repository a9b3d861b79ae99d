//! Orders: the folders they lie in, finding them, and moving them on.
//!
//! - `rules.rs`: statuses, folders, and who may do what to which order; `rules/refunds.rs`: whose money goes back.
//! - `id.rs`: an order's number, printed and encoded.
//! - `search.rs`: folding text and terms, so that a search finds what a person means; `find.rs`: whose list, and searching it.
//! - `facts.rs`: what is known of an order beyond what lists show; `arrivals.rs`: its first rows.
//! - `store.rs`: lists and counts; `moves.rs`: changes of owner and status; `refunds.rs`: money that went back;
//!   `details.rs`: one order whole; `remarks.rs`: what staff write about it.
//! - `http.rs`: lists and search; `http_details.rs`: one order, with `http_files.rs`, `http_histories.rs` and
//!   `http_chargeback.rs`; `http_moves.rs`: the calls that change owner and status; `http_refunds.rs`: refunds;
//!   `http_remarks.rs`: remarks.
//! - `scheduler.rs`: brings orders to New on their day.

pub mod arrivals;
pub mod details;
pub mod facts;
pub mod find;
pub mod http;
pub mod http_chargeback;
pub mod http_details;
pub mod http_files;
pub mod http_histories;
pub mod http_moves;
pub mod http_refunds;
pub mod http_remarks;
pub mod id;
pub mod moves;
pub mod refunds;
pub mod remarks;
pub mod rules;
pub mod scheduler;
pub mod search;
pub mod store;
