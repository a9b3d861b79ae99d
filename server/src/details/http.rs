//! The details of an order on the wire (spec §3, detail).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::DetailsRoom;
use super::files::{FileDetails, IssuedType, IssuedVisa, RequiredDocument, VisaUploadLimits, required};
use super::histories::{self as histories, FailedTries, OlderRows, OrderEvent, SentMail, VisaDownload};
use super::whole::{self, Details};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::calendar::month_name;
use crate::chargebacks::wire::Chargeback;
use crate::config::Config;
use crate::deliveries::visa_check::VisaCheck;
use crate::documents::kinds::{Origin, PICTURES};
use crate::documents::links::{Links, VALID_FOR_SECONDS, Viewer};
use crate::documents::store::Document;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Path;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::mail::rules::Provider;
use crate::orders::errors::OrderError;
use crate::orders::facts::{Application, Checkout, OrderFacts, Payment, Whole};
use crate::orders::kept::StoredValue;
use crate::orders::rules::ProcessingMode;
use crate::orders::rules::allowed::{Allowed, OrderRecords, allowed};
use crate::orders::rules::phone::Phone;
use crate::orders::status::ProcessStatus;
use crate::paper_requests::rules::Language;
use crate::refunds::marks::RefundMark;
use crate::remarks::entry::RemarkEntry;
use crate::staff::rules::{Staff, may_see_failed_tries};
use crate::timestamp::Timestamp;
use crate::visas::catalogue;
use crate::visas::rules::{self as visa_rules, Trip, Warning};

pub fn endpoints() -> OpenApiRouter<Arc<DetailsRoom>> {
    OpenApiRouter::new().routes(call!(order_details))
}

/// The details of an order. Dates are YYYY-MM-DD, instants ISO 8601 UTC; a file is named by `file1`.
#[derive(Serialize, ToSchema)]
pub struct OrderDetails {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form of the id, `VD-100001`.
    pub order_number: String,
    /// The sales site's own number; null: it sent none.
    pub external_reference: Option<String>,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// Regular or priority processing.
    pub processing_mode: ProcessingMode,
    /// The day on which to process the order; null: at once.
    #[schema(value_type = Option<String>, format = Date)]
    pub processing_date: Option<NaiveDate>,
    /// `January` … `December`, of the processing date; null without one.
    pub process_month: Option<&'static str>,
    /// When the order was marked as refunded; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub refund_date: Option<Timestamp>,
    /// The marks of its refund that were made here, the newest first: at most one was not taken back.
    pub refund_marks: Vec<RefundMark>,
    /// When the order was received.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// Sent back with a move, so that it does not overwrite a change made meanwhile.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// The owner's name; null: unassigned.
    pub assign_to: Option<String>,
    /// The name of the member who last completed it.
    pub processed_by: Option<String>,
    /// The order id at the configured mail domain.
    pub application_email_address: String,
    /// The applicant's email address.
    pub contact_email_address: String,
    /// The account that ordered.
    pub user: User,
    /// The name on the customer's statement; null: not recorded.
    pub merchant_name: Option<String>,
    /// The gateway's id of the transaction; null: not recorded.
    pub transaction_id: Option<String>,
    /// The applicant's full name.
    pub full_name: String,
    /// The application form.
    #[serde(flatten)]
    pub application: Application,
    /// Digits of the country's prefix, without the plus sign.
    pub country_code: Option<String>,
    /// The number as it was typed; null: not given.
    pub phone_number: Option<String>,
    /// The same number as the numbering plan of its country has it; null: not given.
    pub telephone: Option<Telephone>,
    /// The language that the applicant most likely reads.
    pub language: Language,
    /// The nationality, as a country's name; null: not given.
    pub nationality: Option<String>,
    /// The visa's code.
    pub visa_type: Option<String>,
    /// The visa that is issued for that code; null: the catalogue does not know the code.
    pub issued_type: Option<IssuedType>,
    /// The conflicts of the trip with the rules of the visa type. Empty once its application was filed, and for an order that is closed.
    pub visa_warnings: Vec<Warning>,
    /// True if that day has passed in the agency's time zone; null if it is unknown.
    pub document_expired: Option<bool>,
    /// The values that the customer sent in the fields that were corrected, by field; null: nothing. Dates are YYYY-MM-DD.
    pub originals: BTreeMap<String, Option<String>>,
    /// Values beside these fields, as they were sent: not understood, or evidence in another spelling.
    pub kept_values: Vec<KeptAsSent>,
    /// The payment; null: unpaid.
    pub payment: Option<Payment>,
    /// The data that the sales site recorded at checkout; null: nothing.
    pub checkout: Option<Checkout>,
    /// The chargeback; null: there never was one.
    pub chargeback: Option<Chargeback>,
    /// The newest file of the passport.
    pub passport_picture: Option<String>,
    /// The newest photo of the applicant.
    pub upload_picture: Option<String>,
    /// The newest file of each other kind, by kind, such as `bank_statement`; null if the visa type requires it and it is missing.
    #[serde(flatten)]
    pub files: BTreeMap<String, Option<String>>,
    /// Facts about every file of the applicant, the oldest first.
    pub documents: Vec<FileDetails>,
    /// The documents that the visa type requires, and whether each was given.
    pub required_documents: Vec<RequiredDocument>,
    /// Issued visas, the newest first.
    #[serde(rename = "uploadDoc")]
    pub upload_doc: Vec<IssuedVisa>,
    /// The newest 50 mails about the order, the oldest of them first.
    #[serde(rename = "mailHistory")]
    pub mail_history: Vec<SentMail>,
    /// The number of all mails.
    #[serde(rename = "mailTotal")]
    pub mail_total: i64,
    /// The newest 50 downloads, the oldest of them first.
    #[serde(rename = "downloadHistory")]
    pub download_history: Vec<VisaDownload>,
    /// The number of all downloads.
    #[serde(rename = "downloadTotal")]
    pub download_total: i64,
    /// Wrong tries to open the order on the public pages, by hour and network: the newest 50, the oldest of them first. Empty for
    /// types of staff other than Admin and Manager.
    pub failed_tries: Vec<FailedTries>,
    /// The number of all rows of wrong tries.
    pub failed_tries_total: i64,
    /// The newest 50 remarks of staff, the oldest of them first.
    pub remark: Vec<RemarkEntry>,
    /// The number of all remarks.
    pub remark_total: i64,
    /// The audit events of the order, the newest first; at most 50.
    pub timeline: Vec<OrderEvent>,
    /// The position of the older rows of each history.
    pub older: OlderRows,
    /// The actions that the caller may take on the order.
    pub allowed: Allowed,
    /// The providers through which mails can be sent. A provider that is not configured is missing.
    pub mail_providers: Vec<Provider>,
    /// The limits for the upload of an issued visa.
    pub visa_upload_limits: VisaUploadLimits,
    /// The time that the links of this answer open their files, in seconds.
    pub links_valid_for_seconds: u32,
}

