//! Reports: numbers about orders.
//!
//! - `http.rs`: folder counts and the months of future orders.

pub mod http;
