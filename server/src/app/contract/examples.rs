//! Puts the examples of `contract/examples.json` into the contract, and an example into each error.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::{Operation, Parameter};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, RefOr};

/// By operation id.
const EXAMPLES: &str = include_str!("../../../../contract/examples.json");

/// The examples of one call.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Examples {
    /// By the parameter's name.
    parameters: Map<String, Value>,
    request: Option<Value>,
    response: Option<Value>,
}

/// Reads the examples of all calls.
pub fn read() -> BTreeMap<String, Examples> {
    let Ok(examples) = serde_json::from_str(EXAMPLES) else { unreachable!("examples.json is read in tests") };
    examples
}

impl Examples {
    /// Adds the examples to their places. A place without an example stays as it is.
    pub fn add_to(&self, operation: &mut Operation) {
        for parameter in operation.parameters.iter_mut().flatten() {
            if let RefOr::T(Parameter { name, schema: Some(RefOr::T(Schema::Object(schema))), .. }) = parameter {
                schema.examples = self.parameters.get(name).cloned().into_iter().collect();
            }
        }
        if let Some(RefOr::T(body)) = &mut operation.request_body {
            body.content.values_mut().for_each(|content| add(content, self.request.as_ref()));
        }
        for (status, response) in &mut operation.responses.responses {
            if let RefOr::T(response) = response
                && status.starts_with('2')
            {
                response.content.values_mut().for_each(|content| add(content, self.response.as_ref()));
            }
        }
    }
}

fn add(content: &mut RefOr<Content>, example: Option<&Value>) {
    if let RefOr::T(content) = content {
        content.example = example.cloned();
    }
}

/// An error as the server sends it. Without a `message`, the code says what happened.
pub fn error(code: &str, message: Option<&str>) -> Value {
    let mut words = code.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    json!({ "status": 0, "code": code, "message": message.unwrap_or(&words) })
}
