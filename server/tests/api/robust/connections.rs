//! Slow, numerous and disconnected clients, and their effect on other clients.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use visadesk::config::Config;
use visadesk::staff::rules::StaffType;
use visadesk::staff::tokens::Remember;

use crate::support::wire::Wire;
use crate::support::{TestApp, until};

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

/// The head of a request without a session, whose body has `length` bytes.
fn upload_without_a_session(length: usize) -> String {
    format!(
        "POST /api/admin/upload-visa-document HTTP/1.1\r\nhost: desk\r\ncontent-type: application/octet-stream\r\n\
         content-length: {length}\r\n\r\n"
    )
}

#[tokio::test]
async fn a_connection_outlives_a_refused_request_whose_short_body_arrives_late() {
    let test = TestApp::start().await;
    let mut wire = Wire::open(test.address).await;
    wire.send(upload_without_a_session(10_000)).await;
    // The server must wait for the rest, or it would close the connection after the refusal without saying so.
    for _ in 0..2 {
        wire.until_read().await;
        wire.send([b'x'; 5_000]).await;
    }
    let head = wire.head().await.expect("an answer");
    assert!(head.starts_with("http/1.1 401") && !head.contains("connection: close"), "{head}");
    assert_eq!(wire.answer().await.map(|(status, _)| status), Some(401));
    assert_eq!(wire.get("/healthz").await, Some(200));
}

#[tokio::test]
async fn a_refusal_of_a_body_that_is_not_read_announces_the_end_of_the_connection() {
    let test = TestApp::start().await;
    let never_sent = upload_without_a_session(10_000);
    let awaits_continue = never_sent.replace("host: desk", "host: desk\r\nexpect: 100-continue");
    for request in [upload_without_a_session(10_000_000), never_sent, awaits_continue] {
        let mut wire = Wire::open(test.address).await;
        wire.send(request).await;
        let head = wire.head().await.expect("an answer");
        assert!(head.starts_with("http/1.1 401") && head.contains("connection: close"), "{head}");
        wire.until_closed().await;
    }
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
    // Of the limits on time only that on writing can end the connection here: the heads arrive whole, and none is awaited.
    let test = TestApp::start_with(|config| {
        config.limits.connections = 1;
        config.limits.head_seconds = 3_600;
        config.limits.write_idle_seconds = 1;
    })
    .await;
    let mut wire = Wire::open(test.address).await;
    wire.send("GET /api/docs HTTP/1.1\r\nhost: desk\r\nconnection: close\r\n\r\n").await;
    let page = wire.until_closed().await;
    assert!(page > 100_000, "a large page: {page} bytes");

    let mut wire = connect(&test, None, "the first connection frees its permit").await;
    // Far more than the buffers of both sockets hold, so the server has to wait for the client.
    let requests = 64 * 1024 * 1024 / page;
    let since = Instant::now();
    assert!(wire.send("GET /api/docs HTTP/1.1\r\nhost: desk\r\n\r\n".repeat(requests)).await, "it is connected");
    // There is one permit, so another connection is served as soon as the server has closed this one.
    connect(&test, None, "the server disconnects a client that does not read").await;
    assert!(since.elapsed() >= Duration::from_secs(1), "the client had the time that the limit leaves it");
    let received = wire.until_closed().await;
    assert!((1..requests * page / 2).contains(&received), "{received} bytes of {requests} pages were under way");
}

/// Opens a connection, as soon as the limit allows it: a closed connection is released with a short delay.
async fn connect(test: &TestApp, from: Option<IpAddr>, what: &str) -> Wire {
    let open = async || {
        let mut wire = match from {
            Some(from) => Wire::open_from(from, test.address).await,
            None => Wire::open(test.address).await,
        };
        (wire.get("/healthz").await == Some(200)).then_some(wire)
    };
    until(what, open).await
}

#[tokio::test]
async fn each_address_has_its_own_connection_limit() {
    assert_eq!(Config::default().limits.connections_per_address, 300);
    let test = TestApp::start_with(|config| config.limits.connections_per_address = 3).await;
    let mut wires = Vec::new();
    for _ in 0..3 {
        wires.push(connect(&test, None, "three connections have a permit").await);
    }
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "a fourth connection is refused");
    connect(&test, Some(OTHER_ADDRESS), "another address has its own limit").await;
    for wire in &mut wires {
        assert_eq!(wire.get("/healthz").await, Some(200), "open connections stay open");
    }
    wires.pop();
    connect(&test, None, "a closed connection frees its permit").await;
}

