//! The configuration: one typed struct, every key documented, unknown keys refused.

mod check;
mod delivery;
mod errors;
mod load;
mod mask;
mod names;
mod orders;
mod papers;
pub mod proxies;
mod refunds;
mod staff;

use std::fs::DirBuilder;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use self::delivery::{DeliveryCheck, DeliverySettings};
pub use self::errors::ConfigError;
use self::names::read_names;
pub use self::orders::OrderSettings;
pub use self::papers::{Checks, PaperSettings};
use self::proxies::{ClientSource, TrustedProxies};
pub use self::refunds::{BulkOrdersPerDay, RefundSettings};
pub use self::staff::{AccessSettings, PasswordSettings, RowsPerHour, SecondFactorSettings, Sessions};
use crate::error::Result;

/// The settings of one process. Each comes from the file, or from the environment (`VISADESK_`, `__` between levels), which wins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The address that the server listens on.
    pub listen: SocketAddr,
    /// The folder of everything without another location: the database, files, mails, the secret key.
    pub data_dir: PathBuf,
    /// `sqlite://FILE` or `postgres://…`. Empty: `visadesk.db` in the data folder.
    pub database_url: String,
    /// The most connections that read, and, on PostgreSQL, the most that write. Calls of applicants use a quarter of them at most.
    pub database_connections: u32,
    /// The storage of files: `file://FOLDER` or `s3://BUCKET/PREFIX`. Empty: the folder `files` in the data folder.
    pub files_url: String,
    /// The file with the key that signs tokens. Empty: `secret.key` in the data folder, created at the first start.
    pub secret_key_file: String,
    /// The URL under which people reach this installation, used in mails.
    pub public_url: String,
    /// Proxies whose word about their clients is trusted: addresses or networks, separated by commas.
    pub trusted_proxies: TrustedProxies,
    /// Where trusted proxies name their clients: `x-forwarded-for`, `forwarded` or `proxy-protocol`.
    pub client_source: ClientSource,
    /// The domain of an order's application email address: the order id, `@`, this.
    pub application_mail_domain: String,
    /// The agency's marketing site, which the public pages link to.
    pub marketing_url: String,
    /// The payment gateways that can be active, the first one at first; a removed one is retired. A list, or names separated by commas.
    #[serde(deserialize_with = "read_names")]
    pub gateways: Vec<String>,
    /// Codes of visas whose orders wait for the first day on which the government takes the application, instead of their processing date.
    #[serde(deserialize_with = "read_names")]
    pub release_by_window: Vec<String>,
    /// The host that serves issued visas. Empty: this one.
    pub admin_uploads_url: String,
    /// The host that serves applicants' files. Empty: this one.
    pub customer_uploads_url: String,
    /// The agency's time zone, by its IANA name.
    pub time_zone: chrono_tz::Tz,
    /// The format of the logs: `json` (for machines) or `text` (for a person at a terminal).
    pub log_format: LogFormat,
    pub mail: MailSettings,
    pub chargebacks: ChargebackSettings,
    pub refunds: RefundSettings,
    pub orders: OrderSettings,
    pub delivery: DeliverySettings,
    pub checks: Checks,
    pub papers: PaperSettings,
    pub limits: Limits,
    pub passwords: PasswordSettings,
    pub sessions: Sessions,
    pub second_factor: SecondFactorSettings,
    pub access: AccessSettings,
    pub retention: Retention,
    pub backups: BackupSettings,
    pub metrics: Metrics,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Json,
    Text,
}

/// The delivery of mails. A provider is an SMTP URL: `smtps://name:password@host:465` or `smtp://name:password@host:587?tls=required`.
/// Empty: its mails become files in the folder `mail` of the data folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MailSettings {
    pub aws: String,
    pub sendgrid: String,
    /// The address that mails come from, with or without a name: `Visa desk <visa@agency.example>`.
    pub from: String,
    /// The SES configuration set for event reports. Empty: none.
    pub aws_configuration_set: String,
    /// True if the approval email has the visa attached. Without it the applicant downloads it, and the download proves the delivery.
    pub attach_visa: bool,
    /// A folder whose templates replace the built-in ones of the same name. Empty: none.
    pub templates_dir: String,
    /// Hours after which a mail that no provider accepted has failed.
    pub give_up_hours: u32,
    /// Seconds for connecting to a provider and for the SMTP commands before the text.
    pub agree_seconds: u32,
    /// Seconds for the provider's reply after the text.
    pub answer_seconds: u32,
}

/// Disputes: the time to respond, and the texts of defence packs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChargebackSettings {
    pub days_to_respond: DaysToRespond,
    /// Days after the chargeback in which the agency wants to respond, whatever the network allows.
    pub working_days: u32,
    /// The sentence that customers accept at checkout. Empty: packs omit it and report it as missing.
    pub terms_text: String,
    /// A folder whose templates replace the built-in ones of the same name. Empty: none.
    pub templates_dir: String,
}

