//! The proof of who one is that calls of consequence ask for.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::access::{Access, access_to};
use visadesk::app::router;
use visadesk::db::schema::audit;
use visadesk::staff::rules::StaffType::Admin;

use super::enrol;
use crate::support::{Client, PASSWORD, TestApp};

/// The code of the answer to a call that may ask for a proof.
async fn choose_gateway(desk: &Client<'_>) -> Value {
    desk.post("/admin/payment-gateway-setting", json!({ "gatewayId": "no number" })).await.json["code"].clone()
}

async fn confirm(desk: &Client<'_>, body: Value) -> Value {
    desk.post("/admin/confirm-identity", body).await.json["code"].clone()
}

#[tokio::test]
async fn nobody_is_asked_again_unless_the_settings_say_so() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.get("/user_info").await;
    test.later(TimeDelta::minutes(40));
    assert_ne!(choose_gateway(&ayu).await, "confirmation_required");
}

#[tokio::test]
async fn by_setting_everybody_confirms_with_the_password_after_half_an_hour() {
    let test = TestApp::start_with(|config| config.second_factor.confirm_actions = true).await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_ne!(choose_gateway(&ayu).await, "confirmation_required", "the sign-in is a proof");
    test.later(TimeDelta::minutes(30));
    assert_eq!(choose_gateway(&ayu).await, "confirmation_required");
    assert_eq!(ayu.get("/admin/payment-gateways").await.status, 200, "reading is no action");

    assert_eq!(confirm(&ayu, json!({ "password": "wrong" })).await, "wrong_password");
    assert_eq!(confirm(&ayu, json!({})).await, "wrong_password");
    assert_eq!(choose_gateway(&ayu).await, "confirmation_required");
    assert_eq!(confirm(&ayu, json!({ "password": PASSWORD })).await, Value::Null);
    assert_ne!(choose_gateway(&ayu).await, "confirmation_required");
    test.later(TimeDelta::minutes(30));
    assert_eq!(choose_gateway(&ayu).await, "confirmation_required", "for half an hour");
    let rows: Vec<String> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.like("staff.confirm%")).order(audit::audit_id);
            Ok(rows.select(audit::action).load(conn)?)
        })
        .await;
    assert_eq!(rows, ["staff.confirmation_failed", "staff.confirmation_failed", "staff.confirmed"]);
}

#[tokio::test]
async fn a_member_with_a_second_factor_always_confirms_with_it() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let (phone, codes) = enrol(&test, &ayu).await;
    test.later(TimeDelta::minutes(30));
    assert_eq!(choose_gateway(&ayu).await, "confirmation_required");
    assert_eq!(confirm(&ayu, json!({ "password": PASSWORD })).await, "second_factor_unreadable", "not the password");
    assert_eq!(confirm(&ayu, json!({ "code": "000000" })).await, "wrong_second_factor");
    assert_eq!(confirm(&ayu, json!({ "code": phone.code(&test) })).await, Value::Null);
    assert_ne!(choose_gateway(&ayu).await, "confirmation_required");
    test.later(TimeDelta::minutes(30));
    for own in ["begin-authenticator", "add-authenticator", "remove-authenticator", "make-recovery-codes"] {
        let answer = ayu.post(&format!("/admin/{own}"), json!({})).await;
        assert_eq!((answer.status, &answer.json["code"]), (403, &json!("confirmation_required")), "{own}");
    }
    assert_eq!(confirm(&ayu, json!({ "code": codes[0] })).await, Value::Null);
    assert_eq!(ayu.post("/admin/make-recovery-codes", json!({})).await.status, 200);
}

#[tokio::test]
async fn guessing_a_confirmation_has_to_wait() {
    let test = TestApp::start_with(|config| config.second_factor.confirm_actions = true).await;
    let ayu = test.as_staff(Admin, "Ayu");
    for _ in 0..5 {
        assert_eq!(confirm(&ayu, json!({ "password": "a guess" })).await, "wrong_password");
    }
    assert_eq!(confirm(&ayu, json!({ "password": PASSWORD })).await, "too_many_failures");
    assert_eq!(test.sign_in("ayu@visadesk.example", PASSWORD).await.status, 429, "one counter for one password");
}

/// The calls of staff in the contract that change the team, the gateway or API keys, or export a list, and the approval of refunds.
/// Apart from them the calls about the member's own second factor, which have rules of their own.
fn calls_of_consequence() -> (BTreeSet<String>, BTreeSet<String>) {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let (mut wanted, mut of_oneself) = (BTreeSet::from(["approve_refunds".to_owned()]), BTreeSet::new());
    for (method, operation) in
        contract["paths"].as_object().expect("paths").values().flat_map(|calls| calls.as_object().expect("calls"))
    {
        let name = operation["operationId"].as_str().expect("every call has a name");
        if !matches!(access_to(name), Some(Access::Staff(_))) {
            continue;
        }
        let tag = operation["tags"][0].as_str().expect("every call has a tag");
        let changes = method != "get" && ["Team", "Gateways", "API keys"].contains(&tag);
        let files = operation["responses"]["200"]["content"].as_object();
        let exports =
            files.is_some_and(|files| files.contains_key("text/csv") || files.contains_key("application/zip"));
        // The kit contains the files of one order, which its details open without a proof as well.
        if (changes || exports) && name != "filing_kit" {
            wanted.insert(name.to_owned());
        }
        if tag == "Second factor" {
            of_oneself.insert(name.to_owned());
        }
    }
    (wanted, of_oneself)
}

#[tokio::test]
async fn every_change_of_team_and_gateway_and_every_export_is_a_call_of_consequence() {
    let test = TestApp::start_with(|config| config.second_factor.confirm_actions = true).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.get("/user_info").await;
    test.later(TimeDelta::minutes(31));
    let (wanted, of_oneself) = calls_of_consequence();
    assert!(wanted.len() > 12, "{wanted:?}");
    let mut asked = BTreeSet::new();
    // Two calls would end the session.
    let calls = crate::access::staff_calls().into_iter().filter(|(.., id)| id != "sign_out" && id != "change_password");
    for (method, path, id) in calls.filter(|(.., id)| !of_oneself.contains(id)) {
        let answer = ayu.send(ayu.request(method, &path).await.json(&json!({}))).await;
        if answer.json["code"] == "confirmation_required" {
            asked.insert(id);
        }
    }
    assert_eq!(asked, wanted);
}
