//! Every call of the contract, with a body that matches its schema.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};
use visadesk::access::{Access, access_to};
use visadesk::app::router;
use visadesk::staff::rules::StaffType;

use super::{Client, TestApp};

/// A call of the contract.
pub struct Call {
    pub name: String,
    pub method: reqwest::Method,
    /// The path with a valid value for each parameter.
    pub path: String,
    /// The path in the contract: `/api/…/{orderId}`.
    pub template: String,
    /// The names of the query parameters.
    pub query: Vec<String>,
    /// A valid body, if the call has a JSON body.
    pub body: Option<Value>,
    pub access: Access,
}

/// Every call of the contract.
pub fn calls() -> &'static [Call] {
    static CALLS: LazyLock<Vec<Call>> = LazyLock::new(read);
    &CALLS
}

fn read() -> Vec<Call> {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let mut calls = Vec::new();
    for (template, methods) in contract["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let name = operation["operationId"].as_str().expect("every call has a name").to_owned();
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let query = parameters.iter().filter(|parameter| parameter["in"] == "query");
            calls.push(Call {
                method: method.to_uppercase().parse().expect("a method"),
                path: with_valid_parameters(template),
                template: template.clone(),
                query: query.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned)).collect(),
                body: schema.is_object().then(|| sample(&contract, schema, "")),
                access: access_to(&name).unwrap_or_else(|| panic!("{name} is not in the access table")),
                name,
            });
        }
    }
    assert!(calls.len() > 15, "the contract has calls");
    calls
}

/// The committed examples of requests and responses, by operation id.
const EXAMPLES: &str = include_str!("../../../../contract/examples.json");

/// The example of the call's request, with this order in place of its own.
pub fn example_for(call: &str, order: i64) -> Option<Value> {
    static READ: LazyLock<Map<String, Value>> =
        LazyLock::new(|| serde_json::from_str(EXAMPLES).expect("examples.json is an object"));
    let mut body = READ.get(call)?.get("request")?.clone();
    match body.get_mut("orderId") {
        Some(Value::Array(selected)) => *selected = vec![json!(order)],
        Some(other) => *other = json!(order),
        None => {}
    }
    Some(body)
}

impl Call {
    /// The path with a number that no order, member or document has in place of each parameter.
    pub fn path_to_nothing(&self) -> String {
        let parts = self.template.split('/').map(|part| if part.starts_with('{') { "999999" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    /// A client that may make the call: an Admin, the sales site, the applicant of order 100001, or anonymous.
    pub async fn caller<'a>(&self, test: &'a TestApp, api_key: &str) -> Client<'a> {
        match self.access {
            Access::Staff(_) => test.as_staff(StaffType::Admin, "Ayu"),
            Access::SalesSite(_) => test.with_api_key(api_key),
            Access::Visitor => test.as_visitor(100_001).await,
            Access::Public | Access::RateLimited(_) => test.anonymous(),
        }
    }
}

fn with_valid_parameters(template: &str) -> String {
    let valid_value = |part: &str| match part {
        "{orderName}" => "newOrder".to_owned(),
        "{kind}" => "passport_picture".to_owned(),
        part if part.starts_with('{') => "100001".to_owned(),
        part => part.to_owned(),
    };
    template.split('/').map(valid_value).collect::<Vec<_>>().join("/")
}

/// A value that matches `schema`. `name` is its key in the body.
fn sample(contract: &Value, schema: &Value, name: &str) -> Value {
    if let Some(value) = well_known(name) {
        return value;
    }
    if let Some(path) = schema["$ref"].as_str() {
        let target = contract.pointer(path.trim_start_matches('#')).expect("the schema exists");
        return sample(contract, target, name);
    }
    for choice in ["oneOf", "anyOf", "allOf"] {
        if let Some(choices) = schema[choice].as_array() {
            let chosen = choices.iter().find(|one| one["type"] != "null").expect("a choice");
            return sample(contract, chosen, name);
        }
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null")),
        kind => kind.as_str(),
    };
    match (kind, schema["format"].as_str()) {
        (Some("object"), _) => {
            let fields = schema["properties"].as_object().cloned().unwrap_or_default();
            let fields = fields.iter().map(|(key, schema)| (key.clone(), sample(contract, schema, key)));
            Value::Object(fields.collect::<Map<String, Value>>())
        }
        (Some("array"), _) => json!([sample(contract, &schema["items"], "")]),
        (Some("integer" | "number"), _) => json!(1),
        (Some("boolean"), _) => json!(true),
        (Some("string"), Some("date")) => json!("2031-05-01"),
        (Some("string"), Some("date-time")) => json!("2026-01-02T03:04:05Z"),
        _ => json!("text"),
    }
}

/// Fields whose valid values the schema does not describe.
fn well_known(name: &str) -> Option<Value> {
    Some(match name {
        "orderId" => json!(100_001),
        "folderName" => json!("newOrder"),
        "processing_mode" => json!("Regular Processing"),
        "email" | "contact_email_address" => json!("dewi@desk.example"),
        "name" => json!("Dewi"),
        "password" | "newPassword" => json!("a fine password"),
        "gatewayId" => json!(1),
        // No key: the calls that follow are made with one.
        "apiKeyId" => json!(999_999),
        "expires" => json!("2031-05-01"),
        "networks" => json!("127.0.0.1"),
        "fromDate" | "toDate" => json!("2026-01-31"),
        "assignto" => json!("Ayu"),
        "amount" => json!("149.00"),
        "currency" => json!("USD"),
        "card_last_four" => json!("4242"),
        "purchase_ip" => json!("203.0.113.9"),
        "date_of_birth" => json!("1990-05-17"),
        "visa_type" => json!("C1"),
        "whatsapp" | "telephone" | "statusRefund" | "voided" | "chargeBack" => json!("Y"),
        _ => return None,
    })
}

/// The JSON pointers of every field and item in a body, and of the body itself.
pub fn places(body: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, into: &mut Vec<String>) {
        into.push(at.to_owned());
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(key, field)| walk(field, &format!("{at}/{key}"), into));
            }
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| walk(item, &format!("{at}/{index}"), into));
            }
            _ => {}
        }
    }
    let mut places = Vec::new();
    walk(body, "", &mut places);
    places
}

/// The body with `value` at `place`.
pub fn with_value(body: &Value, place: &str, value: &Value) -> Value {
    let mut changed = body.clone();
    *changed.pointer_mut(place).expect("the place exists") = value.clone();
    changed
}
