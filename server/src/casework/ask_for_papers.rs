//! Asks an applicant for papers: the mail, the status of the order, and the places for the files, in one transaction.

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{Change, add};
use crate::casework::Casework;
use crate::db::Conn;
use crate::documents::rules::desk_documents;
use crate::error::{Error, Permission, Result};
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::change::To;
use crate::mail::errors::{ChangedFacts, MailError, MailLimits};
use crate::mail::outbox;
use crate::mail::papers::{AskedPaper, PapersLetter};
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{self as mail_rules, Address};
use crate::mail::store::{self as mail, MailFacts};
use crate::mail::templates::Letter;
use crate::orders::errors::OrderError;
use crate::orders::facts::Applicant;
use crate::orders::moves;
use crate::orders::rules::OrderState;
use crate::orders::rules::phone::Phone;
use crate::orders::status::ProcessStatus;
use crate::paper_requests::errors::PaperRequestError;
use crate::paper_requests::rules::{Language, RequestEnd, due_at, former_status, may_ask};
use crate::paper_requests::store::{self, NewItem, NewRequest};
use crate::paper_requests::{reasons, returning, unasked};
use crate::staff::rules::Staff;
use crate::text::counted;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new()
        .routes(call!(preview_paper_request))
        .routes(call!(ask_for_papers))
        .routes(call!(withdraw_paper_request))
}

/// The papers to ask the applicant of an order for.
#[derive(Clone, Deserialize, ToSchema)]
pub struct AskForPapers {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The language of the mail.
    language: Language,
    /// The papers, each with its reason.
    items: Vec<PaperToAsk>,
}

/// A paper to ask for.
#[derive(Clone, Deserialize, ToSchema)]
pub struct PaperToAsk {
    /// The document of the catalogue, such as `bank_statement`.
    kind: String,
    /// The code of the reason.
    reason: String,
}

/// The request as the applicant would read it.
#[derive(Serialize, ToSchema)]
pub struct PaperRequestPreview {
    /// The address that the mail goes to; null: the order has no valid one.
    recipient: Option<String>,
    /// The subject of the mail.
    subject: String,
    /// The mail as plain text.
    text: String,
    /// The same as a short message, such as for WhatsApp.
    message: String,
    /// The applicant's phone number, as WhatsApp wants it; null: not known.
    phone: Option<String>,
}

/// The request for papers, worded.
struct WordedRequest {
    facts: MailFacts,
    letter: Letter,
    asking: PapersLetter,
    items: Vec<NewItem>,
    recipient: Result<Address, MailError>,
    phone: Option<String>,
}

impl AskForPapers {
    /// Looks the papers and their reasons up.
    fn word(&self, conn: &mut Conn) -> Result<WordedRequest> {
        let facts = mail::find_facts(conn, self.order_id)?.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
        let needed = desk_documents(facts.applicant.visa_type.as_deref());
        let mut seen = HashSet::new();
        if self.items.is_empty() || !self.items.iter().all(|item| seen.insert(&item.kind)) {
            return Err(PaperRequestError::NoPaperChosen.into());
        }
        let mut items = Vec::new();
        for PaperToAsk { kind, reason } in &self.items {
            if needed.iter().all(|needed| needed.key != kind) {
                return Err(PaperRequestError::PaperNotNeeded.into());
            }
            let reason = reasons::find(conn, reason, kind)?;
            let text = reason.text(self.language).to_owned();
            items.push(NewItem { kind: kind.clone(), reason: reason.code, text });
        }
        let papers = items.iter().map(|item| AskedPaper { kind: item.kind.clone(), reason: item.text.clone() });
        let asking = PapersLetter { language: self.language, papers: papers.collect(), is_reminder: false };
        let Applicant { country_code, phone_number, .. } = &facts.applicant;
        let phone = Phone::read(country_code.as_deref(), phone_number.as_deref()).and_then(|phone| phone.digits());
        Ok(WordedRequest {
            letter: facts.letter(self.order_id),
            asking,
            items,
            recipient: Address::parse(&facts.applicant.contact_email_address),
            phone,
            facts,
        })
    }
}

/// Preview what the applicant would be asked. It asks for nothing.
#[utoipa::path(post, path = "/admin/preview-paper-request", request_body = AskForPapers,
    responses((status = 200, body = Found<PaperRequestPreview>)))]
pub async fn preview_paper_request(
    State(room): State<Arc<Casework>>,
    reader: Reader,
    Json(body): Json<AskForPapers>,
) -> Result<Found<PaperRequestPreview>> {
    let order_id = body.order_id;
    let worded = room.db.read(move |conn| body.word(conn)).await?;
    let templates = &room.mail.templates;
    let mail = templates.compose_asking(&worded.letter, &worded.asking)?;
    let message = templates.compose_message(&worded.letter, &worded.asking)?;
    reader.note(SeenData::order("order.view", order_id)).await?;
    Ok(found(PaperRequestPreview {
        recipient: worded.recipient.ok().map(|address| address.as_str().to_owned()),
        subject: mail.subject,
        text: mail.text,
        message,
        phone: worded.phone,
    }))
}

