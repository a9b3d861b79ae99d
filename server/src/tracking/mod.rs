//! Tracking: what applicants reach without an account. They name an order and its email, see how it stands, and fetch the visa.
//!
//! - `rules.rs`: who is let in, how far an order has come, and what it waits for.
//! - `grants.rs`: what whoever named an order and its email may see, for half an hour.
//! - `limits.rs`: how many public calls there may be in a minute.
//! - `store.rs`: the order as its applicant sees it, and its downloads.
//! - `devices.rs`: what a browser says of itself; `places.rs`: the country of an address.
//! - `http.rs`: track, history and download.

pub mod devices;
pub mod grants;
pub mod http;
pub mod limits;
pub mod places;
pub mod rules;
pub mod store;
