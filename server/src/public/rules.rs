//! Who is let in to the public pages, how far an order has come, and what it waits for. Pure.

use std::collections::HashSet;

use chrono::NaiveDateTime;

use crate::documents::rules::needed_documents;
use crate::orders::rules::ProcessStatus;
use crate::text::without_case;
use crate::text_enum;

/// What the public pages know of an order.
#[derive(Clone, Debug)]
pub struct TrackedOrder {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub full_name: String,
    pub visa_type: Option<String>,
    pub assign_to: Option<i64>,
    pub processed_at: Option<NaiveDateTime>,
    pub refund_date: Option<NaiveDateTime>,
    pub created_at: NaiveDateTime,
    pub updated_at: NaiveDateTime,
    /// When the newest visa was issued.
    pub visa_issued_at: Option<NaiveDateTime>,
}

/// What a failed track is told, whatever is wrong.
pub const NOT_THERE: &str = "We found no application with this order number and email. Please check both and try again";

/// The email addresses that an order can be tracked with.
#[derive(Clone, Debug)]
pub struct Emails {
    pub contact: String,
    pub account: Option<String>,
}

/// Whether `typed` is one of the order's addresses, without regard to case.
///
/// Seals are compared, not texts, and always two of them: how long it takes tells neither how much of the address is right
/// nor whether there is such an order.
pub fn confirms<Seal: PartialEq>(typed: &str, known: Option<&Emails>, seal: impl Fn(&str) -> Seal) -> bool {
    let sealed = |email: Option<&str>| seal(&without_case(email.unwrap_or_default().trim()));
    let typed = sealed(Some(typed));
    let is_contact = typed == sealed(known.map(|known| known.contact.as_str()));
    let is_account = typed == sealed(known.and_then(|known| known.account.as_deref()));
    // What stands in for an address that is not there is empty, and so is no typed one.
    (is_contact | is_account) & known.is_some() & (typed != sealed(None))
}

text_enum! {
    /// How far an order has come, in one word for its applicant.
    pub enum Stage {
        Received = "received",
        InReview = "in_review",
        WaitingForYou = "waiting_for_you",
        WithImmigration = "with_immigration",
        /// The visa can be downloaded.
        Ready = "ready",
        Closed = "closed",
    }
}

/// The order's present stage.
pub fn stage(order: &TrackedOrder) -> Stage {
    match stage_of(order.process_status, order) {
        // Somebody works on it.
        Some(Stage::Received) if order.assign_to.is_some() => Stage::InReview,
        Some(stage) => stage,
        None => Stage::Closed,
    }
}

/// What a status means for the applicant; nothing for Deleted, which they never see.
fn stage_of(status: ProcessStatus, order: &TrackedOrder) -> Option<Stage> {
    let has_visa = order.visa_issued_at.is_some();
    Some(match status {
        ProcessStatus::New | ProcessStatus::Pending | ProcessStatus::Future => Stage::Received,
        ProcessStatus::Awaiting | ProcessStatus::ContactCustomer => Stage::WaitingForYou,
        ProcessStatus::AwaitingGovt => Stage::WithImmigration,
        // Called about what is done, or on the way there.
        ProcessStatus::Completed | ProcessStatus::CustomerCalled if has_visa => Stage::Ready,
        ProcessStatus::Completed | ProcessStatus::CustomerCalled => Stage::InReview,
        ProcessStatus::Refunds | ProcessStatus::ChargeBack => Stage::Closed,
        ProcessStatus::Deleted => return None,
    })
}

/// A stage, and when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub stage: Stage,
    pub at: NaiveDateTime,
}

/// The stages that the order went through, from `changes` of its status, the oldest first. The last is the present one.
pub fn timeline(order: &TrackedOrder, changes: &[(NaiveDateTime, ProcessStatus)]) -> Vec<Step> {
    let mut steps = vec![Step { stage: Stage::Received, at: order.created_at }];
    let past = changes.iter().filter_map(|(at, status)| Some(Step { stage: stage_of(*status, order)?, at: *at }));
    let now = stage(order);
    let known = match now {
        Stage::Ready => order.visa_issued_at.or(order.processed_at),
        Stage::Closed => order.refund_date,
        _ => None,
    };
    let present = Step { stage: now, at: known.unwrap_or(order.updated_at) };
    for step in past.chain([present]) {
        let last = steps[steps.len() - 1];
        if step.stage != last.stage {
            steps.push(Step { at: step.at.max(last.at), ..step });
        }
    }
    steps
}

text_enum! {
    /// What kind of thing an applicant is asked for.
    pub enum NeedCode {
        /// An answer to a message of the agency.
        Reply = "reply",
        /// A document.
        Document = "document",
    }
}

/// Something that the order waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub code: NeedCode,
    /// Which document.
    pub label: Option<&'static str>,
}

/// What the applicant still has to do, when files of the kinds `given` are there.
pub fn needs(order: &TrackedOrder, given: &HashSet<String>) -> Vec<Need> {
    let stage = stage(order);
    let reply = (stage == Stage::WaitingForYou).then_some(Need { code: NeedCode::Reply, label: None });
    // What immigration has, or what is over, asks for no more papers.
    let is_open = matches!(stage, Stage::Received | Stage::InReview | Stage::WaitingForYou)
        && order.process_status != ProcessStatus::Completed;
    let asked = order.visa_type.as_deref().filter(|_| is_open).map(needed_documents).unwrap_or_default();
    let missing = asked.into_iter().filter(|one| one.required && !given.contains(one.kind));
    let documents = missing.map(|one| Need { code: NeedCode::Document, label: Some(one.label) });
    reply.into_iter().chain(documents).collect()
}

#[cfg(test)]
mod tests;
