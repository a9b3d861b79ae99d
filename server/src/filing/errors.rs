//! Why an application is not recorded, or its files are not packed.

use serde_json::{Value, json};
use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::ids::OrderId;

/// Why an application is not recorded, or its files are not packed.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FilingError {
    #[error(
        "Please enter the application number as the portal shows it: 3 to 40 letters, digits, dashes, slashes or dots"
    )]
    InvalidApplicationNumber,
    /// Without an order: it was recorded at the same moment.
    #[error("Nothing was saved: application {number} is that of {}. Please look at the number again", named(*.order_id))]
    ApplicationNumberTaken { number: String, order_id: Option<OrderId> },
    #[error("The fee {0}")]
    InvalidFee(String),
    #[error("The currency of the fee {0}")]
    InvalidFeeCurrency(String),
    #[error("isSecond must be true, or be left out")]
    InvalidSecond,
    #[error("Nothing was saved: order {order_id} is not paid. Move it to New first if it was paid elsewhere")]
    FilingOfUnpaidOrder { order_id: OrderId },
    #[error("Nothing was saved: order {order_id} is in {status}. Move it to New first if it is to be filed again")]
    OrderNotToBeFiled { order_id: OrderId, status: &'static str },
    #[error(
        "Nothing was saved: order {order_id} is filed already, as application {number}. If the portal refused it, record that first"
    )]
    OrderFiledAlready { order_id: OrderId, number: String },
    #[error("Nothing was saved: order {order_id} has no open application. Please reload the order")]
    NoOpenApplication { order_id: OrderId },
    #[error("Nothing was saved: order {order_id} is in {status}. Move it to Awaiting Govt first")]
    OrderNotAwaitingGovt { order_id: OrderId, status: &'static str },
    #[error("This order has no file that the portal takes")]
    EmptyFilingKit,
    #[error("The files of this order are too large for one download. Please open them one by one")]
    FilingKitTooLarge,
}

impl FilingError {
    /// The order that stopped the call.
    fn order_id(&self) -> Option<OrderId> {
        match self {
            Self::ApplicationNumberTaken { order_id, .. } => *order_id,
            Self::FilingOfUnpaidOrder { order_id }
            | Self::OrderNotToBeFiled { order_id, .. }
            | Self::OrderFiledAlready { order_id, .. }
            | Self::NoOpenApplication { order_id }
            | Self::OrderNotAwaitingGovt { order_id, .. } => Some(*order_id),
            Self::InvalidApplicationNumber
            | Self::InvalidFee(_)
            | Self::InvalidFeeCurrency(_)
            | Self::InvalidSecond
            | Self::EmptyFilingKit
            | Self::FilingKitTooLarge => None,
        }
    }
}

impl Reason for FilingError {
    fn kind(&self) -> Kind {
        match self {
            Self::InvalidApplicationNumber
            | Self::InvalidFee(_)
            | Self::InvalidFeeCurrency(_)
            | Self::InvalidSecond => Kind::Invalid,
            Self::ApplicationNumberTaken { .. }
            | Self::FilingOfUnpaidOrder { .. }
            | Self::OrderNotToBeFiled { .. }
            | Self::OrderFiledAlready { .. }
            | Self::NoOpenApplication { .. }
            | Self::OrderNotAwaitingGovt { .. } => Kind::Conflict,
            Self::EmptyFilingKit => Kind::NotFound,
            Self::FilingKitTooLarge => Kind::TooLarge,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn data(&self) -> Option<Value> {
        self.order_id().map(|order_id| json!({ "order_id": order_id }))
    }
}

fn named(order_id: Option<OrderId>) -> String {
    order_id.map_or_else(|| "another order".to_owned(), |order_id| format!("order {order_id}"))
}
