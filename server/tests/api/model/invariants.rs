//! What must hold after every step: the invariants of `docs/invariants.md` that rows show.

use visadesk::orders::status::ProcessStatus::{self, ChargeBack, ContactCustomer, Deleted, New};

use super::rows::{EventRow, OrderRow, Rows};
use super::steps::{Desk, Site, Step};
use crate::support::Answer;

/// A rule that an invariant implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Invariant 1: a folder lists what its definition says, and its count is the length of its list.
    Folder,
    /// Invariant 1: an order is free to take exactly while it is New and has no owner.
    FreeToTake,
    /// Invariant 2: a deleted member owns no order that is not closed.
    DeletedOwner,
    /// Invariant 3: the audit leads to the owner.
    OwnerAudited,
    /// Invariant 4: a delivered order does not return to work by itself.
    DeliveredReturns,
    /// Invariant 4: an order returns by itself only to a status that it had.
    ReturnsElsewhere,
    /// Invariant 4: an order with an open application does not return to where it is filed.
    FiledReturns,
    /// Invariant 4: without a request, a document is taken only before the order is filed or delivered, and moves nothing.
    TakenUnasked,
    /// Invariant 4: an order has one current application, and a second one only beside it.
    OneCurrent,
    /// Invariant 5: a final status ends what waits for the applicant.
    WaitsAfterEnd,
    /// Invariant 4: an applicant who has sent everything is not reminded.
    RemindedInVain,
    /// Invariant 6: the kit for the portal has documents of the applicant alone.
    KitOrigin,
    /// Invariant 6: a defence pack counts documents of the applicant alone.
    PackOrigin,
    /// Invariant 8: "delivered by email" means an email with the visa to an address of the order.
    PackDelivery,
    /// Invariant 7: no email shows a visa that waits or was withdrawn.
    WaitingShown,
    /// Invariant 8: the applicant's page says "ready" only once there is a visa.
    ReadyBeforeVisa,
    /// Invariant 8: an order that comes to ChargeBack has an open dispute, whose deadline is ahead.
    OpenDispute,
    /// Invariant 9: a success that changes nothing says so.
    DoneWithoutEffect,
    /// Invariant 10: an email is `sent` only after a provider accepted it.
    SentByNobody,
    /// Invariant 11: an undo restores everything.
    UndoneInPart,
    /// Invariant 12: the portal gets the telephone number with one country code.
    PortalTelephone,
    /// Invariant 13: at most one refund is in force, and each has one email.
    OneRefund,
    /// Invariant 14: a payment is recorded or rejected.
    PaymentDropped,
    /// Invariant 15: a corrected address opens nothing.
    OldAddress,
    /// Invariant 16: a deleted order is as an unknown one.
    HiddenOrder,
    /// Invariant 16: no email links to a deleted order.
    LinkToHidden,
    /// Invariant 18: a rejected request changes nothing.
    RejectedChanges,
    /// Invariant 19: the audit leads to the status.
    StatusAudited,
    /// Invariant 19: the audit verifies.
    AuditVerifies,
    /// Invariant 20: no request fails in the server.
    ServerFault,
}

/// What does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    pub rule: Rule,
    pub text: String,
}

/// Collects what does not hold.
#[derive(Default)]
pub struct Violations(pub Vec<Violation>);

impl Violations {
    pub fn expect(&mut self, holds: bool, rule: Rule, text: impl FnOnce() -> String) {
        if !holds {
            self.0.push(Violation { rule, text: text() });
        }
    }
}

/// The emails that link to the order's page.
const LINKING: [&str; 5] = ["approval", "resend", "download link", "papers asked", "papers reminder"];

