//! Orders: the folders they lie in, finding them, and moving them on.
//!
//! - `rules.rs`: statuses, folders, and who may do what to which order.
//! - `id.rs`: an order's number, printed and encoded.
//! - `search.rs`: folding text and terms, so that a search finds what a person means.
//! - `arrivals.rs`: an order's first rows.
//! - `store.rs`: lists and counts; `moves.rs`: changes of owner and status; `details.rs`: one order whole.
//! - `http.rs`: the calls; `http_moves.rs`: those that change something.

pub mod http;
pub mod id;
pub mod rules;
pub mod search;
