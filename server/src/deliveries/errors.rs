//! Why a visa is not delivered.

use serde_json::{Value, json};
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
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
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryError {
    #[error(
        "Nothing was stored: {}. Choose another file, or send this one again with a reason (field reason, 5 to 500 characters)",
        .0.said
    )]
    VisaDiffers(Differences),
    #[error(
        "Nothing was stored: {}. Another member than the one who tried it first must check the visa and upload it with a reason",
        .0.said
    )]
    VisaNeedsSecondPerson(Differences),
    #[error("File is required")]
    VisaFileMissing,
    #[error("Nothing was stored: order {0} is deleted. Restore it first if its visa is to be delivered")]
    VisaOfDeletedOrder(OrderId),
    #[error("You uploaded this visa. Another member must check it and decide to deliver it")]
    DecisionNeedsSecondPerson,
    #[error("This visa is not delivered yet. Deliver or withdraw it")]
    VisaNotDelivered,
    #[error("Please give a reason of 5 to 500 characters")]
    InvalidReason,
    #[error("This visa does not exist, or a member has checked it already. Please reload the order")]
    NothingToLookAt,
    #[error("This visa does not wait for a decision: it was delivered or withdrawn. Please reload the order")]
    VisaNotWaiting,
    #[error("Give the reason to deliver this visa, in 5 to 500 characters")]
    DeliveryReasonMissing,
    #[error(
        "Nothing was undone: the customer has downloaded this visa of order {order_id}. Please tell them which visa is the right one"
    )]
    VisaDownloaded { order_id: OrderId },
}

impl Reason for DeliveryError {
    fn kind(&self) -> Kind {
        match self {
            Self::VisaDiffers(_)
            | Self::VisaNeedsSecondPerson(_)
            | Self::DecisionNeedsSecondPerson
            | Self::VisaNotDelivered
            | Self::VisaOfDeletedOrder(_)
            | Self::VisaDownloaded { .. } => Kind::Conflict,
            Self::VisaFileMissing | Self::InvalidReason | Self::DeliveryReasonMissing => Kind::Invalid,
            Self::NothingToLookAt | Self::VisaNotWaiting => Kind::NotFound,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::VisaDiffers(Differences { fields, used_by, .. })
            | Self::VisaNeedsSecondPerson(Differences { fields, used_by, .. }) => {
                Some(json!({ "fields": fields, "used_by": used_by }))
            }
            Self::VisaFileMissing
            | Self::VisaOfDeletedOrder(_)
            | Self::DecisionNeedsSecondPerson
            | Self::VisaNotDelivered
            | Self::InvalidReason
            | Self::NothingToLookAt
            | Self::VisaNotWaiting
            | Self::DeliveryReasonMissing
            | Self::VisaDownloaded { .. } => None,
        }
    }
}
