//! Which empty fields of an order a file fills when it is imported again, and which values differ. Pure.

use std::collections::BTreeMap;

use super::corrections::{self, ChangedField, Field};
use super::entered::EnteredOrder;
use crate::orders::status::ProcessStatus;

/// Fields that describe one thing. Where one of them differs, the file describes another thing, and fills none of them.
const GROUPS: [&[&str]; 5] = [
    &["first_name", "middle_name", "last_name"],
    &["country_code", "phone_number"],
    &["passport_from", "document_type", "document_number", "date_of_expiry", "issuing_place"],
    &["visa_type", "main_purpose_of_visit", "sub_purpose_of_visit", "stay_day"],
    &["residence_type", "address", "postal_code", "province", "city", "district", "village", "immigration_office"],
];

/// The fields by which the row of a file is about the same order.
const IDENTITY: [&str; 2] = ["full_name", corrections::CONTACT_EMAIL];

/// An order with what members did to it.
#[derive(Clone, Copy)]
pub struct PresentOrder<'a> {
    pub process_status: ProcessStatus,
    /// It has an application that the government has not decided about.
    pub is_filed: bool,
    pub entered: &'a EnteredOrder,
    /// The values that the customer sent in the fields that a member changed.
    pub originals: &'a BTreeMap<String, Option<String>>,
    /// The fields about whose values a member found that there is nothing to correct.
    pub settled: &'a [&'a str],
}

/// The comparison of an order with a row of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilledOrder {
    /// The order with its empty fields filled.
    pub filled: EnteredOrder,
    pub changed: Vec<ChangedField>,
    pub unequal: Vec<UnequalField>,
}

/// A value of a file that the order does not get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnequalField {
    pub field: String,
    pub value: String,
    pub reason: String,
}

/// Compares the order with what a file says of it. A member's decision, a final order and a filed application are never changed.
pub fn compare(order: PresentOrder<'_>, given: &EnteredOrder) -> FilledOrder {
    let current = order.entered;
    let mut filling = FilledOrder { filled: current.clone(), changed: Vec::new(), unequal: Vec::new() };
    let differing = DifferingFields::of(order, given);
    for field in &corrections::FIELDS {
        let Some(value) = field.text_of(given) else { continue };
        let before = field.text_of(current);
        if before.as_ref() == Some(&value)
            || order.originals.get(field.name).is_some_and(|sent| sent.as_ref() == Some(&value))
        {
            continue;
        }
        match reason_against(order, field, before.is_some(), &differing) {
            None => {
                field.copy_to(given, &mut filling.filled);
                filling.changed.push(ChangedField { field: field.name, before, after: Some(value) });
            }
            Some(reason) => filling.unequal.push(UnequalField { field: field.name.to_owned(), value, reason }),
        }
    }
    filling
}

/// The fields in which an order and a file differ.
struct DifferingFields {
    all: Vec<&'static str>,
    /// Those in which they also differed when the order was sent.
    since_sent: Vec<&'static str>,
}

impl DifferingFields {
    fn of(order: PresentOrder<'_>, given: &EnteredOrder) -> Self {
        let mut differing = Self { all: Vec::new(), since_sent: Vec::new() };
        for field in &corrections::FIELDS {
            let Some(value) = field.text_of(given) else { continue };
            let sent = order.originals.get(field.name);
            let differs = match field.text_of(order.entered) {
                Some(current) => current != value,
                // A member removed what the file has.
                None => sent.is_some(),
            };
            if differs {
                differing.all.push(field.name);
            }
            if differs && sent.and_then(Option::as_ref) != Some(&value) {
                differing.since_sent.push(field.name);
            }
        }
        differing
    }

    /// The field by which the file describes another thing than `field` of the order: another person, or another passport than the
    /// one that a member entered instead of the file's.
    fn other_than(&self, field: &str) -> Option<&'static str> {
        let group = GROUPS.iter().find(|group| group.contains(&field)).copied().unwrap_or_default();
        let identity = self.since_sent.iter().find(|other| IDENTITY.contains(other));
        identity.or_else(|| self.all.iter().find(|other| group.contains(other))).copied()
    }
}

