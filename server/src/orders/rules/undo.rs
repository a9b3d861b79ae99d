//! Which changes of orders can be undone: one's own, for ten minutes, while nothing was built on them. Pure.

use chrono::TimeDelta;
use chrono_tz::Tz;

use crate::ids::{OrderId, StaffId};
use crate::orders::errors::OrderError;
use crate::text::format_instant;
use crate::text_enum;
use crate::timestamp::Timestamp;

/// The time during which a change can be undone.
pub const UNDO_WINDOW: TimeDelta = TimeDelta::minutes(10);

text_enum! {
    /// The part of an order that a change concerns.
    pub enum ChangeKind {
        Owner = "owner",
        Status = "status",
    }
}

/// A change that was recorded for its undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeChange {
    pub change_id: i64,
    /// The order whose audit row was named.
    pub order_id: OrderId,
    pub staff_id: StaffId,
    pub kind: ChangeKind,
    pub made_at: Timestamp,
    pub undone_at: Option<Timestamp>,
}

/// Refuses a change that was undone before, and one that is too old. Who made it is checked elsewhere.
pub fn check_open(change: &MadeChange, now: Timestamp, zone: Tz) -> Result<(), OrderError> {
    let order_id = change.order_id;
    if let Some(undone_at) = change.undone_at {
        return Err(OrderError::ChangeUndoneBefore { order_id, at: format_instant(undone_at, zone) });
    }
    if now - change.made_at > UNDO_WINDOW {
        let minutes = UNDO_WINDOW.num_minutes();
        return Err(OrderError::ChangeTooOldToUndo { order_id, at: format_instant(change.made_at, zone), minutes });
    }
    Ok(())
}

/// The message of the response to an undo.
pub fn undone_message(orders: &[OrderId]) -> String {
    match orders {
        [order_id] => format!("Undone: order {order_id} is as it was before"),
        orders => format!("Undone: {} orders are as they were before", orders.len()),
    }
}

/// The message of the response to the undo of a change of owner that came with a note: remarks are never removed.
pub fn undone_but_note_message(orders: &[OrderId]) -> String {
    format!("{}. The note stays in Comment History", undone_message(orders))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(made_at: Timestamp, undone_at: Option<Timestamp>) -> MadeChange {
        let (order_id, staff_id) = (OrderId(100_001), StaffId(1));
        MadeChange { change_id: 1, order_id, staff_id, kind: ChangeKind::Status, made_at, undone_at }
    }

    #[test]
    fn a_change_can_be_undone_for_ten_minutes_and_once() {
        let (zone, made_at) = (chrono_tz::Asia::Jakarta, Timestamp::EPOCH);
        let after = |seconds| check_open(&change(made_at, None), made_at + TimeDelta::seconds(seconds), zone);
        assert_eq!(after(0), Ok(()));
        assert_eq!(after(600), Ok(()));
        let refused = after(601).expect_err("it is too old");
        assert_eq!(
            refused.to_string(),
            "Nothing was undone: order 100001 was changed at 01-01-1970 07:00:00 WIB, and a change can be undone for 10 minutes"
        );
        let refused = check_open(&change(made_at, Some(made_at)), made_at, zone).expect_err("it was undone");
        assert_eq!(
            refused.to_string(),
            "Nothing was undone: this change of order 100001 was already undone at 01-01-1970 07:00:00 WIB"
        );
    }
}
