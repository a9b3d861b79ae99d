//! Staff upload issued visas.

use std::sync::Arc;

use axum::extract::State;
use chrono::TimeDelta;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Deliveries;
use super::approval::{Approval, find_facts, note};
use super::errors::DeliveryError;
use super::store as deliveries_store;
use super::visa_check::{self, UploadedFile, VisaCheck};
use super::waiting::{self, WaitingVisa};
use super::{readings, rules as deliveries};
use crate::audit::store::{self as audit, Change};
use crate::config;
use crate::db::Conn;
use crate::documents::errors::MemberUploadLimit;
use crate::documents::forms::UploadRequest;
use crate::documents::forms::{self, Form};
use crate::documents::inspection::InspectedFile;
use crate::documents::kinds::{VISA, WAITING_VISA};
use crate::documents::rules::{self, StoredFile};
use crate::documents::store::{self, CountFiles, NewDocument};
use crate::documents::storing::Upload;
use crate::error::{Permission, Result};
use crate::http::answer::StoredResponse;
use crate::http::idempotency::IdempotentRequest;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::OrderChanges;
use crate::lifecycle::undoable::{Undoable, record};
use crate::mail::errors::{ChangedFacts, ElsewhereLimit};
use crate::mail::rules::{self as mail_rules, Address, Provider};
use crate::mail::store as mail;
use crate::orders::errors::OrderError;
use crate::orders::moves::{self, LockedOrder};
use crate::orders::rules::undo::ChangeKind;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Deliveries>> {
    OpenApiRouter::new().routes(call!(upload_visa_document))
}

/// The parts of the upload.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the contract reads it")]
pub struct UploadVisaDocument {
    /// Plain, printed or encoded.
    #[schema(rename = "orderId")]
    order_id: String,
    /// The recipient of the mail about the visa.
    email: String,
    /// A PDF, or a JPEG, PNG, WEBP or GIF image of at most 20 MB.
    #[schema(rename = "uploadVisaDoc", value_type = String, format = Binary)]
    upload_visa_doc: Vec<u8>,
    /// AWS or Sendgrid; absent or empty: the configured one, AWS if both are.
    #[schema(rename = "mailServiceProvider")]
    mail_service_provider: Option<String>,
    /// Why the visa is delivered although it differs from the order, in 5 to 500 characters. It is only needed once the visa was refused.
    reason: Option<String>,
}

/// The text fields of the form.
const TEXTS: [&str; 4] = ["orderId", "email", "mailServiceProvider", "reason"];

/// The uploaded visa, and the findings of its check.
#[derive(Serialize, ToSchema)]
pub struct UploadedVisa {
    /// 1.
    status: u8,
    /// The change that was made, as a text for people.
    message: String,
    /// The findings of the check of the visa; null: visas are not checked.
    data: Option<VisaCheck>,
    /// The means to undo the delivery while its mail waits; null: the visa is right, or its mail does not wait.
    undo: Option<Undoable>,
}

/// Upload an issued visa: stores it, completes its order and queues the mail to the applicant. All or nothing.
///
/// A visa that is another order's, or shows another passport number, is refused with 409 `visa_differs` unless it comes with a reason. A scan
/// is read first: it is delivered after that, in two minutes at the latest, and if it shows another passport number once a member decides. A refunded or charged-back order keeps its status, and a deleted one takes no visa; a completed one also keeps who completed it.
#[utoipa::path(post, path = "/admin/upload-visa-document",
    request_body(content = UploadVisaDocument, content_type = "multipart/form-data"),
    responses((status = 200, body = UploadedVisa)))]
