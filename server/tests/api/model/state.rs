//! The state after a sequence, as sentences that do not depend on times, digests or the kind of database.

use super::rows::Rows;
use super::steps::Member;
use super::world::World;
use crate::counts::FOLDERS;

/// The state of an idle installation.
pub async fn of(world: &World) -> Vec<String> {
    let rows = Rows::read(world.node()).await;
    let name = |id: Option<i64>| id.map_or("nobody", |id| rows.member(id).name.as_str());
    let mut lines = Vec::new();
    for order in &rows.orders {
        lines.push(format!(
            "order {}: {}, {}, {:?}, owned by {}, processed by {}, refunded: {}, had a visa or dispute: {}, {}",
            order.id,
            order.status,
            order.mode,
            order.processing_date.is_some(),
            name(order.owner),
            name(order.processed_by),
            order.refund_date.is_some(),
            order.had_visa_or_dispute,
            order.email,
        ));
    }
    lines.extend(
        rows.documents.iter().map(|it| format!("document of {}: {} by {}", it.order, it.kind, name(it.uploaded_by))),
    );
    lines.extend(rows.mails.iter().map(|it| {
        let is_stopped = it.stopped_at.is_some();
        format!(
            "email of {}: {} to {} through {}: {}, stopped: {is_stopped}",
            it.order, it.kind, it.recipient, it.provider, it.state
        )
    }));
    lines.extend(rows.requests.iter().map(|it| {
        let items: Vec<String> = rows
            .items
            .iter()
            .filter(|item| item.request == it.id)
            .map(|item| format!("{} {}", item.kind, item.state))
            .collect();
        format!("request of {}: {}, {} reminders, ended {:?}", it.order, items.join(", "), it.reminders, it.ended)
    }));
    lines.extend(
        rows.refunds.iter().map(|it| format!("refund of {}: taken back: {}", it.order, it.taken_back_at.is_some())),
    );
    lines.extend(rows.disputes.iter().map(|it| format!("dispute of {}: {}", it.order, it.outcome)));
    lines.extend(rows.filings.iter().map(|it| format!("application of {}: {} {:?}", it.order, it.number, it.outcome)));
    lines.extend(rows.payments.iter().map(|it| format!("payment of {}: {}", it.order, it.reference)));
    // Each node counts the denied calls of a minute by itself.
    let events = rows.events.iter().filter(|event| event.action != "staff.denied");
    lines.extend(events.map(|it| format!("event {} of {:?} by {}", it.action, it.order, it.actor)));
    // Several rows of one request have no order among themselves.
    lines.sort();
    let ayu = world.as_member(Member::Ayu);
    let counts = ayu.get("/admin/get-all-folder-count").await;
    lines.extend(FOLDERS.iter().map(|(folder, key)| format!("{folder}: {}", counts.data()[key])));
    lines
}
