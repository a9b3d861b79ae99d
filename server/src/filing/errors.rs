//! Why an application is not recorded, or its files are not packed.

use derive::Reason;

use crate::ids::OrderId;

/// Why an application is not recorded, or its files are not packed.
#[derive(Debug, PartialEq, Eq, thiserror::Error, Reason)]
pub enum FilingError {
    #[error(
        "Please enter the application number as the portal shows it: 3 to 40 letters, digits, dashes, slashes or dots"
    )]
    #[reason(Invalid)]
    InvalidApplicationNumber,
    #[error("Nothing was saved: application {number} belongs to order {order_id}. Please check the number")]
    #[reason(Conflict, data(order_id))]
    ApplicationNumberTaken { number: String, order_id: OrderId },
    /// By another transaction, at the same moment.
    #[error("Nothing was saved: application {number} belongs to another order. Please check the number")]
    #[reason(Conflict, code = "application_number_taken")]
    ApplicationNumberTakenNow { number: String },
    #[error("The fee {0}")]
    #[reason(Invalid)]
    InvalidFee(String),
    #[error("The currency of the fee {0}")]
    #[reason(Invalid)]
    InvalidFeeCurrency(String),
    #[error("isSecond must be true, or be left out")]
    #[reason(Invalid)]
    InvalidSecond,
    #[error("isClaimed must be true, or be left out")]
    #[reason(Invalid)]
    InvalidClaim,
    #[error("Nothing was saved: order {order_id} is not paid. Move it to New first if it was paid elsewhere")]
    #[reason(Conflict, data(order_id))]
    FilingOfUnpaidOrder { order_id: OrderId },
    #[error("Nothing was saved: order {order_id} is in {status}. Move it to New first if it is to be filed again")]
    #[reason(Conflict, data(order_id))]
    OrderNotToBeFiled { order_id: OrderId, status: &'static str },
    #[error(
        "Nothing was saved: order {order_id} is filed already, as application {number}. If the portal refused it, record that first"
    )]
    #[reason(Conflict, data(order_id))]
    OrderFiledAlready { order_id: OrderId, number: String },
    #[error("Nothing was saved: order {order_id} has no open application. Please reload the order")]
    #[reason(Conflict, data(order_id))]
    NoOpenApplication { order_id: OrderId },
    #[error("Nothing was saved: order {order_id} is in {status}. Move it to Awaiting Govt first")]
    #[reason(Conflict, data(order_id))]
    OrderNotAwaitingGovt { order_id: OrderId, status: &'static str },
    #[error(
        "{by} is filing order {order_id} since {since}. Take it over with a reason if they cannot go on, so that it is not filed \
         and paid twice"
    )]
    #[reason(Conflict, data(order_id, by))]
    FilingClaimed { order_id: OrderId, by: String, since: String },
    #[error("Nothing was saved: you are not filing order {order_id} any more. Open its filing view once more")]
    #[reason(Conflict, data(order_id))]
    FilingNotClaimed { order_id: OrderId },
    #[error("This order has no file that the portal accepts")]
    #[reason(NotFound)]
    EmptyFilingKit,
    #[error("The files of this order are too large for one download. Please open them one by one")]
    #[reason(TooLarge)]
    FilingKitTooLarge,
}
