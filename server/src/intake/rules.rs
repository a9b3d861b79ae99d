//! Validates a new order and decides its first status. Pure. The sales site's orders and imported rows share these rules.

pub mod keys;

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::{NaiveDate, SecondsFormat};
use serde_json::{Map, Value};

use crate::characters::is_visible_letter;
use crate::http::forwarded;
use crate::ids::StaffId;
use crate::money::{Currency, Money};
use crate::orders::facts::{Application, Checkout, Payment, Transaction};
use crate::orders::new_order::NewOrder;
use crate::orders::rules::ProcessingMode;
use crate::orders::rules::corrections::CONTACT_EMAIL;
use crate::orders::rules::dates::day;
use crate::orders::rules::entered;
use crate::orders::rules::fields::{FieldError, Fields};
use crate::orders::status::ProcessStatus;
use crate::text::without_case;
use crate::timestamp::Timestamp;
use crate::visas::rules as visa_rules;

/// When an order is validated: the instant, and the agency's calendar day.
#[derive(Clone, Copy, Debug)]
pub struct IntakeMoment {
    pub now: Timestamp,
    pub today: NaiveDate,
}

impl IntakeMoment {
    /// The latest instant of a past event: clocks differ, so it may lie a day ahead.
    fn latest(self) -> Timestamp {
        self.now + chrono::TimeDelta::days(1)
    }
}

/// The origin of an order.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The sales site: a new order. Fields that only staff decide are ignored. Its key may be strict: then every field that is not in its
    /// normal form is refused.
    SalesSite { is_strict: bool },
    /// An older system's file: the row may hold the order's history. `staff` has the ids by name without case.
    OlderSystem {
        staff: &'a HashMap<String, StaffId>,
        /// Fields that hold no value, each with the reason.
        doubts: &'a [FieldError],
    },
}

/// Makes an order of one of these codes wait for the first day on which the government takes its application, whatever its processing
/// date says. An order whose first day is not known keeps its processing date.
pub fn release_by_window(order: &mut NewOrder, codes: &[String], today: NaiveDate) {
    let first_day = visa_rules::release_day(codes, order.visa_type.as_deref(), order.application.arrival_date);
    if first_day.is_some() {
        order.processing_date = first_day;
        order.process_status = ProcessStatus::first(order.payment.is_some(), first_day, today);
    }
}

/// The order in `given`, or all its invalid fields.
pub fn check(
    given: &Map<String, Value>,
    context: IntakeMoment,
    source: Source<'_>,
) -> Result<NewOrder, Vec<FieldError>> {
    let is_strict = matches!(source, Source::SalesSite { is_strict: true });
    let mut fields = if is_strict { Fields::of(given) } else { Fields::lenient(given) };
    if let Source::OlderSystem { doubts, .. } = source {
        doubts.iter().for_each(|doubt| fields.doubt(&doubt.field, doubt.reason.clone()));
    }
    let order = read_order(&mut fields, context);
    let order = match source {
        Source::SalesSite { .. } => order,
        Source::OlderSystem { staff, .. } => read_history(&mut fields, order, context, staff),
    };
    let kept = fields.take_kept();
    fields.finish(order.map(|order| NewOrder { kept, ..order }))
}

/// The payment in `given`, or all its invalid fields. Every payment field is required.
pub fn check_payment(given: &Map<String, Value>, context: IntakeMoment) -> Result<Payment, Vec<FieldError>> {
    let mut fields = Fields::of(given);
    let payment = read_payment(&mut fields, "", context.now, context.latest());
    fields.finish(payment)
}

fn read_order(fields: &mut Fields<'_>, context: IntakeMoment) -> Option<NewOrder> {
    let application =
        Application { account_email: read_account(fields), ..entered::application(fields, context.today) };
    let contact_email_address = read_contact(fields, &application);
    let full_name = read_name(fields, &application);
    let processing_mode = read_mode(fields);
    let processing_date = fields.date("processing_date", day(2000, 1, 1)..=day(2100, 12, 31));
    let payment = read_payment_of_order(fields, context);
    Some(NewOrder {
        source_id: None,
        external_reference: fields.text("external_reference", 100),
        process_status: ProcessStatus::first(payment.is_some(), processing_date, context.today),
        status_before_deletion: None,
        processing_date,
        country_code: entered::country_code(fields),
        phone_number: entered::phone_number(fields),
        nationality: entered::nationality(fields),
        visa_type: entered::visa_type(fields),
        assign_to: None,
        processed_by: None,
        processed_at: None,
        refund_date: None,
        transaction: read_transaction(fields),
        created_at: context.now,
        checkout: read_checkout(fields, context),
        contact_email_address: contact_email_address?,
        full_name: full_name?,
        processing_mode: processing_mode?,
        application,
        payment,
        kept: Vec::new(),
    })
}

