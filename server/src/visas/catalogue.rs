//! The catalogue, parsed once.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The visa catalogue.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The purposes, with their visas.
    pub purposes: Vec<Purpose>,
    /// The documents by their key, which is also the kind of the stored file.
    pub documents: BTreeMap<String, CatalogueDocument>,
    /// Codes that older orders carry.
    pub retired_codes: Vec<RetiredCode>,
}

/// A purpose of travel.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Purpose {
    /// A stable name.
    pub code: String,
    /// Its name for people.
    pub label: String,
    /// The reasons within the purpose.
    pub sub_purposes: Vec<SubPurpose>,
}

/// Why exactly.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SubPurpose {
    /// A stable name.
    pub code: String,
    /// Its name for people.
    pub label: String,
    /// The visas for this reason.
    pub visa_types: Vec<VisaType>,
}

/// A visa type of the catalogue. Values that are not known are absent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VisaType {
    /// The government's code, such as `C1`.
    pub code: String,
    /// Its name for people.
    pub label: String,
    /// The government's own title, in Indonesian.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub official_title: Option<String>,
    /// `single` or `multiple`.
    pub entry: String,
    /// The longest stay of one entry or one stay permit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stay_days: Option<u32>,
    /// True: the stay has no end.
    #[serde(default)]
    pub unlimited_stay: bool,
    /// The longest stay with all extensions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_total_days: Option<u32>,
    /// The lives that are offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity_years: Option<Vec<u32>>,
    /// The stay can be extended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extendable: Option<bool>,
    /// The minimum balance of the bank statement, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_funds_usd: Option<u32>,
    /// The investment or deposit, in US dollars, by years or by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment_usd: Option<BTreeMap<String, u64>>,
    /// The guarantor of the traveller: `required`, `not_required`, or a description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sponsor: Option<String>,
    /// Where to apply for it.
    pub apply_at: String,
    /// When to apply for it; absent: not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// Keys of the documents that are always required.
    pub documents: Vec<String>,
    /// Documents that only some applicants need.
    #[serde(default)]
    pub documents_conditional: Vec<ConditionalDocument>,
    /// Further facts about it, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// `official`, `official_quoted`, `secondary` or `name_only`.
    pub confidence: String,
    /// The basis of the list of documents: `index` (for this code), `class rule`, `inferred`, `secondary` or `general`.
    pub documents_basis: String,
    /// The pages that it was taken from.
    #[serde(default)]
    pub sources: Vec<String>,
}

/// When the government takes an application.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The most days between the application and the arrival.
    pub days_before_arrival: u32,
    /// Where it was read.
    pub source: String,
    /// When the source said so.
    #[schema(value_type = String, format = Date)]
    pub as_of: NaiveDate,
}

/// A document that some need.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConditionalDocument {
    /// The document's key.
    pub key: String,
    /// The condition under which it is needed.
    pub when: String,
}

/// A document of the applicant.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Document)]
pub struct CatalogueDocument {
    /// Its name for people.
    pub label: String,
    /// The content that the document must show; absent: nothing in particular.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// For how many months it must be valid on arrival; absent: for no time in particular.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_months: Option<ValidMonths>,
}

/// For how many months a travel document must be valid on arrival.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidMonths {
    /// A national passport.
    pub passport: u32,
    /// Any other travel document, such as that of a refugee.
    pub other: u32,
}

/// A code that is issued no more.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetiredCode {
    /// The code that older orders carry.
    pub code: String,
    /// The code of the visa that is issued instead.
    pub replaced_by: String,
}

/// The file as it is.
pub const JSON: &str = include_str!("catalogue.json");

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the binary, and a test reads it")]
    serde_json::from_str(JSON).expect("catalogue.json fits its types")
});

/// Everything that a text may name, by that text in lower case.
struct NamesInTexts {
    visa_types: HashMap<String, &'static str>,
    purposes: HashMap<String, &'static str>,
    sub_purposes: HashMap<String, &'static str>,
}

