//! Moves Future orders to New on their processing date, in the agency's time zone.

use super::Orders;
use super::moves;
use super::status::ProcessStatus;
use crate::audit::store::{Actor, Change, add};
use crate::error::Result;
use crate::ids::OrderId;

/// How many orders one transaction moves.
const BATCH: i64 = 500;

/// Moves every order whose processing date has come, and returns how many.
pub async fn release_due(room: &Orders) -> Result<usize> {
    let mut released = 0;
    loop {
        let (now, today) = (room.clock.now(), room.clock.today(room.config.time_zone));
        let moved = room
            .db
            .write(move |tx| {
                let due = moves::due(tx, today, BATCH)?;
                let states = moves::lock(tx, &due)?;
                // Another node may have moved some between the two statements.
                let waiting: Vec<_> =
                    states.iter().filter(|state| state.process_status == ProcessStatus::Future).collect();
                let ids: Vec<OrderId> = waiting.iter().map(|state| state.order_id).collect();
                moves::set_status(tx, &ids, ProcessStatus::New, now)?;
                let changes = waiting.iter().map(|state| Change {
                    action: "order.move",
                    order_id: Some(state.order_id),
                    before: Some(ProcessStatus::Future.to_string()),
                    after: Some(ProcessStatus::New.to_string()),
                });
                add(tx, &Actor::program("scheduler"), &changes.collect::<Vec<_>>(), now)?;
                Ok(ids.len())
            })
            .await?;
        released += moved;
        if moved == 0 {
            return Ok(released);
        }
    }
}
