//! Passkeys: adding and removing them, and signing in and confirming with one.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::{Value, json};
use visadesk::db::schema::{passkey_ceremonies, passkeys};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use super::device::Device;
use super::{EMAIL, actions, challenge, enrol, second_step};
use crate::support::program::Installation;
use crate::support::{Answer, Client, PASSWORD, TestApp};

/// Adds a passkey of a new device. Returns it and the recovery codes that were made.
pub async fn add_passkey(desk: &Client<'_>, name: &str) -> (Device, Vec<Value>) {
    let device = Device::new();
    let added = answer_registration(desk, &device, name).await;
    assert_eq!(added.status, 200, "{added}");
    (device, added.data()["recovery_codes"].as_array().expect("codes").clone())
}

async fn answer_registration(desk: &Client<'_>, device: &Device, name: &str) -> Answer {
    let begun = desk.post("/admin/begin-passkey", json!({})).await;
    let credential = device.create(&begun.data()["options"]);
    desk.post("/admin/add-passkey", json!({ "name": name, "credential": credential })).await
}

/// The options for a passkey to finish that sign-in with.
async fn options(test: &TestApp, challenge: &str) -> Value {
    let begun = test.anonymous().post("/admin/sign-in-passkey", json!({ "challenge": challenge })).await;
    assert_eq!(begun.status, 200, "{begun}");
    begun.data()["options"].clone()
}

async fn finish(test: &TestApp, challenge: &str, passkey: &Value) -> Answer {
    test.anonymous().post("/admin/sign-in-second-factor", json!({ "challenge": challenge, "passkey": passkey })).await
}

/// The status of a confirmation.
async fn confirm(node: &TestApp, token: &str, body: &Value) -> u16 {
    node.with_token(token).post("/admin/confirm-identity", body.clone()).await.status
}

/// Signs in with the password and the device.
async fn sign_in(test: &TestApp, device: &Device) -> Answer {
    let open = challenge(test, EMAIL).await;
    let passkey = device.sign(&options(test, &open).await);
    finish(test, &open, &passkey).await
}

#[tokio::test]
async fn a_member_with_a_passkey_signs_in_with_password_and_passkey() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (device, codes) = add_passkey(&budi, "Work laptop").await;
    assert_eq!(codes.len(), 10, "a passkey alone is a second factor");
    let (_, more) = add_passkey(&budi, "Phone").await;
    assert_eq!(more, [] as [Value; 0], "the codes are made with the first one");

    let refused = test.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(refused.data()["methods"], json!(["recovery_code", "passkey"]));
    assert_eq!(refused.message(), "Please use your passkey");
    test.later(TimeDelta::minutes(5));
    let answer = sign_in(&test, &device).await;
    assert_eq!((answer.status, &answer.json["recovery_codes_left"]), (200, &json!(10)), "{answer}");
    let token = answer.json["jwtToken"].as_str().expect("a token");
    let state = test.with_token(token).get("/admin/second-factor").await.data().clone();
    assert_eq!(state["passkeys_offered"], true);
    let shown: Vec<_> = state["passkeys"]
        .as_array()
        .expect("passkeys")
        .iter()
        .map(|it| (&it["name"], it["last_used_at"].is_null()))
        .collect();
    assert_eq!(shown, [(&json!("Work laptop"), false), (&json!("Phone"), true)]);
    assert_eq!(
        second_step(&test, &challenge(&test, EMAIL).await, codes[0].as_str().expect("a code")).await.status,
        200
    );
    assert_eq!(
        actions(&test).await[..4],
        [
            ("staff.passkey_added".into(), Some("Work laptop".into())),
            ("staff.passkey_added".into(), Some("Phone".into())),
            ("staff.sign_in_challenged".into(), None),
            ("staff.sign_in".into(), Some("passkey".into())),
        ]
    );
}

