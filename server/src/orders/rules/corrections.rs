//! Which fields of an order staff may correct, and what a correction changes. Pure.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use super::entered::EnteredOrder;
use super::fields::Fields;
use crate::orders::errors::OrderError;
use crate::orders::facts::OrderFacts;
use crate::text::without_case;
use crate::visas::rules::release_day;

/// A field that may be corrected.
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    text: fn(&EnteredOrder) -> Option<String>,
    copy: fn(&EnteredOrder, &mut EnteredOrder),
}

macro_rules! field {
    ($name:literal, $($path:ident).+) => {
        Field {
            name: $name,
            text: |entered| entered.$($path).+.as_ref().map(ToString::to_string),
            copy: |from, to| to.$($path).+.clone_from(&from.$($path).+),
        }
    };
}

impl Field {
    /// The value, as a correction writes it.
    pub fn text_of(&self, entered: &EnteredOrder) -> Option<String> {
        (self.text)(entered)
    }

    /// Copies the value of one order to another.
    pub fn copy_to(&self, from: &EnteredOrder, to: &mut EnteredOrder) {
        (self.copy)(from, to);
    }
}

/// The contact address, whose change ends the visits of its owner.
pub const CONTACT_EMAIL: &str = "contact_email_address";

/// The account and the signature are the customer's own and stay.
pub const FIELDS: [Field; 29] = [
    field!("full_name", full_name),
    field!("first_name", application.first_name),
    field!("middle_name", application.middle_name),
    field!("last_name", application.last_name),
    field!("sex", application.sex),
    field!("place_of_birth", application.place_of_birth),
    field!("date_of_birth", application.date_of_birth),
    field!("contact_email_address", contact_email_address),
    field!("country_code", country_code),
    field!("phone_number", phone_number),
    field!("nationality", nationality),
    field!("passport_from", application.passport_from),
    field!("main_purpose_of_visit", application.main_purpose_of_visit),
    field!("sub_purpose_of_visit", application.sub_purpose_of_visit),
    field!("visa_type", visa_type),
    field!("stay_day", application.stay_day),
    field!("arrival_date", application.arrival_date),
    field!("document_type", application.document_type),
    field!("document_number", application.document_number),
    field!("date_of_expiry", application.date_of_expiry),
    field!("issuing_place", application.issuing_place),
    field!("residence_type", application.residence_type),
    field!("address", application.address),
    field!("postal_code", application.postal_code),
    field!("province", application.province),
    field!("city", application.city),
    field!("district", application.district),
    field!("village", application.village),
    field!("immigration_office", application.immigration_office),
];

/// Fields that may be kept as they were sent, and are not corrected: a member finds that there is nothing to correct.
pub const ONLY_SETTLED: [&str; 16] = [
    "processing_date",
    "user",
    "user.email",
    "signature_name",
    "purchase_ip",
    "user_agent",
    "device_id",
    "three_d_secure",
    "terms_version",
    "terms_accepted_at",
    "transaction_id",
    "merchant_name",
    "assign_to",
    "processed_by",
    "processed_at",
    "refund_date",
];

/// The fields that every order has.
const REQUIRED: [&str; 2] = ["full_name", CONTACT_EMAIL];

/// The requested correction of one field: the value that the member saw, and the right one. Blank: none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldRequest {
    pub before: Option<String>,
    pub after: Option<String>,
}