static NAMES: LazyLock<NamesInTexts> = LazyLock::new(|| {
    let mut names = NamesInTexts { visa_types: HashMap::new(), purposes: HashMap::new(), sub_purposes: HashMap::new() };
    let named = |code: &'static str, label: &'static str, is: &'static str| {
        [(label.to_lowercase(), is), (code.to_lowercase(), is)]
    };
    for purpose in &get().purposes {
        names.purposes.extend(named(&purpose.code, &purpose.label, &purpose.label));
        for sub in &purpose.sub_purposes {
            names.sub_purposes.extend(named(&sub.code, &sub.label, &sub.label));
            for visa in &sub.visa_types {
                names.visa_types.extend(named(&visa.code, &visa.label, &visa.code));
            }
        }
    }
    names.visa_types.extend(get().retired_codes.iter().map(|old| (old.code.to_lowercase(), old.code.as_str())));
    names
});

/// The catalogue.
pub fn get() -> &'static Catalogue {
    &CATALOGUE
}

fn visa_types() -> impl Iterator<Item = &'static VisaType> {
    let purposes = get().purposes.iter().flat_map(|purpose| &purpose.sub_purposes);
    purposes.flat_map(|sub| &sub.visa_types)
}

/// The visa type of that code. A retired code finds nothing: [`issued_for`] does.
pub fn find(code: &str) -> Option<&'static VisaType> {
    visa_types().find(|visa| visa.code == code)
}

/// Every code that an order may carry, with the visa type that is issued for it.
pub fn codes() -> impl Iterator<Item = (&'static str, &'static VisaType)> {
    let retired = get().retired_codes.iter().map(|retired| retired.code.as_str());
    let codes = visa_types().map(|visa| visa.code.as_str()).chain(retired);
    codes.filter_map(|code| Some((code, issued_for(code)?)))
}

/// The visa type that is issued for that code: for a retired code, its successor.
pub fn issued_for(code: &str) -> Option<&'static VisaType> {
    let retired = get().retired_codes.iter().find(|retired| retired.code == code);
    find(retired.map_or(code, |retired| &retired.replaced_by))
}

/// The code of the visa type that `text` names by code or label, in any case. Retired codes stay what they are: orders that
/// were sold under them keep them.
pub fn visa_code(text: &str) -> Option<&'static str> {
    NAMES.visa_types.get(&text.to_lowercase()).copied()
}

/// The label of the main purpose that `text` names by code or label, in any case.
pub fn main_purpose(text: &str) -> Option<&'static str> {
    NAMES.purposes.get(&text.to_lowercase()).copied()
}

/// The label of the sub-purpose that `text` names by code or label, in any case.
pub fn sub_purpose(text: &str) -> Option<&'static str> {
    NAMES.sub_purposes.get(&text.to_lowercase()).copied()
}

/// The document with that key.
pub fn document(key: &str) -> Option<&'static CatalogueDocument> {
    get().documents.get(key)
}

/// Its label.
pub fn document_label(key: &str) -> Option<&'static str> {
    document(key).map(|document| document.label.as_str())
}