#[tokio::test]
async fn an_answer_counts_only_for_the_origin_the_challenge_and_the_member_it_was_made_for() {
    let test = TestApp::start().await;
    let (mut device, _) = add_passkey(&test.as_staff(Team, "Budi"), "Laptop").await;
    let (stranger, _) = add_passkey(&test.as_staff(Team, "Citra"), "Laptop").await;
    let open = challenge(&test, EMAIL).await;
    let earlier = options(&test, &open).await;

    device.origin = "http://localhost:8081".into();
    let elsewhere = device.sign(&options(&test, &open).await);
    assert_eq!(finish(&test, &open, &elsewhere).await.json["code"], "wrong_passkey", "a page at another address");
    device.origin = Device::new().origin;
    assert_eq!(
        finish(&test, &open, &device.sign(&earlier)).await.json["code"],
        "passkey_ceremony_ended",
        "the browser was asked for one answer, and gave it"
    );
    let _ = options(&test, &open).await;
    assert_eq!(
        finish(&test, &open, &device.sign(&earlier)).await.json["code"],
        "wrong_passkey",
        "an earlier challenge"
    );
    let asked = options(&test, &open).await;
    assert_eq!(
        finish(&test, &open, &stranger.sign(&asked)).await.json["code"],
        "wrong_passkey",
        "another member's key"
    );
    let asked = options(&test, &open).await;
    assert_eq!(finish(&test, &open, &json!({ "id": 7 })).await.json["code"], "passkey_unreadable");
    assert_eq!(finish(&test, &open, &device.sign(&asked)).await.status, 200, "what cannot be read is no try");

    let failures: Vec<_> =
        actions(&test).await.into_iter().filter(|(action, _)| action == "staff.sign_in_failed").collect();
    assert_eq!(failures, vec![("staff.sign_in_failed".into(), Some("Budi, wrong passkey".into())); 3]);
}

#[tokio::test]
async fn an_answer_counts_once_even_for_two_nodes_at_the_same_time() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (device, _) = add_passkey(&budi, "Laptop").await;
    let other = test.another_node().await;
    let open = challenge(&test, EMAIL).await;
    let passkey = device.sign(&options(&other, &open).await);
    let answers = join_all([&test, &other].map(|node| finish(node, &open, &passkey))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert!(statuses == [200, 401] || statuses == [200, 409], "{answers:?}");

    let next = challenge(&test, EMAIL).await;
    let _ = options(&test, &next).await;
    assert_eq!(finish(&test, &next, &passkey).await.json["code"], "wrong_passkey", "nor for another sign-in");

    let token = budi.token().await;
    let begun = budi.post("/admin/begin-passkey-confirmation", json!({})).await;
    let body = json!({ "passkey": device.sign(&begun.data()["options"]) });
    let mut statuses = join_all([&test, &other, &test, &other].map(|node| confirm(node, token, &body))).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409], "one confirmation");
}

#[tokio::test]
async fn five_wrong_passkeys_end_the_sign_in_and_an_answer_waits_ten_minutes_at_most() {
    let test = TestApp::start().await;
    let (device, _) = add_passkey(&test.as_staff(Team, "Budi"), "Laptop").await;
    let open = challenge(&test, EMAIL).await;
    for _ in 0..5 {
        let asked = options(&test, &open).await;
        assert_eq!(finish(&test, &open, &Device::new().sign(&asked)).await.json["code"], "wrong_passkey");
        test.later(TimeDelta::seconds(3));
    }
    assert_eq!(finish(&test, &open, &json!({})).await.json["code"], "challenge_ended");

    test.later(TimeDelta::minutes(15));
    let budi = test.as_staff(Team, "Budi");
    let begun = budi.post("/admin/begin-passkey", json!({})).await.data()["options"].clone();
    test.later(TimeDelta::minutes(10));
    let body = json!({ "name": "Late", "credential": Device::new().create(&begun) });
    assert_eq!(budi.post("/admin/add-passkey", body).await.json["code"], "passkey_ceremony_ended");
    assert_eq!(sign_in(&test, &device).await.status, 200);
    test.later(TimeDelta::minutes(10));
    visadesk::app::maintenance::delete_expired(&test.app).await.expect("the maintenance");
    let rows: i64 = test.read(|conn| Ok(passkey_ceremonies::table.count().get_result(conn)?)).await;
    assert_eq!(rows, 0);
}