/// Why the order does not get the value of a field. None: it does.
fn reason_against(
    order: PresentOrder<'_>,
    field: &Field,
    has_value: bool,
    differing: &DifferingFields,
) -> Option<String> {
    let name = field.name;
    if order.originals.contains_key(name) || order.settled.contains(&name) {
        return Some("not changed: a member of staff decided about this field".to_owned());
    }
    if has_value {
        return Some("not changed: the order has another value".to_owned());
    }
    if order.process_status.is_final() {
        return Some(format!("not filled: the order is in {}", order.process_status.label()));
    }
    if order.is_filed || !order.process_status.is_to_be_filed() {
        return Some("not filled: the application is with the government".to_owned());
    }
    differing.other_than(name).map(|other| format!("not filled: {other} differs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::facts::Application;

    fn ann() -> EnteredOrder {
        EnteredOrder {
            full_name: Some("Ann Lee".into()),
            contact_email_address: Some("ann@shop.example".into()),
            ..EnteredOrder::default()
        }
    }

    fn with_phone(entered: EnteredOrder, code: Option<&str>, number: Option<&str>) -> EnteredOrder {
        EnteredOrder { country_code: code.map(str::to_owned), phone_number: number.map(str::to_owned), ..entered }
    }

    fn compared(
        status: ProcessStatus,
        is_filed: bool,
        current: &EnteredOrder,
        given: &EnteredOrder,
    ) -> (Vec<&'static str>, Vec<String>) {
        let none = BTreeMap::new();
        let order = PresentOrder { process_status: status, is_filed, entered: current, originals: &none, settled: &[] };
        told(compare(order, given))
    }

    fn told(filling: FilledOrder) -> (Vec<&'static str>, Vec<String>) {
        let unequal = filling.unequal.into_iter().map(|one| format!("{} {}", one.field, one.reason));
        (filling.changed.iter().map(|change| change.field).collect(), unequal.collect())
    }

    #[test]
    fn an_empty_field_is_filled_and_another_value_stays() {
        let given = with_phone(ann(), Some("62"), Some("81234567"));
        assert_eq!(compared(ProcessStatus::New, false, &ann(), &given), (vec!["country_code", "phone_number"], vec![]));
        assert_eq!(compared(ProcessStatus::New, false, &given, &given), (vec![], vec![]));
        assert_eq!(compared(ProcessStatus::New, false, &given, &ann()), (vec![], vec![]));
        let current = with_phone(ann(), None, Some("555"));
        let (filled, unequal) = compared(ProcessStatus::New, false, &current, &given);
        assert_eq!(filled, Vec::<&str>::new());
        assert_eq!(
            unequal,
            ["country_code not filled: phone_number differs", "phone_number not changed: the order has another value"]
        );
    }

    #[test]
    fn nothing_is_filled_in_an_order_that_is_final_filed_or_of_another_person() {
        let given = with_phone(ann(), Some("62"), None);
        let refused = |status, is_filed, current: &EnteredOrder| {
            let (filled, unequal) = compared(status, is_filed, current, &given);
            assert_eq!(filled, Vec::<&str>::new());
            unequal.last().cloned().unwrap_or_default()
        };
        assert_eq!(
            refused(ProcessStatus::Completed, false, &ann()),
            "country_code not filled: the order is in Completed"
        );
        assert_eq!(
            refused(ProcessStatus::AwaitingGovt, true, &ann()),
            "country_code not filled: the application is with the government"
        );
        let other = EnteredOrder { full_name: Some("Bob Roe".into()), ..ann() };
        assert_eq!(refused(ProcessStatus::New, false, &other), "country_code not filled: full_name differs");
    }

    #[test]
    fn a_member_s_decision_stays() {
        let given = EnteredOrder {
            application: Application {
                city: Some("Ubud".into()),
                village: Some("Kutuh".into()),
                ..Application::default()
            },
            full_name: Some("Anne Lee".into()),
            ..ann()
        };
        let originals = BTreeMap::from([
            ("city".to_owned(), Some("Kuta".to_owned())),
            // The member corrected what this file says again.
            ("full_name".to_owned(), Some("Anne Lee".to_owned())),
        ]);
        let current = ann();
        let order = PresentOrder {
            process_status: ProcessStatus::New,
            is_filed: false,
            entered: &current,
            originals: &originals,
            settled: &["village"],
        };
        let decided = "not changed: a member of staff decided about this field";
        assert_eq!(
            told(compare(order, &given)),
            (vec![], vec![format!("city {decided}"), format!("village {decided}")])
        );
    }

    #[test]
    fn a_passport_that_a_member_replaced_or_removed_fills_nothing() {
        let with = |number: Option<&str>, expiry: Option<&str>| EnteredOrder {
            application: Application {
                document_number: number.map(str::to_owned),
                date_of_expiry: expiry.map(|day| day.parse().unwrap()),
                ..Application::default()
            },
            ..ann()
        };
        let given = with(Some("X1"), Some("2030-01-02"));
        let originals = BTreeMap::from([("document_number".to_owned(), Some("X1".to_owned()))]);
        for current in [with(Some("X2"), None), with(None, None)] {
            let order = PresentOrder {
                process_status: ProcessStatus::New,
                is_filed: false,
                entered: &current,
                originals: &originals,
                settled: &[],
            };
            let unequal = vec!["date_of_expiry not filled: document_number differs".to_owned()];
            assert_eq!(told(compare(order, &given)), (vec![], unequal));
        }
        let again = with(Some("X1"), None);
        let order = PresentOrder {
            process_status: ProcessStatus::New,
            is_filed: false,
            entered: &again,
            originals: &originals,
            settled: &[],
        };
        assert_eq!(told(compare(order, &given)), (vec!["date_of_expiry"], vec![]));
    }
}
