//! Brings orders that wait for their day to New, on that day in the agency's time zone.

use crate::app::App;
use crate::audit::store::{Actor, Change, add};
use crate::error::Result;

use super::moves;
use super::rules::ProcessStatus;

/// How many orders one transaction moves.
const AT_ONCE: i64 = 500;

/// Moves every order whose day has come; answers how many.
pub async fn release_due(app: &App) -> Result<usize> {
    let mut released = 0;
    loop {
        let (now, today) = (app.clock.now(), app.clock.today(app.config.time_zone));
        let moved = app
            .db
            .write(move |tx| {
                let due = moves::due(tx, today, AT_ONCE)?;
                let standings = moves::lock(tx, &due)?;
                // Another node may have been faster between the two.
                let waiting: Vec<_> =
                    standings.iter().filter(|standing| standing.process_status == ProcessStatus::Future).collect();
                let ids: Vec<i64> = waiting.iter().map(|standing| standing.order_id).collect();
                moves::set_status(tx, &ids, ProcessStatus::New, now)?;
                let changes = waiting.iter().map(|standing| Change {
                    action: "order.move",
                    order_id: Some(standing.order_id),
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
