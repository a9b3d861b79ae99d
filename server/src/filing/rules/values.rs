//! An order's values in the portal's order and spelling. Pure.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::orders::facts::Application;
use crate::orders::rules::country::Country;
use crate::orders::rules::personal_name::PersonalName;
use crate::orders::rules::phone::Phone;
use crate::visas::portal::{FiledField, PortalForm, PortalFormat, PortalSection};

/// The values of an order that are filed, as they were typed.
#[derive(Clone, Debug, Default)]
pub struct FiledValues {
    pub full_name: String,
    /// The name as the passport spells it, if its check proved it.
    pub passport_name: Option<String>,
    pub nationality: Option<String>,
    pub application_email_address: String,
    /// Digits, without a plus sign.
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    /// The code that is issued.
    pub visa_type: Option<String>,
    pub application: Application,
}

/// A section of the portal's form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FilingSection {
    /// Its title.
    pub title: &'static str,
    /// Its values, in the portal's order.
    pub values: Vec<FilingValue>,
}

/// A value of the portal's form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FilingValue {
    /// A stable name, such as `full_name`.
    pub field: &'static str,
    /// Its label.
    pub label: &'static str,
    /// The value in the portal's spelling; null: the order does not have it.
    pub value: Option<String>,
    /// A note to read before the value is copied, for people; null: none.
    pub note: Option<&'static str>,
}

/// The values of an order in the sections of `form`.
pub fn sections(filed: &FiledValues, form: &'static PortalForm) -> Vec<FilingSection> {
    let section = |section: &'static PortalSection| FilingSection {
        title: &section.title,
        values: section
            .fields
            .iter()
            .map(|field| {
                let value = typed(filed, field.field).and_then(|typed| spell(&typed, field.format));
                let note = value.as_deref().and_then(|value| note(filed, field.field, field.format, value));
                FilingValue { field: field.field.into(), label: &field.label, value, note }
            })
            .collect(),
    };
    form.sections.iter().map(section).collect()
}

/// A value as the order has it.
enum OrderValue {
    Text(String),
    Day(NaiveDate),
}

fn typed(filed: &FiledValues, field: FiledField) -> Option<OrderValue> {
    let text = |value: &Option<String>| value.clone().map(OrderValue::Text);
    let application = &filed.application;
    match field {
        FiledField::FullName => PersonalName::read(filed.passport_name.as_ref().unwrap_or(&filed.full_name))
            .map(|name| OrderValue::Text(name.capitals())),
        FiledField::DocumentNumber => text(&application.document_number),
        FiledField::DocumentType => text(&application.document_type),
        FiledField::PassportFrom => text(&application.passport_from),
        FiledField::DateOfExpiry => application.date_of_expiry.map(OrderValue::Day),
        FiledField::Sex => text(&application.sex),
        FiledField::PlaceOfBirth => text(&application.place_of_birth),
        FiledField::DateOfBirth => application.date_of_birth.map(OrderValue::Day),
        FiledField::Nationality => text(&filed.nationality),
        FiledField::ApplicationEmailAddress => Some(OrderValue::Text(filed.application_email_address.clone())),
        FiledField::Phone => Phone::read(filed.country_code.as_deref(), filed.phone_number.as_deref())
            .map(|phone| OrderValue::Text(phone.international())),
        FiledField::VisaType => text(&filed.visa_type),
        FiledField::PurposeOfVisit => {
            text(&application.sub_purpose_of_visit.clone().or_else(|| application.main_purpose_of_visit.clone()))
        }
        FiledField::ArrivalDate => application.arrival_date.map(OrderValue::Day),
        FiledField::StayDay => application.stay_day.map(|days| OrderValue::Text(days.to_string())),
        FiledField::ResidenceType => text(&application.residence_type),
        FiledField::Address => text(&application.address),
        FiledField::PostalCode => text(&application.postal_code),
        FiledField::Province => text(&application.province),
        FiledField::City => text(&application.city),
    }
}

/// The value in the portal's spelling; none if nothing is left of it.
fn spell(typed: &OrderValue, format: PortalFormat) -> Option<String> {
    let spelled = match (typed, format) {
        (OrderValue::Day(day), _) => day.format("%d/%m/%Y").to_string(),
        (OrderValue::Text(text), PortalFormat::Capitals) => capitals(text),
        (OrderValue::Text(text), PortalFormat::Country) => {
            Country::read(Some(text)).map(|country| capitals(country.name())).unwrap_or_default()
        }
        (OrderValue::Text(text), PortalFormat::Phone) => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            if text.trim_start().starts_with('+') && !digits.is_empty() { format!("+{digits}") } else { digits }
        }
        (OrderValue::Text(text), PortalFormat::AsTyped | PortalFormat::Date) => text.trim().to_owned(),
    };
    (!spelled.is_empty()).then_some(spelled)
}

