//! Guessing of order numbers, emails, grants and files.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::StreamExt;
use insta::assert_snapshot;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use visadesk::db::schema::failed_attempts;
use visadesk::ids;
use visadesk::orders::status::ProcessStatus::{Deleted, New};

use super::{FAILED, behind_a_proxy};
use crate::support::rounds::rounds;
use crate::support::{Answer, TestApp};

async fn track_from(test: &TestApp, address: &str, order: impl Into<Value>, email: &str) -> Answer {
    test.anonymous().with_header("x-forwarded-for", address).track(order, email).await
}

/// The headers without those that differ in each response.
fn stable_headers(answer: &Answer) -> HeaderMap {
    let mut headers = answer.headers.clone();
    headers.remove("date");
    headers.remove("x-request-id");
    headers
}

#[tokio::test]
async fn probing_a_thousand_order_numbers_reveals_nothing() {
    let test = TestApp::start_open().await;
    let mut secrets = vec!["ana@post".to_owned(), "post.example".to_owned()];
    for index in 0..20 {
        let name = format!("Canary{index} Putri{index}");
        secrets.push(name.clone());
        let order = test.add_order_with(New, |order| order.full_name = name).await;
        secrets.push(test.add_visa(order).await);
    }
    let numbers = rounds(1_000, 10_000);
    let probes = futures_util::stream::iter((0..numbers).map(|step| {
        let (test, file1) = (&test, secrets[3].clone());
        async move {
            let number = 100_001 + step;
            let name = match step % 3 {
                0 => json!(number),
                1 => json!(format!("VD-{number}")),
                _ => json!(ids::encode(number)),
            };
            let visitor = test.anonymous();
            let answers = [
                visitor.track(name.clone(), "somebody@elsewhere.example").await,
                visitor.history(name.clone()).await,
                visitor.download(name, file1).await,
            ];
            assert_eq!(answers.each_ref().map(|answer| answer.status), [404, 401, 401], "{number}: {answers:?}");
            answers.map(|answer| format!("{:?} {}", answer.headers, answer.text))
        }
    }));
    let mut probes = probes.buffer_unordered(16);
    while let Some(answers) = probes.next().await {
        for (answer, secret) in answers.iter().flat_map(|answer| secrets.iter().map(move |secret| (answer, secret))) {
            assert!(!answer.contains(secret.as_str()), "{secret} in {answer}");
        }
    }
}

