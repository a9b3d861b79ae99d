//! When an application may be filed or refused, and what is typed about it. Pure.

pub mod kit;
pub mod values;

use super::errors::FilingError;
use crate::money::{Currency, Money};
use crate::orders::rules::OrderState;
use crate::orders::status::ProcessStatus;
use crate::text_enum;

text_enum! {
    /// The next step for an order whose application was refused.
    pub enum AfterRefusal {
        /// It is filed once more, unless another application of it is open.
        Refile = "refile",
        /// The customer gets the money back.
        Refund = "refund",
    }
}

text_enum! {
    /// The outcome of an application.
    pub enum FilingOutcome {
        /// The portal refused it, and the order is filed once more, or is with the government under another number.
        Refiled = "refile",
        /// The portal refused it, and the customer gets the money back.
        Refunded = "refund",
        /// The order was moved back and filed again under another number, such as after a mistake.
        Replaced = "replaced",
    }
}

impl From<AfterRefusal> for FilingOutcome {
    fn from(then: AfterRefusal) -> Self {
        match then {
            AfterRefusal::Refile => Self::Refiled,
            AfterRefusal::Refund => Self::Refunded,
        }
    }
}

/// Refuses to file an order that is unpaid, done, or filed already. `open`: the number of its current application. An order that was moved
/// to Awaiting Govt by hand takes its number later. `is_second`: the application was filed although the order is, because two members worked
/// on it at the same time.
///
/// # Errors
/// [`FilingError::FilingOfUnpaidOrder`], [`FilingError::OrderFiledAlready`], [`FilingError::OrderNotToBeFiled`],
/// [`FilingError::NoOpenApplication`] for a second application of an order that is not filed.
pub fn check_file(state: &OrderState, open: Option<&str>, is_second: bool) -> Result<(), FilingError> {
    let order_id = state.order_id;
    match (state.process_status, open) {
        (ProcessStatus::Pending, _) => Err(FilingError::FilingOfUnpaidOrder { order_id }),
        (ProcessStatus::AwaitingGovt, Some(number)) if !is_second => {
            Err(FilingError::OrderFiledAlready { order_id, number: number.to_owned() })
        }
        (ProcessStatus::AwaitingGovt, open) if open.is_some() == is_second => Ok(()),
        (ProcessStatus::AwaitingGovt, _) => Err(FilingError::NoOpenApplication { order_id }),
        (status, _) if !status.is_to_be_filed() => {
            Err(FilingError::OrderNotToBeFiled { order_id, status: status.label() })
        }
        _ if is_second => Err(FilingError::NoOpenApplication { order_id }),
        _ => Ok(()),
    }
}

/// Returns the status of an order whose application was refused. It stays if another application of it is open, unless the customer gets the
/// money back.
pub fn status_after_refusal(then: AfterRefusal, has_other: bool) -> ProcessStatus {
    match then {
        AfterRefusal::Refile if has_other => ProcessStatus::AwaitingGovt,
        // There it is in work, with its owner in My Orders, else in the list of new orders.
        AfterRefusal::Refile => ProcessStatus::New,
        AfterRefusal::Refund => ProcessStatus::Refunds,
    }
}

/// Refuses to record that the portal refused an order which is not with the government. `is_open`: it has an open application.
pub fn check_refuse(state: &OrderState, is_open: bool) -> Result<(), FilingError> {
    let order_id = state.order_id;
    match state.process_status {
        _ if !is_open => Err(FilingError::NoOpenApplication { order_id }),
        ProcessStatus::AwaitingGovt => Ok(()),
        status => Err(FilingError::OrderNotAwaitingGovt { order_id, status: status.label() }),
    }
}

/// Reads an application number. Numbers are compared in capitals.
///
/// # Errors
/// [`FilingError::InvalidApplicationNumber`]
pub fn read_number(typed: &str) -> Result<String, FilingError> {
    let number = typed.trim().to_ascii_uppercase();
    let is_plain = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/.".contains(&byte));
    if is_plain && (3..=40).contains(&number.len()) { Ok(number) } else { Err(FilingError::InvalidApplicationNumber) }
}

/// Reads a flag of the form: `true`, or nothing.
///
/// # Errors
/// `invalid` for everything else.
pub fn read_flag(typed: &str, invalid: FilingError) -> Result<bool, FilingError> {
    match typed {
        "" => Ok(false),
        "true" => Ok(true),
        _ => Err(invalid),
    }
}

