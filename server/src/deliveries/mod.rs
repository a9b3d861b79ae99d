//! Deliveries: whether an issued visa is that of its order, checked as it is uploaded ([decision 32](../../../docs/decisions/0028-a-visa-is-compared-with-its-order.md)).
//!
//! - `rules.rs`: compares the text of a visa with the order. `text.rs`: the child that reads the text.
//! - `store.rs`: what was found, for each visa, and who has looked at it. `errors.rs`: why a visa is not delivered.

pub mod errors;
pub mod rules;
pub mod store;
pub mod text;
