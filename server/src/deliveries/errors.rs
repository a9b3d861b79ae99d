//! Why a visa is not delivered.

use serde_json::{Value, json};
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::ids::OrderId;

/// Why a visa is not delivered.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DeliveryError {
    #[error(
        "Nothing was stored: {said}. Choose another file, or send this one again with a reason (field reason, 5 to 500 characters)"
    )]
    VisaDiffers { said: String, fields: Vec<&'static str>, used_by: Option<i64> },
    #[error(
        "Nothing was stored: {said}. Another member than the one who tried it first must check the visa and upload it with a reason"
    )]
    VisaNeedsSecondPerson { said: String, fields: Vec<&'static str>, used_by: Option<i64> },
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
            Self::VisaDiffers { .. } | Self::VisaNeedsSecondPerson { .. } | Self::VisaDownloaded { .. } => {
                Kind::Conflict
            }
            Self::InvalidReason | Self::DeliveryReasonMissing => Kind::Invalid,
            Self::NothingToLookAt | Self::VisaNotWaiting => Kind::NotFound,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        match self {
            Self::VisaDiffers { fields, used_by, .. } | Self::VisaNeedsSecondPerson { fields, used_by, .. } => {
                Some(json!({ "fields": fields, "used_by": used_by }))
            }
            Self::InvalidReason
            | Self::NothingToLookAt
            | Self::VisaNotWaiting
            | Self::DeliveryReasonMissing
            | Self::VisaDownloaded { .. } => None,
        }
    }
}
