//! Filing: what the government's portal asks for about an order, and the applications that were filed there ([decision 31](../../../docs/decisions/0031-filing-is-copied-by-hand.md)).
//!
//! - `rules.rs`: when an application may be filed or refused, and what is typed about it. `rules/values.rs`: an order's values in the portal's order and
//!   spelling; `rules/kit.rs`: the files for the portal.
//! - `archive.rs`: writes files as one ZIP. `store.rs`: the filed applications. `errors.rs`: why one is not recorded.

pub mod archive;
pub mod attached;
pub mod errors;
pub mod rules;
pub mod store;
