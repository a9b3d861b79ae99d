//! Which emails confirm an order, the order's stage, and what it needs from the applicant. Pure.

use std::collections::HashSet;

use crate::documents::rules::{NeededDocument, needed_documents};
use crate::ids::{OrderId, StaffId};
use crate::orders::status::{ProcessStatus, Stage};
use crate::text::without_case;
use crate::text_enum;
use crate::timestamp::Timestamp;

/// The facts of an order that the public pages need.
#[derive(Clone, Debug)]
pub struct TrackedFacts {
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub full_name: String,
    pub visa_type: Option<String>,
    pub assign_to: Option<StaffId>,
    pub processed_at: Option<Timestamp>,
    pub refund_date: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When the newest visa was issued.
    pub visa_issued_at: Option<Timestamp>,
    /// When the first of its visas was uploaded.
    pub first_visa_at: Option<Timestamp>,
}

/// The email addresses that an order can be tracked with.
#[derive(Clone, Debug)]
pub struct Emails {
    pub contact: String,
    pub account: Option<String>,
}

/// Returns true if `typed` is one of the order's addresses, compared case-insensitively.
///
/// Compares signatures instead of texts, and always two of them, so that the time reveals neither how much of the address is right nor
/// whether the order exists.
pub fn confirms<Signature: PartialEq>(typed: &str, known: Option<&Emails>, sign: impl Fn(&str) -> Signature) -> bool {
    let signed = |email: Option<&str>| sign(&without_case(email.unwrap_or_default().trim()));
    let typed = signed(Some(typed));
    let is_contact = typed == signed(known.map(|known| known.contact.as_str()));
    let is_account = typed == signed(known.and_then(|known| known.account.as_deref()));
    // A missing address is compared as an empty one, so an empty input must not confirm.
    (is_contact | is_account) & known.is_some() & (typed != signed(None))
}

/// Parses the six digits of a code, with or without spaces. None if they are not six digits.
pub fn parse_code(typed: &str) -> Option<String> {
    let code: String = typed.chars().filter(|one| !one.is_whitespace()).collect();
    (code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}

/// The order's current stage.
pub fn stage(order: &TrackedFacts) -> Stage {
    match order.process_status.stage(order.visa_issued_at.is_some()) {
        // A member of staff owns it.
        Some(Stage::Received) if order.assign_to.is_some() => Stage::InReview,
        Some(stage) => stage,
        None => Stage::Closed,
    }
}

/// A stage, and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageStart {
    pub stage: Stage,
    pub at: Timestamp,
}

/// The stages of the order from the `changes` of its status, the oldest first. The last is the current one.
pub fn timeline(order: &TrackedFacts, changes: &[(Timestamp, ProcessStatus)]) -> Vec<StageStart> {
    let mut steps = vec![StageStart { stage: Stage::Received, at: order.created_at }];
    let past = changes.iter().filter_map(|(at, status)| {
        let had_visa = order.first_visa_at.is_some_and(|first| first <= *at);
        Some(StageStart { stage: status.stage(had_visa)?, at: *at })
    });
    let now = stage(order);
    let known = match now {
        Stage::Ready => order.visa_issued_at.or(order.processed_at),
        Stage::Closed => order.refund_date,
        _ => None,
    };
    let present = StageStart { stage: now, at: known.unwrap_or(order.updated_at) };
    for step in past.chain([present]) {
        let last = steps[steps.len() - 1];
        if step.stage != last.stage {
            steps.push(StageStart { at: step.at.max(last.at), ..step });
        }
    }
    steps
}

text_enum! {
    /// The kind of a need.
    pub enum NeedCode {
        /// A reply to a message of the agency.
        Reply = "reply",
        /// A document.
        Document = "document",
    }
}

/// Something that the applicant still has to provide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub code: NeedCode,
    /// The document's name.
    pub label: Option<&'static str>,
}

/// Lists the items that the applicant still has to provide, given files of the kinds `given`.
pub fn needs(order: &TrackedFacts, given: &HashSet<String>) -> Vec<Need> {
    let stage = stage(order);
    let reply = (stage == Stage::WaitingForYou).then_some(Need { code: NeedCode::Reply, label: None });
    // Orders that are with immigration, closed or delivered need no more documents.
    let is_open = order.process_status.is_to_be_filed() && order.visa_issued_at.is_none();
    let asked = order.visa_type.as_deref().filter(|_| is_open).map(needed_documents).unwrap_or_default();
    let missing = asked.iter().filter(|one| one.is_missing(given));
    let documents = missing.map(|one| Need { code: NeedCode::Document, label: Some(one.label) });
    reply.into_iter().chain(documents).collect()
}

/// Returns true if the page takes documents without a request: the order is paid, and neither filed nor delivered (decision 32).
fn takes_documents(order: &TrackedFacts) -> bool {
    order.process_status.needs_documents() && order.visa_issued_at.is_none()
}

/// Lists the documents that the page takes without a request while they are missing: those that every applicant with that visa type needs.
pub fn taken_unasked(order: &TrackedFacts) -> impl Iterator<Item = &'static NeededDocument> + use<> {
    let visa_type = order.visa_type.as_deref().filter(|_| takes_documents(order));
    visa_type.map(needed_documents).unwrap_or_default().iter().filter(|document| document.required)
}

#[cfg(test)]
mod tests;