/// What the rows alone show.
pub fn check_rows(rows: &Rows, found: &mut Violations) {
    let new = rows.orders.iter().filter(|order| order.status == New);
    let new: Vec<(i64, bool)> = new.map(|order| (order.id, order.owner.is_none())).collect();
    let kept: Vec<(i64, bool)> = rows.new_orders.iter().map(|order| (order.order, order.is_free)).collect();
    found.expect(kept == new, Rule::FreeToTake, || format!("{kept:?} instead of {new:?}"));
    for order in &rows.orders {
        let id = order.id;
        let owner = order.owner.map(|owner| rows.member(owner));
        let is_owned = owner.is_none_or(|owner| owner.deleted_at.is_none()) || order.status.is_final();
        found.expect(is_owned, Rule::DeletedOwner, || format!("order {id} in {} is owned by {owner:?}", order.status));
        check_events(rows, order, found);
        let open = rows.open_request(id);
        found.expect(!order.status.is_final() || open.is_none(), Rule::WaitsAfterEnd, || {
            format!("order {id} is in {}, and its applicant is asked for papers: {open:?}", order.status)
        });
        let firsts = rows.filings.iter().filter(|filing| filing.order == id && filing.outcome.is_none());
        let firsts = firsts.filter(|filing| !filing.is_second).count();
        found.expect(firsts <= 1, Rule::OneCurrent, || format!("order {id} has {firsts} open applications"));
        let sent = rows.mails.iter().find(|mail| mail.order == id && mail.state == "sent" && !mail.in_file);
        found.expect(sent.is_none(), Rule::SentByNobody, || format!("no provider is configured: {sent:?}"));
        let linking = rows
            .mails
            .iter()
            .find(|mail| mail.order == id && mail.state == "queued" && LINKING.contains(&mail.kind.as_str()));
        found.expect(order.status != Deleted || linking.is_none(), Rule::LinkToHidden, || {
            format!("order {id} is deleted, and an email waits: {linking:?}")
        });
        let hidden = rows.documents.iter().find(|document| {
            let is_hidden = document.order == id && ["waiting_visa", "withdrawn_visa"].contains(&&*document.kind);
            let mut mails = rows.mails.iter().filter(|mail| mail.document == Some(document.id));
            is_hidden && mails.any(|mail| mail.stopped_at.is_none())
        });
        found.expect(hidden.is_none(), Rule::WaitingShown, || format!("order {id}: an email shows {hidden:?}"));
        let refunds: Vec<_> = rows.refunds.iter().filter(|refund| refund.order == id).collect();
        let in_force = refunds.iter().filter(|refund| refund.taken_back_at.is_none()).count();
        let mut notices: Vec<i64> =
            rows.mails.iter().filter(|mail| mail.order == id && mail.kind == "refund").map(|mail| mail.id).collect();
        let mut expected: Vec<i64> = refunds.iter().map(|refund| refund.mail).collect();
        notices.sort_unstable();
        expected.sort_unstable();
        let is_one = in_force <= 1 && order.refund_date.is_some() == (in_force == 1) && notices == expected;
        found.expect(is_one, Rule::OneRefund, || format!("order {id}: {refunds:?}, emails {notices:?}"));
        let dispute = rows.disputes.iter().find(|dispute| dispute.order == id);
        let is_open = dispute.is_some_and(|dispute| dispute.outcome == "Open");
        found.expect((order.status == ChargeBack) || !is_open, Rule::OpenDispute, || {
            format!("order {id} is in {}, and its dispute is open", order.status)
        });
    }
}

/// What the audit of an order says: its status and its owner, one change after another.
fn check_events(rows: &Rows, order: &OrderRow, found: &mut Violations) {
    let id = order.id;
    let (mut status, mut owner) = (None, None);
    let mut had = Vec::new();
    let mut is_delivered = false;
    for event in rows.events_of(id) {
        let parsed = |text: &Option<String>| text.as_deref().and_then(ProcessStatus::parse);
        match event.action.as_str() {
            "order.move" | "order.restore" | "order.undo" | "order.pay" => {
                let (before, after) = (parsed(&event.before), parsed(&event.after));
                found.expect(status.is_none() || before == status, Rule::StatusAudited, || {
                    format!("order {id}: {event:?} does not continue {status:?}")
                });
                had.extend(before);
                check_return(event, &had, is_delivered, found);
                had.extend(after);
                status = after;
            }
            "order.assign" | "order.undo_assign" => {
                found.expect(event.before == owner, Rule::OwnerAudited, || {
                    format!("order {id}: {event:?} does not continue {owner:?}")
                });
                owner.clone_from(&event.after);
            }
            "document.upload_visa" => {
                is_delivered |= !event.after.as_deref().is_some_and(|after| after.ends_with("once it was read"));
            }
            "visa.deliver" => is_delivered = true,
            "visa.withdraw" => is_delivered = false,
            _ => {}
        }
    }
    found.expect(status.is_none() || status == Some(order.status), Rule::StatusAudited, || {
        format!("order {id} is in {}, and the audit leads to {status:?}", order.status)
    });
    let name = order.owner.map(|owner| rows.member(owner).name.clone());
    found.expect(name == owner, Rule::OwnerAudited, || {
        format!("order {id} is owned by {name:?}, and the audit leads to {owner:?}")
    });
}

/// A change of status that no member made.
fn check_return(event: &EventRow, had: &[ProcessStatus], is_delivered: bool, found: &mut Violations) {
    let after = event.after.as_deref().and_then(ProcessStatus::parse);
    if event.staff.is_some() || event.actor != "paper request" {
        return;
    }
    found.expect(!is_delivered, Rule::DeliveredReturns, || format!("a delivered order: {event:?}"));
    // After the last reminder a telecaller calls.
    let is_known = after.is_some_and(|after| had.contains(&after) || after == ContactCustomer);
    found.expect(is_known, Rule::ReturnsElsewhere, || format!("an order that never had that status: {event:?}"));
}

