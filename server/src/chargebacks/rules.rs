//! Networks, deadlines, and what the record of a chargeback may hold. Pure.

pub mod priors;

use chrono::{Days, NaiveDate};
use chrono_tz::Tz;

use super::errors::ChargebackError;
use super::store::{Dispute, DisputeRecord};
use super::terms::{ChargebackOutcome, Network, ReasonGroup, Urgency};
use crate::calendar::day;
use crate::config::{ChargebackSettings as Terms, DaysToRespond};
use crate::error::Result;
use crate::ids::OrderId;
use crate::money::{Currency, Money};
use crate::orders::facts::{Payment, Transaction};
use crate::orders::rules::may_record_chargeback;
use crate::orders::status::ProcessStatus;
use crate::text::{self, line};
use crate::timestamp::Timestamp;

/// The network by the card's brand as gateways spell it, or, without a card, by the gateway's name.
pub fn network_of(card_brand: Option<&str>, gateway: Option<&str>) -> Network {
    let letters = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect()
    };
    let Some(brand) = card_brand.map(letters) else {
        let is_paypal = gateway.is_some_and(|gateway| letters(gateway).starts_with("paypal"));
        return if is_paypal { Network::PayPal } else { Network::Other };
    };
    let known = SPELLINGS.iter().find(|(spelling, _)| brand.starts_with(spelling));
    known.map_or(if brand == "mc" { Network::Mastercard } else { Network::Other }, |(_, network)| *network)
}

/// Beginnings of brands, in lower-case letters and digits only.
const SPELLINGS: [(&str, Network); 7] = [
    ("visa", Network::Visa),
    ("mastercard", Network::Mastercard),
    ("americanexpress", Network::AmericanExpress),
    ("amex", Network::AmericanExpress),
    ("discover", Network::Discover),
    ("diners", Network::Discover),
    ("paypal", Network::PayPal),
];

/// The days that the network allows between a chargeback and the response.
pub fn days_to_respond(network: Network, days: &DaysToRespond) -> u32 {
    match network {
        Network::Visa => days.visa,
        Network::Mastercard => days.mastercard,
        Network::AmericanExpress => days.american_express,
        Network::Discover => days.discover,
        Network::PayPal => days.paypal,
        Network::Other => days.other,
    }
}

fn later(day: NaiveDate, days: u32) -> NaiveDate {
    day.checked_add_days(Days::new(days.into())).unwrap_or(NaiveDate::MAX)
}

/// The last day on which the network accepts a response, unless its notice names another day.
pub fn respond_by(network: Network, opened_on: NaiveDate, terms: &Terms) -> NaiveDate {
    later(opened_on, days_to_respond(network, &terms.days_to_respond))
}

/// A dispute opened `today`, prefilled from the payment.
pub fn new_dispute(payment: Option<&Payment>, today: NaiveDate, terms: &Terms) -> Dispute {
    let brand = payment.and_then(|payment| payment.card_brand.as_deref());
    let network = network_of(brand, payment.map(|payment| payment.gateway.as_str()));
    Dispute {
        network,
        reason_group: None,
        reason_code: None,
        case_id: None,
        amount_minor: payment.map(|payment| payment.amount_minor),
        currency: payment.map(|payment| payment.currency),
        arn: None,
        opened_on: today,
        respond_by: respond_by(network, today, terms),
        outcome: ChargebackOutcome::Open,
    }
}

/// The dispute of an order that enters ChargeBack once more. A dispute that was withdrawn as a mistake keeps a deadline that is ahead; after a
/// decision, or with a deadline in the past, another one begins today, as a pre-arbitration does.
pub fn opened_again(known: &Dispute, today: NaiveDate, terms: &Terms) -> Dispute {
    let is_the_same = known.outcome == ChargebackOutcome::Withdrawn && known.respond_by >= today;
    let (opened_on, respond_by) = match is_the_same {
        true => (known.opened_on, known.respond_by),
        false => (today, respond_by(known.network, today, terms)),
    };
    Dispute { opened_on, respond_by, outcome: ChargebackOutcome::Open, ..known.clone() }
}

