//! The proof of who one is that calls of consequence ask for.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::access::CONFIRMED;
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

#[tokio::test]
async fn every_change_of_team_and_gateway_and_every_export_is_a_call_of_consequence() {
    let test = TestApp::start_with(|config| config.second_factor.confirm_actions = true).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.get("/user_info").await;
    test.later(TimeDelta::minutes(31));
    let mut asked = Vec::new();
    // Two calls would end the session.
    let calls = crate::access::staff_calls().into_iter().filter(|(.., id)| id != "sign_out" && id != "change_password");
    for (method, path, id) in calls {
        let answer = ayu.send(ayu.request(method, &path).await.json(&json!({}))).await;
        if answer.json["code"] == "confirmation_required" && CONFIRMED.contains(&id.as_str()) {
            asked.push(id);
        }
    }
    let mut wanted: Vec<&str> = CONFIRMED.to_vec();
    wanted.sort_unstable();
    asked.sort_unstable();
    assert_eq!(asked, wanted);
}
