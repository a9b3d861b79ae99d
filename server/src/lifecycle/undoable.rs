//! Changes that their member can undo: how they are recorded, and their form on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use super::attached::Cause;
use super::change::OrderChanges;
use crate::db::Conn;
use crate::error::Result;
use crate::orders::moves::LockedOrder;
use crate::orders::rules::undo::{ChangeKind, UNDO_WINDOW};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The result of a change of orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrdersChanged {
    /// 1.
    pub status: u8,
    /// The change that was made, as a text for people.
    pub message: String,
    /// The number of orders that changed. The others already were as requested.
    pub changed: usize,
    /// The means for the caller to undo it; null: nothing changed, or the change was itself an undo.
    pub undo: Option<Undoable>,
}

/// A change that the caller can undo with `undo`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Undoable {
    /// The id of the change's audit event.
    pub event_id: i64,
    /// The end of the time in which it can be undone.
    #[schema(value_type = String, format = DateTime)]
    pub until: Timestamp,
}

/// Records a change of those orders for its undo. Returns their number, and how to undo it.
pub fn record(
    tx: &mut Conn,
    staff: &Staff,
    kind: ChangeKind,
    made: &OrderChanges,
    orders: &[LockedOrder],
    cause: &Cause,
) -> Result<(usize, Option<Undoable>)> {
    let event_id = made.record(tx, staff.id, kind, orders, cause)?;
    Ok((orders.len(), event_id.map(|event_id| Undoable { event_id, until: cause.now + UNDO_WINDOW })))
}
