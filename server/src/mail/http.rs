//! The calls by which staff send mails again and read them.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Mail;
use super::errors::{MailError, MemberMail};
use super::outbox;
use super::page;
use super::prepared::PreparedMail;
use super::preview::{self, ShownMail};
use super::rules::{self, Address, MailKind, Provider, ShownState};
use super::store::{self, MailFacts};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::Conn;
use crate::documents::links::{self, Viewer};
use crate::error::{Error, Permission, Result};
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::{Json, Path};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::rules::phone::Phone;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Mail>> {
    OpenApiRouter::new().routes(call!(resend_mail)).routes(call!(send_download_mail)).routes(call!(email_content))
}

/// The order, and the recipient.
#[derive(Deserialize, ToSchema)]
pub struct ResendMail {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// Exactly one address.
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// `AWS` or `Sendgrid`, in any case. Missing: the configured one, AWS if both are.
    #[serde(rename = "mailServiceProvider")]
    mail_service_provider: Option<String>,
}

/// Send the mail about the visa again
///
/// It is queued, and sent within a second or as soon as the provider can be reached.
#[utoipa::path(post, path = "/admin/resend-mail", request_body = ResendMail,
    responses((status = 200, body = Done)))]
pub async fn resend_mail(
    State(room): State<Arc<Mail>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    mail: Permission<MemberMail>,
    Json(body): Json<ResendMail>,
) -> Result<StoredResponse> {
    let wanted = MailRequest {
        order_id: body.order_id,
        recipient: Address::parse(&body.email.unwrap_or_default())?,
        provider: Provider::read(&body.mail_service_provider.unwrap_or_default(), &room.config.mail)?,
        kind: MailKind::Resend,
        action: "mail.resend",
    };
    send(room, staff, idempotent, mail, wanted).await
}

/// The order, and the recipient.
#[derive(Deserialize, ToSchema)]
pub struct SendDownloadMail {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// Exactly one address.
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// Send the link to the page where the visa can be downloaded, through AWS if it is configured
#[utoipa::path(post, path = "/admin/send-download-mail", request_body = SendDownloadMail,
    responses((status = 200, body = Done)))]
pub async fn send_download_mail(
    State(room): State<Arc<Mail>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    mail: Permission<MemberMail>,
    Json(body): Json<SendDownloadMail>,
) -> Result<StoredResponse> {
    let wanted = MailRequest {
        order_id: body.order_id,
        recipient: Address::parse(&body.email.unwrap_or_default())?,
        provider: Provider::configured(&room.config.mail),
        kind: MailKind::DownloadLink,
        action: "mail.download_link",
    };
    send(room, staff, idempotent, mail, wanted).await
}

/// A mail requested by a member of staff.
#[derive(Clone)]
struct MailRequest {
    order_id: OrderId,
    recipient: Address,
    provider: Provider,
    kind: MailKind,
    /// The action in the audit.
    action: &'static str,
}

async fn send(
    room: Arc<Mail>,
    staff: Staff,
    idempotent: IdempotentRequest,
    permission: Permission<MemberMail>,
    wanted: MailRequest,
) -> Result<StoredResponse> {
    let (now, limits) = (room.clock.now(), room.config.limits.clone());
    let composing = room.clone();
    let MailRequest { order_id, recipient, provider, kind, action } = wanted;
    let prepared = idempotent
        .prepare(&room.db, move |conn| {
            let facts = facts(conn, order_id)?;
            let mail =
                PreparedMail::compose(&composing, permission.of(), kind, recipient, &facts, facts.letter(order_id))?;
            Ok(mail.requested_by(staff.id).through(provider).with_link(now))
        })
        .await?;
    let prepared = match prepared {
        ControlFlow::Continue(prepared) => prepared,
        ControlFlow::Break(response) => return Ok(response),
    };
    let answer = idempotent
        .write(&room.db, move |tx| {
            let facts = facts(tx, order_id)?;
            let mail = prepared.ready(&facts, facts.visa)?;
            let is_elsewhere = !mail.recipient.is_one_of(facts.addresses());
            let recent = store::recent(tx, order_id, staff.id, now)?;
            let queued = done(rules::queued_message(&mail.recipient, mail.provider));
            if store::is_repeated(tx, &mail, now - rules::SAME_WITHIN)? {
                return Ok(queued);
            }
            rules::check_elsewhere(permission.of(), &recent, is_elsewhere, &limits, now)?;
            rules::check_limits(permission.of(), &recent, &limits, now)?;
            outbox::queue(tx, &mail, now)?;
            let change = Change::of(action).order(order_id).after(rules::audit_summary(
                &mail.recipient,
                mail.provider,
                is_elsewhere,
            ));
            audit::add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(queued)
        })
        .await?;
    room.notify.notify();
    Ok(answer)
}

/// The facts of an order that mails may be sent about.
fn facts(conn: &mut Conn, order_id: OrderId) -> Result<MailFacts> {
    let facts = store::find_facts(conn, order_id)?.ok_or_else(no_such_order)?;
    if !facts.applicant.process_status.may_be_emailed_about() {
        return Err(MailError::MailAboutDeletedOrder.into());
    }
    Ok(facts)
}

/// The newest mail about the visa, or its preview.
#[derive(Serialize, ToSchema)]
pub struct EmailContent {
    /// Null: no such mail was sent yet, and this is its preview.
    mail_id: Option<i64>,
    /// The subject of the mail.
    subject: String,
    /// The recipient.
    email: String,
    /// When it was sent; null: not yet.
    #[schema(value_type = Option<String>, format = DateTime)]
    sent_at: Option<Timestamp>,
    /// `queued`, `sent`, `failed`, `unknown`, `stopped`, or `written`: to a file, because no provider is configured.
    state: Option<ShownState>,
    /// A signed link to the mail's page, good for five minutes.
    link: String,
    /// The mail in two sentences, for WhatsApp.
    whatsapp_text: String,
    /// The applicant's number, in digits with the country's prefix.
    whatsapp_number: Option<String>,
}

/// Newest mail about the visa, or its preview
#[utoipa::path(get, path = "/admin/get-email-content/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<EmailContent>)))]
pub async fn email_content(
    State(room): State<Arc<Mail>>,
    staff: Staff,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Found<EmailContent>> {
    let id = OrderId::parse(&id).ok_or_else(no_such_order)?;
    let ShownMail { facts, sent, subject, .. } = preview::find(&room, id).await?;
    reader.note(SeenData::order("mail.view", id)).await?;
    let viewer = Viewer::Staff(staff.session_hash);
    let track_url = room.templates.track_url(id);
    let email =
        sent.as_ref().map_or_else(|| facts.applicant.contact_email_address.clone(), |sent| sent.recipient.clone());
    Ok(found(EmailContent {
        mail_id: sent.as_ref().map(|sent| sent.mail_id),
        subject,
        email,
        sent_at: sent.as_ref().and_then(|sent| sent.sent_at),
        state: sent.as_ref().map(store::VisaMail::shown_state),
        link: links::sign(&room.secret, &page::path_of(id), &viewer, room.clock.now()),
        whatsapp_text: rules::whatsapp_text(&facts.applicant.full_name, id, facts.visa.is_some(), &track_url),
        whatsapp_number: Phone::read(facts.applicant.country_code.as_deref(), facts.applicant.phone_number.as_deref())
            .and_then(|phone| phone.digits()),
    }))
}

fn no_such_order() -> Error {
    Error::from(OrderError::OrderNotFound)
}