pub async fn upload_visa_document(
    State(room): State<Arc<Deliveries>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    changed_facts: Permission<ChangedFacts>,
    elsewhere_limit: Permission<ElsewhereLimit>,
    upload_limit: Permission<MemberUploadLimit>,
    request: UploadRequest,
) -> Result<StoredResponse> {
    let form = forms::read(&room.documents, request, "uploadVisaDoc", &TEXTS).await?;
    let fields = UploadFields::read(&form, &room.config.mail)?;
    let file = form.file.ok_or(DeliveryError::VisaFileMissing)?;
    let cause = room.lifecycle.cause(&staff, "order.move");
    let idempotent = idempotent.with_content(&fields.digest(&file.sha256));
    let uploader = Uploader { room: room.clone(), fields, staff, cause, elsewhere_limit, upload_limit };
    let (early, comparing) = (uploader.clone(), uploader.clone());
    let prepare = move |conn: &mut Conn| early.prepare(conn, changed_facts);
    let original = file.sha256;
    let examine =
        async move |approval, inspected: &InspectedFile| Ok((approval, comparing.examine(inspected, original).await?));
    let upload = Upload { documents: &room.documents, db: &room.db, idempotent, file };
    let outcome = upload
        .take(prepare, examine, move |tx, file, (approval, uploaded)| {
            uploader.deliver(tx, file, approval, uploaded.as_ref())
        })
        .await;
    room.mail.notify.notify();
    room.notify.notify_one();
    outcome
}

/// A member who uploads a visa.
#[derive(Clone)]
struct Uploader {
    room: Arc<Deliveries>,
    fields: UploadFields,
    staff: Staff,
    cause: Cause,
    elsewhere_limit: Permission<ElsewhereLimit>,
    upload_limit: Permission<MemberUploadLimit>,
}

impl Uploader {
    /// Refuses a member who has uploaded too many files today. `count` counts them.
    fn check_member(&self, conn: &mut Conn, count: CountFiles) -> Result<()> {
        let uploaded = count(conn, self.staff.id, self.cause.now - rules::MEMBERS_DAY)?;
        Ok(rules::check_member(self.upload_limit, uploaded, &self.room.config.limits)?)
    }

    /// Refuses what needs no look into the file, and composes the email.
    fn prepare(&self, conn: &mut Conn, changed_facts: Permission<ChangedFacts>) -> Result<Approval> {
        let UploadFields { order_id, recipient, provider, .. } = &self.fields;
        self.check_member(conn, store::count_by)?;
        store::find_usage(conn, *order_id)?;
        Approval::compose(&self.room, conn, *order_id, (recipient.clone(), *provider), self.staff.id, changed_facts)
    }

    /// Reads the visa, and refuses it if it is another person's.
    async fn examine(&self, inspected: &InspectedFile, original: [u8; 32]) -> Result<Option<UploadedFile>> {
        let UploadFields { order_id, reason, .. } = &self.fields;
        let uploaded = UploadedFile::read(&self.room, *order_id, (inspected, original), reason.clone()).await?;
        if let Some(uploaded) = &uploaded {
            visa_check::refuse(&self.room, uploaded, &self.staff, self.cause.now).await?;
        }
        Ok(uploaded)
    }