fn capitals(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}

fn note(filed: &FiledValues, field: FiledField, format: PortalFormat, value: &str) -> Option<&'static str> {
    let is_latin = value.chars().all(|one| !one.is_alphabetic() || one.is_ascii_alphabetic());
    let is_spelled = matches!(format, PortalFormat::Capitals | PortalFormat::Country);
    match field {
        FiledField::FullName if filed.passport_name.is_some() => Some("From the passport"),
        _ if is_spelled && !is_latin => Some("Not in plain Latin letters: type it as the passport does"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visas::portal;

    fn value(filed: &FiledValues, field: &str) -> (Option<String>, Option<&'static str>) {
        let sections = sections(filed, &portal::get().form);
        let found = sections.into_iter().flat_map(|section| section.values).find(|value| value.field == field).unwrap();
        (found.value, found.note)
    }

    fn spelled(filed: &FiledValues, field: &str) -> Option<String> {
        value(filed, field).0
    }

    #[test]
    fn dates_names_countries_and_numbers_are_spelled_as_the_portal_spells_them() {
        let filed = FiledValues {
            full_name: "emily_rose  Clarke".into(),
            nationality: Some("australia".into()),
            application_email_address: "100001@applications.example".into(),
            country_code: Some("44".into()),
            phone_number: Some("7700 900-411".into()),
            application: Application {
                document_number: Some("pb1204417 ".into()),
                date_of_expiry: NaiveDate::from_ymd_opt(2033, 5, 6),
                passport_from: Some("aus".into()),
                stay_day: Some(60),
                main_purpose_of_visit: Some("General".into()),
                residence_type: Some(" ".into()),
                ..Application::default()
            },
            ..FiledValues::default()
        };
        let is = |field: &str| spelled(&filed, field);
        assert_eq!(is("full_name").as_deref(), Some("EMILY ROSE CLARKE"));
        assert_eq!(is("document_number").as_deref(), Some("PB1204417"));
        assert_eq!(is("date_of_expiry").as_deref(), Some("06/05/2033"));
        assert_eq!(is("passport_from").as_deref(), Some("AUSTRALIA"));
        assert_eq!(is("nationality").as_deref(), Some("AUSTRALIA"));
        assert_eq!(is("application_email_address").as_deref(), Some("100001@applications.example"));
        assert_eq!(is("phone").as_deref(), Some("+447700900411"));
        assert_eq!(is("stay_day").as_deref(), Some("60"));
        assert_eq!(is("purpose_of_visit").as_deref(), Some("GENERAL"));
        assert_eq!((is("residence_type"), is("city"), is("arrival_date")), (None, None, None));
    }

    #[test]
    fn a_name_that_the_passport_proved_stands_for_the_typed_one() {
        let typed = FiledValues { full_name: "Łukasz Żak".into(), ..FiledValues::default() };
        let (name, note) = value(&typed, "full_name");
        assert_eq!(name.as_deref(), Some("ŁUKASZ ŻAK"));
        assert!(note.unwrap().starts_with("Not in plain Latin letters"));
        let proved = FiledValues { passport_name: Some("LUKASZ ZAK".into()), ..typed };
        assert_eq!(value(&proved, "full_name"), (Some("LUKASZ ZAK".into()), Some("From the passport")));
    }

    #[test]
    fn a_country_that_is_not_known_stays_as_it_was_typed() {
        let filed = FiledValues { nationality: Some("Atlantean".into()), ..FiledValues::default() };
        assert_eq!(spelled(&filed, "nationality").as_deref(), Some("ATLANTEAN"));
        let known = FiledValues { nationality: Some("Dutch".into()), ..FiledValues::default() };
        assert_ne!(spelled(&known, "nationality").as_deref(), Some("DUTCH"));
    }

    #[test]
    fn a_phone_number_without_a_country_code_gets_no_plus_sign() {
        let of = |code: Option<&str>, number: &str| {
            let filed = FiledValues {
                country_code: code.map(str::to_owned),
                phone_number: Some(number.into()),
                ..FiledValues::default()
            };
            spelled(&filed, "phone")
        };
        assert_eq!(of(None, "0812 345").as_deref(), Some("0812345"));
        assert_eq!(of(None, "+62 812").as_deref(), Some("+62812"));
        assert_eq!(of(None, "--"), None);
    }
}
