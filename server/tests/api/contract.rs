//! The HTTP contract: committed, up to date and complete.

mod complete;
mod described;
mod examples;

use std::collections::BTreeMap;

use serde_json::Value;
use visadesk::app::router;
use visadesk::orders::status::ProcessStatus::New;

use crate::intake::shop_key;
use crate::support::TestApp;
use crate::support::calls::calls;
use crate::support::expected_calls::{FILE, expected_calls};

/// The committed contract. `VISADESK_TEST_UPDATE=1` updates it, as `cargo xtask gen` does.
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../contract/openapi.json");

#[test]
fn the_committed_contract_matches_the_handlers() {
    let generated = router::contract().to_pretty_json().expect("the contract is JSON") + "\n";
    if std::env::var_os("VISADESK_TEST_UPDATE").is_some() {
        std::fs::write(COMMITTED, &generated).expect("the contract can be written");
    }
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(generated == committed, "contract/openapi.json is stale: run `cargo xtask gen` and commit the result");
}

/// The calls that the customer's specification lists in §7.
const SPECIFIED: [&str; 29] = [
    "POST /admin/admin-login",
    "GET /user_info",
    "POST /admin/change-password",
    "GET /admin/get-all-folder-count",
    "GET /admin/get-orders-list/{orderName}",
    "PUT /admin/change-order-status",
    "POST /admin/get-country-order-list",
    "PUT /admin/move-to-complete-refund",
    "POST /admin/search-order",
    "PUT /admin/move-order-status",
    "GET /admin/get-orders-details/{orderId}",
    "POST /admin/upload-visa-document",
    "POST /admin/resend-mail",
    "POST /admin/get-defence-pack-pdf",
    "POST /admin/defence-pack-details",
    "POST /admin/get-processed-by-count",
    "PUT /admin/assign-order-status",
    "GET /admin/payment-gateways",
    "POST /admin/payment-gateway-setting",
    "GET /admin/get-team-member-list",
    "POST /admin/add-team-member",
    "PUT /admin/delete-team-member",
    "GET /admin/team-member-info/{id}",
    "POST /admin/update-team-member",
    "GET /admin/get-team-member-type",
    "POST /admin/add-new-remark",
    "POST /front/track-order",
    "POST /front/get-download-history",
    "POST /front/download-passport-doc-pdf",
];

#[test]
fn every_call_of_the_specification_exists_with_its_method_and_path() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    for call in SPECIFIED {
        let (method, path) = call.split_once(' ').expect("a method and a path");
        let operation = &contract["paths"][format!("/api{path}")][method.to_lowercase()];
        assert!(operation.is_object(), "{call} is not in the contract");
    }
}

#[test]
fn every_path_of_the_contract_begins_with_the_base_path() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let paths = contract["paths"].as_object().expect("paths");
    assert!(paths.len() > 100, "{} paths", paths.len());
    let elsewhere: Vec<&String> = paths.keys().filter(|path| !path.starts_with("/api/")).collect();
    assert_eq!(elsewhere, [""; 0]);
    assert_eq!(contract["servers"], Value::Null, "no other base path is put before them");
}

#[tokio::test]
async fn every_json_response_has_a_status_and_a_message_in_its_body() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let key = shop_key(&test).await;
    let mut answers = BTreeMap::new();
    for call in calls() {
        let caller = call.caller(&test, &key).await;
        let request = caller.request(call.method.clone(), &call.path).await;
        let answer = caller.send(call.body.iter().fold(request, reqwest::RequestBuilder::json)).await;
        if answer.status == 200 && answer.header("content-type") != "application/json" {
            answers.insert(call.name.as_str(), "file");
            continue;
        }
        assert_eq!(answer.json["status"], u8::from(answer.status == 200), "{}: {answer}", call.name);
        assert!(answer.json["message"].is_string(), "{}: {answer}", call.name);
        answers.insert(&call.name, if answer.status == 200 { "ok" } else { "refused" });
    }
    let expected: BTreeMap<&str, &str> = expected_calls().iter().map(|(name, row)| (*name, row.sample)).collect();
    assert_eq!(answers, expected, "{FILE}");
}