/// A valid correction, which no order was compared with yet.
pub struct Correction {
    /// The fields, each with the value that the member saw.
    seen: Vec<(&'static Field, Option<String>)>,
    wanted: EnteredOrder,
    /// The names of all fields that the member looked at, also of those that were kept as they were sent and cannot be corrected.
    named: Vec<String>,
}

/// A field that a correction changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedField {
    pub field: &'static str,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// The correction that `asked` describes by field, checked by the rules of intake.
///
/// # Errors
/// All invalid fields.
pub fn check(asked: &BTreeMap<String, FieldRequest>, today: NaiveDate) -> Result<Correction, OrderError> {
    if asked.is_empty() {
        return Err(OrderError::EmptyCorrection);
    }
    let after = |asked: &FieldRequest| asked.after.clone().map_or(Value::Null, Value::String);
    let given: Map<String, Value> = asked.iter().map(|(name, asked)| (name.clone(), after(asked))).collect();
    let mut fields = Fields::of(&given);
    let is_settled = |name: &str| ONLY_SETTLED.contains(&name) && lacks(&given, name);
    let is_known = |name: &str| FIELDS.iter().any(|field| field.name == name) || is_settled(name);
    for name in asked.keys().filter(|name| !is_known(name)) {
        fields.refuse(name, "cannot be corrected");
    }
    for name in REQUIRED.iter().filter(|name| asked.contains_key(**name) && lacks(&given, name)) {
        fields.refuse(name, "is missing");
    }
    let wanted = EnteredOrder::read(&mut fields, today);
    let wanted = fields.finish(Some(wanted)).map_err(OrderError::InvalidCorrection)?;
    let seen = FIELDS.iter().filter_map(|field| Some((field, filled(asked.get(field.name)?.before.clone()))));
    Ok(Correction { seen: seen.collect(), wanted, named: asked.keys().cloned().collect() })
}

fn lacks(given: &Map<String, Value>, name: &str) -> bool {
    Fields::of(given).find(name).is_none()
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

impl Correction {
    /// Returns true if the correction includes this field.
    pub fn has(&self, name: &str) -> bool {
        self.seen.iter().any(|(field, _)| field.name == name)
    }

    /// The fields that the member looked at.
    pub fn named(&self) -> Vec<&str> {
        self.named.iter().map(String::as_str).collect()
    }

    /// Returns `current` with the correction applied, and the fields that it changes. A field that has its new value already is not among them.
    ///
    /// # Errors
    /// The fields whose value is neither the one that the member saw nor the new one.
    pub fn apply(&self, current: &EnteredOrder) -> Result<(EnteredOrder, Vec<ChangedField>), Vec<&'static str>> {
        let (mut corrected, mut changed, mut stale) = (current.clone(), Vec::new(), Vec::new());
        for (field, seen) in &self.seen {
            let (before, after) = (field.text_of(current), field.text_of(&self.wanted));
            if before == after {
                continue;
            }
            if filled(before.clone()) != *seen {
                stale.push(field.name);
            }
            field.copy_to(&self.wanted, &mut corrected);
            changed.push(ChangedField { field: field.name, before, after });
        }
        // Without a contact address of its own, an order has the account's: then both hold the mistake, and both open the order.
        let contact = |entered: &EnteredOrder| entered.contact_email_address.as_deref().map(without_case);
        let account = current.application.account_email.as_deref().map(without_case);
        if account.is_some() && account == contact(current) {
            corrected.application.account_email.clone_from(&corrected.contact_email_address);
        }
        if stale.is_empty() { Ok((corrected, changed)) } else { Err(stale) }
    }
}

/// The other day for which an order that waits is released by its window, if the arrival or the visa changed. None: it waits as before.
pub fn new_release_day(
    order: &OrderFacts,
    corrected: &EnteredOrder,
    changed: &[ChangedField],
    codes: &[String],
) -> Option<NaiveDate> {
    let waits = order.process_status.waits_for_release();
    let is_about_it = changed.iter().any(|change| ["arrival_date", "visa_type"].contains(&change.field));
    let day = release_day(codes, corrected.visa_type.as_deref(), corrected.application.arrival_date)?;
    (waits && is_about_it && order.processing_date != Some(day)).then_some(day)
}

/// Returns the values that the customer sent: `entered` with the originals of the corrected fields.
pub fn as_sent(entered: &EnteredOrder, originals: &BTreeMap<String, Option<String>>) -> EnteredOrder {
    let value = |text: &Option<String>| text.clone().map_or(Value::Null, Value::String);
    let given: Map<String, Value> = originals.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let sent = EnteredOrder::read(&mut Fields::of(&given), NaiveDate::MAX);
    let mut whole = entered.clone();
    for field in FIELDS.iter().filter(|field| originals.contains_key(field.name)) {
        field.copy_to(&sent, &mut whole);
    }
    whole
}

/// A value as the audit and the timeline hold it: recognizable to those who know it, and useless to others.
pub fn masked(text: &str) -> String {
    let length = text.chars().count();
    let (head, tail) = if length >= 6 { (1, 2) } else { (0, 0) };
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}•••{end}")
}

