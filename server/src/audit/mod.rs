//! The audit: who did what to which order, append-only; and the access log of who looked at what.
//!
//! - `store.rs`: what staff changed, in the transaction of the change; reading it.
//! - `seals.rs`: digests over what is committed, so that a change behind the triggers shows; `rules.rs`: how they are made.
//! - `http.rs`: the list for Admins.
//! - `access_log.rs`: what staff looked at and what they were denied, in batches; `denials.rs`: how often, told once a minute.

pub mod access_log;
pub mod denials;
pub mod http;
pub mod rules;
pub mod seals;
pub mod store;