/// Reads the fee that was paid; none if no amount was typed.
///
/// # Errors
/// [`FilingError::InvalidFee`], [`FilingError::InvalidFeeCurrency`]
pub fn read_fee(amount: &str, currency: &str) -> Result<Option<Money>, FilingError> {
    let amount = amount.trim();
    if amount.is_empty() {
        return Ok(None);
    }
    let currency = Currency::parse(currency.trim()).map_err(FilingError::InvalidFeeCurrency)?;
    Money::parse(amount, currency).map(Some).map_err(FilingError::InvalidFee)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::OrderId;
    use crate::orders::rules::ProcessingMode;
    use crate::timestamp::Timestamp;

    fn state(process_status: ProcessStatus) -> OrderState {
        OrderState {
            order_id: OrderId(100_001),
            process_status,
            status_before_deletion: None,
            processing_mode: ProcessingMode::Regular,
            processing_date: None,
            refund_date: None,
            updated_at: Timestamp::EPOCH,
            had_visa_or_dispute: false,
            owner_id: None,
            owner_name: None,
        }
    }

    #[test]
    fn only_orders_that_are_to_be_filed_are_filed() {
        use ProcessStatus::{Awaiting, AwaitingGovt, ContactCustomer, CustomerCalled, Future, New};
        let filed: Vec<ProcessStatus> = ProcessStatus::ALL
            .iter()
            .copied()
            .filter(|status| check_file(&state(*status), None, false).is_ok())
            .collect();
        assert_eq!(filed, [New, Future, Awaiting, AwaitingGovt, ContactCustomer, CustomerCalled]);
        assert!(check_file(&state(New), Some("A-1"), false).is_ok(), "a mistake is filed again");
        let again = check_file(&state(AwaitingGovt), Some("A-1"), false).unwrap_err().to_string();
        assert!(again.contains("A-1"), "{again}");
        let done = check_file(&state(ProcessStatus::Completed), None, false).unwrap_err().to_string();
        assert!(done.contains("Completed") && done.contains("Move it to New"), "{done}");
    }

    #[test]
    fn only_an_order_that_is_filed_takes_a_second_application() {
        use ProcessStatus::{AwaitingGovt, Completed, New};
        let order_id = OrderId(100_001);
        assert_eq!(check_file(&state(AwaitingGovt), Some("A-1"), true), Ok(()));
        for (status, open) in [(AwaitingGovt, None), (New, None), (New, Some("A-1"))] {
            assert_eq!(check_file(&state(status), open, true), Err(FilingError::NoOpenApplication { order_id }));
        }
        assert!(matches!(check_file(&state(Completed), None, true), Err(FilingError::OrderNotToBeFiled { .. })));
    }

    #[test]
    fn an_order_stays_with_the_government_while_another_application_is_open() {
        use ProcessStatus::{AwaitingGovt, New, Refunds};
        let after = |then| [false, true].map(|has_other| status_after_refusal(then, has_other));
        assert_eq!(after(AfterRefusal::Refile), [New, AwaitingGovt]);
        assert_eq!(after(AfterRefusal::Refund), [Refunds, Refunds]);
    }

    #[test]
    fn only_an_open_application_with_the_government_is_refused() {
        use ProcessStatus::{AwaitingGovt, New};
        assert!(check_refuse(&state(AwaitingGovt), true).is_ok());
        assert_eq!(
            check_refuse(&state(AwaitingGovt), false),
            Err(FilingError::NoOpenApplication { order_id: OrderId(100_001) })
        );
        let moved = check_refuse(&state(New), true).unwrap_err().to_string();
        assert!(moved.contains("Move it to Awaiting Govt first"), "{moved}");
    }

    #[test]
    fn numbers_are_compared_in_capitals() {
        assert_eq!(read_number(" evisa-2026/00.7 ").as_deref(), Ok("EVISA-2026/00.7"));
        for wrong in ["", "12", "a number", "№1234", "<b>1234", &"1".repeat(41)] {
            assert_eq!(read_number(wrong), Err(FilingError::InvalidApplicationNumber), "{wrong}");
        }
    }

    #[test]
    fn a_fee_is_an_amount_with_its_currency() {
        let fee = |amount, currency| read_fee(amount, currency).map(|fee| fee.map(|fee| fee.to_string()));
        assert_eq!(fee("", ""), Ok(None));
        assert_eq!(fee(" 1500000 ", "idr"), Ok(Some("IDR 1500000.00".to_owned())));
        assert!(matches!(fee("1", ""), Err(FilingError::InvalidFeeCurrency(_))));
        assert!(matches!(fee("one", "IDR"), Err(FilingError::InvalidFee(_))));
        assert!(matches!(fee("-1", "IDR"), Err(FilingError::InvalidFee(_))));
    }
}
