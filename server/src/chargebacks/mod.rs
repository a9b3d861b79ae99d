//! Chargebacks: the dispute of an order, how long there is to answer it, and the packs that do.
//!
//! - `terms.rs`: networks, reasons and outcomes. `rules.rs`: deadlines, and what a record may say; `rules/priors.rs`: when Visa's
//!   Compelling Evidence 3.0 holds.
//! - `store.rs`: the records. `transitions.rs`: what follows when orders enter or leave ChargeBack.
//! - `priors.rs`: earlier undisputed orders of the same customer.
//! - `packs.rs`: making a defence pack; `packs/facts.rs`: what an order can show for itself; `packs/rules.rs`: what of it a pack
//!   says, and how; `packs/templates.rs`: how that looks; `packs/store.rs`: the packs that were made.
//! - `http.rs`: the transaction form, the record's form, and what it offers; `http_packs.rs`: the calls for packs; `wire.rs`:
//!   a dispute, in the words of the wire.

pub mod http;
pub mod http_packs;
pub mod packs;
pub mod priors;
pub mod rules;
pub mod store;
pub mod terms;
pub mod transitions;
pub mod wire;

use std::sync::Arc;

use self::packs::templates::PackTemplates;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::pdf::Typesetter;

/// What disputes and their packs need.
#[derive(Clone)]
pub struct Chargebacks {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Documents,
    pub typesetter: Arc<Typesetter>,
    pub templates: Arc<PackTemplates>,
}
