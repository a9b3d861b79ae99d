//! Clients that are slow, many, or gone; and those that wait patiently beside them.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use visadesk::config::Config;

use crate::support::TestApp;
use crate::support::wire::Wire;

const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

fn impatient(config: &mut Config) {
    config.limits.head_seconds = 1;
    config.limits.body_idle_seconds = 1;
    config.limits.write_idle_seconds = 1;
}

#[tokio::test]
async fn a_connection_without_a_complete_request_head_is_closed() {
    let test = TestApp::start_with(impatient).await;
    for beginning in ["", "GET / HT", "GET / HTTP/1.1\r\nx-slow: "] {
        let mut wire = Wire::open(test.address).await;
        wire.send(beginning).await;
        wire.until_closed().await;
    }
    // A byte now and then does not buy time.
    let mut wire = Wire::open(test.address).await;
    let mut bytes = 0;
    while wire.send("x").await && bytes < 200 {
        bytes += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(bytes < 200, "the connection was closed");
}

#[tokio::test]
async fn a_connection_is_kept_alive_and_closed_when_idle() {
    let test = TestApp::start_with(impatient).await;
    let mut wire = Wire::open(test.address).await;
    for _ in 0..3 {
        assert_eq!(wire.get("/healthz").await, Some(200));
    }
    wire.until_closed().await;

    let mut wire = Wire::open(test.address).await;
    wire.send("GET /healthz HTTP/1.1\r\nhost: desk\r\nconnection: close\r\n\r\n").await;
    assert!(wire.answer().await.is_some() && wire.answer().await.is_none(), "closed as asked");
}

#[tokio::test]
async fn a_body_that_stalls_is_refused_with_408() {
    let test = TestApp::start_with(impatient).await;
    let mut wire = Wire::open(test.address).await;
    wire.send(
        "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\n\r\n{\"email\":",
    )
    .await;
    let (status, body) = wire.answer().await.expect("an answer");
    assert!(status == 408 && body.contains(r#""code":"request_incomplete""#), "{status} {body}");
    wire.until_closed().await;
}

#[tokio::test]
async fn a_body_that_trickles_in_is_aborted_eventually() {
    let test = TestApp::start_with(|config| config.limits.request_seconds = 2).await;
    let mut wire = Wire::open(test.address).await;
    wire.send(
        "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\n\
         content-length: 1000\r\n\r\n{\"email\":\"",
    )
    .await;
    let mut bytes = 0;
    while wire.send("x").await && bytes < 150 {
        bytes += 1;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(bytes < 150, "the request was given up");
}

#[tokio::test]
async fn a_client_that_does_not_read_responses_is_disconnected() {
    let test = TestApp::start_with(impatient).await;
    let mut wire = Wire::open(test.address).await;
    let wanted = 20_000;
    let request = "GET /api/admin/x HTTP/1.1\r\nhost: desk\r\n\r\n".repeat(100);
    for _ in 0..wanted / 100 {
        // It stops reading requests when nobody takes its answers.
        let sent = tokio::time::timeout(Duration::from_secs(3), wire.send(&request)).await;
        if !matches!(sent, Ok(true)) {
            break;
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let received = wire.until_closed().await;
    assert!(received < wanted * 400, "not all was sent: {received} bytes");
    assert_eq!(test.anonymous().page("/healthz").await.status, 200);
}

/// Whether a new connection gets a seat. One that just closed may take a moment to be counted out.
async fn gets_a_seat(test: &TestApp, from: Option<IpAddr>) -> Option<Wire> {
    for _ in 0..50 {
        let mut wire = match from {
            Some(from) => Wire::open_from(from, test.address).await,
            None => Wire::open(test.address).await,
        };
        if wire.get("/healthz").await == Some(200) {
            return Some(wire);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    None
}

#[tokio::test]
async fn each_address_has_its_own_connection_limit() {
    let test = TestApp::start_with(|config| config.limits.connections_per_address = 3).await;
    let mut seated = Vec::new();
    for _ in 0..3 {
        seated.push(gets_a_seat(&test, None).await.expect("a seat"));
    }
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "no fourth");
    assert!(gets_a_seat(&test, Some(NEIGHBOUR)).await.is_some(), "another address has its own");
    for wire in &mut seated {
        assert_eq!(wire.get("/healthz").await, Some(200), "those who have a seat keep it");
    }
    seated.pop();
    assert!(gets_a_seat(&test, None).await.is_some(), "a seat that is left is free");
}

#[tokio::test]
async fn all_addresses_together_share_a_connection_limit() {
    let test = TestApp::start_with(|config| config.limits.connections = 2).await;
    let _one = gets_a_seat(&test, None).await.expect("a seat");
    let other = gets_a_seat(&test, Some(NEIGHBOUR)).await.expect("a seat");
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "no third");
    drop(other);
    assert!(gets_a_seat(&test, None).await.is_some(), "a seat that is left is free");
}

#[tokio::test]
async fn a_trusted_proxy_may_exceed_the_connection_limit_per_address() {
    let test = TestApp::start_with(|config| {
        config.limits.connections_per_address = 1;
        config.trusted_proxies = "127.0.0.1".into();
    })
    .await;
    let mut seated = Vec::new();
    for _ in 0..4 {
        seated.push(gets_a_seat(&test, None).await.expect("a seat"));
    }
    let _neighbour = gets_a_seat(&test, Some(NEIGHBOUR)).await.expect("a seat");
    assert!(Wire::open_from(NEIGHBOUR, test.address).await.get("/healthz").await.is_none(), "a guest has one");
}