#[tokio::test]
async fn all_addresses_together_share_a_connection_limit() {
    let test = TestApp::start_with(|config| config.limits.connections = 2).await;
    let _one = connect(&test, None, "one connection has a permit").await;
    let other = connect(&test, Some(OTHER_ADDRESS), "two connections have a permit").await;
    assert!(Wire::open(test.address).await.get("/healthz").await.is_none(), "a third connection is refused");
    drop(other);
    connect(&test, None, "a closed connection frees its permit").await;
}

#[tokio::test]
async fn a_trusted_proxy_may_exceed_the_connection_limit_per_address() {
    let test = TestApp::start_with(|config| {
        config.limits.connections_per_address = 1;
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
    })
    .await;
    let mut wires = Vec::new();
    for _ in 0..4 {
        wires.push(connect(&test, None, "the proxy has no limit").await);
    }
    let _other = connect(&test, Some(OTHER_ADDRESS), "another address has one connection").await;
    assert!(
        Wire::open_from(OTHER_ADDRESS, test.address).await.get("/healthz").await.is_none(),
        "an untrusted address has one connection"
    );
}

#[tokio::test]
async fn an_office_has_five_times_the_connections_of_a_stranger() {
    let test = TestApp::start_with(|config| config.limits.connections_per_address = 3).await;
    let id = test.add_member(StaffType::Team, "Budi").await;
    let token = test.begin_session(id, Remember::No).await.token;
    let mut budi = connect(&test, Some(OTHER_ADDRESS), "the first connection").await;
    budi.send(format!("GET /api/user_info HTTP/1.1\r\nhost: desk\r\nauthorization: {token}\r\n\r\n")).await;
    assert_eq!(budi.answer().await.map(|(status, _)| status), Some(200));
    let mut office = vec![budi];
    for _ in 1..15 {
        office.push(connect(&test, Some(OTHER_ADDRESS), "an office has many browsers").await);
    }
    assert!(Wire::open_from(OTHER_ADDRESS, test.address).await.get("/healthz").await.is_none(), "not any number");
}

#[tokio::test]
async fn the_last_tenth_of_all_connections_is_kept_for_addresses_of_staff() {
    let test = TestApp::start_with(|config| config.limits.connections = 20).await;
    let id = test.add_member(StaffType::Team, "Budi").await;
    let token = test.begin_session(id, Remember::No).await.token;
    let office = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3));
    let mut strangers = Vec::new();
    for _ in 0..25 {
        let mut wire = Wire::open(test.address).await;
        if wire.get("/healthz").await.is_some() {
            strangers.push(wire);
        }
    }
    assert_eq!(strangers.len(), 18, "strangers get all but two");
    for address in [office, OTHER_ADDRESS] {
        let mut wire = Wire::open_from(address, test.address).await;
        assert!(wire.get("/healthz").await.is_none(), "no member has worked from {address} yet");
    }
    strangers.drain(..8);
    let mut budi = connect(&test, Some(office), "a stranger's connection is free again").await;
    budi.send(format!("GET /api/user_info HTTP/1.1\r\nhost: desk\r\nauthorization: {token}\r\n\r\n")).await;
    assert_eq!(budi.answer().await.map(|(status, _)| status), Some(200));
    let forged = "GET /api/user_info HTTP/1.1\r\nhost: desk\r\nauthorization: forged\r\n\r\n";
    let mut other = connect(&test, Some(OTHER_ADDRESS), "a stranger").await;
    other.send(forged).await;
    assert_eq!(other.answer().await.map(|(status, _)| status), Some(401));
    drop((budi, other));
    // Until strangers are refused again.
    loop {
        let mut wire = Wire::open(test.address).await;
        if wire.get("/healthz").await.is_none() {
            break;
        }
        strangers.push(wire);
    }
    assert!(
        Wire::open_from(OTHER_ADDRESS, test.address).await.get("/healthz").await.is_none(),
        "a refused call does not count"
    );
    assert!(strangers.len() <= 18, "strangers get all but two again: {}", strangers.len());
    // Those of above may have been counted until now, so strangers may have got fewer.
    let mut staff = Vec::new();
    while strangers.len() + staff.len() < 20 {
        staff.push(connect(&test, Some(office), "staff get in").await);
    }
    assert!(Wire::open_from(office, test.address).await.get("/healthz").await.is_none(), "the limit holds for all");
}