    /// Adds the visa, and delivers it unless its scan is read first.
    fn deliver(
        &self,
        tx: &mut Conn,
        file: &StoredFile,
        approval: &Approval,
        uploaded: Option<&UploadedFile>,
    ) -> Result<UploadedVisa> {
        let Self { room, fields, staff, cause, .. } = self;
        let (order_id, now, limits) = (fields.order_id, cause.now, &room.config.limits);
        rules::check_quota(store::usage(tx, order_id)?, file.stored.size_bytes, limits)?;
        // Locked after the order, as in every call that sends mails, so that transactions cannot deadlock.
        let recent = mail::recent(tx, order_id, staff.id, now)?;
        self.check_member(tx, store::count_to_add)?;
        let facts = find_facts(tx, order_id)?;
        let is_own = fields.recipient.is_one_of(facts.addresses());
        mail_rules::check_elsewhere(self.elsewhere_limit, &recent, !is_own, limits, now)?;
        let found = uploaded.map(|uploaded| uploaded.check(tx)).transpose()?;
        // As it is without this visa.
        let orders = moves::lock(tx, &[order_id])?;
        let is_waiting = uploaded.zip(found.as_ref()).is_some_and(|(uploaded, found)| uploaded.waits(found));
        let kind = if is_waiting { WAITING_VISA } else { VISA }.to_owned();
        let new = NewDocument { order_id, kind, file: file.clone(), uploaded_by: Some(staff.id) };
        let document_id = store::add(tx, &new, &cause.by, now)?;
        let mailed = mail_rules::audit_summary(&fields.recipient, fields.provider, !is_own);
        let mailed = if is_waiting { format!("{mailed}, once it was read") } else { mailed };
        note(tx, order_id, "document.upload_visa", mailed, cause)?;
        let data = found.as_ref().map(|found| VisaCheck::of_new(document_id, found, is_waiting));
        let (message, undo) = if is_waiting {
            waiting::add(tx, &self.waiting(document_id, is_own))?;
            (BEING_READ_FIRST.to_owned(), None)
        } else {
            // Holds the email so that the delivery can still be undone.
            let seconds = data.as_ref().filter(|check| check.is_open).map(|_| room.config.delivery.undo_seconds);
            let wait = seconds.filter(|seconds| *seconds > 0).map(|seconds| TimeDelta::seconds(seconds.into()));
            let due_at = wait.map_or(now, |wait| now + wait);
            let made = approval.deliver(tx, &room.lifecycle, &orders, document_id, due_at, cause)?;
            let noted = found.as_ref().and_then(visa_check::noted);
            let undo = record_check(tx, staff, noted, wait.map(|_| (&orders[..], due_at)), made, cause)?;
            let queued = mail_rules::queued_message(&fields.recipient, fields.provider);
            (format!("The visa has been stored. {queued}"), undo)
        };
        if let Some(found) = &found {
            deliveries_store::add(tx, document_id, found, undo.as_ref().map(|undo| undo.event_id))?;
            if found.is_to_be_read {
                readings::request(tx, order_id, document_id, now)?;
            }
        }
        Ok(UploadedVisa { status: 1, message, data, undo })
    }

    /// The visa as it waits to be read.
    fn waiting(&self, document_id: i64, is_own: bool) -> WaitingVisa {
        let Self { fields, staff, cause, .. } = self;
        WaitingVisa {
            document_id,
            order_id: fields.order_id,
            staff_id: staff.id,
            recipient: fields.recipient.as_str().to_owned(),
            is_own,
            provider: fields.provider,
            due_at: Some(cause.now + waiting::LONGEST),
        }
    }
}

/// The message about a visa whose scan is read before its delivery.
const BEING_READ_FIRST: &str = "The visa has been stored. It is read first. Then it is delivered, in two minutes at the latest, unless it \
    shows another passport number";

/// Adds the audit row of what the check found. If the mail waits, records what the order was before and returns how to undo the delivery
/// until the mail is due.
fn record_check(
    tx: &mut Conn,
    staff: &Staff,
    noted: Option<Change>,
    waits: Option<(&[LockedOrder], Timestamp)>,
    mut made: OrderChanges,
    cause: &Cause,
) -> Result<Option<Undoable>> {
    let Some(noted) = noted else { return Ok(None) };
    // The last row of the delivery: later ones are other changes of the order.
    made.ends_with(audit::add_of_orders(tx, &cause.by, &[noted], cause.now)?);
    let Some((orders, until)) = waits else { return Ok(None) };
    let (_, undo) = record(tx, staff, ChangeKind::Status, &made, orders, cause)?;
    Ok(undo.map(|undo| Undoable { until, ..undo }))
}

/// The fields of the upload beside the file.
#[derive(Clone)]
struct UploadFields {
    order_id: OrderId,
    recipient: Address,
    provider: Provider,
    reason: Option<String>,
}

impl UploadFields {
    fn read(form: &Form, mail: &config::MailSettings) -> Result<Self> {
        Ok(Self {
            order_id: OrderId::parse(form.text("orderId")).ok_or(OrderError::OrderNotFound)?,
            recipient: Address::parse(form.text("email"))?,
            provider: Provider::read(form.text("mailServiceProvider"), mail)?,
            reason: deliveries::read_reason(form.text("reason"))?,
        })
    }

    /// Equal for two uploads of the same content and fields.
    fn digest(&self, sha256: &[u8]) -> Vec<u8> {
        let reason = self.reason.as_deref().unwrap_or_default();
        let texts = [&self.order_id.encoded(), self.recipient.as_str(), self.provider.as_str(), reason].join("\n");
        Sha256::new().chain_update(texts).chain_update("\n").chain_update(sha256).finalize().to_vec()
    }
}
