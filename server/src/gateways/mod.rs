//! Gateways: whom payments go through, and which of them is active.
//!
//! - `rules.rs`: which gateway may be chosen, and what the config's list changes.
//! - `store.rs`: the gateways and the one that is active.
//! - `roster.rs`: brings the config's list into the database.
//! - `http.rs`: the list, the switch, and what the sales site asks.

pub mod http;
pub mod roster;
pub mod rules;
pub mod store;
