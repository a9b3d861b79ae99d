//! Why a call about papers that applicants send is refused.

use derive::Reason;

use crate::ids::OrderId;
use crate::orders::status::ProcessStatus;

/// Why a call about papers that applicants send is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum PaperRequestError {
    #[error("This visa needs no such paper. Please load the order again")]
    #[reason(Invalid)]
    PaperNotNeeded,
    #[error("A newer file of this paper has arrived. Please load the order again and look at that one")]
    #[reason(Conflict)]
    PaperChangedMeanwhile,
    #[error("This reason is not known, or no longer offered. Please choose another one")]
    #[reason(Invalid)]
    UnknownPaperReason,
    #[error("Please write the reason in English at least, with at most {max} characters in each language")]
    #[reason(Invalid)]
    PaperReasonText { max: usize },
    #[error("These languages are not known: {0}")]
    #[reason(Invalid)]
    UnknownReasonLanguage(String),
    #[error("Please choose at least one paper to ask for, and each only once")]
    #[reason(Invalid)]
    NoPaperChosen,
    #[error("Order {order_id} is in {}. Move it to New first if its applicant is to be asked for papers", .status.label())]
    #[reason(Conflict)]
    OrderNotAskedAbout { order_id: OrderId, status: ProcessStatus },
    #[error("The order has no email address that a mail could go to. Please correct it first")]
    #[reason(Invalid)]
    NoAddressToAsk,
    #[error("There is no open request for papers. Please load the order again")]
    #[reason(Conflict)]
    NoOpenRequest,
    #[error("We are not waiting for this document. Please load the page again")]
    #[reason(Conflict)]
    PaperNotAskedFor,
    #[error("You have sent this document {0} times. We will look at what you sent, and write to you")]
    #[reason(TooMany)]
    TooManyUploads(i32),
    #[error("Please choose a file")]
    #[reason(Invalid)]
    PaperFileMissing,
}
