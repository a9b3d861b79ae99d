//! The order's detail, in the words of the wire (spec §3, detail).

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{NaiveDate, NaiveDateTime};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::details::{self, Details, Document};
use super::id::OrderId;
use super::rules::{ProcessStatus, ProcessingMode};
use crate::app::App;
use crate::clock::{Wire, est};
use crate::error::{Error, Result};
use crate::http::answer::{Found, Refusals, found};
use crate::http::json::Path;
use crate::staff::rules::Staff;

/// The kind of document that an issued visa is.
const VISA: &str = "visa";

pub fn endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(order_details))
}

/// One order whole. Dates are YYYY-MM-DD, instants ISO 8601 UTC; a file is named by `file1`.
#[derive(Serialize, ToSchema)]
pub struct OrderDetails {
    pub order_id: i64,
    pub order_number: String,
    pub external_reference: Option<String>,
    pub process_status: ProcessStatus,
    pub processing_mode: ProcessingMode,
    #[schema(value_type = Option<String>, format = Date)]
    pub processing_date: Option<NaiveDate>,
    pub process_month: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub refund_date: Option<Wire>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Wire,
    /// To be sent back with a move, so that nobody overwrites what somebody else did meanwhile.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Wire,
    /// The owner's name; null: nobody's.
    pub assign_to: Option<String>,
    /// The name of whoever last completed it.
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
    /// The newest file of each kind that the applicant gave, by kind: `passport_picture`, `upload_picture`, `bank_statement` …
    #[serde(flatten)]
    pub files: BTreeMap<String, String>,
    /// Facts about every file of the applicant, the oldest first.
    pub documents: Vec<StoredFile>,
    /// Issued visas, the newest first.
    #[serde(rename = "uploadDoc")]
    pub upload_doc: Vec<IssuedVisa>,
    #[serde(rename = "mailHistory")]
    pub mail_history: Vec<SentMail>,
    #[serde(rename = "downloadHistory")]
    pub download_history: Vec<VisaDownload>,
    pub remark: Vec<RemarkEntry>,
}

/// The account that ordered.
#[derive(Serialize, ToSchema)]
pub struct User {
    pub email: Option<String>,
}

/// How the order was paid.
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
    pub paid_at: Wire,
}

/// What the sales site saw at checkout.
#[derive(Serialize, ToSchema)]
pub struct Checkout {
    pub purchase_ip: Option<String>,
    pub user_agent: Option<String>,
    pub device_id: Option<String>,
    pub three_d_secure: Option<String>,
    pub terms_version: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub terms_accepted_at: Option<Wire>,
}

/// A file that the applicant gave.
#[derive(Serialize, ToSchema)]
pub struct StoredFile {
    pub kind: String,
    pub file1: String,
    pub original_name: String,
    pub media_type: String,
    pub size_bytes: i64,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Wire,
}

/// An issued visa.
#[derive(Serialize, ToSchema)]
pub struct IssuedVisa {
    pub file1: String,
    pub customer_name: String,
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Wire,
}

/// A mail about the order.
#[derive(Serialize, ToSchema)]
pub struct SentMail {
    pub order_id: i64,
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Wire,
    pub kind: String,
    pub email: String,
    /// `queued`, `sent`, `failed` or `unknown`.
    pub state: String,
    /// Why it failed.
    pub failure: Option<String>,
    #[serde(rename = "uploadDoc")]
    pub upload_doc: MailedFile,
}

/// What a mail was about, and who carried it.
#[derive(Serialize, ToSchema)]
pub struct MailedFile {
    pub file1: Option<String>,
    pub mail_service_provider: String,
}

/// A visitor's download of the visa.
#[derive(Serialize, ToSchema)]
pub struct VisaDownload {
    pub order_id: i64,
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Wire,
    pub ip: String,
    /// The place, `-` if unknown.
    pub timezone: String,
    /// `device-device type-browser`.
    pub browser: String,
    pub os: String,
    pub device: String,
    pub device_type: String,
    pub location: String,
    pub file1: String,
}

/// What a member of staff wrote. Flags are `Y` or empty.
#[derive(Serialize, ToSchema)]
pub struct RemarkEntry {
    pub id: i64,
    pub order_id: i64,
    /// MM/DD/YYYY at −05:00.
    pub us_date: String,
    /// HH:mm:ss at −05:00.
    pub us_time: String,
    /// The author.
    pub remark_name: String,
    pub remark: String,
    pub whatsapp: &'static str,
    pub telephone: &'static str,
    pub status_refund: &'static str,
    pub voided: &'static str,
    pub chargeback: &'static str,
    pub report_error: &'static str,
}

