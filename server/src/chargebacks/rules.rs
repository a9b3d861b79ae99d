//! Networks, deadlines and their words, and what the record of a chargeback may say. Pure.

pub mod priors;

use chrono::{Days, NaiveDate, NaiveDateTime};
use chrono_tz::Tz;

use super::store::{Chargeback, Dispute};
use super::terms::{ChargebackOutcome, Network, ReasonGroup, Urgency};
use crate::calendar::day;
use crate::config::{Chargebacks as Terms, DaysToRespond};
use crate::error::{Error, Result};
use crate::money;
use crate::orders::facts::{Payment, Transaction};
use crate::orders::rules::{ProcessStatus, shown};
use crate::text::{self, line};

/// The network of a card's brand, as gateways spell it; of a payment without a card, what the gateway's name tells.
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

/// How brands begin, in small letters and digits alone.
const SPELLINGS: [(&str, Network); 7] = [
    ("visa", Network::Visa),
    ("mastercard", Network::Mastercard),
    ("americanexpress", Network::AmericanExpress),
    ("amex", Network::AmericanExpress),
    ("discover", Network::Discover),
    ("diners", Network::Discover),
    ("paypal", Network::PayPal),
];

/// The days that the network leaves between a chargeback and the answer to it.
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

/// The last day on which the network takes an answer, unless its notice says another one.
pub fn respond_by(network: Network, opened_on: NaiveDate, terms: &Terms) -> NaiveDate {
    later(opened_on, days_to_respond(network, &terms.days_to_respond))
}

/// A dispute that was opened `today`, as far as the payment tells.
pub fn opened(payment: Option<&Payment>, today: NaiveDate, terms: &Terms) -> Dispute {
    let brand = payment.and_then(|payment| payment.card_brand.as_deref());
    let network = network_of(brand, payment.map(|payment| payment.gateway.as_str()));
    Dispute {
        network,
        reason_group: None,
        reason_code: None,
        case_id: None,
        amount_minor: payment.map(|payment| payment.amount_minor),
        currency: payment.map(|payment| payment.currency.clone()),
        arn: None,
        opened_on: today,
        respond_by: respond_by(network, today, terms),
        outcome: ChargebackOutcome::Open,
    }
}

/// Until when the agency wants to have answered, and how that stands today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The earlier of the network's day and the agency's own.
    pub working_deadline: NaiveDate,
    /// Calendar days to the working deadline, below zero when it has passed; none of a decided dispute.
    pub days_left: Option<i64>,
    pub urgency: Urgency,
}

