//! `Idempotency-Key`: the same request again gets the first one's answer, and its effect happens once.

use chrono::TimeDelta;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::staff::rules::StaffType::{Admin, Manager};

use crate::support::{Answer, Desk, TestApp};

fn member(name: &str) -> Value {
    json!({ "name": name, "email": format!("{}@desk.example", name.to_lowercase()), "password": "a fine password", "type": "Team" })
}

async fn add(desk: &Desk<'_>, name: &str) -> Answer {
    desk.post("/admin/add-team-member", member(name)).await
}

#[tokio::test]
async fn the_same_request_under_the_same_key_gets_the_same_answer_also_on_another_node() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    let first = add(&ayu, "Citra").await;
    assert_eq!(first.status, 200, "{first}");
    assert_eq!(add(&ayu, "Citra").await.text, first.text);
    let other_node = test.another_node().await;
    let elsewhere = other_node.with_token(ayu.token().await).with_key("key-1");
    assert_eq!(add(&elsewhere, "Citra").await.text, first.text);
}

#[tokio::test]
async fn another_request_under_the_same_key_is_refused() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    assert_eq!(add(&ayu, "Citra").await.status, 200);
    assert_snapshot!(add(&ayu, "Dewi").await, @r#"422 {"status":0,"code":"idempotency_key_reused","message":"This Idempotency-Key belongs to another request. Please use a new key"}"#);
}

#[tokio::test]
async fn a_key_belongs_to_one_person_and_one_call() {
    let test = TestApp::start().await;
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-1"), "Citra").await.status, 200);
    let made = test.as_staff(Manager, "Made").with_key("key-1");
    assert_eq!(add(&made, "Dewi").await.status, 200);
    let mut body = member("Dewi");
    body["tmId"] = json!(2);
    assert_eq!(
        made.post("/admin/update-team-member", body).await.status,
        409,
        "another call, and a name that is taken"
    );
}

#[tokio::test]
async fn a_refused_request_leaves_its_key_free() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    let refused = ayu.post("/admin/add-team-member", json!({})).await;
    assert_eq!(refused.status, 422);
    assert_eq!(add(&ayu, "Ayu").await.status, 409, "the name is taken");
    assert_eq!(add(&ayu, "Citra").await.status, 200);
}

#[tokio::test]
async fn while_the_first_is_in_flight_the_second_is_told_to_wait() {
    // Slow hashing keeps the first request in flight.
    let test = TestApp::start_with(|config| {
        config.passwords.memory_kib = 32 * 1024;
        config.passwords.passes = 12;
    })
    .await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    ayu.id().await;
    let answers = futures_util::future::join_all((0..4).map(|_| add(&ayu, "Citra"))).await;
    let done: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!done.is_empty() && done.iter().all(|answer| answer.text == done[0].text), "{answers:?}");
    let busy = answers.iter().find(|answer| answer.status != 200).expect("one came while another was in flight");
    assert_snapshot!(busy, @r#"409 {"status":0,"code":"request_in_progress","message":"The same request is still being processed. Please wait for its response"}"#);
}

#[tokio::test]
async fn after_a_day_a_key_is_free_again() {
    let test = TestApp::start().await;
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-1"), "Citra").await.status, 200);
    test.later(TimeDelta::hours(25));
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-1"), "Dewi").await.status, 200);

    test.later(TimeDelta::hours(25));
    let now = test.clock.now();
    assert_eq!(test.write(move |tx| visadesk::http::idempotency::delete_expired(tx, now)).await, 1);
}

#[tokio::test]
async fn a_key_is_one_text_of_reasonable_length() {
    let test = TestApp::start().await;
    for key in [String::new(), "x".repeat(256)] {
        assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key(&key), "Citra").await.status, 400);
    }
    let twice = test.as_staff(Admin, "Ayu").with_key("one").with_key("two");
    assert_eq!(add(&twice, "Citra").await.status, 400);
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key(&"x".repeat(255)), "Citra").await.status, 200);
}
