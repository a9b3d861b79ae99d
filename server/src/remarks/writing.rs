//! Writes a remark: its row, its audit row, and the inboxes of the members whom it mentions.

use super::mentions;
use crate::audit::store::{Actor, Change, add as add_audit};
use crate::db::Conn;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::orders::remarks::{self, Remark};
use crate::orders::rules::remarks::NewRemark;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// Adds a remark by `author` to an order. Members whom it mentions find it in their inbox, except `informed`, whom the caller tells of it.
///
/// # Errors
/// If the order does not exist.
pub fn add(
    tx: &mut Conn,
    author: &Staff,
    order_id: OrderId,
    new: &NewRemark,
    informed: &[StaffId],
    now: Timestamp,
) -> Result<Remark> {
    let remark = remarks::add(tx, order_id, author.id, new, now)?;
    let after = Some(remark.remark_id.to_string());
    add_audit(tx, &Actor::from(author), &[Change::of("remark.add").order(order_id).after(after)], now)?;
    mentions::tell(tx, author, &remark, order_id, informed, now)?;
    Ok(remark)
}
