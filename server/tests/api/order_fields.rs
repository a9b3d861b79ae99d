//! Every field of an order, each with a distinct value, reaches the details from the sales site and from an import.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use utoipa::PartialSchema;
use visadesk::intake::http::{AddPayment, CreateOrder};
use visadesk::staff::rules::StaffType::Team;

use crate::import::{file, run};
use crate::intake::shop;
use crate::support::TestApp;

/// An order with every field of the contract except `transaction_id`: the merchant name is given without it.
const EVERY_FIELD: &str = r#"{
    "external_reference": "WEB-77", "full_name": "Ann Mary Lee", "first_name": "Ann", "middle_name": "Mary",
    "last_name": "Lee", "contact_email_address": "contact@example.com", "user": { "email": "account@example.com" },
    "processing_mode": "Priority Processing", "processing_date": "2099-02-03", "country_code": "61",
    "phone_number": "412345678", "nationality": "Australia", "visa_type": "C1", "sex": "Female",
    "place_of_birth": "Perth", "date_of_birth": "1990-05-17", "passport_from": "New Zealand",
    "main_purpose_of_visit": "a main purpose", "sub_purpose_of_visit": "a sub-purpose", "stay_day": 59,
    "arrival_date": "2026-12-15",
    "document_type": "Ordinary Passport", "document_number": "PA1234567", "date_of_expiry": "2031-07-08",
    "issuing_place": "Auckland", "residence_type": "Hotel", "address": "1 Beach Road", "postal_code": "80361",
    "province": "Bali", "city": "Badung", "district": "Kuta", "village": "Legian",
    "immigration_office": "Ngurah Rai", "signature_name": "A. M. Lee", "merchant_name": "VISADESK*EVISA",
    "purchase_ip": "203.0.113.9", "user_agent": "Mozilla/5.0", "device_id": "device-0123456789",
    "three_d_secure": "authenticated", "terms_version": "2026-01", "terms_accepted_at": "2026-01-02T03:04:05Z",
    "payment": {
        "gateway": "Stripe", "payment_reference": "pay_1", "amount": "149.00", "currency": "USD",
        "card_brand": "Visa", "card_last_four": "4242", "paid_at": "2026-01-02T03:04:06Z"
    }
}"#;

fn every_field() -> Map<String, Value> {
    serde_json::from_str(EVERY_FIELD).unwrap()
}

/// Compares the details of the only order with [`EVERY_FIELD`].
async fn check_details(test: &TestApp) {
    let answer = test.as_staff(Team, "Budi").get("/admin/get-orders-details/100001").await;
    let details = answer.data();
    let mut sent = every_field();
    let nested = ["purchase_ip", "user_agent", "device_id", "three_d_secure", "terms_version", "terms_accepted_at"];
    for field in nested {
        assert_eq!(details["checkout"][field], sent.remove(field).unwrap(), "{field}");
    }
    let payment = sent.remove("payment").unwrap();
    for (field, value) in payment.as_object().unwrap() {
        let (field, value) = if field == "amount" { ("amount_minor", &json!(14_900)) } else { (field.as_str(), value) };
        assert_eq!(&details["payment"][field], value, "{field}");
    }
    for (field, value) in sent {
        assert_eq!(details[&field], value, "{field}");
    }
    assert_eq!(details["transaction_id"], Value::Null);
}

/// Flattens nested fields to dotted names, with the values as text.
fn flat(fields: &Map<String, Value>) -> Vec<(String, String)> {
    let flat = fields.iter().flat_map(|(name, value)| match value {
        Value::Object(inner) => {
            flat(inner).into_iter().map(|(field, value)| (format!("{name}.{field}"), value)).collect()
        }
        Value::String(text) => vec![(name.clone(), text.clone())],
        other => vec![(name.clone(), other.to_string())],
    });
    flat.collect()
}

#[test]
fn every_contract_field_has_a_distinct_test_value() {
    let names = |schema: Value| schema["properties"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let mut expected = names(serde_json::to_value(CreateOrder::schema()).unwrap());
    assert!(expected.remove("transaction_id"));
    let sent = every_field();
    assert_eq!(sent.keys().cloned().collect::<BTreeSet<_>>(), expected);
    let expected = names(serde_json::to_value(AddPayment::schema()).unwrap());
    assert_eq!(sent["payment"].as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>(), expected);
    let values = flat(&sent);
    let distinct: BTreeSet<&String> = values.iter().map(|(_, value)| value).collect();
    assert_eq!(distinct.len(), values.len());
}

#[tokio::test]
async fn every_field_from_the_sales_site_is_in_the_details() {
    let test = TestApp::start().await;
    let answer = shop(&test).await.post("/intake/orders", Value::Object(every_field())).await;
    assert_eq!(answer.status, 200, "{answer}");
    check_details(&test).await;
}

#[tokio::test]
async fn every_field_of_an_imported_row_is_in_the_details() {
    let ndjson = Value::Object(every_field()).to_string();
    let fields = flat(&every_field());
    let line = |cell: fn(&(String, String)) -> &str| fields.iter().map(cell).collect::<Vec<_>>().join(",");
    let csv = format!("{}\n{}\n", line(|field| &field.0), line(|field| &field.1));
    for (name, content) in [("orders.ndjson", ndjson), ("orders.csv", csv)] {
        let test = TestApp::start().await;
        let (summary, report) = run(&test, file(&test, name, content), false).await;
        assert_eq!((summary.added, report.as_str()), (1, ""), "{name}");
        check_details(&test).await;
    }
}

#[tokio::test]
async fn an_imported_transaction_id_without_a_merchant_is_in_the_details() {
    let test = TestApp::start().await;
    let mut row = every_field();
    row.remove("merchant_name");
    row.insert("transaction_id".into(), json!("ch_1"));
    let (summary, report) = run(&test, file(&test, "orders.ndjson", Value::Object(row).to_string()), false).await;
    assert_eq!((summary.added, report.as_str()), (1, ""));
    let answer = test.as_staff(Team, "Budi").get("/admin/get-orders-details/100001").await;
    assert_eq!((&answer.data()["transaction_id"], &answer.data()["merchant_name"]), (&json!("ch_1"), &Value::Null));
}
