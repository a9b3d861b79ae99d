//! What an issued visa says, beside its order.

use toml::Value;
use visadesk::deliveries::rules::{ExpectedVisa, VisaOutcome, compare};
use visadesk::orders::rules::personal_name::PersonalName;

use super::Case;

pub fn faults(case: &Case) -> Vec<String> {
    let order = case.given["order"].as_table().expect("fields");
    let text = |name: &str| order.get(name).and_then(Value::as_str);
    let parts = ["first_name", "middle_name", "last_name"].map(text);
    let names = [text("full_name").and_then(PersonalName::read), PersonalName::of_parts(parts)];
    let expected_visa = ExpectedVisa {
        document_number: text("document_number").map(str::to_owned),
        names: names.into_iter().flatten().collect(),
        date_of_birth: text("date_of_birth").map(|date| date.parse().expect("a date")),
    };
    let comparison = compare(case.text("text"), &expected_visa);
    let fault = |(field, expected): (&String, &Value)| {
        let is_typed = match field.as_str() {
            "document_number" => expected_visa.document_number.is_some(),
            "date_of_birth" => expected_visa.date_of_birth.is_some(),
            _ => !expected_visa.names.is_empty(),
        };
        let found = match comparison.outcome {
            _ if !is_typed => "not_typed",
            VisaOutcome::NotRead => "look",
            _ if comparison.differing.iter().any(|differing| differing.as_str() == field) => "differs",
            _ => "same",
        };
        let expected = expected.as_str().expect("a finding");
        let is_right = match expected {
            "not same" => found != "same",
            "not differs" => found != "differs",
            expected => found == expected,
        };
        (!is_right).then(|| format!("{field} is {found} instead of {expected}"))
    };
    case.expected.iter().filter_map(fault).collect()
}
