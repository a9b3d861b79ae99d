//! Documents: applicants' files and the issued visa.
//!
//! - `rules.rs`: which content is taken, under which name, and how much of it.
//! - `store.rs`: the rows that name stored files.
//! - `links.rs`: signed links, each for one viewer and five minutes.

pub mod links;
pub mod rules;
pub mod store;
