//! The examples of the contract: each request and each success has one, and it fits its schema.

use boon::{Compiler, Schemas};
use serde_json::{Map, Value, json};
use visadesk::app::router;

const EXAMPLES: &str = include_str!("../../../../contract/examples.json");

/// The media types whose content is no text, so that no example can be written.
const BINARY: [&str; 2] = ["application/pdf", "application/zip"];

/// The request and the successes of a call: what each is, its media type and its content.
fn bodies(operation: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let successes = operation["responses"].as_object().into_iter().flatten();
    let successes = successes.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| ("response", response));
    let bodies = successes.chain(operation.get("requestBody").map(|body| ("request", body)));
    bodies.flat_map(|(what, body)| {
        let contents = body["content"].as_object().into_iter().flatten();
        contents.map(move |(media_type, content)| (what, media_type.as_str(), content))
    })
}

/// The bodies of a call that lack an example, or have one although their content is no text.
pub fn without_example(operation: &Value) -> Vec<String> {
    let wrong = bodies(operation).filter_map(|(what, media_type, content)| {
        match (content.get("example").is_some(), BINARY.contains(&media_type)) {
            (false, false) => Some(format!("no {what}")),
            (true, true) => Some(format!("a {what}, which is no text")),
            _ => None,
        }
    });
    wrong.collect()
}

#[test]
fn every_example_fits_its_schema() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let check = ExampleCheck::of(&contract);
    let (mut problems, mut checked) = (Vec::new(), 0);
    for operation in operations(&contract) {
        for (_, _, content) in bodies(operation) {
            let Some(example) = content.get("example") else { continue };
            checked += 1;
            let problem = check.problem(&content["schema"], example);
            problems.extend(problem.map(|why| format!("{}: {why}", operation["operationId"])));
        }
    }
    assert!(problems.is_empty(), "contract/examples.json: {problems:#?}");
    assert!(checked > 70, "{checked} examples were checked");
}

#[test]
fn every_error_of_the_contract_has_an_example_with_one_of_its_codes() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let check = ExampleCheck::of(&contract);
    for operation in operations(&contract) {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            if status.starts_with('2') {
                continue;
            }
            let content = &response["content"]["application/json"];
            let problem = check.problem(&content["schema"], &content["example"]);
            assert_eq!(problem, None, "{} {status}", operation["operationId"]);
            assert!(content["example"]["message"].as_str().is_some_and(|message| message.len() > 3), "{content}");
        }
    }
}

#[test]
fn the_file_of_examples_names_only_calls_and_places_that_exist() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).expect("examples.json is an object");
    let check = ExampleCheck::of(&contract);
    for (name, places) in &examples {
        let operation = operations(&contract).find(|operation| operation["operationId"] == name.as_str());
        let operation = operation.unwrap_or_else(|| panic!("examples.json: there is no operation {name}"));
        for (place, example) in places.as_object().expect("an object") {
            match place.as_str() {
                "request" => assert!(operation["requestBody"].is_object(), "{name} takes no request"),
                "response" => assert!(operation["responses"]["200"]["content"].is_object(), "{name} has no response"),
                _ => {}
            }
            for (parameter, value) in example.as_object().into_iter().flatten().filter(|_| place == "parameters") {
                let declared = operation["parameters"].as_array().into_iter().flatten();
                let declared = declared.clone().find(|declared| declared["name"] == parameter.as_str());
                let declared = declared.unwrap_or_else(|| panic!("{name} has no parameter {parameter}"));
                assert_eq!(check.problem(&declared["schema"], value), None, "{name}: {parameter}");
            }
        }
    }
}

#[test]
fn an_example_with_an_unknown_property_does_not_fit() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let check = ExampleCheck::of(&contract);
    let schema = json!({ "$ref": "#/components/schemas/Done" });
    assert_eq!(check.problem(&schema, &json!({ "status": 1, "message": "" })), None);
    for wrong in [json!({ "status": 1 }), json!({ "status": 1, "message": "", "mesage": "" })] {
        assert!(check.problem(&schema, &wrong).is_some(), "{wrong}");
    }
}

fn operations(contract: &Value) -> impl Iterator<Item = &Value> {
    let paths = contract["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(_, methods)| methods.as_object().into_iter().flatten().map(|(_, operation)| operation))
}

/// Validates examples against the schemas of the contract, without properties that no schema declares.
struct ExampleCheck(Map<String, Value>);

impl ExampleCheck {
    fn of(contract: &Value) -> Self {
        let schemas = contract["components"]["schemas"].as_object().expect("schemas").clone();
        Self(schemas.into_iter().map(|(name, schema)| (name, closed(&schema, true))).collect())
    }

    /// What is wrong with the example.
    fn problem(&self, schema: &Value, example: &Value) -> Option<String> {
        const PLACE: &str = "https://visadesk.example/contract.json";
        let mut compiler = Compiler::new();
        compiler.enable_format_assertions();
        let root = json!({ "components": { "schemas": self.0 }, "allOf": [closed(schema, false)] });
        compiler.add_resource(PLACE, root).expect("the contract is a resource");
        let mut schemas = Schemas::new();
        let compiled = compiler.compile(PLACE, &mut schemas).expect("the schemas of the contract are valid");
        schemas.validate(example, compiled).err().map(|error| error.to_string())
    }
}

/// The schema without undeclared properties. A part of `allOf` stays open, because the other parts add to it, and so does a schema
/// that others refer to: the reference is closed.
fn closed(schema: &Value, is_open: bool) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut result = Map::new();
    for (name, field) in fields {
        let below = match (name.as_str(), field) {
            ("properties", Value::Object(properties)) => {
                properties.iter().map(|(name, schema)| (name.clone(), closed(schema, false))).collect()
            }
            ("items" | "additionalProperties", schema) => closed(schema, false),
            ("allOf", Value::Array(parts)) => parts.iter().map(|part| closed(part, true)).collect(),
            ("oneOf" | "anyOf", Value::Array(choices)) => choices.iter().map(|one| closed(one, false)).collect(),
            _ => field.clone(),
        };
        result.insert(name.clone(), below);
    }
    let is_object = ["properties", "allOf", "$ref"].iter().any(|name| fields.contains_key(*name));
    if is_object && !is_open {
        result.insert("unevaluatedProperties".into(), Value::Bool(false));
    }
    Value::Object(result)
}
