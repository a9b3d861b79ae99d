//! Mail: what the applicant is told, by whom it is carried, and what came of it.
//!
//! - `rules.rs`: providers and kinds, the one recipient, when a mail is tried again, how many staff may send.
//! - `templates.rs`: what a mail says, in HTML and in plain text. `message.rs`: how that goes over the wire.
//! - `outbox.rs`: queueing a mail. `leases.rs`: who sends it now, and each try. `worker.rs`: the sending.
//! - `transports.rs`: how it leaves, by `smtp.rs` or into a folder.
//! - `store.rs`: what a mail draws on, and the history. `http.rs`: the calls of staff.
//! - `preview.rs`: what the newest mail says, or will say; `page.rs`: that as a page, by its signed link.

pub mod http;
pub mod leases;
pub mod message;
pub mod outbox;
pub mod page;
pub mod preview;
pub mod rules;
pub mod smtp;
pub mod store;
pub mod templates;
pub mod transports;
pub mod worker;