/// A value as it was sent.
#[derive(Serialize, ToSchema)]
pub struct KeptAsSent {
    /// The field's name.
    pub field: String,
    /// As it was sent; what was no text, as JSON.
    pub value: String,
    /// The reason why it is not understood, which continues the sentence after the field's name; null: it is, and is kept as evidence.
    pub reason: Option<String>,
    /// A member still has to correct the field, or to find that there is nothing to correct.
    pub is_open: bool,
}

impl KeptAsSent {
    fn new(stored: StoredValue) -> Self {
        let is_open = stored.is_unclear();
        Self { field: stored.field, value: stored.value, reason: stored.reason, is_open }
    }
}

/// The account that ordered.
#[derive(Serialize, ToSchema)]
pub struct User {
    /// The account's email address; null: not given.
    pub email: Option<String>,
}

/// The applicant's telephone number, in the spellings that people and programs need.
#[derive(Serialize, ToSchema)]
pub struct Telephone {
    /// As people read it, such as `+62 812-3456-7890`; as it was typed if its country is not known.
    pub shown: String,
    /// As a telephone dials it, such as `+6281234567890`; as it was typed if its country is not known.
    pub dialled: String,
    /// All its digits with the country's prefix; null: the country is not known, or has no such numbers.
    pub digits: Option<String>,
}

impl Telephone {
    fn new(phone: &Phone) -> Self {
        Self { shown: phone.shown(), dialled: phone.international(), digits: phone.digits() }
    }
}

/// Get an order with its histories. The access is logged.
#[utoipa::path(get, path = "/admin/get-orders-details/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderDetails>)))]
pub async fn order_details(
    State(room): State<Arc<DetailsRoom>>,
    staff: Staff,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Found<OrderDetails>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let with_failed_tracks = may_see_failed_tries(staff.staff_type);
    let read = room.db.read_briefly(move |conn| whole::find(conn, id, with_failed_tracks));
    let details = read.await?.ok_or(OrderError::OrderNotFound)?;
    reader.note(SeenData::order("order.view", id)).await?;
    let today = room.clock.today(room.config.time_zone);
    let state = details.facts.order.state(details.facts.owner.as_deref());
    let is_in_force = |mark: &RefundMark| mark.taken_back_at.is_none();
    let has =
        OrderRecords { chargeback: details.chargeback.is_some(), refund: details.refund_marks.iter().any(is_in_force) };
    let allowed = allowed(&staff, &state, has, today);
    let links = Links::new(&room.documents, Viewer::Staff(staff.session_hash));
    Ok(found(wire(details, allowed, &room.config, &links, today)))
}

