//! Why a dispute is not recorded.

use derive::Reason;

use crate::ids::OrderId;

/// Why a dispute is not recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum ChargebackError {
    #[error("Please select the network")]
    #[reason(Invalid)]
    NetworkMissing,
    #[error("Please select the outcome")]
    #[reason(Invalid)]
    OutcomeMissing,
    #[error("Please select the reason group")]
    #[reason(Invalid)]
    UnknownReasonGroup,
    #[error("Please enter the disputed amount, such as 149.00")]
    #[reason(Invalid)]
    DisputedAmountMissing,
    #[error("Please enter the currency of the amount, such as USD")]
    #[reason(Invalid)]
    DisputedCurrencyMissing,
    #[error("The amount {0}")]
    #[reason(Invalid)]
    InvalidDisputedAmount(String),
    #[error("The currency {0}")]
    #[reason(Invalid)]
    InvalidDisputedCurrency(String),
    #[error("The opened on date is in the future. Please enter the day on the bank's notice")]
    #[reason(Invalid)]
    OpenedInFuture,
    #[error("The respond by date is before the opened on date. Please enter the day on the bank's notice")]
    #[reason(Invalid)]
    ResponseDueBeforeOpening,
    #[error(
        "The respond by date lies more than a year after the opened on date. Please enter the day on the bank's notice"
    )]
    #[reason(Invalid)]
    ResponseDueTooLate,
    #[error("Order {0} has no chargeback. Move it to ChargeBack first")]
    #[reason(Conflict)]
    NoChargeback(OrderId),
    #[error("Order {0} is not in ChargeBack, so its chargeback cannot be open. Move it there first")]
    #[reason(Conflict)]
    OrderNotInChargeback(OrderId),
    #[error("The chargeback of order {order_id} was changed by {by} at {at}. Please open the form again")]
    #[reason(Conflict)]
    ChargebackChanged { order_id: OrderId, by: String, at: String },
    /// `what` begins the sentence.
    #[error("{what} are for orders in Completed, Customer Called or ChargeBack, and order {order_id} is in {status}")]
    #[reason(Conflict)]
    OrderNotDelivered { what: &'static str, order_id: OrderId, status: &'static str },
    #[error("Please enter your Transaction Id")]
    #[reason(Invalid)]
    TransactionIdMissing,
    #[error("Please enter your Merchant Name")]
    #[reason(Invalid)]
    MerchantNameMissing,
}
