//! The details of an order on the wire (spec §3, detail).

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use super::detail_files::{IssuedVisa, RequiredDocument, StoredFile, VisaUploadLimits, required};
use super::detail_histories::{SentMail, VisaDownload};
use super::remarks::RemarkEntry;
use super::whole::{self, Details};
use crate::audit::store::{Actor, Record};
use crate::chargebacks::wire::Chargeback;
use crate::config::Chargebacks as Terms;
use crate::documents::links::{Links, Viewer};
use crate::documents::rules::{PICTURES, VISA};
use crate::documents::store::Document;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Path;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::rules::allowed::{Allowed, allowed};
use crate::orders::rules::{ProcessStatus, ProcessingMode};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Casework> {
    OpenApiRouter::new().routes(routes!(order_details))
}

/// The details of an order. Dates are YYYY-MM-DD, instants ISO 8601 UTC; a file is named by `file1`.
#[derive(Serialize, ToSchema)]
pub struct OrderDetails {
    pub order_id: OrderId,
    pub order_number: String,
    pub external_reference: Option<String>,
    pub process_status: ProcessStatus,
    pub processing_mode: ProcessingMode,
    #[schema(value_type = Option<String>, format = Date)]
    pub processing_date: Option<NaiveDate>,
    pub process_month: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub refund_date: Option<Timestamp>,
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
    pub contact_email_address: String,
    pub user: User,
    pub merchant_name: Option<String>,
    pub transaction_id: Option<String>,
    pub full_name: String,
    pub first_name: Option<String>,
    pub middle_name: Option<String>,
    pub last_name: Option<String>,
    pub sex: Option<String>,
    pub place_of_birth: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    pub date_of_birth: Option<NaiveDate>,
    /// Digits of the country's prefix, without the plus sign.
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    pub passport_from: Option<String>,
    pub main_purpose_of_visit: Option<String>,
    pub sub_purpose_of_visit: Option<String>,
    /// The visa's code.
    pub visa_type: Option<String>,
    /// Days.
    pub stay_day: Option<i32>,
    pub document_type: Option<String>,
    pub document_number: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    pub date_of_expiry: Option<NaiveDate>,
    /// Whether that day has passed in the agency's time zone; null if it is unknown.
    pub document_expired: Option<bool>,
    pub issuing_place: Option<String>,
    pub residence_type: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub province: Option<String>,
    pub city: Option<String>,
    pub district: Option<String>,
    pub village: Option<String>,
    pub immigration_office: Option<String>,
    pub signature_name: Option<String>,
    pub payment: Option<Payment>,
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
    pub documents: Vec<StoredFile>,
    /// The documents that the visa type requires, and whether each was given.
    pub required_documents: Vec<RequiredDocument>,
    /// Issued visas, the newest first.
    #[serde(rename = "uploadDoc")]
    pub upload_doc: Vec<IssuedVisa>,
    #[serde(rename = "mailHistory")]
    pub mail_history: Vec<SentMail>,
    /// The newest 200 downloads by people, the oldest of them first.
    #[serde(rename = "downloadHistory")]
    pub download_history: Vec<VisaDownload>,
    /// The number of all downloads by people.
    #[serde(rename = "downloadTotal")]
    pub download_total: i64,
    pub remark: Vec<RemarkEntry>,
    /// The audit events of the order, the newest first; at most 200.
    pub timeline: Vec<OrderEvent>,
    /// What the caller may do with the order.
    pub allowed: Allowed,
    pub visa_upload_limits: VisaUploadLimits,
}

/// An audit event of the order.
#[derive(Serialize, ToSchema)]
pub struct OrderEvent {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// A member's name, or a part of the program: `scheduler`, `import`, `sales site …`.
    pub actor: String,
    /// `order.move`, `order.assign`, `remark.add` …
    pub action: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

impl From<Record> for OrderEvent {
    fn from(entry: Record) -> Self {
        Self { at: entry.at, actor: entry.actor, action: entry.action, before: entry.before, after: entry.after }
    }
}

/// The account that ordered.
#[derive(Serialize, ToSchema)]
pub struct User {
    pub email: Option<String>,
}

/// The payment of the order.
#[derive(Serialize, ToSchema)]
pub struct Payment {
    pub gateway: String,
    pub payment_reference: String,
    /// In whole minor units of the currency.
    pub amount_minor: i64,
    /// ISO 4217.
    pub currency: String,
    pub card_brand: Option<String>,
    pub card_last_four: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    pub paid_at: Timestamp,
}

/// What the sales site recorded at checkout.
#[derive(Serialize, ToSchema)]
pub struct Checkout {
    pub purchase_ip: Option<String>,
    pub user_agent: Option<String>,
    pub device_id: Option<String>,
    pub three_d_secure: Option<String>,
    pub terms_version: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub terms_accepted_at: Option<Timestamp>,
}

/// Get an order with its histories. The access is logged.
#[utoipa::path(get, path = "/admin/get-orders-details/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderDetails>)))]
pub async fn order_details(
    State(room): State<Casework>,
    staff: Staff,
    Path(id): Path<String>,
) -> Result<axum::Json<Found<OrderDetails>>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let details = room.db.read(move |conn| whole::find(conn, id)).await?.ok_or(OrderError::OrderNotFound)?;
    room.access_log.note(&Actor::from(&staff), "order.view", Some(id));
    let today = room.clock.today(room.config.time_zone);
    let state = details.order.state(details.owner.as_deref());
    let allowed = allowed(&staff, &state, details.chargeback.is_some(), today);
    let links = Links::new(&room.documents, Viewer::Staff(staff.session_hash));
    let (domain, terms) = (&room.config.application_mail_domain, &room.config.chargebacks);
    Ok(axum::Json(found(wire(details, allowed, domain, &links, today, terms))))
}