/// The agency's own deadline of a dispute: the network's day, or earlier. [`super::urgency`] relies on its being the earlier of two
/// days that each come later the later `opened_on` or `respond_by` is.
pub fn working_deadline(opened_on: NaiveDate, respond_by: NaiveDate, terms: &Terms) -> NaiveDate {
    respond_by.min(later(opened_on, terms.working_days))
}

/// The agency's deadline, as of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The earlier of the network's day and the agency's own.
    pub working_deadline: NaiveDate,
    /// Calendar days to the working deadline, negative after it; none if the dispute is decided.
    pub days_left: Option<i64>,
    pub urgency: Urgency,
}

/// The deadline of a dispute. `today` is the agency's calendar day.
pub fn deadline(dispute: &Dispute, today: NaiveDate, terms: &Terms) -> Deadline {
    let working_deadline = working_deadline(dispute.opened_on, dispute.respond_by, terms);
    let left = working_deadline.signed_duration_since(today).num_days();
    let (days_left, urgency) = match dispute.outcome {
        ChargebackOutcome::Open => (Some(left), urgency(left)),
        ChargebackOutcome::Won => (None, Urgency::Won),
        ChargebackOutcome::Lost => (None, Urgency::Lost),
        ChargebackOutcome::Accepted => (None, Urgency::Accepted),
        ChargebackOutcome::Withdrawn => (None, Urgency::Withdrawn),
    };
    Deadline { working_deadline, days_left, urgency }
}

fn urgency(days_left: i64) -> Urgency {
    match days_left {
        ..0 => Urgency::Overdue,
        0 => Urgency::DueToday,
        1..=2 => Urgency::Urgent,
        3..=5 => Urgency::Soon,
        6.. => Urgency::InTime,
    }
}

/// The dispute in one line, for the audit.
pub fn describe(dispute: &Dispute) -> String {
    let mut parts = vec![dispute.network.to_string()];
    parts.extend(dispute.reason_group.map(|group| group.to_string()));
    parts.extend(dispute.reason_code.as_ref().map(|code| format!("code {code}")));
    parts.extend(dispute.case_id.as_ref().map(|case| format!("case {case}")));
    parts.extend(dispute.amount().map(|amount| amount.to_string()));
    parts.extend(dispute.arn.as_ref().map(|arn| format!("ARN {arn}")));
    parts.push(format!("opened on {}, respond by {}", dispute.opened_on, dispute.respond_by));
    parts.push(dispute.outcome.to_string());
    parts.join(", ")
}

/// The record's form as it was sent. Empty fields are unknown.
#[derive(Clone, Debug, Default)]
pub struct DisputeForm {
    pub network: String,
    pub reason_group: String,
    pub reason_code: String,
    pub case_id: String,
    pub amount: String,
    pub currency: String,
    pub arn: String,
    /// Empty: unchanged.
    pub opened_on: String,
    /// Empty: computed from the network's days.
    pub respond_by: String,
    pub outcome: String,
}

/// The longest reason code; the longest case id and reference.
const MAX_CODE_LEN: usize = 50;
const MAX_ID_LEN: usize = 100;

/// The response is due within a year of the chargeback: a later day is a typing error.
const MAX_DAYS: u32 = 366;