/// Ask the applicant for papers
///
/// Mails what is asked for, moves the order to Awaiting, and opens a place for each paper on the order's page. A former request is replaced.
/// When everything is there, the order goes back to its former status and owner by itself.
#[utoipa::path(post, path = "/admin/ask-for-papers", request_body = AskForPapers, responses((status = 200, body = Done)))]
pub async fn ask_for_papers(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    changed_facts: Permission<ChangedFacts>,
    mail_limits: Permission<MailLimits>,
    Json(body): Json<AskForPapers>,
) -> Result<StoredResponse> {
    let (order_id, days) = (body.order_id, room.config.papers.reminder_days.clone());
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(&staff, "order.move");
    let now = cause.now;
    let asked = body.clone();
    let worded = room.db.read(move |conn| asked.word(conn)).await?;
    let recipient = worded.recipient.map_err(|_| PaperRequestError::NoAddressToAsk)?;
    let message = room.mail.templates.compose_asking(&worded.letter, &worded.asking)?;
    let WordedRequest { facts, letter, asking, items, .. } = worded;
    let prepared = PreparedMail::new(&room.mail, changed_facts, asking.mail_kind(), recipient, &facts, letter, message);
    let prepared = prepared.requested_by(staff.id).with_link(now);
    let limits = room.config.limits.clone();
    let outcome = idempotent
        .write(&room.db, move |tx| {
            let orders = moves::lock(tx, &[order_id])?;
            let state = orders.first().ok_or(OrderError::OrderNotFound)?;
            check_may_ask(state)?;
            let recent = mail::recent(tx, order_id, staff.id, now)?;
            mail_rules::check_limits(mail_limits, &recent, &limits, now)?;
            let facts = mail::find_facts(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
            let new_mail = prepared.ready(&facts, None)?;
            let former = store::find_open(tx, order_id)?.map(|(request, _)| request);
            if let Some(former) = &former {
                store::end(tx, &[former.request_id], RequestEnd::Withdrawn, now)?;
            }
            let before = moves::status_before_waiting(tx, order_id)?;
            let new = NewRequest {
                order_id,
                language: body.language,
                asked_by: staff.id,
                former_status: former_status(state.process_status, former.map(|one| one.former_status), before),
                remind_at: due_at(now, 0, &days),
                items: items.clone(),
            };
            store::add(tx, &new, now)?;
            let kinds: Vec<&str> = items.iter().map(|item| item.kind.as_str()).collect();
            unasked::end(tx, order_id, &kinds)?;
            outbox::queue(tx, &new_mail, now)?;
            let asked: Vec<String> = items.iter().map(|item| format!("{}: {}", item.kind, item.reason)).collect();
            let requested =
                Change::of("paper.ask").order(order_id).after(format!("{} ({})", asked.join("; "), body.language));
            add(tx, &cause.by, &[requested], now)?;
            lifecycle.change(tx, &orders, |_| To::Status(ProcessStatus::Awaiting), &cause)?;
            let papers = counted(items.len(), "paper");
            let to = ProcessStatus::Awaiting.label();
            Ok(done(format!("The applicant is asked for {papers}, and the order has been moved to {to}")))
        })
        .await;
    room.mail.notify.notify();
    outcome
}

/// Refuses an order whose applicant is not asked for papers now.
fn check_may_ask(state: &OrderState) -> Result<(), PaperRequestError> {
    let (order_id, status) = (state.order_id, state.process_status);
    if may_ask(status, state.had_visa_or_dispute) {
        Ok(())
    } else {
        Err(PaperRequestError::OrderNotAskedAbout { order_id, status })
    }
}

/// An order whose applicant is no longer asked for papers.
#[derive(Deserialize, ToSchema)]
pub struct WithdrawPaperRequest {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
}

/// Take a request for papers back: the order returns to its former status, and the applicant is no longer reminded.
#[utoipa::path(post, path = "/admin/withdraw-paper-request", request_body = WithdrawPaperRequest,
    responses((status = 200, body = Done)))]
pub async fn withdraw_paper_request(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<WithdrawPaperRequest>,
) -> Result<StoredResponse> {
    let (order_id, lifecycle) = (body.order_id, room.lifecycle.clone());
    let cause = lifecycle.cause(&staff, "order.move");
    idempotent
        .write(&room.db, move |tx| {
            moves::lock(tx, &[order_id])?.pop().ok_or(OrderError::OrderNotFound)?;
            let (request, _) = store::find_open(tx, order_id)?.ok_or(PaperRequestError::NoOpenRequest)?;
            let to = returning::finish(tx, &lifecycle, &request, RequestEnd::Withdrawn, &cause)?;
            let to = to.map_or_else(String::new, |to| format!(", and the order is in {}", to.label()));
            Ok(done(format!("The applicant is no longer asked for papers{to}")))
        })
        .await
}