/// One order whole, with its histories. That it was looked at is noted.
#[utoipa::path(get, path = "/admin/get-orders-details/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderDetails>), Refusals))]
pub async fn order_details(
    State(app): State<App>,
    staff: Staff,
    Path(id): Path<String>,
) -> Result<axum::Json<Found<OrderDetails>>> {
    let not_there = || Error::not_found("There is no such order");
    let id = OrderId::parse(&id).ok_or_else(not_there)?;
    let details = app.db.read(move |conn| details::find(conn, id.0)).await?.ok_or_else(not_there)?;
    app.access_log.note(staff.id, "order.view", Some(id.0), &staff.address);
    Ok(axum::Json(found(wire(details, &app.config.application_mail_domain))))
}

fn wire(details: Details, mail_domain: &str) -> OrderDetails {
    let Details { order, owner, processed_by, application, payment, checkout, documents, mails, downloads, remarks } =
        details;
    let id = OrderId(order.order_id);
    let (visas, given): (Vec<Document>, Vec<Document>) =
        documents.into_iter().partition(|document| document.kind == VISA);
    let mails = mails.into_iter().map(|(mail, file1)| SentMail {
        order_id: id.0,
        create_ts: mail.sent_at.unwrap_or(mail.created_at).and_utc(),
        kind: mail.kind,
        email: mail.recipient,
        state: mail.state,
        failure: mail.failure,
        upload_doc: MailedFile { file1, mail_service_provider: mail.provider },
    });
    let downloads = downloads.into_iter().map(|(download, file1)| VisaDownload {
        order_id: id.0,
        create_ts: download.created_at.and_utc(),
        ip: download.ip.strip_prefix("::ffff:").unwrap_or(&download.ip).to_owned(),
        timezone: download.location.clone(),
        browser: [&download.device, &download.device_type, &download.browser]
            .map(|part| part.replace('-', " "))
            .join("-"),
        os: download.os,
        device: download.device,
        device_type: download.device_type,
        location: download.location,
        file1,
    });
    OrderDetails {
        order_id: id.0,
        order_number: id.printed(),
        external_reference: order.external_reference,
        process_status: order.process_status,
        processing_mode: order.processing_mode,
        process_month: order.processing_date.map(|date| date.format("%B").to_string()),
        processing_date: order.processing_date,
        refund_date: order.refund_date.map(|at| at.and_utc()),
        created_at: order.created_at.and_utc(),
        updated_at: order.updated_at.and_utc(),
        assign_to: owner,
        processed_by,
        application_email_address: format!("{}@{mail_domain}", id.0),
        contact_email_address: order.contact_email_address,
        user: User { email: application.account_email },
        merchant_name: payment.as_ref().and_then(|payment| payment.merchant_name.clone()),
        transaction_id: payment.as_ref().and_then(|payment| payment.transaction_id.clone()),
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
        visa_type: order.visa_type,
        stay_day: application.stay_day,
        document_type: application.document_type,
        document_number: application.document_number,
        date_of_expiry: application.date_of_expiry,
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
            currency: payment.currency,
            card_brand: payment.card_brand,
            card_last_four: payment.card_last_four,
            paid_at: payment.paid_at.and_utc(),
        }),
        checkout: checkout.map(|checkout| Checkout {
            purchase_ip: checkout.purchase_ip,
            user_agent: checkout.user_agent,
            device_id: checkout.device_id,
            three_d_secure: checkout.three_d_secure,
            terms_version: checkout.terms_version,
            terms_accepted_at: checkout.terms_accepted_at.map(|at| at.and_utc()),
        }),
        files: given.iter().map(|document| (document.kind.clone(), document.file1.clone())).collect(),
        upload_doc: visas.into_iter().rev().map(|visa| issued(visa, &order.full_name)).collect(),
        documents: given.into_iter().map(stored).collect(),
        mail_history: mails.collect(),
        download_history: downloads.collect(),
        remark: remarks.into_iter().map(|(remark, author)| remark_entry(id, remark, author)).collect(),
    }
}

fn issued(document: Document, full_name: &str) -> IssuedVisa {
    IssuedVisa { file1: document.file1, customer_name: full_name.to_owned(), create_ts: document.created_at.and_utc() }
}

fn stored(document: Document) -> StoredFile {
    StoredFile {
        kind: document.kind,
        file1: document.file1,
        original_name: document.original_name,
        media_type: document.media_type,
        size_bytes: document.size_bytes,
        created_at: document.created_at.and_utc(),
    }
}

fn remark_entry(id: OrderId, remark: details::Remark, author: String) -> RemarkEntry {
    let flag = |set: bool| if set { "Y" } else { "" };
    let at = |format: &str, at: NaiveDateTime| at.and_utc().with_timezone(&est()).format(format).to_string();
    RemarkEntry {
        id: remark.remark_id,
        order_id: id.0,
        us_date: at("%m/%d/%Y", remark.created_at),
        us_time: at("%H:%M:%S", remark.created_at),
        remark_name: author,
        remark: remark.remark,
        whatsapp: flag(remark.whatsapp),
        telephone: flag(remark.telephone),
        status_refund: flag(remark.status_refund),
        voided: flag(remark.voided),
        chargeback: flag(remark.chargeback),
        report_error: flag(remark.report_error),
    }
}
