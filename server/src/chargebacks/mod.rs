//! Chargebacks: the dispute of an order, how long there is to answer it, and the packs that do.
//!
//! - `rules.rs`: networks, deadlines and their words, and what a record may say; `rules/priors.rs`: when Visa's Compelling
//!   Evidence 3.0 holds.
//! - `store.rs`: the records, and the transaction details.
//! - `crossings.rs`: what follows when orders enter or leave ChargeBack.
//! - `priors.rs`: earlier undisputed orders of the same customer.
//! - `packs.rs`: making a defence pack; `packs/facts.rs`: what an order can show for itself; `packs/rules.rs`: what of it a pack
//!   says, and how; `packs/templates.rs`: how that looks; `packs/store.rs`: the packs that were made.
//! - `http.rs`: the transaction form, the record's form, and what it offers; `http_packs.rs`: the calls for packs.

pub mod crossings;
pub mod http;
pub mod http_packs;
pub mod packs;
pub mod priors;
pub mod rules;
pub mod store;