#[tokio::test]
async fn a_passkey_whose_counter_goes_back_is_refused_and_named_in_the_audit() {
    let test = TestApp::start().await;
    let (mut device, _) = add_passkey(&test.as_staff(Team, "Budi"), "Key ring").await;
    device.counter = 7;
    assert_eq!(sign_in(&test, &device).await.status, 200);
    for counter in [7, 6, 0] {
        device.counter = counter;
        let refused = sign_in(&test, &device).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!("copied_passkey")), "{refused}");
    }
    // Two answers that were verified against the same counter: the second one is decided under the lock.
    device.counter = 9;
    let (one, other) = (challenge(&test, EMAIL).await, challenge(&test, EMAIL).await);
    let (first, second) = (options(&test, &one).await, options(&test, &other).await);
    assert_eq!(finish(&test, &one, &device.sign(&first)).await.status, 200);
    assert_eq!(finish(&test, &other, &device.sign(&second)).await.json["code"], "copied_passkey");
    device.counter = 10;
    assert_eq!(sign_in(&test, &device).await.status, 200);
    let copied: Vec<_> =
        actions(&test).await.into_iter().filter(|(action, _)| action == "staff.passkey_copied").collect();
    assert_eq!(copied, vec![("staff.passkey_copied".into(), Some("Key ring".into())); 4]);
}

#[tokio::test]
async fn a_passkey_confirms_calls_of_consequence() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    let (device, _) = add_passkey(&ayu, "Laptop").await;
    test.later(TimeDelta::minutes(30));
    let remove = json!({ "id": 1 });
    for (call, body) in [("begin-passkey", json!({})), ("add-passkey", json!({})), ("remove-passkey", remove.clone())] {
        assert_eq!(ayu.post(&format!("/admin/{call}"), body).await.json["code"], "confirmation_required", "{call}");
    }
    let begin = async || ayu.post("/admin/begin-passkey-confirmation", json!({})).await.data()["options"].clone();
    let confirm = async |passkey: Value| {
        let answer = ayu.post("/admin/confirm-identity", json!({ "passkey": passkey })).await;
        answer.json["code"].clone()
    };
    let asked = begin().await;
    assert_eq!(confirm(Device::new().sign(&asked)).await, "wrong_passkey");
    assert_eq!(confirm(device.sign(&asked)).await, "passkey_ceremony_ended", "one answer for each request");
    assert_eq!(confirm(device.sign(&begin().await)).await, Value::Null);
    let id = ayu.get("/admin/second-factor").await.data()["passkeys"][0]["id"].clone();
    assert_eq!(ayu.post("/admin/remove-passkey", json!({ "id": id })).await.status, 200);
    let begun = ayu.post("/admin/begin-passkey-confirmation", json!({})).await;
    assert_eq!((begun.status, &begun.json["code"]), (409, &json!("no_passkey")), "{begun}");
}

