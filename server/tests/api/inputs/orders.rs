//! Orders of a sales site, taken in over HTTP.

use axum::http::{Method, header};
use reqwest::Body;
use serde_json::{Map, Value as Json, json};
use toml::Value;
use visadesk::audit::store::Actor;
use visadesk::intake::keys;
use visadesk::intake::rules::keys::{KeyLimits, NewKey};
use visadesk::staff::rules::StaffType::Admin;

use super::Case;
use crate::support::{Client, TestApp};

/// The keys of a sales site.
pub struct Shop {
    key: String,
    strict_key: String,
}

impl Shop {
    pub async fn open(test: &TestApp) -> Shop {
        Shop { key: new_key(test, false).await, strict_key: new_key(test, true).await }
    }

    pub fn desk<'a>(&self, test: &'a TestApp) -> Client<'a> {
        test.with_api_key(&self.key)
    }
}

async fn new_key(test: &TestApp, is_strict: bool) -> String {
    let (key, now) = (keys::generate(), test.clock.now());
    let stored = key.clone();
    test.write(move |tx| {
        let limits = KeyLimits { is_strict, ..KeyLimits::default() };
        let name = if is_strict { "strict" } else { "lenient" };
        let new = NewKey { limits, ..NewKey::unlimited(name)? };
        keys::add(tx, &new, &stored, &Actor::program("a test"), now)
    })
    .await;
    key
}

pub async fn faults(case: &Case, test: &TestApp, shop: &Shop) -> Vec<String> {
    let given = |name: &str| case.given.get(name);
    let is = |name: &str| given(name).and_then(Value::as_bool).unwrap_or(false);
    let key = if is("strict") { &shop.strict_key } else { &shop.key };
    let desk = test.with_api_key(key);
    let mut body = body(case).to_string().into_bytes();
    if is("byte_order_mark") {
        body.splice(0..0, "\u{feff}".bytes());
    }
    let text = |name: &str, usual: &str| given(name).and_then(Value::as_str).unwrap_or(usual).to_owned();
    let mut request = desk.request(Method::POST, "/api/intake/orders").await;
    request = request.header(header::CONTENT_TYPE, text("content_type", "application/json"));
    if let Some(encoding) = given("content_encoding").and_then(Value::as_str) {
        request = request.header(header::CONTENT_ENCODING, encoding);
    }
    let chunks: Vec<std::io::Result<Vec<u8>>> = body.chunks(7).map(|chunk| Ok(chunk.to_vec())).collect();
    let body = if is("chunked") { Body::wrap_stream(futures_util::stream::iter(chunks)) } else { Body::from(body) };
    let answer = desk.send(request.body(body)).await;

    if let Some(status) = case.expected.get("status").and_then(Value::as_integer) {
        return (i64::from(answer.status) != status).then(|| format!("{answer}")).into_iter().collect();
    }
    if let Some(refused) = case.expected.get("refused") {
        let refused: Vec<&str> = refused.as_array().expect("fields").iter().filter_map(Value::as_str).collect();
        let errors = answer.data()["errors"].as_array().cloned().unwrap_or_default();
        let found: Vec<&str> = errors.iter().filter_map(|error| error["field"].as_str()).collect();
        return (answer.status != 422 || !same(&found, &refused)).then(|| format!("{answer}")).into_iter().collect();
    }
    if answer.status != 200 {
        return vec![format!("it is not taken in: {answer}")];
    }
    let order_id = answer.data()["order_id"].as_i64().expect("a number");
    let details = test.as_staff(Admin, "Ayu").get(&format!("/admin/get-orders-details/{order_id}")).await;
    let kept: Map<String, Json> = details.data()["kept_values"]
        .as_array()
        .expect("values")
        .iter()
        .map(|kept| (kept["field"].as_str().expect("a name").to_owned(), kept.clone()))
        .collect();
    let mut faults = Vec::new();
    let expected = |part: &str| case.expected.get(part).and_then(Value::as_table).cloned().unwrap_or_default();
    for (field, value) in expected("stored") {
        let stored = stored(details.data(), &field);
        if stored != value.as_str().expect("a text") {
            faults.push(format!("{field} is {stored:?}, kept {:?}", kept.get(&field)));
        }
    }
    for (field, value) in expected("kept") {
        let is_kept = kept
            .get(&field)
            .is_some_and(|kept| kept["value"] == value.as_str().unwrap_or_default() && kept["is_open"] == true);
        let is_warned = answer.data()["warnings"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["field"] == field.as_str()));
        if !is_kept || !is_warned {
            faults.push(format!(
                "{field} is not kept: {:?}, stored {:?}, {answer}",
                kept.get(&field),
                stored(details.data(), &field)
            ));
        }
    }
    let open: Vec<&str> =
        kept.values().filter(|kept| kept["is_open"] == true).filter_map(|kept| kept["field"].as_str()).collect();
    let named = expected("kept");
    faults
        .extend(open.iter().filter(|field| !named.contains_key(**field)).map(|field| format!("{field} is kept, too")));
    faults
}

fn same(one: &[&str], other: &[&str]) -> bool {
    let sorted = |all: &[&str]| {
        let mut all: Vec<String> = all.iter().map(|&one| one.to_owned()).collect();
        all.sort();
        all
    };
    sorted(one) == sorted(other)
}

/// A valid order with the fields of the case.
fn body(case: &Case) -> Json {
    let mut body = json!({
        "full_name": "Ann Lee", "contact_email_address": "ann@shop.example", "processing_mode": "Regular Processing",
    });
    let given = case.given.get("body").and_then(Value::as_table).cloned().unwrap_or_default();
    for (field, value) in given {
        body[field] = serde_json::to_value(value).expect("JSON");
    }
    body
}

/// A value as the details show it.
pub fn stored(details: &Json, field: &str) -> String {
    let in_evidence = ["purchase_ip", "terms_accepted_at"].contains(&field);
    let value = match field {
        "phone_digits" => return phone_digits(details),
        "payment.paid_at" => &details["payment"]["paid_at"],
        field if in_evidence => &details["checkout"][field],
        field => &details[field],
    };
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn phone_digits(details: &Json) -> String {
    use visadesk::orders::rules::phone::Phone;
    let phone = Phone::read(details["country_code"].as_str(), details["phone_number"].as_str());
    phone.and_then(|phone| phone.digits()).unwrap_or_default()
}
