//! Why a visa is not delivered.

use derive::Reason;

use crate::ids::OrderId;

/// The differences for which a visa is refused.
#[derive(Debug)]
pub struct Differences {
    /// A text that continues a sentence, with the applicant of the order whose visa it is.
    pub said: String,
    /// The fields of the order that are not on it.
    pub fields: Vec<&'static str>,
    /// The order whose visa it is.
    pub used_by: Option<OrderId>,
}

/// Why a visa is not delivered.
#[derive(Debug, thiserror::Error, Reason)]
pub enum DeliveryError {
    #[error(
        "Nothing was stored: {}. Choose another file, or send this one again with a reason (field reason, 5 to 500 characters)",
        .0.said
    )]
    #[reason(Conflict, data(fields = _0.fields, used_by = _0.used_by))]
    VisaDiffers(Differences),
    #[error(
        "Nothing was stored: {}. Another member than the one who tried it first must check the visa and upload it with a reason",
        .0.said
    )]
    #[reason(Conflict, data(fields = _0.fields, used_by = _0.used_by))]
    VisaNeedsSecondPerson(Differences),
    #[error("File is required")]
    #[reason(Invalid)]
    VisaFileMissing,
    #[error("Nothing was stored: order {0} is deleted. Restore it before you deliver its visa")]
    #[reason(Conflict)]
    VisaOfDeletedOrder(OrderId),
    #[error("You uploaded this visa. Another member must check it and decide to deliver it")]
    #[reason(Conflict)]
    DecisionNeedsSecondPerson,
    #[error("This visa is not delivered yet. Deliver or withdraw it")]
    #[reason(Conflict)]
    VisaNotDelivered,
    #[error("Please give a reason of 5 to 500 characters")]
    #[reason(Invalid)]
    InvalidReason,
    #[error("This visa does not exist, or a member has checked it already. Please reload the order")]
    #[reason(NotFound)]
    NothingToLookAt,
    #[error("This visa does not wait for a decision: it was delivered or withdrawn. Please reload the order")]
    #[reason(NotFound)]
    VisaNotWaiting,
    #[error("Give the reason to deliver this visa, in 5 to 500 characters")]
    #[reason(Invalid)]
    DeliveryReasonMissing,
    #[error(
        "Nothing was undone: the customer has downloaded this visa of order {order_id}. Please tell them which visa is the right one"
    )]
    #[reason(Conflict)]
    VisaDownloaded { order_id: OrderId },
}
