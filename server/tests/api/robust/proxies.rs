//! Which `X-Forwarded-For` addresses are trusted, observed through the sign-in limits.

use serde_json::json;

use crate::support::TestApp;

/// Starts the app with a limit of three wrong passwords per address.
async fn start(trusted: &str) -> TestApp {
    let trusted = trusted.to_owned();
    TestApp::start_with(move |config| {
        config.limits.sign_in_failures_per_address = 3;
        config.trusted_proxies = trusted.parse().expect("addresses or networks");
    })
    .await
}

/// Signs in with a wrong password and returns whether the client was rate limited.
async fn is_limited(test: &TestApp, forwarded: &[u8], round: u32) -> bool {
    let desk = test.anonymous();
    let request = desk.request(reqwest::Method::POST, "/api/admin/admin-login").await;
    let forwarded = reqwest::header::HeaderValue::from_bytes(forwarded).expect("a header");
    let body = json!({ "email": format!("nobody{round}@desk.example"), "password": "a wrong password" });
    let answer = desk.send(request.header("x-forwarded-for", forwarded).json(&body)).await;
    assert!(matches!(answer.status, 401 | 429), "{answer}");
    if answer.status == 429 {
        assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0), "{answer}");
    }
    answer.status == 429
}

#[tokio::test]
async fn without_a_trusted_proxy_a_forged_address_is_ignored() {
    let test = start("").await;
    for round in 0..3 {
        assert!(!is_limited(&test, format!("198.51.100.{round}").as_bytes(), round).await);
    }
    for round in 3..8 {
        assert!(
            is_limited(&test, format!("198.51.100.{round}").as_bytes(), round).await,
            "the peer address is the same"
        );
    }
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_its_own_limit() {
    let test = start("127.0.0.1").await;
    for round in 0..3 {
        // The client can forge everything further left.
        assert!(!is_limited(&test, format!("6.6.6.{round}, 203.0.113.1").as_bytes(), round).await);
    }
    assert!(is_limited(&test, b"7.7.7.7, 203.0.113.1", 3).await, "a forged left part does not matter");
    assert!(is_limited(&test, b"\xff\xfe, 203.0.113.1", 4).await, "nor does one that is not text");
    assert!(is_limited(&test, b"203.0.113.2,203.0.113.1", 5).await, "nor another client's address");
    assert!(!is_limited(&test, b"203.0.113.1, 203.0.113.2", 6).await, "another client has its own limit");
}

#[tokio::test]
async fn an_ipv6_client_is_identified_by_its_network() {
    let test = start("127.0.0.0/8").await;
    for round in 0..3 {
        assert!(!is_limited(&test, format!("2001:db8:1:2::{round}").as_bytes(), round).await);
    }
    assert!(is_limited(&test, b"2001:db8:1:2:ffff::9", 3).await);
    assert!(!is_limited(&test, b"2001:db8:1:3::1", 4).await);
}

#[tokio::test]
async fn an_ipv4_client_is_the_same_one_in_the_form_of_ipv6() {
    let test = start("127.0.0.1").await;
    for (round, form) in (0..).zip(["::ffff:203.0.113.9", "203.0.113.9", "::ffff:cb00:7109"]) {
        assert!(!is_limited(&test, form.as_bytes(), round).await, "{form}");
    }
    for (round, form) in (3..).zip(["203.0.113.9", "::ffff:203.0.113.9"]) {
        assert!(is_limited(&test, form.as_bytes(), round).await, "{form}");
    }
    assert!(!is_limited(&test, b"::ffff:203.0.113.10", 5).await, "the addresses in this form are not one network");
}
