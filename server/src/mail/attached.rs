//! Emails that wait are attached to their orders: those that a change of the order makes wrong are stopped in its transaction (invariants 5
//! and 16).

use diesel::prelude::*;
use serde_json::{Value, json};

use super::rules::{MailKind, MailState};
use super::stops;
use crate::db::one_of::one_of;
use crate::db::schema::mails;
use crate::db::{Conn, MAX_IDS};
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::lifecycle::attached::{AttachedRows, Cause, Transition};
use crate::on_either;
use crate::orders::status::ProcessStatus;

/// The emails that wait.
pub struct WaitingMails;

impl AttachedRows for WaitingMails {
    fn name(&self) -> &'static str {
        "emails"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["mails"]
    }

    fn follow(&self, tx: &mut Conn, changes: &[Transition], cause: &Cause) -> Result<Vec<(OrderId, Value)>> {
        let mut kept = Vec::new();
        for status in ProcessStatus::ALL {
            let moved = changes.iter().filter(|change| change.to == *status).map(|change| change.order_id);
            let moved: Vec<OrderId> = moved.collect();
            let stopped = stop(tx, &moved, *status, cause)?;
            for order_id in moved {
                let ids: Vec<i64> = stopped.iter().filter(|(of, _)| *of == order_id).map(|(_, id)| *id).collect();
                if !ids.is_empty() {
                    kept.push((order_id, json!(ids)));
                }
            }
        }
        Ok(kept)
    }

    fn restore(&self, tx: &mut Conn, _order_id: OrderId, kept: &Value, cause: &Cause) -> Result<()> {
        let ids: Vec<i64> = serde_json::from_value(kept.clone()).map_err(Error::internal)?;
        let stopped = stops::lock_stopped(tx, &ids)?;
        stops::queue_again(tx, &stopped, cause.now)
    }
}

/// Stops the waiting emails of orders that moved to a status, and returns them: order and id.
fn stop(tx: &mut Conn, moved: &[OrderId], to: ProcessStatus, cause: &Cause) -> Result<Vec<(OrderId, i64)>> {
    let kinds: Vec<MailKind> = MailKind::ALL.iter().copied().filter(|kind| is_stopped(*kind, to)).collect();
    if moved.is_empty() || kinds.is_empty() {
        return Ok(Vec::new());
    }
    let mut waiting: Vec<(OrderId, i64)> = Vec::new();
    for ids in moved.chunks(MAX_IDS) {
        let rows = mails::table
            .filter(one_of(mails::order_id, ids))
            .filter(mails::state.eq(MailState::Queued))
            .filter(mails::kind.eq_any(&kinds))
            .select((mails::order_id, mails::mail_id));
        waiting.extend(on_either!(tx => rows.load::<(OrderId, i64)>(tx)?));
    }
    if waiting.is_empty() {
        return Ok(waiting);
    }
    let ids: Vec<i64> = waiting.iter().map(|(_, mail_id)| *mail_id).collect();
    let unsent = stops::lock_unsent(tx, &ids)?;
    let is_what = if to.is_hidden() { "deleted".to_owned() } else { format!("moved to {}", to.label()) };
    let why = format!("Stopped: the order was {is_what} before it was sent");
    stops::stop(tx, &unsent, &why, cause.now)?;
    waiting.retain(|(_, mail_id)| unsent.contains(mail_id));
    Ok(waiting)
}

/// An email that links to the order's page is wrong once the order is deleted; one that asks for documents, once they are no longer awaited.
fn is_stopped(kind: MailKind, to: ProcessStatus) -> bool {
    if to.is_hidden() { kind.links_to_order() } else { to.is_final() && kind.asks_for_papers() }
}
