//! `Idempotency-Key`: a repeated request gets the response of the first one, and takes effect once.

use chrono::TimeDelta;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use visadesk::staff::rules::StaffType::{Admin, Manager};

use crate::support::{Answer, Client, TestApp};

fn member(name: &str) -> Value {
    json!({ "name": name, "email": format!("{}@desk.example", name.to_lowercase()), "password": "a fine password", "type": "Team" })
}

async fn add(client: &Client<'_>, name: &str) -> Answer {
    client.post("/admin/add-team-member", member(name)).await
}

#[tokio::test]
async fn the_same_request_with_the_same_key_gets_the_same_response_on_every_node() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    let first = add(&ayu, "Citra").await;
    assert_eq!(first.status, 200, "{first}");
    assert_eq!(add(&ayu, "Citra").await.text, first.text);
    let other_node = test.another_node().await;
    let on_other_node = other_node.with_token(ayu.token().await).with_key("key-1");
    assert_eq!(add(&on_other_node, "Citra").await.text, first.text);
}

#[tokio::test]
async fn another_request_with_the_same_key_is_rejected() {
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
        "the key does not match another call, and the name is taken"
    );
}

#[tokio::test]
async fn a_rejected_request_does_not_use_up_its_key() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    let invalid = ayu.post("/admin/add-team-member", json!({})).await;
    assert_eq!(invalid.status, 422);
    assert_eq!(add(&ayu, "Ayu").await.status, 409, "the name is taken");
    assert_eq!(add(&ayu, "Citra").await.status, 200);
}

#[tokio::test]
async fn while_the_first_request_is_in_progress_a_second_one_is_rejected() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("key-1");
    let (token, body) = (ayu.token().await, member("Citra").to_string());
    let head = format!(
        "POST /api/admin/add-team-member HTTP/1.1\r\nHost: desk\r\nAuthorization: {token}\r\nIdempotency-Key: key-1\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let mut first = TcpStream::connect(test.address).await.expect("the server listens");
    first.write_all(head.as_bytes()).await.expect("the server reads the headers");
    // The server requests the body after it has claimed the key.
    let mut interim = [0; b"HTTP/1.1 100 Continue\r\n\r\n".len()];
    first.read_exact(&mut interim).await.expect("an interim response");
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");

    let second = add(&ayu, "Citra").await;
    assert_eq!((second.status, second.json["code"].as_str()), (409, Some("request_in_progress")), "{second}");
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-2"), "Dewi").await.status, 200, "another key is free");

    first.write_all(body.as_bytes()).await.expect("the server reads the body");
    let mut answer = String::new();
    first.read_to_string(&mut answer).await.expect("a response");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let third = add(&ayu, "Citra").await;
    assert!(third.status == 200 && answer.ends_with(&third.text), "{third}, {answer}");
}

#[tokio::test]
async fn a_key_expires_after_a_day() {
    let test = TestApp::start().await;
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-1"), "Citra").await.status, 200);
    test.later(TimeDelta::hours(25));
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key("key-1"), "Dewi").await.status, 200);

    test.later(TimeDelta::hours(25));
    let now = test.clock.now();
    assert_eq!(test.write(move |tx| visadesk::http::idempotency::delete_expired(tx, now)).await, 1);
}

#[tokio::test]
async fn a_key_is_one_header_of_at_most_255_characters() {
    let test = TestApp::start().await;
    for key in [String::new(), "x".repeat(256)] {
        assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key(&key), "Citra").await.status, 400);
    }
    let twice = test.as_staff(Admin, "Ayu").with_key("one").with_key("two");
    assert_eq!(add(&twice, "Citra").await.status, 400);
    assert_eq!(add(&test.as_staff(Admin, "Ayu").with_key(&"x".repeat(255)), "Citra").await.status, 200);
}
