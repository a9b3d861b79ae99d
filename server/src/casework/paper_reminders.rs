//! Reminds applicants of the papers that they were asked for, and gives those who do not answer to telecallers.

use std::sync::Arc;

use chrono::TimeDelta;

use crate::audit::store::{Actor, Change, add};
use crate::casework::Casework;
use crate::db::Conn;
use crate::error::{Permission, Result};
use crate::ids::OrderId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::mail::outbox;
use crate::mail::papers::{AskedPaper, PapersLetter};
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, Provider};
use crate::mail::store as mail;
use crate::orders::duplicates::newest_of_contact;
use crate::orders::moves::{self, LockedOrder};
use crate::orders::status::ProcessStatus;
use crate::paper_requests::returning::{self, ACTOR};
use crate::paper_requests::rules::{BETWEEN_MAILS, ItemState, NextStep, RequestEnd, due_at, next_step};
use crate::paper_requests::store::{self, Item, PaperRequest};
use crate::timestamp::Timestamp;

/// The number of requests that are handled before others may write.
const BATCH: i64 = 100;

/// The time that a step waits while files are being checked.
const WHILE_CHECKING: TimeDelta = TimeDelta::minutes(10);

/// Takes the step that is due for each request, and returns how many it took.
pub async fn remind_due(room: &Arc<Casework>) -> Result<usize> {
    let mut taken = 0;
    loop {
        let now = room.clock.now();
        let due = room.db.read(move |conn| store::list_due(conn, now, BATCH)).await?;
        if due.is_empty() {
            return Ok(taken);
        }
        for order_id in due {
            take_step(room, order_id, now).await?;
            taken += 1;
        }
    }
}

async fn take_step(room: &Arc<Casework>, order_id: OrderId, now: Timestamp) -> Result<()> {
    let composing = room.clone();
    let prepared = room.db.read(move |conn| compose(&composing, conn, order_id, now)).await?;
    let (days, lifecycle) = (room.config.papers.reminder_days.clone(), room.lifecycle.clone());
    let cause = lifecycle.cause(Actor::program(ACTOR), "order.move");
    room.db
        .write(move |tx| {
            let orders = moves::lock(tx, &[order_id])?;
            let Some(state) = orders.first() else { return Ok(()) };
            let Some((request, items)) = store::find_open(tx, order_id)? else { return Ok(()) };
            // Another node may have taken the step meanwhile.
            if request.remind_at.is_none_or(|at| at > now) {
                return Ok(());
            }
            if !state.process_status.waits_for_applicant() {
                returning::finish(tx, &lifecycle, &request, RequestEnd::Withdrawn, &cause)?;
                return Ok(());
            }
            if missing(&items).next().is_none() {
                // Everything was sent and is being checked. The step is taken if the check finds a fault.
                return store::set_next(tx, request.request_id, request.reminders, Some(now + WHILE_CHECKING));
            }
            let sent = usize::try_from(request.reminders).unwrap_or(usize::MAX);
            if next_step(sent, &days) == NextStep::Call {
                store::set_next(tx, request.request_id, request.reminders, None)?;
                return call(tx, &lifecycle, state, &cause);
            }
            let Some(facts) = mail::find_facts(tx, order_id)? else { return Ok(()) };
            let Some(reminder) = prepared.as_ref().filter(|prepared| prepared.fits(&request, &items)) else {
                // What is asked for has changed since it was composed, or no mail can go there: the next step comes in its time.
                let next = due_at(request.asked_at, sent + 1, &days);
                return store::set_next(
                    tx,
                    request.request_id,
                    request.reminders + 1,
                    Some(next.max(now + BETWEEN_MAILS)),
                );
            };
            // The order has changed since: the step is due again at once, with another mail.
            let Ok(new_mail) = reminder.mail.ready(&facts, None) else { return Ok(()) };
            let recipient = &new_mail.recipient;
            let orders = newest_of_contact(tx, recipient.as_str())?;
            let last = mail::find_newest_to(tx, recipient, &orders)?.filter(|last| now - *last < BETWEEN_MAILS);
            if let Some(last) = last {
                return store::set_next(tx, request.request_id, request.reminders, Some(last + BETWEEN_MAILS));
            }
            outbox::queue(tx, &new_mail, now)?;
            let next = due_at(request.asked_at, sent + 1, &days);
            store::set_next(tx, request.request_id, request.reminders + 1, Some(next.max(now + BETWEEN_MAILS)))?;
            let change = Change::of("paper.remind").order(order_id).after(format!("{} of {}", sent + 1, days.len()));
            add(tx, &cause.by, &[change], now)
        })
        .await?;
    room.mail.notify.notify();
    Ok(())
}

/// A reminder, and the papers that it names.
struct Reminder {
    mail: PreparedMail,
    request_id: i64,
    kinds: Vec<String>,
}

impl Reminder {
    /// Returns true if it asks for exactly the papers that are still missing.
    fn fits(&self, request: &PaperRequest, items: &[Item]) -> bool {
        self.request_id == request.request_id
            && self.kinds == missing(items).map(|item| item.kind.clone()).collect::<Vec<_>>()
    }
}

fn missing(items: &[Item]) -> impl Iterator<Item = &Item> {
    items.iter().filter(|item| matches!(item.state, ItemState::Asked | ItemState::Look))
}

/// Composes the reminder off the transaction, which must not wait for templates. None: no mail can go there, or everything is there.
fn compose(room: &Casework, conn: &mut Conn, order_id: OrderId, now: Timestamp) -> Result<Option<Reminder>> {
    let Some((request, items)) = store::find_open(conn, order_id)? else { return Ok(None) };
    let Some(facts) = mail::find_facts(conn, order_id)? else { return Ok(None) };
    let Ok(recipient) = Address::parse(&facts.applicant.contact_email_address) else { return Ok(None) };
    let papers: Vec<AskedPaper> =
        missing(&items).map(|item| AskedPaper { kind: item.kind.clone(), reason: item.text.clone() }).collect();
    if papers.is_empty() {
        return Ok(None);
    }
    let kinds = papers.iter().map(|paper| paper.kind.clone()).collect();
    let asking = PapersLetter { language: request.language, papers, is_reminder: true };
    let letter = facts.letter(order_id);
    let message = room.mail.templates.compose_asking(&letter, &asking)?;
    let mail = PreparedMail::new(
        &room.mail,
        Permission::in_background(),
        asking.mail_kind(),
        recipient,
        &facts,
        letter,
        message,
    )
    .through(Provider::again(mail::find_newest_provider(conn, order_id)?, &room.config.mail))
    .with_link(now);
    Ok(Some(Reminder { mail, request_id: request.request_id, kinds }))
}

/// Gives the order to telecallers, who find it in Contact Customer.
fn call(tx: &mut Conn, lifecycle: &Lifecycle, order: &LockedOrder, cause: &Cause) -> Result<()> {
    let call = Change::of("paper.call").order(order.order_id);
    add(tx, &cause.by, &[call], cause.now)?;
    if order.process_status == ProcessStatus::Awaiting {
        let to = To::Status(ProcessStatus::ContactCustomer);
        lifecycle.change(tx, std::slice::from_ref(order), |_| to.clone(), cause)?;
    }
    Ok(())
}
