//! An order's mails, downloads, wrong tries and audit events on the wire.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::store::Record;
use crate::documents::links::Links;
use crate::documents::store::LinkedFile;
use crate::ids::OrderId;
use crate::mail::rules::Outcome;
use crate::mail::store::{AttemptRecord, Entry};
use crate::places;
use crate::timestamp::Timestamp;
use crate::tracking::failed_tracks::FailedTracks;
use crate::tracking::store::Download;

/// A mail about the order.
#[derive(Serialize, ToSchema)]
pub struct SentMail {
    /// The mail's id.
    pub id: i64,
    /// The order's id.
    pub order_id: OrderId,
    /// When it was sent; before that, when it was queued.
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Timestamp,
    /// `approval`, `resend`, `download link`, `refund`, `refund correction` or `tracking code`.
    pub kind: String,
    /// Null: imported from an older system.
    pub subject: Option<String>,
    /// The recipient.
    pub email: String,
    /// The name of the member who requested it; null: sent without a request.
    pub sent_by: Option<String>,
    /// `queued`, `sent`, `failed`, `unknown`: it may have arrived, or `stopped`: it was stopped before it was sent.
    pub state: String,
    /// When a queued mail is sent, or tried again; null: not queued.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub due_at: Option<Timestamp>,
    /// Why it failed, or who stopped it.
    pub failure: Option<String>,
    /// The attempts to deliver it to its provider, the oldest first.
    pub attempts: Vec<MailAttempt>,
    /// The file that the mail is about, and the provider.
    #[serde(rename = "uploadDoc")]
    pub upload_doc: MailedFile,
}

/// An attempt to deliver a mail to its provider.
#[derive(Serialize, ToSchema)]
pub struct MailAttempt {
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Null: in progress.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<Timestamp>,
    /// How it ended; null: in progress, or interrupted.
    pub outcome: Option<Outcome>,
    /// The provider's reply.
    pub answer: Option<String>,
}

/// The file that a mail was about, and its provider.
#[derive(Serialize, ToSchema)]
pub struct MailedFile {
    /// The file's name; null: the mail is about no file.
    pub file1: Option<String>,
    /// Opens the file for this session, for five minutes.
    pub link: Option<String>,
    /// The provider that delivers the mail: `AWS` or `Sendgrid`.
    pub mail_service_provider: String,
}

/// A visitor's download of the visa.
#[derive(Serialize, ToSchema)]
pub struct VisaDownload {
    /// The order's id.
    pub order_id: OrderId,
    /// When the visa was downloaded.
    #[schema(value_type = String, format = DateTime)]
    pub create_ts: Timestamp,
    /// The visitor's IP address.
    pub ip: String,
    /// The location, `-` if unknown.
    pub timezone: String,
    /// `device-device type-browser`.
    pub browser: String,
    /// The operating system, `Unknown` if unknown.
    pub os: String,
    /// The device, `Unknown` if unknown.
    pub device: String,
    /// `Mobile`, `Tablet`, `Desktop`, `Bot` or `Unknown`.
    pub device_type: String,
    /// The country by IP address, `-` if unknown.
    pub location: String,
    /// The date of the database that the location was looked up in.
    #[schema(value_type = Option<String>, format = Date)]
    pub location_as_of: Option<NaiveDate>,
    /// Whether the request came from a mail scanner or link preview, by its user agent or headers.
    pub automated: bool,
    /// The name of the downloaded file.
    pub file1: String,
    /// Opens the file for this session, for five minutes.
    pub link: String,
}

/// Wrong tries to open the order on the public pages from one network in one hour.
#[derive(Serialize, ToSchema)]
pub struct FailedTries {
    /// When the hour began.
    #[schema(value_type = String, format = DateTime)]
    pub hour: Timestamp,
    /// An IPv4 address or the /48 of an IPv6 address; null: several networks beyond the first 20 of the hour.
    pub network: Option<String>,
    /// The country of the network, `-` if unknown.
    pub location: String,
    /// How often a wrong email or code was tried. Tries that were refused by a rate limit do not count.
    pub tries: i32,
    /// When the last of them was.
    #[schema(value_type = String, format = DateTime)]
    pub last_at: Timestamp,
}

impl From<FailedTracks> for FailedTries {
    fn from(FailedTracks { hour, network, tries, last_at }: FailedTracks) -> Self {
        let address = network.split('/').next().and_then(|address| address.parse().ok());
        let location = address.and_then(places::find).map_or_else(|| "-".into(), |place| place.country);
        Self { hour, network: Some(network).filter(|network| !network.is_empty()), location, tries, last_at }
    }
}

/// An audit event of the order.
#[derive(Serialize, ToSchema)]
pub struct OrderEvent {
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// A member's name, or a part of the program: `scheduler`, `import`, `sales site …`.
    pub actor: String,
    /// `order.move`, `order.assign`, `remark.add` …
    pub action: String,
    /// The value before; null: none.
    pub before: Option<String>,
    /// The value after; null: none.
    pub after: Option<String>,
}

impl From<Record> for OrderEvent {
    fn from(entry: Record) -> Self {
        Self { at: entry.at, actor: entry.actor, action: entry.action, before: entry.before, after: entry.after }
    }
}

impl SentMail {
    pub fn new(id: OrderId, entry: Entry, links: &Links) -> Self {
        let Entry { mail, file, sent_by, subject, attempts } = entry;
        Self {
            state: mail.shown_state().to_owned(),
            id: mail.mail_id,
            due_at: mail.due_at,
            order_id: id,
            create_ts: mail.sent_at.unwrap_or(mail.created_at),
            kind: mail.kind,
            subject,
            email: mail.recipient,
            sent_by,
            failure: mail.failure,
            attempts: attempts.into_iter().map(MailAttempt::from).collect(),
            upload_doc: MailedFile {
                link: file.as_ref().map(|file| file.link(links)),
                file1: file.map(|file| file.file1),
                mail_service_provider: mail.provider,
            },
        }
    }
}

impl From<AttemptRecord> for MailAttempt {
    fn from(attempt: AttemptRecord) -> Self {
        Self { at: attempt.started_at, ended_at: attempt.ended_at, outcome: attempt.outcome, answer: attempt.answer }
    }
}

impl VisaDownload {
    pub fn new(id: OrderId, download: Download, file: LinkedFile, links: &Links) -> Self {
        Self {
            order_id: id,
            create_ts: download.created_at,
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
            automated: download.automated,
            link: file.link(links),
            file1: file.file1,
        }
    }
}
