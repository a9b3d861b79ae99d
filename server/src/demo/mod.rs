//! The demo: a database full of invented orders, and five people who can sign in to it.
//!
//! - `seed.rs`, `seed/`: invented orders, by the million. `people.rs`: the five people.

pub mod errors;
pub mod people;
pub mod seed;