/// What the answer to a step shows that took the rows from `before` to `after`.
pub fn check_answer(step: &Step, answer: &Answer, before: &Rows, after: &Rows, found: &mut Violations) {
    found.expect(answer.status < 500, Rule::ServerFault, || format!("{step}: {answer}"));
    if answer.status >= 400 {
        let is_of_orders = |event: &&EventRow| event.order.is_some() && !event.action.starts_with("track.");
        let unchanged = Rows { events: before.events.clone(), ..after.clone() } == *before
            && before.events.iter().filter(is_of_orders).count() == after.events.iter().filter(is_of_orders).count();
        found
            .expect(unchanged, Rule::RejectedChanges, || format!("{step} is rejected and changes something: {answer}"));
        return;
    }
    match step {
        Step::Desk(
            _,
            Desk::Assign(..) | Desk::Reassign(..) | Desk::HandOver(..) | Desk::Move(..) | Desk::MoveFromDetails(..),
        ) => {
            let says = answer.message().contains("already");
            found.expect(answer.json["changed"] != 0 || says, Rule::DoneWithoutEffect, || format!("{step}: {answer}"));
        }
        Step::Desk(_, Desk::TakeNext) => {
            let is_one_free = before.new_orders.iter().any(|order| order.is_free);
            found.expect(answer.data().is_null() != is_one_free, Rule::DoneWithoutEffect, || {
                format!("{step}: {answer}")
            });
        }
        Step::Site(Site::CreateOrder(reference, true)) => {
            let order = answer.data()["order_id"].as_i64();
            let is_there = after
                .payments
                .iter()
                .any(|payment| Some(payment.order) == order && payment.reference == format!("pay_{reference}"));
            found.expect(is_there, Rule::PaymentDropped, || format!("{step}: {answer}"));
        }
        _ => {}
    }
}

/// What the change of a step shows, also of one without an answer.
pub fn check_change(step: &Step, before: &Rows, after: &Rows, found: &mut Violations) {
    for request in &after.requests {
        let was = before.requests.iter().find(|was| was.id == request.id);
        let more = was.is_some_and(|was| was.reminders < request.reminders);
        let mut items = before.items.iter().filter(|item| item.request == request.id);
        let is_owing = items.any(|item| item.state == "asked" || item.state == "look");
        found.expect(!more || is_owing, Rule::RemindedInVain, || format!("{step}: {request:?}"));
    }
    for sent in after.unasked.iter().filter(|sent| !before.unasked.contains(sent)) {
        let more = before.unasked.iter().find(|was| (was.order, &was.kind) == (sent.order, &sent.kind));
        let is_upload = more.is_none_or(|was| was.uploads < sent.uploads);
        let status = |rows: &Rows| rows.order(sent.order).map(|order| order.status);
        let is_delivered = before.has_visa(sent.order);
        let is_needed = status(after).is_some_and(ProcessStatus::needs_documents) && !is_delivered;
        let may = is_needed && status(before) == status(after);
        found.expect(!is_upload || may, Rule::TakenUnasked, || format!("{step}: {sent:?}"));
    }
    for order in &after.orders {
        let was = before.order(order.id).map(|order| order.status);
        let is_filed = after.filings.iter().any(|filing| filing.order == order.id && filing.outcome.is_none());
        let returned = after
            .events
            .iter()
            .skip(before.events.len())
            .any(|event| event.order == Some(order.id) && event.action == "order.move" && event.staff.is_none());
        let to_file = returned && order.status == New && is_filed;
        found.expect(!to_file, Rule::FiledReturns, || format!("{step}: order {} returns to New", order.id));
        if order.status == ChargeBack && was != Some(ChargeBack) {
            let dispute = after.disputes.iter().find(|dispute| dispute.order == order.id);
            let entered = after.events_of(order.id).last().map(|event| event.at);
            let is_new = dispute.is_some_and(|dispute| {
                dispute.outcome == "Open" && entered.is_some_and(|at| dispute.respond_by >= at.date_naive())
            });
            // A decided dispute of an order that is restored stays decided.
            let is_decided = dispute.is_some_and(|dispute| ["Won", "Lost", "Accepted"].contains(&&*dispute.outcome));
            let is_restored = was == Some(Deleted) && is_decided;
            found.expect(is_new || is_restored, Rule::OpenDispute, || {
                format!("{step}: order {}: {dispute:?}", order.id)
            });
        }
    }
}

/// What an undo must restore of an order.
pub fn essence(rows: &Rows, order: i64) -> String {
    let row = rows.order(order).expect("the order");
    let filings: Vec<&str> = rows
        .filings
        .iter()
        .filter(|filing| filing.order == order && filing.outcome.is_none())
        .map(|filing| filing.number.as_str())
        .collect();
    let request = rows.open_request(order).map(|request| request.id);
    let dispute = rows.disputes.iter().find(|dispute| dispute.order == order).map(|dispute| &dispute.outcome);
    let owner = row.owner.map(|owner| &rows.member(owner).name);
    let new_since = rows.new_orders.iter().find(|new| new.order == order).map(|new| new.new_since);
    format!(
        "in {} since {new_since:?}, owned by {owner:?}, processed by {:?}, had a visa or dispute: {}, visa: {}, applications {filings:?}, request {request:?}, \
         dispute {dispute:?}",
        row.status,
        row.processed_by,
        row.had_visa_or_dispute,
        rows.has_visa(order),
    )
}