fn wire(details: Details, allowed: Allowed, config: &Config, links: &Links, today: NaiveDate) -> OrderDetails {
    let Details {
        facts: Whole { order, owner, processed_by, application, payment, transaction, checkout, .. },
        originals,
        kept,
        chargeback,
        documents,
        mut deliveries,
        mut visa_readings,
        mails,
        downloads,
        failed_tracks,
        remarks,
        refund_marks,
        timeline,
    } = details;
    let application = application.unwrap_or_default();
    let id = order.order_id;
    let visa_type = order.visa_type.as_deref();
    let (visas, given): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|document| Origin::of(&document.kind).is_among_visas());
    let required_documents = required(visa_type, &given);
    let visa_warnings = trip_warnings(&order, &application, today);
    let mut files = files_by_kind(&given, &required_documents);
    let visas = visas.into_iter().rev().map(|visa| {
        let is_waiting = Origin::of(&visa.kind) == Origin::Waiting;
        let (check, reading) = (deliveries.remove(&visa.document_id), visa_readings.remove(&visa.document_id));
        let check = check.map(|known| VisaCheck::stored(known, reading, is_waiting));
        IssuedVisa::new(visa, &order.full_name, links, check)
    });
    let upload_doc = visas.collect();
    let (mail_total, download_total) = (mails.total, downloads.total);
    let (remark_total, failed_tries_total) = (remarks.total, failed_tracks.total);
    let (mail_history, older_mails) = histories::mails(id, mails, links);
    let (download_history, older_downloads) = histories::downloads(id, downloads, links);
    let (failed_tries, older_tries) = histories::tries(failed_tracks);
    let (remark, older_remarks) = histories::remarks(id, remarks);
    let (timeline, older_timeline) = histories::timeline(timeline);
    OrderDetails {
        order_id: id,
        order_number: id.printed(),
        external_reference: order.external_reference,
        process_status: order.process_status,
        processing_mode: order.processing_mode,
        process_month: order.processing_date.map(month_name),
        processing_date: order.processing_date,
        refund_date: order.refund_date,
        refund_marks,
        created_at: order.created_at,
        updated_at: order.updated_at,
        assign_to: owner,
        processed_by,
        application_email_address: format!("{id}@{}", config.application_mail_domain),
        contact_email_address: order.contact_email_address,
        user: User { email: application.account_email.clone() },
        merchant_name: transaction.as_ref().and_then(|transaction| transaction.merchant_name.clone()),
        transaction_id: transaction.and_then(|transaction| transaction.transaction_id),
        full_name: order.full_name.clone(),
        telephone: Phone::read(order.country_code.as_deref(), order.phone_number.as_deref())
            .as_ref()
            .map(Telephone::new),
        country_code: order.country_code,
        phone_number: order.phone_number,
        language: Language::of_nationality(order.nationality.as_deref()),
        nationality: order.nationality,
        issued_type: visa_type.and_then(|code| IssuedType::of(code, application.arrival_date)),
        visa_type: order.visa_type.clone(),
        visa_warnings,
        document_expired: application.date_of_expiry.map(|date| date < today),
        application,
        originals,
        kept_values: kept.into_iter().map(KeptAsSent::new).collect(),
        payment,
        checkout,
        chargeback: chargeback.map(|chargeback| Chargeback::new(chargeback, today, &config.chargebacks)),
        passport_picture: files.remove(PICTURES[0]).flatten(),
        upload_picture: files.remove(PICTURES[1]).flatten(),
        files,
        required_documents,
        upload_doc,
        documents: given.into_iter().map(|document| FileDetails::new(document, links)).collect(),
        mail_history,
        mail_total,
        download_history,
        download_total,
        failed_tries,
        failed_tries_total,
        remark,
        remark_total,
        timeline,
        older: OlderRows {
            mails: older_mails,
            downloads: older_downloads,
            remarks: older_remarks,
            timeline: older_timeline,
            tries: older_tries,
        },
        allowed,
        mail_providers: Provider::ALL.iter().copied().filter(|provider| provider.is_available(&config.mail)).collect(),
        visa_upload_limits: VisaUploadLimits::get(),
        links_valid_for_seconds: VALID_FOR_SECONDS,
    }
}

/// The conflicts of the trip with the rules of the visa type, while the application is to be filed.
fn trip_warnings(order: &OrderFacts, application: &Application, today: NaiveDate) -> Vec<Warning> {
    let trip = Trip { arrival_date: application.arrival_date, stay_days: application.stay_day };
    let visa_type = order.visa_type.as_deref().filter(|_| order.process_status.is_to_be_filed());
    visa_type.and_then(catalogue::issued_for).map_or_else(Vec::new, |visa| visa_rules::warnings(visa, trip, today))
}

/// The newest file of each kind; none of a kind that is required and missing.
fn files_by_kind(given: &[Document], required: &[RequiredDocument]) -> BTreeMap<String, Option<String>> {
    // The oldest file comes first, so the newest of a kind remains.
    let known = given.iter().map(|document| (document.kind.clone(), Some(document.file1.clone())));
    required.iter().map(|required| (required.kind.clone(), None)).chain(known).collect()
}
