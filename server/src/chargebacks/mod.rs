//! Chargebacks: the dispute of an order, its deadline, and the defence packs that answer it.
//!
//! - `terms.rs`: networks, reasons and outcomes. `rules.rs`: deadlines, and what a record may hold; `rules/priors.rs`: when Visa's
//!   Compelling Evidence 3.0 applies.
//! - `store.rs`: the records; `open.rs`: the open ones, most urgent first. `attached.rs`: the hook after a status change into or out of ChargeBack. `errors.rs`: why a record is
//!   refused.
//! - `urgency.rs`: open disputes by deadline. `priors.rs`: earlier undisputed orders of the same customer.
//! - `packs.rs`: makes a defence pack; `packs/facts.rs`: the facts of an order; `packs/rules.rs`: what a pack says of them;
//!   `packs/templates.rs`: its layout; `packs/store.rs`: the packs made so far; `packs/errors.rs`: why a pack is not made.
//! - `http.rs`: the transaction form, and the record's form with its options; `http_packs.rs`: the calls for packs; `wire.rs`: a dispute
//!   in the contract.
//! - `routes.rs`: the calls.

pub mod attached;
pub mod errors;
pub mod http;
pub mod http_packs;
pub mod open;
pub mod packs;
pub mod priors;
pub mod routes;
pub mod rules;
pub mod store;
pub mod terms;

pub mod urgency;
pub mod wire;

use std::sync::Arc;

use self::packs::templates::PackTemplates;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::http::in_flight::InFlight;
use crate::ids::StaffId;
use crate::pdf::Typesetter;

/// The dependencies of chargebacks.
pub struct Chargebacks {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub documents: Arc<Documents>,
    pub typesetter: Arc<Typesetter>,
    pub templates: Arc<PackTemplates>,
    /// The members for whom a pack is being made.
    pub making: InFlight<StaffId>,
}
