//! The list of all that follows the status and the owner of an order.

use crate::chargebacks::attached::AttachedDisputes;
use crate::config::Config;
use crate::filing::attached::Filings;
use crate::lifecycle::attached::AttachedRows;
use crate::mail::attached::WaitingMails;
use crate::paper_requests::attached::AttachedRequests;

/// Everything that is attached to orders and follows them, in the order in which it does.
pub fn all(config: &Config) -> Vec<Box<dyn AttachedRows>> {
    vec![
        Box::new(AttachedRequests { reminder_days: config.papers.reminder_days.clone() }),
        Box::new(WaitingMails),
        Box::new(Filings),
        Box::new(AttachedDisputes { terms: config.chargebacks.clone() }),
    ]
}
