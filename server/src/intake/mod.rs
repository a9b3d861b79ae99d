//! Intake: how orders get in.
//!
//! - `http.rs`: the sales site's calls: an order, its payment; `http_documents.rs`: its documents.
//! - `keys.rs`: the keys that sales sites call with.
//! - `rules.rs`: what an order must be like; `fields.rs`: reading one field; `money.rs`: amounts.
//! - `payments.rs`: a payment that comes after its order.
//! - `import.rs`: files of orders from older systems; `import/`: reading their rows.
//! - `seed.rs`, `seed/`: invented orders, by the million.

pub mod fields;
pub mod http;
pub mod http_documents;
pub mod import;
pub mod keys;
pub mod money;
pub mod payments;
pub mod rules;
pub mod seed;
