//! Lifecycle: the one function that changes the status or the owner of an order, and what follows from such a change.
//!
//! - `change.rs`: changes orders, adds the audit rows, and lets everything that is attached to them follow.
//! - `undoable.rs`: records a change for its undo, and says how it is undone.
//! - `attached.rs`: how the rooms above follow. `app/attached.rs` lists them.
//! - `scheduler.rs`: moves Future orders to New on their processing date.

pub mod attached;
pub mod change;
pub mod scheduler;
pub mod undoable;

use std::sync::Arc;

use self::attached::AttachedRows;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;

/// The dependencies of lifecycle.
pub struct Lifecycle {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    /// The implementations that follow a change of an order, in the sequence in which they are called.
    pub attached: Vec<Box<dyn AttachedRows>>,
}
