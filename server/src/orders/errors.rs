//! Why a call about orders is refused.

use serde_json::{Value, json};
use strum::IntoStaticStr;

use super::rules::fields::{FieldError, describe};
use crate::error::{Kind, Reason};
use crate::ids::OrderId;
use crate::staff::rules::StaffType;

/// Why a call about orders is refused. A refusal that names an order refuses the whole selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OrderError {
    #[error("There is no such order")]
    OrderNotFound,
    #[error("There is no folder of that name")]
    UnknownFolder,
    #[error("Order History is not open to you")]
    OrderHistoryClosed,
    #[error("Please select at least one order")]
    NoOrderSelected,
    #[error("Please select at most {0} orders at a time")]
    TooManyOrdersSelected(usize),
    #[error("Order {0} is selected twice")]
    OrderSelectedTwice(OrderId),
    #[error("Nothing was changed: order {order_id} is not there")]
    SelectedOrderNotFound { order_id: OrderId },
    #[error("You can assign orders only to yourself")]
    AssignOnlyToYourself,
    #[error("Nothing was changed: {order_id} is already assigned to {owner}")]
    OrderAlreadyAssigned { order_id: OrderId, owner: String },
    #[error("Nothing was changed: {order_id} belongs to {owner}")]
    OrderOfAnotherMember { order_id: OrderId, owner: String },
    #[error("Nothing was changed: {staff_type} staff may not delete order {order_id}")]
    OrderDeletionForbidden { order_id: OrderId, staff_type: StaffType },
    #[error(
        "Nothing was changed: order {order_id} had a visa or a dispute, so {staff_type} staff may not delete it. Please ask \
         an Admin or a Manager"
    )]
    ServedOrderDeletionForbidden { order_id: OrderId, staff_type: StaffType },
    #[error("Nothing was changed: order {order_id} has no processing date ahead")]
    NoProcessingDateAhead { order_id: OrderId },
    #[error("{0} staff may not do this")]
    OrderRestoreForbidden(StaffType),
    #[error("Nothing was changed: order {order_id} is not deleted")]
    OrderNotDeleted { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} was changed by {by} at {at}. Please look at it again")]
    OrderChangedMeanwhile { order_id: OrderId, by: String, at: String },
    #[error("There is no such change to undo")]
    ChangeToUndoNotFound,
    #[error("Nothing was undone: {by} changed order {order_id}, and only they can undo it")]
    ChangeOfAnotherMember { order_id: OrderId, by: String },
    #[error("Nothing was undone: this change of order {order_id} was already undone at {at}")]
    ChangeUndoneBefore { order_id: OrderId, at: String },
    #[error(
        "Nothing was undone: order {order_id} was changed at {at}, and a change can be undone for {minutes} minutes"
    )]
    ChangeTooOldToUndo { order_id: OrderId, at: String, minutes: i64 },
    #[error("Nothing was undone: order {order_id} was changed by {by} at {at}. Please look at it again")]
    OrderChangedSince { order_id: OrderId, by: String, at: String },
    #[error("Nothing was undone: an email about order {order_id}, requested by {by}, has left or is about to leave")]
    MailLeftSince { order_id: OrderId, by: String },
    #[error("Nothing was undone: {by} edited the chargeback of order {order_id} meanwhile. Please look at it again")]
    DisputeEditedSince { order_id: OrderId, by: String },
    #[error("Nothing was undone: order {order_id} belonged to {owner}, who is no longer a member of staff")]
    UndoToDeletedMember { order_id: OrderId, owner: String },
    #[error(
        "Nothing was changed: order {order_id} has an open chargeback, and a refund would pay the customer twice. Move it out of \
         ChargeBack first"
    )]
    RefundOfDisputedOrder { order_id: OrderId },
    #[error(
        "Nothing was changed: order {order_id} has an open chargeback, and it was already refunded on {day}: one more refund would \
         pay the customer twice"
    )]
    RefundOfRefundedDisputedOrder { order_id: OrderId, day: String },
    #[error("Nothing was changed: order {order_id} is not in Refunds. Move it there first")]
    OrderNotInRefunds { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} is not in Refunds, and it was already refunded on {day}")]
    OrderAlreadyRefunded { order_id: OrderId, day: String },
    #[error(
        "Nothing was changed: order {order_id} has no email address that a mail can go to. Take it out of the selection"
    )]
    OrderUnreachableByMail { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} is not marked as refunded")]
    OrderNotRefunded { order_id: OrderId },
    #[error(
        "Nothing was changed: the refund of order {order_id} was recorded in an older system and cannot be taken back here"
    )]
    RefundOfOlderSystem { order_id: OrderId },
    #[error(
        "Nothing was changed: order {order_id} was marked as refunded by {by}. Please ask them, an Admin or a Manager"
    )]
    RefundMailOfAnotherMember { order_id: OrderId, by: String },
    #[error(
        "Nothing was changed: you may mark {most} orders as refunded in 24 hours when you select several, and {left} are left. \
         Please select fewer, or ask an Admin"
    )]
    TooManyRefundsInDay { most: u32, left: usize, seconds: u64 },
    #[error(
        "Nothing was changed: the refund of order {order_id} already waits for approval. It was requested by {by}. Take it out of \
         the selection"
    )]
    OrderWaitsForApproval { order_id: OrderId, by: String },
    #[error("There is no such request for a refund")]
    RefundApprovalNotFound,
    #[error("Another Admin or Manager decides about your own request. You can withdraw it")]
    OwnRefundApproval,
    #[error("Only {by} can withdraw this request")]
    RefundApprovalOfAnotherMember { by: String },
    #[error("Nothing was changed: this request was already {how} by {by}")]
    RefundApprovalDecided { how: &'static str, by: String },
    #[error("Nothing was changed: this request has expired. The orders can be selected in Refunds again")]
    RefundApprovalExpired,
    #[error(
        "Nothing was refunded: {} since the request was made. Decline the request; the other orders can then be selected again",
        changed_orders(order_ids)
    )]
    RefundApprovalOutdated { order_ids: Vec<OrderId> },
    #[error("Nothing was refunded: {by}, who requested this, is no longer a member of staff. Decline the request")]
    RefundRequesterLeft { by: String },
    #[error("Please write at most {0} characters as the note")]
    NoteTooLong(usize),
    #[error("Please enter the reason")]
    EmptyReason,
    #[error("Please write at most {0} characters as the reason")]
    ReasonTooLong(usize),
    #[error("Please enter your remark")]
    EmptyRemark,
    #[error("Please write at most {0} characters in one remark")]
    RemarkTooLong(usize),
    #[error("{0} is Y or empty")]
    InvalidRemarkFlag(&'static str),
    #[error("{}", describe(.0))]
    InvalidCorrection(Vec<FieldError>),
    #[error("Please change at least one field")]
    EmptyCorrection,
    #[error("Nothing was changed: order {order_id} is deleted. Restore it first")]
    CorrectionOfDeletedOrder { order_id: OrderId },
    #[error("Nothing was changed: {by} changed this order meanwhile ({}). Please look at the new values and correct them again", fields.join(", "))]
    CorrectedMeanwhile { order_id: OrderId, by: String, fields: Vec<&'static str> },
}

impl OrderError {
    /// The order that stopped the call.
    fn order_id(&self) -> Option<OrderId> {
        match self {
            Self::SelectedOrderNotFound { order_id }
            | Self::OrderAlreadyAssigned { order_id, .. }
            | Self::OrderOfAnotherMember { order_id, .. }
            | Self::OrderDeletionForbidden { order_id, .. }
            | Self::ServedOrderDeletionForbidden { order_id, .. }
            | Self::NoProcessingDateAhead { order_id }
            | Self::OrderNotDeleted { order_id }
            | Self::OrderChangedMeanwhile { order_id, .. }
            | Self::ChangeOfAnotherMember { order_id, .. }
            | Self::ChangeUndoneBefore { order_id, .. }
            | Self::ChangeTooOldToUndo { order_id, .. }
            | Self::OrderChangedSince { order_id, .. }
            | Self::MailLeftSince { order_id, .. }
            | Self::DisputeEditedSince { order_id, .. }
            | Self::UndoToDeletedMember { order_id, .. }
            | Self::RefundOfDisputedOrder { order_id }
            | Self::RefundOfRefundedDisputedOrder { order_id, .. }
            | Self::OrderNotInRefunds { order_id }
            | Self::OrderAlreadyRefunded { order_id, .. }
            | Self::OrderUnreachableByMail { order_id }
            | Self::OrderNotRefunded { order_id }
            | Self::RefundOfOlderSystem { order_id }
            | Self::OrderWaitsForApproval { order_id, .. }
            | Self::CorrectionOfDeletedOrder { order_id }
            | Self::CorrectedMeanwhile { order_id, .. }
            | Self::RefundMailOfAnotherMember { order_id, .. } => Some(*order_id),
            Self::OrderNotFound
            | Self::UnknownFolder
            | Self::OrderHistoryClosed
            | Self::NoOrderSelected
            | Self::TooManyOrdersSelected(_)
            | Self::OrderSelectedTwice(_)
            | Self::AssignOnlyToYourself
            | Self::OrderRestoreForbidden(_)
            | Self::TooManyRefundsInDay { .. }
            | Self::ChangeToUndoNotFound
            | Self::RefundApprovalNotFound
            | Self::OwnRefundApproval
            | Self::RefundApprovalOfAnotherMember { .. }
            | Self::RefundApprovalDecided { .. }
            | Self::RefundApprovalExpired
            | Self::RefundApprovalOutdated { .. }
            | Self::RefundRequesterLeft { .. }
            | Self::NoteTooLong(_)
            | Self::EmptyReason
            | Self::ReasonTooLong(_)
            | Self::EmptyRemark
            | Self::RemarkTooLong(_)
            | Self::InvalidRemarkFlag(_)
            | Self::InvalidCorrection(_)
            | Self::EmptyCorrection => None,
        }
    }
}

impl Reason for OrderError {
    fn kind(&self) -> Kind {
        match self {
            Self::OrderNotFound
            | Self::SelectedOrderNotFound { .. }
            | Self::ChangeToUndoNotFound
            | Self::RefundApprovalNotFound => Kind::NotFound,
            Self::OrderHistoryClosed
            | Self::AssignOnlyToYourself
            | Self::OrderOfAnotherMember { .. }
            | Self::OrderDeletionForbidden { .. }
            | Self::ServedOrderDeletionForbidden { .. }
            | Self::RefundMailOfAnotherMember { .. }
            | Self::OwnRefundApproval
            | Self::ChangeOfAnotherMember { .. }
            | Self::RefundApprovalOfAnotherMember { .. }
            | Self::OrderRestoreForbidden(_) => Kind::Forbidden,
            Self::TooManyRefundsInDay { .. } => Kind::TooMany,
            Self::OrderAlreadyAssigned { .. }
            | Self::OrderNotDeleted { .. }
            | Self::OrderChangedMeanwhile { .. }
            | Self::ChangeUndoneBefore { .. }
            | Self::ChangeTooOldToUndo { .. }
            | Self::OrderChangedSince { .. }
            | Self::MailLeftSince { .. }
            | Self::DisputeEditedSince { .. }
            | Self::UndoToDeletedMember { .. }
            | Self::RefundOfDisputedOrder { .. }
            | Self::RefundOfRefundedDisputedOrder { .. }
            | Self::OrderNotInRefunds { .. }
            | Self::OrderAlreadyRefunded { .. }
            | Self::OrderUnreachableByMail { .. }
            | Self::OrderNotRefunded { .. }
            | Self::OrderWaitsForApproval { .. }
            | Self::RefundApprovalDecided { .. }
            | Self::RefundApprovalExpired
            | Self::RefundApprovalOutdated { .. }
            | Self::RefundRequesterLeft { .. }
            | Self::RefundOfOlderSystem { .. }
            | Self::CorrectionOfDeletedOrder { .. }
            | Self::CorrectedMeanwhile { .. } => Kind::Conflict,
            Self::UnknownFolder
            | Self::NoOrderSelected
            | Self::TooManyOrdersSelected(_)
            | Self::OrderSelectedTwice(_)
            | Self::NoProcessingDateAhead { .. }
            | Self::NoteTooLong(_)
            | Self::EmptyReason
            | Self::ReasonTooLong(_)
            | Self::EmptyRemark
            | Self::RemarkTooLong(_)
            | Self::InvalidRemarkFlag(_)
            | Self::InvalidCorrection(_)
            | Self::EmptyCorrection => Kind::Invalid,
        }
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::TooManyRefundsInDay { seconds, .. } => Some(*seconds),
            _ => None,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::RefundApprovalOutdated { order_ids } => Some(json!({ "order_ids": order_ids })),
            Self::InvalidCorrection(errors) => Some(json!({ "errors": errors })),
            Self::CorrectedMeanwhile { order_id, fields, .. } => {
                Some(json!({ "order_id": order_id, "fields": fields }))
            }
            _ => self.order_id().map(|order_id| json!({ "order_id": order_id })),
        }
    }
}

/// The most orders that a text names.
const MAX_NAMED: usize = 5;

/// `order 100001 was refunded or left Refunds`: the first orders by id, the others by their number.
fn changed_orders(order_ids: &[OrderId]) -> String {
    let named: Vec<String> = order_ids.iter().take(MAX_NAMED).map(OrderId::to_string).collect();
    let others = match order_ids.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    match named.as_slice() {
        [one] => format!("order {one} was refunded or left Refunds"),
        named => format!("orders {}{others} were refunded or left Refunds", named.join(", ")),
    }
}