/// How much time the dispute leaves. `today` is the agency's calendar day.
pub fn deadline(dispute: &Dispute, today: NaiveDate, terms: &Terms) -> Deadline {
    let working_deadline = dispute.respond_by.min(later(dispute.opened_on, terms.working_days));
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

/// The dispute in a line, for the audit.
pub fn told(dispute: &Dispute) -> String {
    let mut said = vec![dispute.network.to_string()];
    said.extend(dispute.reason_group.map(|group| group.to_string()));
    said.extend(dispute.reason_code.as_ref().map(|code| format!("code {code}")));
    said.extend(dispute.case_id.as_ref().map(|case| format!("case {case}")));
    if let (Some(amount_minor), Some(currency)) = (dispute.amount_minor, &dispute.currency) {
        said.push(format!("{currency} {}", money::written(amount_minor, currency)));
    }
    said.extend(dispute.arn.as_ref().map(|arn| format!("ARN {arn}")));
    said.push(format!("opened on {}, respond by {}", dispute.opened_on, dispute.respond_by));
    said.push(dispute.outcome.to_string());
    said.join(", ")
}

/// The record's form, as it was sent. What is empty is not known.
#[derive(Clone, Debug, Default)]
pub struct Form {
    pub network: String,
    pub reason_group: String,
    pub reason_code: String,
    pub case_id: String,
    pub amount: String,
    pub currency: String,
    pub arn: String,
    /// Empty: it stays.
    pub opened_on: String,
    /// Empty: from the table of days.
    pub respond_by: String,
    pub outcome: String,
}

/// The longest reason code; the longest case id and reference.
const MAX_CODE_LEN: usize = 50;
const MAX_ID_LEN: usize = 100;

/// An answer is due within a year of the chargeback: a later day is a slip of the pen.
const MAX_DAYS: u32 = 366;

/// Reads the form. `known` is when the dispute was opened, as far as the record knows.
pub fn read(form: &Form, known: Option<NaiveDate>, today: NaiveDate, terms: &Terms) -> Result<Dispute> {
    let network = Network::parse(form.network.trim()).ok_or_else(|| Error::invalid("Please select the network"))?;
    let outcome =
        ChargebackOutcome::parse(form.outcome.trim()).ok_or_else(|| Error::invalid("Please select the outcome"))?;
    let reason_group = match form.reason_group.trim() {
        "" => None,
        name => Some(ReasonGroup::parse(name).ok_or_else(|| Error::invalid("Please select the reason group"))?),
    };
    let (amount_minor, currency) = read_money(form.amount.trim(), form.currency.trim())?;
    let opened_on = match form.opened_on.trim() {
        "" => known.unwrap_or(today),
        text => day(text, "opened on")?,
    };
    // The bank may sit where it is tomorrow already.
    if opened_on > later(today, 1) {
        return Err(Error::invalid("The opened on date lies ahead. Please enter the day on the bank's notice"));
    }
    let respond_by = match form.respond_by.trim() {
        "" => respond_by(network, opened_on, terms),
        text => day(text, "respond by")?,
    };
    if respond_by < opened_on {
        return Err(Error::invalid(
            "The respond by date lies before the opened on date. Please enter the day on the bank's notice",
        ));
    }
    if respond_by > later(opened_on, MAX_DAYS) {
        return Err(Error::invalid(
            "The respond by date lies more than a year after the opened on date. Please enter the day on the bank's notice",
        ));
    }
    Ok(Dispute {
        network,
        reason_group,
        reason_code: line(&form.reason_code, "The reason code", MAX_CODE_LEN)?,
        case_id: line(&form.case_id, "The case id", MAX_ID_LEN)?,
        amount_minor,
        currency,
        arn: line(&form.arn, "The ARN", MAX_ID_LEN)?,
        opened_on,
        respond_by,
        outcome,
    })
}

fn read_money(amount: &str, currency: &str) -> Result<(Option<i64>, Option<String>)> {
    match (amount, currency) {
        ("", "") => Ok((None, None)),
        ("", _) => Err(Error::invalid("Please enter the disputed amount, such as 149.00")),
        (_, "") => Err(Error::invalid("Please enter the currency of the amount, such as USD")),
        (amount, currency) => {
            let refuse = |name: &'static str| move |why: String| Error::invalid(format!("{name} {why}"));
            let (code, digits) = money::currency(currency).map_err(refuse("The currency"))?;
            let amount_minor = money::minor_units(amount, digits).map_err(refuse("The amount"))?;
            Ok((Some(amount_minor), Some(code.to_owned())))
        }
    }
}

/// Refuses a record for an order that was never disputed, and an open one for an order that has left ChargeBack.
pub fn check_saving(
    order_id: i64,
    status: ProcessStatus,
    known: Option<&Chargeback>,
    outcome: ChargebackOutcome,
) -> Result<()> {
    if status == ProcessStatus::ChargeBack {
        return Ok(());
    }
    if known.is_none() {
        return Err(Error::conflict(format!("Order {order_id} has no chargeback. Move it to ChargeBack first")));
    }
    if outcome == ChargebackOutcome::Open {
        return Err(Error::conflict(format!(
            "Order {order_id} is not in ChargeBack, so its chargeback cannot be open. Move it there first"
        )));
    }
    Ok(())
}

/// Refuses a change of a record that somebody else changed since the form was opened. Times are told in `zone`.
pub fn check_fresh(order_id: i64, seen_at: Option<NaiveDateTime>, known: Option<&Chargeback>, zone: Tz) -> Result<()> {
    let Some(known) = known.filter(|known| seen_at.is_some_and(|seen_at| seen_at != known.updated_at)) else {
        return Ok(());
    };
    let (changed_by, changed_at) = (&known.updated_by, text::format_instant(known.updated_at, zone));
    Err(Error::conflict(format!(
        "The chargeback of order {order_id} was changed by {changed_by} at {changed_at}. Please open the form again"
    )))
}

/// Disputes concern what was delivered: other orders take neither transaction details nor defence packs (spec §2). `what`
/// begins the refusal.
pub fn check_delivered(order_id: i64, status: ProcessStatus, what: &str) -> Result<()> {
    match status {
        ProcessStatus::Completed | ProcessStatus::CustomerCalled | ProcessStatus::ChargeBack => Ok(()),
        _ => Err(Error::conflict(format!(
            "{what} are for orders in Completed, Customer Called or ChargeBack, and order {order_id} is in {}",
            shown(status)
        ))),
    }
}

/// The longest transaction id and merchant name.
const MAX_NAME_LEN: usize = 200;

/// Reads the transaction form (spec §5).
pub fn read_transaction(transaction_id: &str, merchant_name: &str) -> Result<Transaction> {
    let missing = |text: &'static str| move || Error::invalid(text);
    let transaction_id = line(transaction_id, "The transaction id", MAX_NAME_LEN)?;
    let merchant_name = line(merchant_name, "The merchant name", MAX_NAME_LEN)?;
    Ok(Transaction {
        transaction_id: Some(transaction_id.ok_or_else(missing("Please enter your Transaction Id"))?),
        merchant_name: Some(merchant_name.ok_or_else(missing("Please enter your Merchant Name"))?),
    })
}

/// Transaction details in a line, for the audit.
pub fn told_transaction(transaction: &Transaction) -> String {
    let known = [&transaction.transaction_id, &transaction.merchant_name].into_iter().flatten();
    known.map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
