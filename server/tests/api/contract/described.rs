//! Every schema and property of the contract has a description. Those of the calls themselves are in `complete.rs`.

use serde_json::Value;
use visadesk::app::router;

#[test]
fn every_schema_and_property_of_the_contract_has_a_description() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let mut missing = Vec::new();
    for (name, schema) in contract["components"]["schemas"].as_object().expect("schemas") {
        if !has_description(schema) {
            missing.push(name.clone());
        }
        find_undescribed(schema, name, &mut missing);
    }
    assert!(missing.is_empty(), "without a doc comment: {missing:#?}");
}

/// Whether the value has a description, itself or, if it may be null, in the alternative that is not.
pub fn has_description(value: &Value) -> bool {
    let described = |value: &Value| value["description"].as_str().is_some_and(|text| !text.trim().is_empty());
    described(value) || value["oneOf"].as_array().is_some_and(|choices| choices.iter().any(described))
}

/// Collects the properties below `value` that have no description. A code of an error is described by `ErrorBody`.
pub fn find_undescribed(value: &Value, at: &str, missing: &mut Vec<String>) {
    let properties = value["properties"].as_object().into_iter().flatten();
    for (name, property) in properties.filter(|(name, _)| *name != "code" || !at.contains("allOf")) {
        if !has_description(property) {
            missing.push(format!("{at}.{name}"));
        }
    }
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| find_undescribed(field, &format!("{at}/{name}"), missing));
        }
        Value::Array(items) => items.iter().for_each(|item| find_undescribed(item, at, missing)),
        _ => {}
    }
}