fn read_account(fields: &mut Fields<'_>) -> Option<String> {
    if fields.find("user").is_some_and(|user| !user.is_object()) {
        fields.doubt("user", "must be an object with the field email");
    }
    fields.email("user.email")
}

fn read_contact(fields: &mut Fields<'_>, application: &Application) -> Option<String> {
    let contact = fields.email(CONTACT_EMAIL).or_else(|| application.account_email.clone());
    if contact.is_none() {
        let has_account_only = fields.find(CONTACT_EMAIL).is_none() && fields.find("user.email").is_some();
        fields.require(if has_account_only { "user.email" } else { CONTACT_EMAIL }, "is missing");
    }
    contact
}

fn read_name(fields: &mut Fields<'_>, application: &Application) -> Option<String> {
    let parts = [&application.first_name, &application.middle_name, &application.last_name];
    let joined = parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let has_letter = joined.chars().any(is_visible_letter);
    let name = entered::full_name(fields).or_else(|| has_letter.then_some(joined));
    let are_refused = ["first_name", "middle_name", "last_name"].iter().any(|name| fields.is_refused(name));
    if name.is_none() && !are_refused {
        fields.require("full_name", "is missing, and so are first_name and last_name");
    }
    name
}

fn read_mode(fields: &mut Fields<'_>) -> Option<ProcessingMode> {
    let known = || ProcessingMode::ALL.iter().map(|mode| mode.as_str()).collect::<Vec<_>>().join(" or ");
    let mode = fields
        .read("processing_mode", 100, |text| ProcessingMode::parse(text).ok_or_else(|| format!("must be {}", known())));
    if mode.is_none() && !fields.is_refused("processing_mode") {
        fields.refuse("processing_mode", format!("is missing: {}", known()));
    }
    mode
}