#[tokio::test]
async fn what_is_no_new_passkey_is_refused() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (known, _) = add_passkey(&budi, "Laptop").await;
    let code = async |device: &Device, name: &str| answer_registration(&budi, device, name).await.json["code"].clone();
    assert_eq!(code(&Device::new(), " ").await, "passkey_name_missing");
    assert_eq!(code(&Device::new(), &"n".repeat(61)).await, "text_too_long");
    assert_eq!(code(&Device::new(), "Lap\u{1}top").await, "invisible_characters");
    let mut elsewhere = Device::new();
    elsewhere.origin = "https://elsewhere.example".into();
    assert_eq!(code(&elsewhere, "Far").await, "passkey_refused");
    assert_eq!(code(&known, "Again").await, "passkey_refused", "the device was told not to");
    let citra = test.as_staff(Team, "Citra");
    assert_eq!(answer_registration(&citra, &known, "Taken").await.json["code"], "passkey_known", "another member's");
    let body = json!({ "name": "Without", "credential": null });
    assert_eq!(budi.post("/admin/add-passkey", body).await.json["code"], "passkey_unreadable");
    assert_eq!(budi.post("/admin/remove-passkey", json!({ "id": 99 })).await.json["code"], "passkey_not_found");
    for name in 2..=10 {
        assert_eq!(code(&Device::new(), &name.to_string()).await, Value::Null);
    }
    let full = budi.post("/admin/begin-passkey", json!({})).await;
    assert_eq!((full.status, &full.json["code"]), (409, &json!("too_many_passkeys")), "{full}");
    let others = citra.post("/admin/remove-passkey", json!({ "id": 1 })).await;
    assert_eq!(others.json["code"], "passkey_not_found", "another member's");
}

#[tokio::test]
async fn without_https_passkeys_are_not_offered_and_those_that_exist_still_ask_for_a_second_factor() {
    let test = TestApp::start().await;
    let (device, codes) = add_passkey(&test.as_staff(Team, "Budi"), "Laptop").await;
    let moved = test.another_node_with(|config| config.public_url = "http://desk.agency.example".into()).await;
    let budi = moved.as_staff(Team, "Budi");
    assert_eq!(budi.get("/admin/second-factor").await.data()["passkeys_offered"], false);
    let open = challenge(&moved, EMAIL).await;
    let refused = moved.sign_in(EMAIL, PASSWORD).await;
    assert_eq!(refused.data()["methods"], json!(["recovery_code"]), "the password alone is still not enough");
    let asked = options(&test, &open).await;
    for answer in [
        budi.post("/admin/begin-passkey", json!({})).await,
        budi.post("/admin/add-passkey", json!({ "name": "Phone", "credential": {} })).await,
        budi.post("/admin/begin-passkey-confirmation", json!({})).await,
        moved.anonymous().post("/admin/sign-in-passkey", json!({ "challenge": open })).await,
        finish(&moved, &open, &device.sign(&asked)).await,
    ] {
        assert_eq!((answer.status, &answer.json["code"]), (409, &json!("passkeys_not_offered")), "{answer}");
    }
    assert_eq!(second_step(&moved, &open, codes[0].as_str().expect("a code")).await.status, 200);
}

#[tokio::test]
async fn recovery_codes_go_with_the_last_second_factor() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let left = async || budi.get("/admin/second-factor").await.data()["recovery_codes_left"].clone();
    let (_, codes) = add_passkey(&budi, "Laptop").await;
    let begun = budi.post("/admin/begin-authenticator", json!({})).await;
    let phone = super::Phone::scan(begun.data());
    let body = json!({ "enrolment": begun.data()["enrolment"], "code": phone.code(&test) });
    let added = budi.post("/admin/add-authenticator", body).await;
    assert_eq!((added.status, &added.data()["recovery_codes"]), (200, &json!([])), "the first ones stay");
    assert_eq!(
        second_step(&test, &challenge(&test, EMAIL).await, codes[9].as_str().expect("a code")).await.status,
        200
    );

    let id = budi.get("/admin/second-factor").await.data()["passkeys"][0]["id"].clone();
    assert_eq!(budi.post("/admin/remove-passkey", json!({ "id": id })).await.status, 200);
    assert_eq!(left().await, 9, "the app still needs them");
    assert_eq!(budi.post("/admin/remove-authenticator", json!({})).await.status, 200);
    assert_eq!(left().await, 0);
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200);

    enrol(&test, &budi).await;
    let (_, none) = add_passkey(&budi, "Laptop").await;
    assert_eq!(none, [] as [Value; 0]);
    assert_eq!(budi.post("/admin/remove-authenticator", json!({})).await.status, 200);
    assert_eq!(left().await, 10, "the passkey still needs them");
}

