//! Casework: what staff do with orders across rooms.
//!
//! - `moves.rs`: owner and status. `owners.rs`: from one owner to another. `taking.rs`: the next order. `workload.rs`: the orders of each
//!   member. `leaving.rs`: deletes a member of staff and gives back their orders. `mailed_links.rs`: revokes the links in an order's mails.
//! - `ask_for_papers.rs`: asks an applicant for papers; `paper_reminders.rs`: reminds them. `routes.rs`: the calls.

pub mod ask_for_papers;
pub mod leaving;
pub mod mailed_links;
pub mod moves;
pub mod owners;
pub mod paper_reminders;
pub mod routes;
pub mod taking;
pub mod workload;

use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::lifecycle::Lifecycle;
use crate::mail::Mail;

/// The dependencies of casework.
pub struct Casework {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub mail: Arc<Mail>,
    pub lifecycle: Arc<Lifecycle>,
}
