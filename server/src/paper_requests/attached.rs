//! Requests for documents are attached to their orders: one ends when its order is closed, with its reminders and the places for its files
//! (invariant 5).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::rules::{RequestEnd, due_at};
use super::store;
use crate::audit::store::{Change, add};
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::lifecycle::attached::{AttachedRows, Cause, Transition};

/// The requests for documents.
pub struct AttachedRequests {
    pub reminder_days: Vec<u32>,
}

/// A request that ended with a change of its order.
#[derive(Serialize, Deserialize)]
struct KeptRequest {
    request_id: i64,
    /// A reminder was to follow.
    is_reminded: bool,
}

impl AttachedRows for AttachedRequests {
    fn name(&self) -> &'static str {
        "document_request"
    }

    fn tables(&self) -> &'static [&'static str] {
        &["paper_requests", "paper_request_items"]
    }

    fn follow(&self, tx: &mut Conn, changes: &[Transition], cause: &Cause) -> Result<Vec<(OrderId, Value)>> {
        let closed: Vec<OrderId> =
            changes.iter().filter(|change| change.to.is_final()).map(|change| change.order_id).collect();
        let open = store::list_open(tx, &closed)?;
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<i64> = open.iter().map(|request| request.request_id).collect();
        store::end(tx, &ids, RequestEnd::Withdrawn, cause.now)?;
        let ended = open.iter().map(|request| Change::of("paper.withdraw").order(request.order_id));
        add(tx, &cause.by, &ended.collect::<Vec<_>>(), cause.now)?;
        let kept = open.iter().map(|request| {
            let kept = KeptRequest { request_id: request.request_id, is_reminded: request.remind_at.is_some() };
            (request.order_id, json!(kept))
        });
        Ok(kept.collect())
    }

    fn restore(&self, tx: &mut Conn, order_id: OrderId, kept: &Value, cause: &Cause) -> Result<()> {
        let KeptRequest { request_id, is_reminded } = KeptRequest::deserialize(kept).map_err(Error::internal)?;
        let Some(request) = store::find(tx, request_id)? else { return Ok(()) };
        let sent = usize::try_from(request.reminders).unwrap_or(usize::MAX);
        let remind_at = is_reminded.then(|| due_at(request.asked_at, sent, &self.reminder_days).max(cause.now));
        store::reopen(tx, request_id, remind_at)?;
        let reopened = Change::of("paper.reopen").order(order_id);
        add(tx, &cause.by, &[reopened], cause.now)
    }
}
