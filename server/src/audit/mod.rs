//! The audit: who did what to which order, append-only; and the access log of who looked at what.
//!
//! - `store.rs`: what staff changed, in the transaction of the change.
//! - `access_log.rs`: what staff looked at, in batches.

pub mod access_log;
pub mod store;