/// The field with its masked value, for the audit.
pub fn noted(field: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!("{field}: none"), |value| format!("{field}: {}", masked(value)))
}

#[cfg(test)]
mod tests {
    use super::super::dates::day;
    use super::*;

    fn ask(fields: &[(&str, &str, &str)]) -> BTreeMap<String, FieldRequest> {
        let asked = |before: &str, after: &str| FieldRequest { before: Some(before.into()), after: Some(after.into()) };
        fields.iter().map(|(name, before, after)| ((*name).to_owned(), asked(before, after))).collect()
    }

    fn read(fields: &[(&str, &str, &str)]) -> Result<Correction, OrderError> {
        check(&ask(fields), day(2026, 11, 25))
    }

    fn ana() -> EnteredOrder {
        EnteredOrder {
            full_name: Some("Ana Putri".into()),
            contact_email_address: Some("ana@post.example".into()),
            phone_number: Some("8123456789".into()),
            ..EnteredOrder::default()
        }
    }

    #[test]
    fn a_stored_number_with_an_extension_is_what_the_customer_sent() {
        let stored = "+1 201-555-0123 ext. 12";
        let originals = BTreeMap::from([("phone_number".to_owned(), Some(stored.to_owned()))]);
        assert_eq!(as_sent(&ana(), &originals).phone_number.as_deref(), Some(stored));
    }

    #[test]
    fn only_fields_that_the_customer_entered_are_corrected_and_by_the_rules_of_intake() {
        let refused = |fields| match read(fields).map(|_| ()) {
            Err(OrderError::InvalidCorrection(errors)) => {
                errors.into_iter().map(|error| format!("{} {}", error.field, error.reason)).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        assert_eq!(refused(&[("signature_name", "", "Ana")]), ["signature_name cannot be corrected"]);
        assert_eq!(refused(&[("process_status", "New", "Completed")]), ["process_status cannot be corrected"]);
        assert_eq!(refused(&[("full_name", "Ana Putri", "  ")]), ["full_name is missing"]);
        assert_eq!(
            refused(&[("contact_email_address", "", "ana")]),
            ["contact_email_address must be one email address"]
        );
        assert_eq!(refused(&[("date_of_birth", "", "31-01-1990")]), ["date_of_birth must be a date, as YYYY-MM-DD"]);
        assert_eq!(refused(&[("phone_number", "", "+62 812-345")]), Vec::<String>::new());
        assert!(matches!(read(&[]), Err(OrderError::EmptyCorrection)));
    }

    #[test]
    fn a_correction_changes_what_the_member_saw_and_nothing_else() {
        let correction = read(&[("phone_number", "8123456789", "812 000"), ("full_name", "Ana Putri", "Ana Putri")]);
        let (corrected, changed) = correction.unwrap().apply(&ana()).unwrap();
        assert_eq!(corrected, EnteredOrder { phone_number: Some("812 000".into()), ..ana() });
        assert_eq!(changed.iter().map(|change| change.field).collect::<Vec<_>>(), ["phone_number"]);
    }

    #[test]
    fn a_value_that_somebody_else_changed_is_not_overwritten_unless_it_is_the_same() {
        let correction = read(&[("phone_number", "811", "8120"), ("nationality", "", "France")]).unwrap();
        assert_eq!(correction.apply(&ana()).unwrap_err(), ["phone_number"]);
        let done = EnteredOrder { phone_number: Some("8120".into()), nationality: Some("France".into()), ..ana() };
        assert_eq!(correction.apply(&done).unwrap().1, []);
    }

    #[test]
    fn what_the_customer_sent_is_the_originals_in_place_of_the_corrections() {
        let originals = BTreeMap::from([("phone_number".to_owned(), None), ("stay_day".to_owned(), Some("30".into()))]);
        let sent = as_sent(&ana(), &originals);
        assert_eq!((sent.phone_number, sent.application.stay_day), (None, Some(30)));
        assert_eq!(sent.full_name.as_deref(), Some("Ana Putri"));
    }

    #[test]
    fn a_noted_value_is_masked() {
        assert_eq!(noted("phone_number", Some("8123456789")), "phone_number: 8•••89");
        assert_eq!(noted("first_name", Some("王小明")), "first_name: •••");
        assert_eq!(noted("city", None), "city: none");
    }
}