fn wire(
    details: Details,
    allowed: Allowed,
    mail_domain: &str,
    links: &Links,
    today: NaiveDate,
    terms: &Terms,
) -> OrderDetails {
    let Details {
        order,
        owner,
        processed_by,
        application,
        payment,
        transaction,
        chargeback,
        checkout,
        documents,
        mails,
        downloads,
        remarks,
        timeline,
    } = details;
    let id = order.order_id;
    let visa_type = order.visa_type.as_deref();
    let (visas, given): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|document| document.kind == VISA);
    let required_documents = required(visa_type, &given);
    // The oldest file comes first, so the newest of a kind remains.
    let known = given.iter().map(|document| (document.kind.clone(), Some(document.file1.clone())));
    let mut files: BTreeMap<String, Option<String>> =
        required_documents.iter().map(|required| (required.kind.clone(), None)).chain(known).collect();
    OrderDetails {
        order_id: id,
        order_number: id.printed(),
        external_reference: order.external_reference,
        process_status: order.process_status,
        processing_mode: order.processing_mode,
        process_month: order.processing_date.map(|date| date.format("%B").to_string()),
        processing_date: order.processing_date,
        refund_date: order.refund_date,
        created_at: order.created_at,
        updated_at: order.updated_at,
        assign_to: owner,
        processed_by,
        application_email_address: format!("{}@{mail_domain}", id),
        contact_email_address: order.contact_email_address,
        user: User { email: application.account_email },
        merchant_name: transaction.as_ref().and_then(|transaction| transaction.merchant_name.clone()),
        transaction_id: transaction.and_then(|transaction| transaction.transaction_id),
        full_name: order.full_name.clone(),
        first_name: application.first_name,
        middle_name: application.middle_name,
        last_name: application.last_name,
        sex: application.sex,
        place_of_birth: application.place_of_birth,
        date_of_birth: application.date_of_birth,
        country_code: order.country_code,
        phone_number: order.phone_number,
        nationality: order.nationality,
        passport_from: application.passport_from,
        main_purpose_of_visit: application.main_purpose_of_visit,
        sub_purpose_of_visit: application.sub_purpose_of_visit,
        visa_type: order.visa_type.clone(),
        stay_day: application.stay_day,
        document_type: application.document_type,
        document_number: application.document_number,
        date_of_expiry: application.date_of_expiry,
        document_expired: application.date_of_expiry.map(|date| date < today),
        issuing_place: application.issuing_place,
        residence_type: application.residence_type,
        address: application.address,
        postal_code: application.postal_code,
        province: application.province,
        city: application.city,
        district: application.district,
        village: application.village,
        immigration_office: application.immigration_office,
        signature_name: application.signature_name,
        payment: payment.map(|payment| Payment {
            gateway: payment.gateway,
            payment_reference: payment.payment_reference,
            amount_minor: payment.amount_minor,
            currency: payment.currency.code().to_owned(),
            card_brand: payment.card_brand,
            card_last_four: payment.card_last_four,
            paid_at: payment.paid_at,
        }),
        checkout: checkout.map(|checkout| Checkout {
            purchase_ip: checkout.purchase_ip,
            user_agent: checkout.user_agent,
            device_id: checkout.device_id,
            three_d_secure: checkout.three_d_secure,
            terms_version: checkout.terms_version,
            terms_accepted_at: checkout.terms_accepted_at,
        }),
        chargeback: chargeback.map(|chargeback| Chargeback::new(chargeback, today, terms)),
        passport_picture: files.remove(PICTURES[0]).flatten(),
        upload_picture: files.remove(PICTURES[1]).flatten(),
        files,
        required_documents,
        upload_doc: visas.into_iter().rev().map(|visa| IssuedVisa::new(visa, &order.full_name, links)).collect(),
        documents: given.into_iter().map(|document| StoredFile::new(document, links)).collect(),
        mail_history: mails.into_iter().map(|entry| SentMail::new(id, entry, links)).collect(),
        download_total: downloads.total,
        download_history: downloads
            .newest
            .into_iter()
            .map(|(one, file)| VisaDownload::new(id, one, file, links))
            .collect(),
        timeline: timeline.into_iter().map(OrderEvent::from).collect(),
        remark: remarks.into_iter().map(|(remark, author)| RemarkEntry::new(id, remark, author)).collect(),
        allowed,
        visa_upload_limits: VisaUploadLimits::get(),
    }
}
