//! Documents: applicants' files and the issued visa.
//!
//! - `rules.rs`: which content is taken, under which name, and how much of it.
//! - `store.rs`: the rows that name stored files.

pub mod rules;
pub mod store;
