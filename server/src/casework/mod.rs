//! Casework: what staff do with an order, and the order shown whole.
//!
//! - `lists.rs`: folders and search.
//! - `details.rs`: one order on the wire, with `detail_files.rs` and `detail_histories.rs`; `whole.rs`: reading it.
//! - `selection.rs`: the orders that a call is about. `moves.rs`: owner and status; `refunds.rs`: money that goes back;
//!   `remarks.rs`: what staff write; `deliver.rs`: the issued visa.
//! - `leaving.rs`: a member who leaves the team, with the orders that they had.

pub mod deliver;
pub mod detail_files;
pub mod detail_histories;
pub mod details;
pub mod errors;
pub mod leaving;
pub mod lists;
pub mod moves;
pub mod refunds;
pub mod remarks;
pub mod selection;
pub mod whole;

use std::sync::Arc;

use crate::audit::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::documents::Documents;
use crate::mail::Mail;

/// What work on orders needs.
#[derive(Clone)]
pub struct Casework {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub access_log: AccessLog,
    pub documents: Documents,
    pub mail: Mail,
}
