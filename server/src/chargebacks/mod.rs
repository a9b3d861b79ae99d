//! Chargebacks: the dispute of an order, and the packs that answer it.
//!
//! - `packs.rs`: making a defence pack; `packs/facts.rs`: what an order can show for itself; `packs/rules.rs`: what of it a pack
//!   says, and how; `packs/templates.rs`: how that looks; `packs/store.rs`: the packs that were made.
//! - `http_packs.rs`: the calls for packs.

pub mod http_packs;
pub mod packs;
