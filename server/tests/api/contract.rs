//! The HTTP contract: committed, up to date and complete.

mod described;
mod examples;

use std::collections::HashSet;

use serde_json::Value;
use visadesk::access::{Access, access_to};
use visadesk::app::router;
use visadesk::orders::rules::ProcessStatus::New;

use crate::intake::shop_key;
use crate::support::TestApp;
use crate::support::calls::calls;

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

#[test]
fn every_call_has_a_unique_name_a_summary_a_tag_its_security_and_its_errors() {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let tags: HashSet<&str> =
        contract["tags"].as_array().expect("tags").iter().filter_map(|tag| tag["name"].as_str()).collect();
    let mut names = HashSet::new();
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let name = operation["operationId"].as_str().unwrap_or_default();
            assert!(
                !name.is_empty() && names.insert(name.to_owned()),
                "{method} {path}: the name is missing or not unique"
            );
            assert!(operation["summary"].is_string(), "{name} has no summary");
            let tag = operation["tags"][0].as_str().unwrap_or_default();
            assert!(tags.contains(tag), "{name}: the tag {tag} is not described");
            let codes = |status: &str| codes(&operation["responses"][status]);
            let scheme = operation["security"][0].as_object().and_then(|one| one.keys().next()).map(String::as_str);
            let expected = match access_to(name).expect("the call is in the access table") {
                Access::Staff(_) => Some("staff_token"),
                Access::SalesSite(_) => Some("api_key"),
                Access::Visitor => Some("visitor_grant"),
                Access::Public | Access::RateLimited(_) => None,
            };
            assert_eq!(scheme, expected, "{name}");
            assert_eq!(scheme == Some("staff_token"), codes("401").contains(&"signed_out"), "{name}");
            for (status, response) in operation["responses"].as_object().expect("responses") {
                let is_error = !status.starts_with(['2', '3']);
                assert_eq!(is_error, !codes(status).is_empty(), "{name} {status}: errors, and only errors, have codes");
                let waits = response["headers"]["Retry-After"].is_object();
                assert_eq!(waits, status == "429" || status == "503", "{name} {status}");
            }
            let has_key = operation["parameters"].as_array().is_some_and(|parameters| {
                parameters.iter().any(|parameter| parameter["name"] == "Idempotency-Key" && parameter["in"] == "header")
            });
            assert_eq!(has_key, method == "post", "{name}");
        }
    }
}

/// The codes of an error response.
fn codes(response: &Value) -> Vec<&str> {
    let codes = response.pointer("/content/application~1json/schema/allOf/1/properties/code/enum");
    codes.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
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

/// The calls that are refused with the values of [`calls`] and a new order: they need a file, dates, an order in another status, or
/// values that fit each other. All others succeed.
const REFUSED: [&str; 58] = [
    "add_authenticator",
    "add_passkey",
    "add_phone_order",
    "add_team_member",
    "sign_in",
    "approve_refunds",
    "ask_for_papers",
    "begin_passkey_confirmation",
    "check_papers",
    "correct_order",
    "country_orders_csv",
    "decline_refunds",
    "defence_pack_details",
    "delete_team_member",
    "end_session",
    "file_application",
    "filing_kit",
    "get_defence_pack_pdf",
    "order_history",
    "look_at_finding",
    "look_at_visa",
    "make_portal_photograph",
    "make_recovery_codes",
    "move_order_status",
    "refund_orders",
    "save_paper_reason",
    "preview_paper_request",
    "processed_by_csv",
    "refuse_application",
    "remove_authenticator",
    "remove_passkey",
    "remove_second_factor",
    "resend_mail",
    "restore_orders",
    "revoke_api_key",
    "save_chargeback",
    "save_transaction_details",
    "search_orders",
    "set_paper_state",
    "begin_enrolment",
    "begin_passkey_sign_in",
    "begin_passkey_enrolment",
    "sign_in_second_factor",
    "take_back_refund",
    "find_team_member",
    "undo",
    "update_team_member",
    "upload_visa_document",
    "withdraw_paper_request",
    "withdraw_refunds",
    "confirm_tracking_code",
    "download_visa",
    "open_mailed_link",
    "send_paper_anyway",
    "track_order",
    "upload_paper",
    "create_order",
    "add_document",
];

#[tokio::test]
async fn every_json_response_has_a_status_and_a_message_in_its_body() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let key = shop_key(&test).await;
    let (mut refused, mut files) = (Vec::new(), Vec::new());
    for call in calls() {
        let caller = call.caller(&test, &key).await;
        let request = caller.request(call.method.clone(), &call.path).await;
        let answer = caller.send(call.body.iter().fold(request, reqwest::RequestBuilder::json)).await;
        if answer.status == 200 && answer.header("content-type") != "application/json" {
            files.push(call.name.as_str());
            continue;
        }
        assert_eq!(answer.json["status"], u8::from(answer.status == 200), "{}: {answer}", call.name);
        assert!(answer.json["message"].is_string(), "{}: {answer}", call.name);
        if answer.status != 200 {
            refused.push(call.name.as_str());
        }
    }
    assert_eq!(files, ["access_log_csv", "future_orders_csv", "orders_csv"], "responses that are not JSON");
    assert_eq!(refused, REFUSED);
}