#[tokio::test]
async fn without_a_grant_every_order_gets_an_identical_response() {
    let test = TestApp::start_open().await;
    let mut names: Vec<Value> = Vec::new();
    for _ in 0..100 {
        names.push(json!(test.add_order(New).await));
    }
    names.push(json!(test.add_order(Deleted).await));
    names.extend((0..100).map(|step| json!(900_001 + step)));
    names.extend([
        json!(null),
        json!(""),
        json!("nonsense"),
        json!([1]),
        json!({ "a": 1 }),
        json!(1e300),
        json!("x".repeat(10_000)),
    ]);
    let first = test.anonymous().history(100_001).await;
    assert_snapshot!(first, @r#"401 {"status":0,"code":"email_not_confirmed","message":"Please confirm the email used on the application"}"#);
    for name in names {
        for answer in [test.anonymous().history(name.clone()).await, test.anonymous().download(name.clone(), "x").await]
        {
            assert_eq!(
                (answer.status, &answer.text, stable_headers(&answer)),
                (401, &first.text, stable_headers(&first)),
                "{name}"
            );
        }
    }
    for token in ["nonsense", "", &"x".repeat(43), &"x".repeat(5_000)] {
        let answer = test.with_token(token).with_header("cookie", &format!("visitor={token}")).history(100_001).await;
        assert_eq!(
            (answer.status, &answer.text, stable_headers(&answer)),
            (401, &first.text, stable_headers(&first)),
            "{token}"
        );
    }
}

#[tokio::test]
async fn a_wrong_email_an_unknown_order_and_a_deleted_one_get_identical_responses() {
    let test = TestApp::start_open().await;
    let (order, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let wrong = test.anonymous().track(order, "budi@post.example").await;
    assert_eq!((wrong.status, wrong.message()), (404, FAILED));
    let order_ids = [
        json!(999_999),
        json!(deleted),
        json!("VD-999999"),
        json!("MjAwMDAx"),
        json!("MjAwMDAy="),
        json!("MjAwMDAy\n "),
        json!("MjAwMDAz"),
        json!("===="),
        json!("9007199254740993"),
        json!("MTgwMTQzOTg1MDk0ODE5ODY="),
        json!(9_007_199_254_740_993_u64),
        json!(u64::MAX),
        json!(-1),
        json!(0),
        json!(1.5),
        json!(1e300),
        json!("vd-100001"),
        json!("１００００１"),
        json!("1; DROP TABLE orders"),
        json!("x".repeat(5_000)),
        json!([100_001]),
        json!({ "id": 100_001 }),
        json!(true),
    ];
    for name in order_ids {
        // Whitespace around a number is ignored, but the email is wrong anyway.
        let answer = test.anonymous().track(name.clone(), "budi@post.example").await;
        assert_eq!(
            (answer.status, &answer.text, stable_headers(&answer)),
            (404, &wrong.text, stable_headers(&wrong)),
            "{name}"
        );
    }
    for email in
        ["", "@", "ana@post.exampl", "ana@post.example,x@y.example", "%", "_na@post.example", &"x".repeat(10_000)]
    {
        let answer = test.anonymous().track(order, email).await;
        assert_eq!(answer.status, if email.is_empty() { 422 } else { 404 }, "{email}: {answer}");
    }
    for malformed in [json!(1), json!(["ana@post.example"]), json!({})] {
        let answer = test.anonymous().post("/front/track-order", json!({ "orderId": order, "email": malformed })).await;
        assert_eq!(answer.status, 422, "{answer}");
    }
    let nul = test.anonymous().track("100001\0", "ana@post.example").await;
    assert_eq!(nul.status, 400, "{nul}");
}

#[tokio::test]
async fn two_hundred_wrong_emails_for_an_order_are_rate_limited_from_any_address() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let mut refused = 0;
    for guess in 0..200 {
        let answer =
            track_from(&test, &format!("198.51.100.{guess}"), order, &format!("guess{guess}@post.example")).await;
        assert!(matches!(answer.status, 404 | 429), "{answer}");
        refused += usize::from(answer.status == 429);
    }
    assert!(refused >= 190, "{refused}");
    let waits = test.anonymous().track(order, "ana@post.example").await;
    assert_eq!(waits.status, 429, "the right email is refused too: {waits}");
    assert!(
        waits.message().starts_with("Too many tries. Please wait ") && !waits.header("retry-after").is_empty(),
        "{waits}"
    );
}

/// Sends a wrong email from `count` new addresses. Returns how many requests were rate limited.
async fn guess(test: &TestApp, order: i64, network: u8, count: usize) -> usize {
    let mut refused = 0;
    for host in 0..count {
        // Another email each time, because an email has a limit of its own.
        let email = format!("wrong{:08x}@post.example", rand::random::<u32>());
        let answer = track_from(test, &format!("203.0.{network}.{host}"), order, &email).await;
        refused += usize::from(answer.status == 429);
    }
    refused
}

#[tokio::test]
async fn after_five_wrong_emails_an_order_waits_a_quarter_of_an_hour_then_longer_up_to_an_hour() {
    let test = behind_a_proxy().await;
    test.clock.stop();
    let order = test.add_order(New).await;
    // An order that does not exist waits as long, so the wait does not reveal which orders exist.
    for target in [order, 999_999] {
        assert_eq!(guess(&test, target, 1, 5).await, 0);
        let waits = track_from(&test, "203.0.2.1", target, "ana@post.example").await;
        assert_eq!(waits.status, 429, "{waits}");
        assert_eq!(waits.header("retry-after"), "900", "{waits}");
    }
    for (minutes, next) in [(15, 30), (30, 60), (60, 60)] {
        test.later(TimeDelta::minutes(minutes) - TimeDelta::microseconds(1));
        let early = track_from(&test, "203.0.4.1", order, "ana@post.example").await;
        assert_eq!((early.status, early.header("retry-after")), (429, "1"), "{early}");
        test.later(TimeDelta::microseconds(1));
        assert_eq!(guess(&test, order, 3, 1).await, 0, "one more attempt after {minutes} minutes");
        let waits = track_from(&test, "203.0.4.1", order, "ana@post.example").await;
        assert_eq!(waits.header("retry-after"), (next * 60).to_string(), "{waits}");
    }
    test.later(TimeDelta::minutes(60));
    assert_eq!(track_from(&test, "203.0.5.1", order, "ana@post.example").await.status, 200, "the right email works");
    assert_eq!(guess(&test, order, 6, 5).await, 0, "the count starts again");
}

#[tokio::test]
async fn a_few_wrong_emails_every_quarter_of_an_hour_are_not_rate_limited() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    for quarter in 0..4 {
        for typo in 0..4 {
            let email = format!("ana{quarter}{typo}@post.example");
            assert_eq!(test.anonymous().track(order, &email).await.status, 404);
        }
        test.later(TimeDelta::minutes(16));
    }
    assert_eq!(test.anonymous().track(order, "ana@post.example").await.status, 200);
}

#[tokio::test]
async fn guessing_never_locks_out_an_applicant_on_a_known_network() {
    let test = behind_a_proxy().await;
    let order = test.add_order(New).await;
    assert_eq!(track_from(&test, "192.0.2.1", order, "ana@post.example").await.status, 200);
    assert!(guess(&test, order, 1, 8).await > 0);
    assert_eq!(track_from(&test, "192.0.2.2", order, "ana@post.example").await.status, 429);
    assert_eq!(track_from(&test, "192.0.2.1", order, "ana@post.example").await.status, 200);
}

