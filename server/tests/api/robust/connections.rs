//! Slow, numerous and disconnected clients, and their effect on other clients.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use visadesk::config::Config;

use crate::support::TestApp;
use crate::support::wire::Wire;

const OTHER_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

fn short_timeouts(config: &mut Config) {
    config.limits.head_seconds = 1;
    config.limits.body_idle_seconds = 1;
    config.limits.write_idle_seconds = 1;
}

#[tokio::test]
async fn a_connection_without_a_complete_request_head_is_closed() {
    let test = TestApp::start_with(short_timeouts).await;
    for beginning in ["", "GET / HT", "GET / HTTP/1.1\r\nx-slow: "] {
        let mut wire = Wire::open(test.address).await;
        wire.send(beginning).await;
        wire.until_closed().await;
    }
    // Sending a byte now and then does not extend the timeout.
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
    let test = TestApp::start_with(short_timeouts).await;
    let mut wire = Wire::open(test.address).await;
    for _ in 0..3 {
        assert_eq!(wire.get("/healthz").await, Some(200));
    }
    wire.until_closed().await;

    let mut wire = Wire::open(test.address).await;
    wire.send("GET /healthz HTTP/1.1\r\nhost: desk\r\nconnection: close\r\n\r\n").await;
    assert!(
        wire.answer().await.is_some() && wire.answer().await.is_none(),
        "the server closes the connection on request"
    );
}

#[tokio::test]
async fn a_body_that_stalls_is_refused_with_408() {
    let test = TestApp::start_with(short_timeouts).await;
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
    assert!(bytes < 150, "the request was aborted");
}

#[tokio::test]
async fn a_client_that_does_not_read_responses_is_disconnected() {
    let test = TestApp::start_with(short_timeouts).await;
    let mut wire = Wire::open(test.address).await;
    let requests = 20_000;
    let request = "GET /api/admin/x HTTP/1.1\r\nhost: desk\r\n\r\n".repeat(100);
    for _ in 0..requests / 100 {
        // The server stops reading requests while its responses are not read.
        let sent = tokio::time::timeout(Duration::from_secs(3), wire.send(&request)).await;
        if !matches!(sent, Ok(true)) {
            break;
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let received = wire.until_closed().await;
    assert!(received < requests * 400, "the server must not send everything: {received} bytes");
    assert_eq!(test.anonymous().page("/healthz").await.status, 200);
}

/// Opens a connection if the limit allows it. Retries, because a closed connection is released with a short delay.
async fn try_connect(test: &TestApp, from: Option<IpAddr>) -> Option<Wire> {
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
    let mut wires = Vec::new();
    for _ in 0..3 {
        wires.push(try_connect(&test, None).await.expect("a permit"));
    }
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "a fourth connection is refused");
    assert!(try_connect(&test, Some(OTHER_ADDRESS)).await.is_some(), "another address has its own limit");
    for wire in &mut wires {
        assert_eq!(wire.get("/healthz").await, Some(200), "open connections stay open");
    }
    wires.pop();
    assert!(try_connect(&test, None).await.is_some(), "a closed connection frees its permit");
}

#[tokio::test]
async fn all_addresses_together_share_a_connection_limit() {
    let test = TestApp::start_with(|config| config.limits.connections = 2).await;
    let _one = try_connect(&test, None).await.expect("a permit");
    let other = try_connect(&test, Some(OTHER_ADDRESS)).await.expect("a permit");
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "a third connection is refused");
    drop(other);
    assert!(try_connect(&test, None).await.is_some(), "a closed connection frees its permit");
}

#[tokio::test]
async fn a_trusted_proxy_may_exceed_the_connection_limit_per_address() {
    let test = TestApp::start_with(|config| {
        config.limits.connections_per_address = 1;
        config.trusted_proxies = "127.0.0.1".into();
    })
    .await;
    let mut wires = Vec::new();
    for _ in 0..4 {
        wires.push(try_connect(&test, None).await.expect("a permit"));
    }
    let _other = try_connect(&test, Some(OTHER_ADDRESS)).await.expect("a permit");
    assert!(
        Wire::open_from(OTHER_ADDRESS, test.address).await.get("/healthz").await.is_none(),
        "an untrusted address has one connection"
    );
}
