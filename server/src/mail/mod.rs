//! Mail to applicants: composing, queueing, sending, and the history. Mail to members about their own account.
//!
//! - `rules.rs`: providers and kinds, the recipient, when an attempt is repeated, how many mails staff may send.
//! - `templates.rs`: the text of a mail, in HTML and in plain text. `message.rs`: its MIME form; `sender.rs`: its sender.
//! - `secrets.rs`: the code and the link key that the worker fills into a text.
//! - `prepared.rs`: composes a mail before the transaction that queues it. `outbox.rs`: queues a mail; `stops.rs`: stops one that waits; `notify.rs`: wakes the workers. `leases.rs`: leases and attempts.
//! - `worker.rs`: sends mails. `transports.rs`: delivers one, by `smtp.rs` or into a folder.
//! - `to_members.rs`: sends the mails to members that the room of staff has queued.
//! - `store.rs`: the facts that a mail needs, and the history; `not_sent.rs`: mails that did not surely arrive; `dialect.rs`:
//!   queries that the databases spell differently.
//! - `http.rs`: the calls of staff. `preview.rs`: the newest mail, or a preview; `page.rs`: its page. `errors.rs`: why a mail is refused.
//! - `routes.rs`: the calls.

pub mod attached;
mod dialect;
pub mod errors;
pub mod http;
pub mod leases;
pub mod message;
pub mod not_sent;
pub mod notify;
pub mod outbox;
pub mod page;
pub mod papers;
pub mod prepared;
pub mod preview;
pub mod routes;
pub mod rules;
pub mod secrets;
pub mod sender;
pub mod smtp;
pub mod stops;
pub mod store;
pub mod templates;
pub mod to_members;
pub mod transports;
pub mod worker;

use std::sync::Arc;

use self::notify::MailNotify;
use self::templates::Templates;
use self::transports::Transports;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::files::Files;
use crate::secret::SecretKey;

/// The dependencies of mail.
pub struct Mail {
    pub db: Db,
    pub clock: Clock,
    pub config: Arc<Config>,
    pub secret: SecretKey,
    pub files: Files,
    pub templates: Arc<Templates>,
    pub transports: Arc<Transports>,
    pub notify: MailNotify,
}
