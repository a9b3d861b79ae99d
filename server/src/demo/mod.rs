//! The demo: a database of invented orders, and five members of staff who can sign in.
//!
//! - `seed.rs`, `seed/`: invented orders, by the million. `people.rs`: the five members. `errors.rs`: why a demo is not seeded.

pub mod errors;
pub mod people;
pub mod seed;
