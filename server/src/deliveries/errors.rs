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
        "Nothing was saved. Please look at the visa: {said}. If it is the right one, give a reason and upload it again"
    )]
    VisaDiffers { said: String, fields: Vec<&'static str>, used_by: Option<i64> },
    #[error(
        "Nothing was saved: {said}. Another member than the one who tried it first must look at the visa and upload it with a reason"
    )]
    VisaNeedsSecondPerson { said: String, fields: Vec<&'static str>, used_by: Option<i64> },
    #[error("Please give a reason of 5 to 500 characters")]
    InvalidReason,
    #[error("This visa does not exist, or somebody has looked at it already. Please reload the order")]
    NothingToLookAt,
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
            Self::InvalidReason => Kind::Invalid,
            Self::NothingToLookAt => Kind::NotFound,
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
            Self::InvalidReason | Self::NothingToLookAt | Self::VisaDownloaded { .. } => None,
        }
    }
}
