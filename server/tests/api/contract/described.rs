//! Every schema, property and parameter of the contract has a description.

use serde_json::Value;
use visadesk::app::router;

#[test]
fn every_schema_property_and_parameter_of_the_contract_has_a_description() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let mut missing = Vec::new();
    for (name, schema) in contract["components"]["schemas"].as_object().expect("schemas") {
        if !is_described(schema) {
            missing.push(name.clone());
        }
        find_missing(schema, name, &mut missing);
    }
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let at = format!("{method} {path}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if !is_described(parameter) {
                    missing.push(format!("{at}: {}", parameter["name"]));
                }
            }
            find_missing(operation, &at, &mut missing);
        }
    }
    assert!(missing.is_empty(), "without a doc comment: {missing:#?}");
}

/// Whether the value has a description, itself or, if it may be null, in the alternative that is not.
fn is_described(value: &Value) -> bool {
    let described = |value: &Value| value["description"].as_str().is_some_and(|text| !text.trim().is_empty());
    described(value) || value["oneOf"].as_array().is_some_and(|choices| choices.iter().any(described))
}

/// Collects the properties below `value` that have no description. A code of an error is described by `ErrorBody`.
fn find_missing(value: &Value, at: &str, missing: &mut Vec<String>) {
    let properties = value["properties"].as_object().into_iter().flatten();
    for (name, property) in properties.filter(|(name, _)| *name != "code" || !at.contains("allOf")) {
        if !is_described(property) {
            missing.push(format!("{at}.{name}"));
        }
    }
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, field)| find_missing(field, &format!("{at}/{name}"), missing));
        }
        Value::Array(items) => items.iter().for_each(|item| find_missing(item, at, missing)),
        _ => {}
    }
}
