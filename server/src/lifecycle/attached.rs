//! The rows that are attached to an order and follow its status and its owner, such as requests for documents, emails that wait, and
//! disputes.

use chrono::NaiveDate;
use serde_json::Value;

use crate::audit::store::Actor;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// A change of one order's status. Both are the same if only its owner changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    pub order_id: OrderId,
    pub from: ProcessStatus,
    pub to: ProcessStatus,
}

/// The actor who changes orders, the name of the change in the audit, and the time.
#[derive(Clone, Debug)]
pub struct Cause {
    pub by: Actor,
    /// The action of the audit rows.
    pub action: &'static str,
    pub now: Timestamp,
    /// The agency's calendar day.
    pub today: NaiveDate,
}

/// Rows of a room that are attached to orders. An implementation matches over all statuses, so that a new status does not compile until it
/// is decided what follows.
pub trait AttachedRows: Send + Sync {
    /// The name under which a change keeps what [`AttachedRows::restore`] needs. It is stored, so it stays as it is.
    fn name(&self) -> &'static str;

    /// The tables whose rows follow.
    fn tables(&self) -> &'static [&'static str];

    /// Follows changes of orders that the caller has locked. Returns what an undo needs, for each order with rows that changed.
    ///
    /// # Errors
    /// If a statement fails.
    fn follow(&self, tx: &mut Conn, changes: &[Transition], cause: &Cause) -> Result<Vec<(OrderId, Value)>>;

    /// Undoes what [`AttachedRows::follow`] did to the rows of an order that the caller has locked.
    ///
    /// # Errors
    /// If a statement fails.
    fn restore(&self, tx: &mut Conn, order_id: OrderId, kept: &Value, cause: &Cause) -> Result<()>;
}