#[tokio::test]
async fn concurrent_guesses_are_counted_one_by_one_including_the_right_one() {
    let test = behind_a_proxy().await;
    let other = test.another_node().await;
    let order = test.add_order(New).await;
    let nodes = [&test, &other];
    let guesses = (0..24).map(|step| async move {
        let email = if step == 20 { "ana@post.example".to_owned() } else { format!("guess{step}@post.example") };
        track_from(nodes[step % 2], &format!("203.0.113.{step}"), order, &email).await.status
    });
    let statuses = futures_util::future::join_all(guesses).await;
    let count = |wanted: u16| statuses.iter().filter(|status| **status == wanted).count();
    // The right guess may be among the first five, and it resets the count.
    assert!((5..=9).contains(&count(404)), "{statuses:?}");
    assert_eq!(count(404) + count(200) + count(429), 24, "{statuses:?}");
}

#[tokio::test]
async fn the_wait_of_an_order_applies_on_every_node_and_after_a_restart() {
    let test = behind_a_proxy().await;
    let other = test.another_node().await;
    let order = test.add_order(New).await;
    assert_eq!(guess(&test, order, 1, 3).await + guess(&other, order, 2, 2).await, 0);
    for node in [&test, &other, &test.another_node().await] {
        assert_eq!(track_from(node, "203.0.3.1", order, "ana@post.example").await.status, 429);
    }
    let buckets: Vec<String> =
        test.read(|conn| Ok(failed_attempts::table.select(failed_attempts::bucket).load(conn)?)).await;
    assert!(buckets.iter().all(|bucket| !bucket.contains("100001") && !bucket.contains('@')), "{buckets:?}");
}

#[tokio::test]
async fn one_email_is_tried_ten_times_an_hour_from_however_many_addresses_and_nodes() {
    let test = behind_a_proxy().await;
    test.clock.stop();
    let nodes = [&test, &test.another_node().await];
    let mut orders = Vec::new();
    for number in 0..30 {
        let email = if number == 24 { "putri@post.example" } else { "another@post.example" };
        orders.push(test.add_order_with(New, |order| order.contact_email_address = email.into()).await);
    }
    // An attacker who knows her email tries one order after the other.
    for (number, order) in orders.iter().enumerate() {
        let address = format!("198.51.100.{number}");
        let spelled = ["putri@post.example", " Putri@POST.example "][number % 2];
        let answer = track_from(nodes[number % 2], &address, *order, spelled).await;
        let expected = if number < 10 { (404, "") } else { (429, "3600") };
        assert_eq!((answer.status, answer.header("retry-after")), expected, "{number}: {answer}");
    }
    assert_eq!(
        track_from(&test, "198.51.100.200", orders[0], "another@post.example").await.status,
        200,
        "others go on"
    );
    test.later(TimeDelta::minutes(60));
    assert_eq!(track_from(&test, "192.0.2.1", orders[24], "putri@post.example").await.status, 200);
    for (number, order) in orders.iter().take(12).enumerate() {
        track_from(&test, &format!("198.51.100.{number}"), *order, "putri@post.example").await;
    }
    assert_eq!(track_from(&test, "198.51.100.99", orders[24], "putri@post.example").await.status, 429);
    assert_eq!(
        track_from(&test, "192.0.2.1", orders[24], "putri@post.example").await.status,
        200,
        "from a known network"
    );
}

#[tokio::test]
async fn the_networks_of_one_ipv6_site_share_a_limit() {
    let test = TestApp::start_with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.limits.tracks_per_address = 2;
    })
    .await;
    let try_from = async |address: String, step: i64| {
        track_from(&test, &address, 900_000 + step, &format!("guess{step}@post.example")).await.status
    };
    for step in 0..8 {
        assert_eq!(try_from(format!("2001:db8:1:{step}::1"), step).await, 404);
    }
    assert_eq!(try_from("2001:db8:1:ffff::1".into(), 8).await, 429, "another network of the same site");
    assert_eq!(try_from("2001:db8:2::1".into(), 9).await, 404, "another site");
    test.later(TimeDelta::seconds(61));
    assert_eq!(try_from("2001:db8:1:ffff::1".into(), 10).await, 404);
}

#[tokio::test]
async fn each_address_has_its_own_limit_and_forged_addresses_are_ignored() {
    let test = TestApp::start_with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.limits.tracks_per_address = 3;
    })
    .await;
    let try_from = async |address: &str, order: i64| track_from(&test, address, order, "ana@post.example").await.status;
    for step in 0..3 {
        assert_eq!(try_from(&format!("6.6.6.{step}, 203.0.113.1"), 900_000 + step).await, 404);
    }
    assert_eq!(
        try_from("7.7.7.7, 203.0.113.1", 900_010).await,
        429,
        "addresses to the left of the one from the proxy are ignored"
    );
    assert_eq!(try_from("203.0.113.1, 203.0.113.2", 900_011).await, 404, "another client has its own limit");
    for host in 0..3 {
        assert_eq!(try_from(&format!("2001:db8:1:2::{host}"), 900_020 + host).await, 404);
    }
    assert_eq!(try_from("2001:db8:1:2:ffff::9", 900_030).await, 429, "an IPv6 network is one client");
    test.later(TimeDelta::seconds(61));
    assert_eq!(try_from("203.0.113.1", 900_040).await, 404);
}
