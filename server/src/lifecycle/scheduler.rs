//! Moves Future orders to New on their processing date, in the agency's time zone.

use super::Lifecycle;
use super::attached::Cause;
use super::change::To;
use crate::audit::store::Actor;
use crate::error::Result;
use crate::orders::moves;
use crate::orders::status::ProcessStatus::{Future, New};

/// The maximum number of orders that one transaction moves.
const BATCH: i64 = 500;

/// Moves every order whose processing date has come, and returns how many.
///
/// # Errors
/// If a statement fails.
pub async fn release_due(room: &std::sync::Arc<Lifecycle>) -> Result<usize> {
    let mut released = 0;
    loop {
        let (now, today) = (room.clock.now(), room.clock.today(room.config.time_zone));
        let lifecycle = room.clone();
        let moved = room
            .db
            .write(move |tx| {
                let due = moves::due(tx, today, BATCH)?;
                let mut orders = moves::lock(tx, &due)?;
                // Another node may have moved some between the two statements.
                orders.retain(|order| order.process_status == Future);
                let cause = Cause { by: Actor::program("scheduler"), action: "order.move", now, today };
                lifecycle.change(tx, &orders, |_| To::Status(New), &cause)?;
                Ok(orders.len())
            })
            .await?;
        released += moved;
        if moved == 0 {
            return Ok(released);
        }
    }
}
