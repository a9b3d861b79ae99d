//! An order's mails and downloads, in the words of the wire.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::details::{LinkedFile, Mail};
use super::id::OrderId;
use crate::clock::Wire;
use crate::documents::links::Links;
use crate::tracking::store::Download;

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
    /// Opens the file for this session, for five minutes.
    pub link: Option<String>,
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
    /// How old the file was that told the place.
    #[schema(value_type = Option<String>, format = Date)]
    pub location_as_of: Option<NaiveDate>,
    pub file1: String,
    /// Opens the file for this session, for five minutes.
    pub link: String,
}

impl SentMail {
    pub fn new(id: OrderId, mail: Mail, file: Option<LinkedFile>, links: &Links) -> Self {
        Self {
            order_id: id.0,
            create_ts: mail.sent_at.unwrap_or(mail.created_at).and_utc(),
            kind: mail.kind,
            email: mail.recipient,
            state: mail.state,
            failure: mail.failure,
            upload_doc: MailedFile {
                link: file.as_ref().map(|file| file.link(links)),
                file1: file.map(|file| file.file1),
                mail_service_provider: mail.provider,
            },
        }
    }
}

impl VisaDownload {
    pub fn new(id: OrderId, download: Download, file: LinkedFile, links: &Links) -> Self {
        Self {
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
            location_as_of: download.location_as_of,
            link: file.link(links),
            file1: file.file1,
        }
    }
}
