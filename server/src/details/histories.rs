//! An order's mails, downloads, wrong tries, remarks and audit events on the wire, and what leads to older ones.

use chrono::{DateTime, NaiveDate};
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::store::Record;
use crate::db::history::HistoryPart;
use crate::documents::links::Links;
use crate::ids::OrderId;
use crate::mail::rules::{Outcome, ShownState};
use crate::mail::store::{AttemptRecord, MailEntry};
use crate::orders::remarks::Remark;
use crate::places;
use crate::remarks::entry::RemarkEntry;
use crate::timestamp::Timestamp;
use crate::tracking::failed_tracks::{FailedTracks, TryKey};
use crate::tracking::store::ListedDownload;

/// The position of the older rows of each history of an order: the `before` of `get-order-history`. Null: there are none.
#[derive(Serialize, ToSchema)]
pub struct OlderRows {
    /// Mails older than those of `mailHistory`.
    pub mails: Option<String>,
    /// Downloads older than those of `downloadHistory`.
    pub downloads: Option<String>,
    /// Remarks older than those of `remark`.
    pub remarks: Option<String>,
    /// Audit events older than those of `timeline`.
    pub timeline: Option<String>,
    /// Wrong tries older than those of `failed_tries`.
    pub tries: Option<String>,
}

/// Rows of a history, and what leads to older ones, if there are any.
type HistoryRows<Row> = (Vec<Row>, Option<String>);

/// The mails of a part of the history.
pub fn mails(id: OrderId, part: HistoryPart<MailEntry>, links: &Links) -> HistoryRows<SentMail> {
    let older = part.oldest_of_more().map(|oldest| oldest.mail.mail_id.to_string());
    (part.rows.into_iter().map(|entry| SentMail::new(id, entry, links)).collect(), older)
}

/// The downloads of a part of the history.
pub fn downloads(id: OrderId, part: HistoryPart<ListedDownload>, links: &Links) -> HistoryRows<VisaDownload> {
    let older = part.oldest_of_more().map(|oldest| oldest.download_id.to_string());
    (part.rows.into_iter().map(|listed| VisaDownload::new(id, listed, links)).collect(), older)
}

/// The remarks of a part of the history.
pub fn remarks(id: OrderId, part: HistoryPart<(Remark, String)>) -> HistoryRows<RemarkEntry> {
    let older = part.oldest_of_more().map(|(oldest, _)| oldest.remark_id.to_string());
    (part.rows.into_iter().map(|(remark, author)| RemarkEntry::new(id, remark, author)).collect(), older)
}

/// The wrong tries of a part of the history.
pub fn tries(part: HistoryPart<FailedTracks>) -> HistoryRows<FailedTries> {
    let older = part.oldest_of_more().map(|oldest| format_try_key(oldest.hour, &oldest.network));
    (part.rows.into_iter().map(FailedTries::from).collect(), older)
}

/// The events of a part of the timeline, which says whether there are older ones.
pub fn timeline((rows, has_older): (Vec<Record>, bool)) -> HistoryRows<OrderEvent> {
    let older = rows.last().filter(|_| has_older).map(|oldest| oldest.audit_id.to_string());
    (rows.into_iter().map(OrderEvent::from).collect(), older)
}

/// The key of a row of wrong tries: its hour in Unix seconds, and its network.
fn format_try_key(hour: Timestamp, network: &str) -> String {
    format!("{}_{network}", hour.timestamp())
}

/// Reads the key of a row of wrong tries.
pub fn parse_try_key(text: &str) -> Option<TryKey> {
    let (seconds, network) = text.split_once('_')?;
    let hour = Timestamp::from(DateTime::from_timestamp_secs(seconds.parse().ok()?)?);
    Some(TryKey { hour, network: network.to_owned() })
        .filter(|key| (Timestamp::EPOCH..Timestamp::FAR_FUTURE).contains(&key.hour))
}

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
    /// `approval`, `resend`, `download link`, `refund`, `refund correction`, `address changed` or `tracking code`.
    pub kind: String,
    /// Null: imported from an older system.
    pub subject: Option<String>,
    /// The recipient.
    pub email: String,
    /// The name of the member who requested it; null: sent without a request.
    pub sent_by: Option<String>,
    /// `queued`, `sent`, `failed`, `unknown`: it may have arrived, `stopped`: it was stopped before it was sent, or `written`: to a
    /// file, because no provider is configured.
    pub state: ShownState,
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
    /// The outcome of the attempt; null: in progress, or interrupted.
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
    /// The download's id.
    pub id: i64,
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
    /// The request came from a mail scanner or link preview, by its user agent or headers.
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
    /// The number of times that a wrong email or code was tried. Tries that were refused by a rate limit do not count.
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
    /// The event's id in the audit.
    pub id: i64,
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
        let Record { audit_id, at, actor, action, before, after, .. } = entry;
        Self { id: audit_id, at, actor, action, before, after }
    }
}

impl SentMail {
    fn new(id: OrderId, entry: MailEntry, links: &Links) -> Self {
        let MailEntry { mail, file, sent_by, subject, attempts } = entry;
        Self {
            state: mail.shown_state(),
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
    fn new(id: OrderId, listed: ListedDownload, links: &Links) -> Self {
        let ListedDownload { download_id, download, file } = listed;
        Self {
            id: download_id,
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
