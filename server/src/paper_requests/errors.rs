//! Why a call about papers that applicants send is refused.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::ids::OrderId;
use crate::orders::status::ProcessStatus;

/// Why a call about papers that applicants send is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum PaperRequestError {
    #[error("This visa needs no such paper. Please load the order again")]
    PaperNotNeeded,
    #[error("A newer file of this paper has arrived. Please load the order again and look at that one")]
    PaperChangedMeanwhile,
    #[error("This reason is not known, or no longer offered. Please choose another one")]
    UnknownPaperReason,
    #[error("Please write the reason in English at least, with at most {max} characters in each language")]
    PaperReasonText { max: usize },
    #[error("These languages are not known: {0}")]
    UnknownReasonLanguage(String),
    #[error("Please choose at least one paper to ask for, and each only once")]
    NoPaperChosen,
    #[error("Order {order_id} is in {}. Move it to New first if its applicant is to be asked for papers", .status.label())]
    OrderNotAskedAbout { order_id: OrderId, status: ProcessStatus },
    #[error("The order has no email address that a mail could go to. Please correct it first")]
    NoAddressToAsk,
    #[error("There is no open request for papers. Please load the order again")]
    NoOpenRequest,
    #[error("We are not waiting for this document. Please load the page again")]
    PaperNotAskedFor,
    #[error("You have sent this document {0} times. We will look at what you sent, and write to you")]
    TooManyUploads(i32),
    #[error("Please choose a file")]
    PaperFileMissing,
}

impl Reason for PaperRequestError {
    fn kind(&self) -> Kind {
        match self {
            Self::PaperChangedMeanwhile
            | Self::NoOpenRequest
            | Self::PaperNotAskedFor
            | Self::OrderNotAskedAbout { .. } => Kind::Conflict,
            Self::TooManyUploads(_) => Kind::TooMany,
            Self::PaperNotNeeded
            | Self::UnknownPaperReason
            | Self::PaperReasonText { .. }
            | Self::UnknownReasonLanguage(_)
            | Self::NoPaperChosen
            | Self::NoAddressToAsk
            | Self::PaperFileMissing => Kind::Invalid,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