/// Validates the form. `known` is the day in the existing record on which the dispute was opened.
///
/// # Errors
/// [`ChargebackError`], and those of [`line`] and [`day`].
pub fn read(form: &DisputeForm, known: Option<NaiveDate>, today: NaiveDate, terms: &Terms) -> Result<Dispute> {
    let network = Network::parse(form.network.trim()).ok_or(ChargebackError::NetworkMissing)?;
    let outcome = ChargebackOutcome::parse(form.outcome.trim()).ok_or(ChargebackError::OutcomeMissing)?;
    let reason_group = match form.reason_group.trim() {
        "" => None,
        name => Some(ReasonGroup::parse(name).ok_or(ChargebackError::UnknownReasonGroup)?),
    };
    let amount = read_amount(form.amount.trim(), form.currency.trim())?;
    let opened_on = match form.opened_on.trim() {
        "" => known.unwrap_or(today),
        text => day(text, "opened on")?,
    };
    // In the bank's time zone it may already be tomorrow.
    if opened_on > later(today, 1) {
        return Err(ChargebackError::OpenedInFuture.into());
    }
    let respond_by = match form.respond_by.trim() {
        "" => respond_by(network, opened_on, terms),
        text => day(text, "respond by")?,
    };
    if respond_by < opened_on {
        return Err(ChargebackError::ResponseDueBeforeOpening.into());
    }
    if respond_by > later(opened_on, MAX_DAYS) {
        return Err(ChargebackError::ResponseDueTooLate.into());
    }
    Ok(Dispute {
        network,
        reason_group,
        reason_code: line(&form.reason_code, "The reason code", MAX_CODE_LEN)?,
        case_id: line(&form.case_id, "The case id", MAX_ID_LEN)?,
        amount_minor: amount.map(|amount| amount.minor),
        currency: amount.map(|amount| amount.currency),
        arn: line(&form.arn, "The ARN", MAX_ID_LEN)?,
        opened_on,
        respond_by,
        outcome,
    })
}

fn read_amount(amount: &str, currency: &str) -> Result<Option<Money>, ChargebackError> {
    match (amount, currency) {
        ("", "") => Ok(None),
        ("", _) => Err(ChargebackError::DisputedAmountMissing),
        (_, "") => Err(ChargebackError::DisputedCurrencyMissing),
        (amount, currency) => {
            let currency = Currency::parse(currency).map_err(ChargebackError::InvalidDisputedCurrency)?;
            Money::parse(amount, currency).map(Some).map_err(ChargebackError::InvalidDisputedAmount)
        }
    }
}

/// Refuses a record for an order that was never disputed, and an open record for an order that has left ChargeBack.
pub fn check_saving(
    order_id: OrderId,
    status: ProcessStatus,
    known: Option<&DisputeRecord>,
    outcome: ChargebackOutcome,
) -> Result<(), ChargebackError> {
    if status == ProcessStatus::ChargeBack {
        return Ok(());
    }
    if !may_record_chargeback(status, known.is_some()) {
        return Err(ChargebackError::NoChargeback(order_id));
    }
    if outcome == ChargebackOutcome::Open {
        return Err(ChargebackError::OrderNotInChargeback(order_id));
    }
    Ok(())
}

/// Refuses a change if the record was changed since the form was opened. The message shows times in `zone`.
pub fn check_fresh(
    order_id: OrderId,
    seen_at: Option<Timestamp>,
    known: Option<&DisputeRecord>,
    zone: Tz,
) -> Result<(), ChargebackError> {
    let Some(known) = known.filter(|known| seen_at.is_some_and(|seen_at| seen_at != known.updated_at)) else {
        return Ok(());
    };
    let (by, at) = (known.updated_by.clone(), text::format_instant(known.updated_at, zone));
    Err(ChargebackError::ChargebackChanged { order_id, by, at })
}

/// Refuses transaction details and defence packs for orders that were not delivered (spec §2). `what` begins the message.
pub fn check_delivered(order_id: OrderId, status: ProcessStatus, what: &'static str) -> Result<(), ChargebackError> {
    match status {
        status if status.may_be_defended() => Ok(()),
        _ => Err(ChargebackError::OrderNotDelivered { what, order_id, status: status.label() }),
    }
}

/// The longest transaction id and merchant name.
const MAX_NAME_LEN: usize = 200;

/// Validates the transaction form (spec §5).
pub fn read_transaction(transaction_id: &str, merchant_name: &str) -> Result<Transaction> {
    let transaction_id = line(transaction_id, "The transaction id", MAX_NAME_LEN)?;
    let merchant_name = line(merchant_name, "The merchant name", MAX_NAME_LEN)?;
    Ok(Transaction {
        transaction_id: Some(transaction_id.ok_or(ChargebackError::TransactionIdMissing)?),
        merchant_name: Some(merchant_name.ok_or(ChargebackError::MerchantNameMissing)?),
    })
}

/// Transaction details in one line, for the audit.
pub fn describe_transaction(transaction: &Transaction) -> String {
    let known = [&transaction.transaction_id, &transaction.merchant_name].into_iter().flatten();
    known.map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
