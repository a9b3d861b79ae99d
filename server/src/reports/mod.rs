//! Reports: numbers about orders.
//!
//! - `rules.rs`: the days that a report is about.
//! - `store.rs`: counts over such days.
//! - `http.rs`: folder counts and the months of future orders; `http_days.rs`: countries, and who processed orders;
//!   `http_csv.rs`: the same as files.

pub mod http;
pub mod http_csv;
pub mod http_days;
pub mod rules;
pub mod store;