/// Days between a chargeback and the deadline of the response, by network. An acquirer may allow fewer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DaysToRespond {
    pub visa: u32,
    pub mastercard: u32,
    pub american_express: u32,
    pub discover: u32,
    pub paypal: u32,
    pub other: u32,
}

/// Limits on connections, requests, uploads and attempts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Failed sign-ins a minute from one address. One office is one address.
    pub sign_in_failures_per_address: u32,
    /// Failed sign-ins in a row for one account before each further one has to wait.
    pub sign_in_failures_per_account: u32,
    /// Open connections in total. The last tenth is for networks from which staff worked in the last 24 hours.
    pub connections: usize,
    /// Open connections from one address; five times as many from networks from which staff worked lately. Trusted proxies may have more.
    pub connections_per_address: usize,
    /// Seconds to send a request's head, and idle time of a keep-alive connection.
    pub head_seconds: u64,
    /// Seconds of the longest pause while a client sends a body.
    pub body_idle_seconds: u64,
    /// Seconds of the longest pause while a client reads a response.
    pub write_idle_seconds: u64,
    /// Seconds for a whole request, from its head to its response.
    pub request_seconds: u64,
    /// Seconds for open requests to finish after the stop signal.
    pub stop_seconds: u64,
    /// Bytes of a JSON body.
    pub json_bytes: usize,
    /// Bytes of an upload.
    pub upload_bytes: usize,
    /// Uploads that are held in memory at once, half of them of one caller. Further ones wait, and are put off after a few seconds.
    pub uploads_at_once: usize,
    /// Bytes of all uploads in memory together, half of them of one caller. Each upload takes what its length declares.
    pub upload_bytes_in_flight: usize,
    /// Bytes a second that a client must send on average, after its first ten seconds, or its upload is given up; 0: any pace.
    pub upload_bytes_per_second: u64,
    /// Bytes of all files that are opened at once, in memory until they are sent, half of them of one member or order.
    pub download_bytes_in_flight: usize,
    /// Bytes a second that a client must read of a file on average, after its first ten seconds, or it is cut off; 0: any pace.
    pub download_bytes_per_second: u64,
    /// Files that one order may hold.
    pub files_per_order: usize,
    /// Bytes of files that one order may hold.
    pub file_bytes_per_order: u64,
    /// Files that one member of staff may upload in 24 hours.
    pub files_per_member_and_day: u32,
    /// Mails that may be sent again for one order in an hour.
    pub resends_per_order_and_hour: u32,
    /// Mails that one member of staff may send again in an hour.
    pub mails_per_member_and_hour: u32,
    /// Mails of any kind that one member of staff may send in an hour to addresses other than the order's.
    pub mails_elsewhere_per_member_and_hour: u32,
    /// Defence packs that may be made for one order in 24 hours.
    pub packs_per_order_and_day: u32,
    /// Wrong emails for one order in 15 minutes before visitors have to wait.
    pub wrong_emails_per_order: u32,
    /// Wrong tries with one email in an hour, at any orders and from any addresses, before visitors have to wait with it.
    pub wrong_tries_per_email: u32,
    /// Attempts to track an order per minute from one address. Calls for a code have as many of their own.
    pub tracks_per_address: u32,
    /// Attempts to track an order per minute in total. Calls for a code have as many of their own.
    pub tracks: u32,
    /// Codes mailed in an hour, over all orders, to requests that name no address of the order.
    pub codes_per_hour: u32,
    /// Calls with a grant per minute from one address, and for one order.
    pub public_calls_per_address: u32,
    /// Calls with a grant per minute in total.
    pub public_calls: u32,
}

/// The time that records are stored. By default nothing is deleted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Retention {
    /// Days after which entries of the access log and wrong tries to open orders are deleted; 0 keeps them. Defence packs recognise
    /// downloads by staff by the addresses in these entries.
    pub access_log_days: u32,
}

/// Where metrics are read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Metrics {
    /// An address of its own for `/metrics`, which is then nowhere else. Empty: with everything else.
    pub listen: String,
}

impl Metrics {
    /// The address, if there is one.
    pub fn address(&self) -> Result<Option<SocketAddr>> {
        match self.listen.as_str() {
            "" => Ok(None),
            listen => Ok(Some(listen.parse().map_err(|_| ConfigError::InvalidMetricsAddress(listen.to_owned()))?)),
        }
    }
}

