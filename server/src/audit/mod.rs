//! The audit: who did what to which order, append-only; and the access log of who looked at what.
//!
//! - `store.rs`: writing both, and reading an order's history.

pub mod store;
