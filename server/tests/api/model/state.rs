//! The state after a sequence, as sentences that do not depend on times, digests or the kind of database.

use super::rows::Rows;
use super::steps::Member;
use super::world::World;
use crate::counts::FOLDERS;

/// The state of an idle installation.
pub async fn of(world: &World) -> Vec<String> {
    let rows = Rows::read(world.node()).await;
    let name = |id: Option<i64>| id.map_or("no member", |id| rows.member(id).name.as_str());
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
    lines.extend(rows.documents.iter().map(|document| {
        format!("document of {}: {} by {}", document.order, document.kind, name(document.uploaded_by))
    }));
    lines.extend(rows.mails.iter().map(|mail| {
        let is_stopped = mail.stopped_at.is_some();
        format!(
            "email of {}: {} to {} through {}: {}, stopped: {is_stopped}",
            mail.order, mail.kind, mail.recipient, mail.provider, mail.state
        )
    }));
    lines.extend(rows.requests.iter().map(|request| {
        let items: Vec<String> = rows
            .items
            .iter()
            .filter(|item| item.request == request.id)
            .map(|item| format!("{} {}", item.kind, item.state))
            .collect();
        format!(
            "request of {}: {}, {} reminders, ended {:?}",
            request.order,
            items.join(", "),
            request.reminders,
            request.ended
        )
    }));
    lines.extend(
        rows.refunds
            .iter()
            .map(|refund| format!("refund of {}: taken back: {}", refund.order, refund.taken_back_at.is_some())),
    );
    lines.extend(rows.disputes.iter().map(|dispute| format!("dispute of {}: {}", dispute.order, dispute.outcome)));
    lines.extend(rows.filings.iter().map(|filing| {
        format!("application of {}: {} {:?}, second: {}", filing.order, filing.number, filing.outcome, filing.is_second)
    }));
    lines.extend(
        rows.unasked.iter().map(|sent| {
            format!("sent unasked for {}: {} {}, {} times", sent.order, sent.kind, sent.state, sent.uploads)
        }),
    );
    lines.extend(rows.payments.iter().map(|payment| format!("payment of {}: {}", payment.order, payment.reference)));
    // Each node counts the denied calls of a minute by itself.
    let events = rows.events.iter().filter(|event| event.action != "staff.denied");
    lines.extend(events.map(|event| format!("event {} of {:?} by {}", event.action, event.order, event.actor)));
    // Several rows of one request have no order among themselves.
    lines.sort();
    let ayu = world.as_member(Member::Ayu);
    let counts = ayu.get("/admin/get-all-folder-count").await;
    lines.extend(FOLDERS.iter().map(|(folder, key)| format!("{folder}: {}", counts.data()[key])));
    lines
}