/// Backups that are made by themselves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BackupSettings {
    /// Where they go: a folder, or `s3://BUCKET/PREFIX`. Empty: none are made.
    pub place: String,
    /// An age public key to encrypt them with. Empty: they are not encrypted.
    pub recipient: String,
    /// Hours between two backups.
    pub every_hours: u32,
    /// Backups within which every file in the place is read again and compared with what was stored.
    pub verify_within: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data_dir: "./data".into(),
            database_url: String::new(),
            database_connections: 8,
            files_url: String::new(),
            secret_key_file: String::new(),
            public_url: "http://localhost:8080".into(),
            trusted_proxies: TrustedProxies::default(),
            client_source: ClientSource::default(),
            application_mail_domain: "applications.example".into(),
            marketing_url: "https://www.example.com".into(),
            gateways: ["Stripe", "Adyen", "PayPal"].map(String::from).to_vec(),
            release_by_window: Vec::new(),
            admin_uploads_url: String::new(),
            customer_uploads_url: String::new(),
            time_zone: chrono_tz::Asia::Jakarta,
            log_format: LogFormat::Json,
            mail: MailSettings {
                aws: String::new(),
                sendgrid: String::new(),
                from: "Visadesk <visadesk@localhost>".into(),
                aws_configuration_set: String::new(),
                attach_visa: false,
                templates_dir: String::new(),
                give_up_hours: 24,
                agree_seconds: 60,
                answer_seconds: 60,
            },
            chargebacks: ChargebackSettings {
                days_to_respond: DaysToRespond {
                    visa: 30,
                    mastercard: 45,
                    american_express: 20,
                    discover: 30,
                    paypal: 10,
                    other: 20,
                },
                working_days: 7,
                terms_text: String::new(),
                templates_dir: String::new(),
            },
            refunds: RefundSettings::default(),
            orders: OrderSettings::default(),
            delivery: DeliverySettings::default(),
            checks: Checks { enabled: true, tesseract: String::new() },
            papers: PaperSettings { reminder_days: vec![2, 5, 10] },
            limits: Limits {
                sign_in_failures_per_address: 10,
                sign_in_failures_per_account: 5,
                connections: 8_000,
                connections_per_address: 300,
                head_seconds: 10,
                body_idle_seconds: 15,
                write_idle_seconds: 30,
                request_seconds: 300,
                stop_seconds: 15,
                json_bytes: 256 * 1024,
                upload_bytes: 22 * 1024 * 1024,
                uploads_at_once: 64,
                upload_bytes_in_flight: 512 * 1024 * 1024,
                upload_bytes_per_second: 16 * 1024,
                download_bytes_in_flight: 512 * 1024 * 1024,
                download_bytes_per_second: 16 * 1024,
                files_per_order: 50,
                file_bytes_per_order: 200 * 1024 * 1024,
                files_per_member_and_day: 2_000,
                resends_per_order_and_hour: 5,
                mails_per_member_and_hour: 60,
                mails_elsewhere_per_member_and_hour: 10,
                packs_per_order_and_day: 20,
                wrong_emails_per_order: 5,
                wrong_tries_per_email: 10,
                tracks_per_address: 30,
                tracks: 6_000,
                codes_per_hour: 30,
                public_calls_per_address: 300,
                public_calls: 6_000,
            },
            passwords: PasswordSettings { memory_kib: 19 * 1024, passes: 2, min_length: 6, min_guesses: 10_000 },
            sessions: Sessions { remember_days: 7 },
            second_factor: SecondFactorSettings { required_for: Vec::new(), confirm_actions: false },
            access: AccessSettings {
                rows_per_hour: RowsPerHour {
                    admin: 50_000,
                    manager: 30_000,
                    team: 20_000,
                    telecaller: 20_000,
                    night_staff: 20_000,
                },
                stop_at_budget: false,
                waiting_notes: 10_000,
            },
            retention: Retention { access_log_days: 0 },
            backups: BackupSettings {
                place: String::new(),
                recipient: String::new(),
                every_hours: 24,
                verify_within: 30,
            },
            metrics: Metrics { listen: String::new() },
        }
    }
}

impl Config {
    /// The database's address, the default filled in.
    pub fn database_url(&self) -> String {
        if self.database_url.is_empty() {
            format!("sqlite://{}", self.data_dir.join("visadesk.db").display())
        } else {
            self.database_url.clone()
        }
    }

    /// The file of the signing key, the default filled in.
    pub fn secret_key_file(&self) -> PathBuf {
        if self.secret_key_file.is_empty() {
            self.data_dir.join("secret.key")
        } else {
            self.secret_key_file.clone().into()
        }
    }

    /// Creates the data folder, accessible by its owner only, if it does not exist.
    pub fn make_data_dir(&self) -> Result<()> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.data_dir);
        made.map_err(|error| ConfigError::DataFolder { folder: self.data_dir.clone(), error }.into())
    }
}