fn read_checkout(fields: &mut Fields<'_>, context: IntakeMoment) -> Option<Checkout> {
    let checkout = Checkout {
        purchase_ip: match fields.are_lenient() {
            true => fields.read("purchase_ip", 100, read_spelled_ip),
            false => fields.read("purchase_ip", 50, read_ip),
        },
        // A user agent may have any length; its beginning is enough as evidence.
        user_agent: fields.shown_part("user_agent", 4_000).map(|text| text.chars().take(512).collect()),
        device_id: fields.text("device_id", 200),
        three_d_secure: fields.text("three_d_secure", 100),
        terms_version: fields.text("terms_version", 100),
        terms_accepted_at: fields.instant("terms_accepted_at", context.latest()),
    };
    let accepted_at = checkout.terms_accepted_at.map(|at| at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
    fields.keep_as_evidence("purchase_ip", checkout.purchase_ip.as_deref());
    fields.keep_as_evidence("user_agent", checkout.user_agent.as_deref());
    fields.keep_as_evidence("terms_accepted_at", accepted_at.as_deref());
    (checkout != Checkout::default()).then_some(checkout)
}

fn read_ip(text: &str) -> Result<String, String> {
    let address = text.parse().ok().map(|address: IpAddr| address.to_canonical());
    address.map(|address| address.to_string()).ok_or_else(|| "must be an IP address".to_owned())
}

/// An address as proxies write it, also with a port and brackets.
fn read_spelled_ip(text: &str) -> Result<String, String> {
    let address = forwarded::address(text);
    address.map(|address| address.to_string()).ok_or_else(|| "must be one IP address".to_owned())
}

const PAYMENT_FIELDS: [&str; 7] =
    ["gateway", "payment_reference", "amount", "currency", "card_brand", "card_last_four", "paid_at"];

/// Payment fields stand beside the order's fields or in an object `payment`: all of them or none.
fn read_payment_of_order(fields: &mut Fields<'_>, context: IntakeMoment) -> Option<Payment> {
    let object = fields.find("payment").filter(|payment| payment.as_object().is_none_or(|payment| !payment.is_empty()));
    if object.is_some_and(|payment| !payment.is_object()) {
        fields.refuse("payment", "must be an object");
        return None;
    }
    let given = |prefix: &str| PAYMENT_FIELDS.iter().any(|name| fields.find(&format!("{prefix}{name}")).is_some());
    let prefix = match (object.is_some() || given("payment."), given("")) {
        (true, _) => "payment.",
        (false, true) => "",
        (false, false) => return None,
    };
    read_payment(fields, prefix, context.now, context.latest())
}

fn read_payment(fields: &mut Fields<'_>, prefix: &str, now: Timestamp, latest: Timestamp) -> Option<Payment> {
    let name = |field: &str| format!("{prefix}{field}");
    for field in ["gateway", "payment_reference", "amount", "currency"] {
        if fields.find(&name(field)).is_none() {
            fields.refuse(&name(field), "is missing: gateway, payment_reference, amount and currency go together");
        }
    }
    let gateway = fields.text(&name("gateway"), 100);
    let payment_reference = fields.text(&name("payment_reference"), 200);
    let currency = fields.read(&name("currency"), 10, Currency::parse);
    let amount = name("amount");
    let is_text = fields.find(&amount).is_none_or(Value::is_string);
    if !is_text {
        fields.refuse(&amount, "must be a decimal number written as text, such as \"149.00\"");
    }
    let checked_as = currency.unwrap_or(Currency::WIDEST);
    let amount = if is_text { fields.read(&amount, 30, |text| Money::parse(text, checked_as)) } else { None };
    let last_four = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let card_last_four = fields.read(&name("card_last_four"), 10, |text| {
        last_four(text).then(|| text.to_owned()).ok_or_else(|| "must be four digits".to_owned())
    });
    let card_brand = fields.text(&name("card_brand"), 50);
    let paid_at = fields.instant(&name("paid_at"), latest).unwrap_or(now);
    Some(Payment {
        gateway: gateway?,
        payment_reference: payment_reference?,
        amount_minor: amount?.minor,
        currency: currency?,
        card_brand,
        card_last_four,
        paid_at,
    })
}

/// Either field may be known without the other.
fn read_transaction(fields: &mut Fields<'_>) -> Option<Transaction> {
    let (transaction_id, merchant_name) = (fields.text("transaction_id", 200), fields.text("merchant_name", 200));
    (transaction_id.is_some() || merchant_name.is_some()).then_some(Transaction { transaction_id, merchant_name })
}

/// The fields that only an older system has: status, owner, and when things happened.
fn read_history(
    fields: &mut Fields<'_>,
    order: Option<NewOrder>,
    context: IntakeMoment,
    staff: &HashMap<String, StaffId>,
) -> Option<NewOrder> {
    let status = fields.read("process_status", 50, |text| {
        ProcessStatus::parse(text).ok_or_else(|| {
            let known: Vec<&str> = ProcessStatus::ALL.iter().map(|status| status.as_str()).collect();
            format!("must be one of {}", known.join(", "))
        })
    });
    let member = |text: &str| {
        let known = staff.get(&without_case(text)).copied();
        known.ok_or_else(|| "names no member of staff".to_owned())
    };
    let assign_to = fields.read("assign_to", 200, member);
    let processed_by = fields.read("processed_by", 200, member);
    let processed_at = fields.instant("processed_at", context.latest());
    let refund_date = fields.instant("refund_date", context.latest());
    let created_at = fields.instant("created_at", context.latest());
    let mut order = order?;
    if status == Some(ProcessStatus::Future) && order.processing_date.is_none_or(|date| date <= context.today) {
        fields.refuse("processing_date", "must lie in the future, because the order is a future order");
    }
    if let Some(status) = status {
        let before = (status == ProcessStatus::Deleted).then_some(order.process_status);
        (order.process_status, order.status_before_deletion) = (status, before);
    }
    if let Some(payment) = &mut order.payment
        && fields.find("paid_at").is_none()
        && fields.find("payment.paid_at").is_none()
    {
        payment.paid_at = created_at.unwrap_or(payment.paid_at);
    }
    Some(NewOrder {
        assign_to,
        processed_by,
        processed_at: processed_at.or(processed_by.and(created_at)),
        refund_date,
        created_at: created_at.unwrap_or(order.created_at),
        ..order
    })
}

#[cfg(test)]
mod tests;
