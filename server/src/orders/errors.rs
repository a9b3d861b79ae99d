//! Why a call about orders is refused.

use derive::Reason;

use super::rules::fields::{FieldError, describe};
use crate::ids::OrderId;
use crate::staff::rules::StaffType;

/// Why a call about orders is refused. A refusal that names an order refuses the whole selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum OrderError {
    #[error("There is no such order")]
    #[reason(NotFound)]
    OrderNotFound,
    #[error("There is no folder of that name")]
    #[reason(Invalid)]
    UnknownFolder,
    #[error("Order History is not open to you")]
    #[reason(Forbidden)]
    OrderHistoryClosed,
    #[error("Please select at least one order")]
    #[reason(Invalid)]
    NoOrderSelected,
    #[error("Please select at most {0} orders at a time")]
    #[reason(Invalid)]
    TooManyOrdersSelected(usize),
    #[error("Order {0} is selected twice")]
    #[reason(Invalid)]
    OrderSelectedTwice(OrderId),
    #[error("Nothing was changed: order {order_id} does not exist")]
    #[reason(NotFound, data(order_id))]
    SelectedOrderNotFound { order_id: OrderId },
    #[error("You can assign orders only to yourself")]
    #[reason(Forbidden)]
    AssignOnlyToYourself,
    #[error("Nothing was changed: {order_id} is already assigned to {owner}")]
    #[reason(Conflict, data(order_id))]
    OrderAlreadyAssigned { order_id: OrderId, owner: String },
    #[error("Nothing was changed: {order_id} is not yours, and only its owner can hand it over")]
    #[reason(Conflict, data(order_id))]
    OrderNotYours { order_id: OrderId },
    #[error("Nothing was changed: {order_id} belongs to {owner}")]
    #[reason(Forbidden, data(order_id))]
    OrderOfAnotherMember { order_id: OrderId, owner: String },
    #[error("Nothing was changed: {staff_type} staff may not delete order {order_id}")]
    #[reason(Forbidden, data(order_id))]
    OrderDeletionForbidden { order_id: OrderId, staff_type: StaffType },
    #[error(
        "Nothing was changed: order {order_id} had a visa or a dispute, so {staff_type} staff may not delete it. Please ask \
         an Admin or a Manager"
    )]
    #[reason(Forbidden, data(order_id))]
    ServedOrderDeletionForbidden { order_id: OrderId, staff_type: StaffType },
    #[error("Nothing was changed: order {order_id} has no processing date in the future")]
    #[reason(Invalid, data(order_id))]
    NoProcessingDateAhead { order_id: OrderId },
    #[error("{0} staff may not do this")]
    #[reason(Forbidden)]
    OrderRestoreForbidden(StaffType),
    #[error("Nothing was changed: order {order_id} is not deleted")]
    #[reason(Conflict, data(order_id))]
    OrderNotDeleted { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} was changed by {by} at {at}. Please check it and try again")]
    #[reason(Conflict, data(order_id))]
    OrderChangedMeanwhile { order_id: OrderId, by: String, at: String },
    #[error("There is no such change to undo")]
    #[reason(NotFound)]
    ChangeToUndoNotFound,
    #[error("Nothing was undone: {by} changed order {order_id}, and only they can undo it")]
    #[reason(Forbidden, data(order_id))]
    ChangeOfAnotherMember { order_id: OrderId, by: String },
    #[error("Nothing was undone: this change of order {order_id} was already undone at {at}")]
    #[reason(Conflict, data(order_id))]
    ChangeUndoneBefore { order_id: OrderId, at: String },
    #[error(
        "Nothing was undone: order {order_id} was changed at {at}, and a change can be undone for {minutes} minutes"
    )]
    #[reason(Conflict, data(order_id))]
    ChangeTooOldToUndo { order_id: OrderId, at: String, minutes: i64 },
    #[error("Nothing was undone: order {order_id} was changed by {by} at {at}. Please check it and try again")]
    #[reason(Conflict, data(order_id))]
    OrderChangedSince { order_id: OrderId, by: String, at: String },
    #[error(
        "Nothing was undone: an email about order {order_id}, requested by {by}, has been sent or is about to be sent"
    )]
    #[reason(Conflict, data(order_id))]
    MailLeftSince { order_id: OrderId, by: String },
    #[error(
        "Nothing was undone: {by} edited the chargeback of order {order_id} meanwhile. Please check it and try again"
    )]
    #[reason(Conflict, data(order_id))]
    DisputeEditedSince { order_id: OrderId, by: String },
    #[error("Nothing was undone: order {order_id} belonged to {owner}, who is no longer a member of staff")]
    #[reason(Conflict, data(order_id))]
    UndoToDeletedMember { order_id: OrderId, owner: String },
    #[error(
        "Nothing was changed: order {order_id} has an open chargeback, and a refund would pay the customer twice. Move it out of \
         ChargeBack first"
    )]
    #[reason(Conflict, data(order_id))]
    RefundOfDisputedOrder { order_id: OrderId },
    #[error(
        "Nothing was changed: order {order_id} has an open chargeback, and it was already refunded on {day}: one more refund would \
         pay the customer twice"
    )]
    #[reason(Conflict, data(order_id))]
    RefundOfRefundedDisputedOrder { order_id: OrderId, day: String },
    #[error("Nothing was changed: order {order_id} is not in Refunds. Move it there first")]
    #[reason(Conflict, data(order_id))]
    OrderNotInRefunds { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} is not in Refunds, and it was already refunded on {day}")]
    #[reason(Conflict, data(order_id))]
    OrderAlreadyRefunded { order_id: OrderId, day: String },
    #[error(
        "Nothing was changed: order {order_id} has no email address that a mail can go to. Take it out of the selection"
    )]
    #[reason(Conflict, data(order_id))]
    OrderUnreachableByMail { order_id: OrderId },
    #[error("Nothing was changed: order {order_id} is not marked as refunded")]
    #[reason(Conflict, data(order_id))]
    OrderNotRefunded { order_id: OrderId },
    #[error(
        "Nothing was changed: the refund of order {order_id} was recorded in an older system and cannot be taken back here"
    )]
    #[reason(Conflict, data(order_id))]
    RefundOfOlderSystem { order_id: OrderId },
    #[error(
        "Nothing was changed: order {order_id} was marked as refunded by {by}. Please ask them, an Admin or a Manager"
    )]
    #[reason(Forbidden, data(order_id))]
    RefundMailOfAnotherMember { order_id: OrderId, by: String },
    #[error(
        "Nothing was changed: you may mark {most} orders as refunded in 24 hours when you select several, and {left} are left. \
         Please select fewer, or ask an Admin"
    )]
    #[reason(TooMany, retry_after = *seconds)]
    TooManyRefundsInDay { most: u32, left: usize, seconds: u64 },
    #[error(
        "Nothing was changed: the refund of order {order_id} already waits for approval. It was requested by {by}. Take it out of \
         the selection"
    )]
    #[reason(Conflict, data(order_id))]
    OrderWaitsForApproval { order_id: OrderId, by: String },
    #[error("There is no such request for a refund")]
    #[reason(NotFound)]
    RefundApprovalNotFound,
    #[error("Another Admin or Manager decides about your own request. You can withdraw it")]
    #[reason(Forbidden)]
    OwnRefundApproval,
    #[error("Only {by} can withdraw this request")]
    #[reason(Forbidden)]
    RefundApprovalOfAnotherMember { by: String },
    #[error("Nothing was changed: this request was already {how} by {by}")]
    #[reason(Conflict)]
    RefundApprovalDecided { how: &'static str, by: String },
    #[error("Nothing was changed: this request has expired. The orders can be selected in Refunds again")]
    #[reason(Conflict)]
    RefundApprovalExpired,
    #[error(
        "Nothing was refunded: {} since the request was made. Decline the request; the other orders can then be selected again",
        changed_orders(order_ids)
    )]
    #[reason(Conflict, data(order_ids))]
    RefundApprovalOutdated { order_ids: Vec<OrderId> },
    #[error("Nothing was refunded: {by}, who requested this, is no longer a member of staff. Decline the request")]
    #[reason(Conflict)]
    RefundRequesterLeft { by: String },
    #[error("Please write at most {0} characters as the note")]
    #[reason(Invalid)]
    NoteTooLong(usize),
    #[error("Please enter the reason")]
    #[reason(Invalid)]
    EmptyReason,
    #[error("Please write at most {0} characters as the reason")]
    #[reason(Invalid)]
    ReasonTooLong(usize),
    #[error("Please enter your remark")]
    #[reason(Invalid)]
    EmptyRemark,
    #[error("Please write at most {0} characters in one remark")]
    #[reason(Invalid)]
    RemarkTooLong(usize),
    #[error("{0} is Y or empty")]
    #[reason(Invalid)]
    InvalidRemarkFlag(&'static str),
    #[error("{}", describe(.0))]
    #[reason(Invalid, data(errors = _0))]
    InvalidCorrection(Vec<FieldError>),
    #[error("Please change at least one field")]
    #[reason(Invalid)]
    EmptyCorrection,
    #[error("Nothing was changed: order {order_id} is deleted. Restore it first")]
    #[reason(Conflict, data(order_id))]
    CorrectionOfDeletedOrder { order_id: OrderId },
    #[error("Nothing was changed: {by} changed this order meanwhile ({}). Please check the new values and correct them again", fields.join(", "))]
    #[reason(Conflict, data(order_id, fields))]
    CorrectedMeanwhile { order_id: OrderId, by: String, fields: Vec<&'static str> },
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
