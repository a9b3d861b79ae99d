//! Why a call about papers that applicants send is refused.

use derive::Reason;

use crate::ids::OrderId;
use crate::orders::status::ProcessStatus;

/// Why a call about papers that applicants send is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum PaperRequestError {
    #[error("This visa needs no such paper. Please reload the order")]
    #[reason(Invalid)]
    PaperNotNeeded,
    #[error("A newer file of this document has arrived. Please reload the order and check the newer file")]
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
    #[error("Order {order_id} is in {}. Move it to New before you ask its applicant for documents", .status.label())]
    #[reason(Conflict)]
    OrderNotAskedAbout { order_id: OrderId, status: ProcessStatus },
    #[error("The order has no valid email address. Please correct it first")]
    #[reason(Invalid)]
    NoAddressToAsk,
    #[error("There is no open request for papers. Please reload the order")]
    #[reason(Conflict)]
    NoOpenRequest,
    #[error("We are not waiting for this document. Please reload the page")]
    #[reason(Conflict)]
    PaperNotAskedFor,
    #[error("You have sent this document {0} times. We will check what you sent and write to you")]
    #[reason(TooMany)]
    TooManyUploads(i32),
    #[error("Please choose a file")]
    #[reason(Invalid)]
    PaperFileMissing,
}