#[tokio::test]
async fn a_member_who_must_have_a_second_factor_adds_a_passkey_during_the_sign_in() {
    let test = TestApp::start_with(|config| config.second_factor.required_for = vec!["Team".into()]).await;
    test.add_member(Team, "Budi").await;
    let refused = test.sign_in(EMAIL, PASSWORD).await;
    assert_eq!((&refused.data()["methods"], &refused.data()["offers"]), (&json!([]), &json!(["app", "passkey"])));
    let open = challenge(&test, EMAIL).await;
    let begin = async || test.anonymous().post("/admin/sign-in-passkey-enrolment", json!({ "challenge": open })).await;
    let options = begin().await.data()["options"].clone();
    let mut elsewhere = Device::new();
    elsewhere.origin = "https://elsewhere.example".into();
    let body = |device: &Device, name: &str| json!({ "challenge": open, "new_passkey": { "name": name, "credential": device.create(&options) } });
    for (device, name, code) in [
        (Device::new(), " ", "passkey_name_missing"),
        (Device::new(), &"n".repeat(61), "text_too_long"),
        (Device::new(), "Lap\u{1}top", "invisible_characters"),
        (elsewhere, "Far", "passkey_refused"),
    ] {
        let refused = test.anonymous().post("/admin/sign-in-second-factor", body(&device, name)).await;
        assert_eq!((refused.status, &refused.json["code"]), (422, &json!(code)), "{refused}");
    }
    let body = body(&Device::new(), "Laptop");
    let answer = test.anonymous().post("/admin/sign-in-second-factor", body.clone()).await;
    assert_eq!(answer.status, 200, "{answer}");
    assert_eq!(answer.json["recovery_codes"].as_array().map(Vec::len), Some(10));
    assert_eq!(test.anonymous().post("/admin/sign-in-second-factor", body).await.json["code"], "challenge_ended");
    let budi = test.with_token(answer.json["jwtToken"].as_str().expect("a token"));
    let id = budi.get("/admin/second-factor").await.data()["passkeys"][0]["id"].clone();
    let last = budi.post("/admin/remove-passkey", json!({ "id": id })).await;
    assert_eq!((last.status, &last.json["code"]), (409, &json!("second_factor_mandatory")), "{last}");
    enrol(&test, &budi).await;
    assert_eq!(budi.post("/admin/remove-passkey", json!({ "id": id })).await.status, 200, "the app is left");

    let open = challenge(&test, EMAIL).await;
    let again = test.anonymous().post("/admin/sign-in-passkey-enrolment", json!({ "challenge": open })).await;
    assert_eq!(again.json["code"], "already_enrolled", "a stranger with the password must not add a key of their own");
}

#[tokio::test]
async fn leaders_and_the_command_line_remove_lost_passkeys() {
    let installation = Installation::make().await;
    let test = TestApp::on(&installation).await;
    let (made, budi) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    let count = async || -> i64 { test.read(|conn| Ok(passkeys::table.count().get_result(conn)?)).await };
    add_passkey(&budi, "Laptop").await;
    let listed = made.get("/admin/get-team-member-list").await;
    let shown = listed.data().as_array().expect("members").iter().find(|one| one["name"] == "Budi").expect("Budi");
    assert_eq!(shown["second_factor"], true);
    let removed = made.post("/admin/remove-second-factor", json!({ "tmId": budi.id().await })).await;
    assert_eq!((removed.status, count().await), (200, 0), "{removed}");
    assert_eq!(test.sign_in(EMAIL, PASSWORD).await.status, 200);

    add_passkey(&test.as_staff(Team, "Budi"), "Laptop").await;
    let run = installation.run(&["staff", "remove-second-factor", EMAIL], "");
    assert!(run.status.success(), "{run:?}");
    assert_eq!((test.sign_in(EMAIL, PASSWORD).await.status, count().await), (200, 0));
}
