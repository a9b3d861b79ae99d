//! Why a dispute is not recorded.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::ids::OrderId;

/// Why a dispute is not recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ChargebackError {
    #[error("Please select the network")]
    NetworkMissing,
    #[error("Please select the outcome")]
    OutcomeMissing,
    #[error("Please select the reason group")]
    UnknownReasonGroup,
    #[error("Please enter the disputed amount, such as 149.00")]
    DisputedAmountMissing,
    #[error("Please enter the currency of the amount, such as USD")]
    DisputedCurrencyMissing,
    #[error("The amount {0}")]
    InvalidDisputedAmount(String),
    #[error("The currency {0}")]
    InvalidDisputedCurrency(String),
    #[error("The opened on date lies ahead. Please enter the day on the bank's notice")]
    OpenedInFuture,
    #[error("The respond by date lies before the opened on date. Please enter the day on the bank's notice")]
    ResponseDueBeforeOpening,
    #[error(
        "The respond by date lies more than a year after the opened on date. Please enter the day on the bank's notice"
    )]
    ResponseDueTooLate,
    #[error("Order {0} has no chargeback. Move it to ChargeBack first")]
    NoChargeback(OrderId),
    #[error("Order {0} is not in ChargeBack, so its chargeback cannot be open. Move it there first")]
    OrderNotInChargeback(OrderId),
    #[error("The chargeback of order {order_id} was changed by {by} at {at}. Please open the form again")]
    ChargebackChanged { order_id: OrderId, by: String, at: String },
    /// `what` begins the sentence.
    #[error("{what} are for orders in Completed, Customer Called or ChargeBack, and order {order_id} is in {status}")]
    OrderNotDelivered { what: &'static str, order_id: OrderId, status: &'static str },
    #[error("Please enter your Transaction Id")]
    TransactionIdMissing,
    #[error("Please enter your Merchant Name")]
    MerchantNameMissing,
}

impl Reason for ChargebackError {
    fn kind(&self) -> Kind {
        match self {
            Self::NetworkMissing
            | Self::OutcomeMissing
            | Self::UnknownReasonGroup
            | Self::DisputedAmountMissing
            | Self::DisputedCurrencyMissing
            | Self::InvalidDisputedAmount(_)
            | Self::InvalidDisputedCurrency(_)
            | Self::OpenedInFuture
            | Self::ResponseDueBeforeOpening
            | Self::ResponseDueTooLate
            | Self::TransactionIdMissing
            | Self::MerchantNameMissing => Kind::Invalid,
            Self::NoChargeback(_)
            | Self::OrderNotInChargeback(_)
            | Self::ChargebackChanged { .. }
            | Self::OrderNotDelivered { .. } => Kind::Conflict,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
