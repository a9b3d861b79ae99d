//! Mail: what the applicant is told, by whom it is carried, and what came of it.
//!
//! - `rules.rs`: providers and kinds, the one recipient, when a mail is tried again, how many staff may send.
//! - `templates.rs`: what a mail says, in HTML and in plain text. `message.rs`: how that goes over the wire;
//!   `sender.rs`: whom it comes from.
//! - `outbox.rs`: queueing a mail; `notify.rs`: waking the workers. `leases.rs`: who sends it now, and each attempt.
//! - `worker.rs`: the sending. `transports.rs`: how a mail leaves, by `smtp.rs` or into a folder.
//! - `store.rs`: what a mail draws on, and the history; `dialect.rs`: where the databases differ.
//! - `http.rs`: the calls of staff. `preview.rs`: what the newest mail says, or will say; `page.rs`: that as a page.

mod dialect;
pub mod http;
pub mod leases;
pub mod message;
pub mod notify;
pub mod outbox;
pub mod page;
pub mod preview;
pub mod rules;
pub mod sender;
pub mod smtp;
pub mod store;
pub mod templates;
pub mod transports;
pub mod worker;

use std::sync::Arc;

use self::notify::MailNotify;
use self::templates::Templates;
use self::transports::Transports;
use crate::audit::access_log::AccessLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::files::Files;
use crate::secret::SecretKey;

/// What mails need, to be written, queued and sent.
#[derive(Clone)]
pub struct Mail {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub access_log: AccessLog,
    pub files: Files,
    pub templates: Arc<Templates>,
    pub transports: Arc<Transports>,
    pub notify: MailNotify,
}