/// The documents of a visa type, those that are always required first: key and label.
pub fn documents_of(visa: &'static VisaType) -> Vec<(&'static str, &'static str)> {
    let conditional = visa.documents_conditional.iter().map(|document| &document.key);
    visa.documents.iter().chain(conditional).filter_map(|key| Some((key.as_str(), document_label(key)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<&'static VisaType> {
        get().purposes.iter().flat_map(|purpose| &purpose.sub_purposes).flat_map(|sub| &sub.visa_types).collect()
    }

    #[test]
    fn every_code_that_the_spec_names_is_there() {
        for code in [
            "A1", "B1", "C1", "D1", "D12", "E33G", "E32", "E33", "E23", "E25", "E26", "E27", "E31A", "E31B", "E31C",
            "E31D", "E31E", "E31F", "E31G", "E31H", "E31J", "E28A", "E28B", "E28C", "E28D", "E28E", "E28F", "E28G",
            "E33E", "E33F",
        ] {
            assert!(find(code).is_some(), "{code}");
        }
        for family in ["C", "D", "E31", "E28", "E32", "E33", "E23", "E25", "E30"] {
            assert!(all().iter().filter(|visa| visa.code.starts_with(family)).count() > 1, "{family}");
        }
    }

    #[test]
    fn the_six_fixed_labels_are_the_specs_words() {
        let labels = [
            ("bank_statement", "Bank statement (minimum USD 2000)"),
            ("living_expenses_proof", "Proof of living expenses (USD 5000)"),
            ("parents_guarantee", "Guarantee from parents"),
            ("turnover_proof", "Proof of turnover or sales statements"),
            ("identity_or_family_card", "Identity card or family card"),
            ("birth_or_family_certificate", "Birth certificate or family"),
        ];
        for (key, label) in labels {
            assert_eq!(document_label(key), Some(label));
        }
    }

    #[test]
    fn codes_are_unique_and_every_document_has_a_label() {
        let mut codes: Vec<&str> = all().iter().map(|visa| visa.code.as_str()).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count);
        for visa in all() {
            let asked = visa.documents.len() + visa.documents_conditional.len();
            assert_eq!(documents_of(visa).len(), asked, "{}", visa.code);
        }
        for retired in &get().retired_codes {
            assert!(find(&retired.code).is_none() && find(&retired.replaced_by).is_some(), "{}", retired.code);
        }
    }

    #[test]
    fn the_spec_s_minimum_funds_stand() {
        let funds = |code| find(code).and_then(|visa| visa.min_funds_usd);
        assert_eq!([funds("C1"), funds("E33G"), funds("D12")], [Some(2_000), Some(2_000), Some(5_000)]);
        assert_eq!(find("C1").and_then(|visa| visa.stay_days), Some(60));
        assert_eq!(find("D1").and_then(|visa| visa.validity_years.clone()), Some(vec![1, 2, 5]));
    }

    #[test]
    fn the_documents_that_the_spec_names_are_asked_for() {
        let asks = |code: &str, key: &str| {
            let visa = find(code).unwrap_or_else(|| panic!("{code}"));
            let mut keys = visa.documents.iter().chain(visa.documents_conditional.iter().map(|one| &one.key));
            assert!(keys.any(|one| one == key), "{code} asks for {key}");
        };
        for visa in all() {
            asks(&visa.code, "passport");
        }
        for (code, key) in [
            ("B1", "return_onward_ticket"),
            ("C1", "bank_statement"),
            ("E33G", "bank_statement"),
            ("D12", "bank_statement"),
            ("C6", "guarantor_letter"),
            ("D1", "invitation_letter"),
            ("E31A", "sworn_translation"),
            ("D1", "curriculum_vitae"),
            ("D1", "travel_itinerary"),
            ("E28B", "commitment_statement"),
            ("E32A", "commitment_statement"),
            ("E33", "commitment_statement"),
            ("E33E", "commitment_statement"),
            ("E33G", "income_proof"),
            ("E33G", "foreign_employment_contract"),
        ] {
            asks(code, key);
        }
        let label = |key| document_label(key).unwrap_or_default();
        assert_eq!(label("foreign_employment_contract"), "Employment contract with a foreign company");
        let note =
            |key: &str| get().documents.get(key).and_then(|document| document.note.as_deref()).unwrap_or_default();
        for (key, words) in [
            ("passport", "at least 6 months"),
            ("passport", "at least 12 months"),
            ("bank_statement", "last 3 months"),
            ("commitment_statement", "within 90 days of arrival"),
            ("income_proof", "E33G at least USD 60,000 per year"),
        ] {
            assert!(note(key).contains(words), "{key}: {}", note(key));
        }
    }

    #[test]
    fn names_are_found_by_code_and_by_label() {
        assert_eq!(visa_code("c1"), Some("C1"));
        assert_eq!(visa_code("Tourism Visit, Single Entry"), Some("C1"));
        assert_eq!(visa_code("A2"), Some("A2"));
        assert_eq!(visa_code("E24"), None);
        assert_eq!(main_purpose("EMPLOYMENT"), Some("Employment"));
        assert_eq!(sub_purpose("remote work"), Some("Remote Work"));
    }
}
