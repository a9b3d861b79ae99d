//! The addresses of clients behind proxies, observed through the sign-in limits.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use visadesk::config::proxies::ClientSource;

use crate::support::TestApp;
use crate::support::program::Installation;
use crate::support::wire::Wire;

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

/// Starts the app behind a proxy on this machine that names its clients there.
async fn start_with_source(source: ClientSource) -> TestApp {
    TestApp::start_with(move |config| {
        config.limits.sign_in_failures_per_address = 3;
        config.limits.head_seconds = 1;
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.client_source = source;
    })
    .await
}

/// Signs in with a wrong password, with these headers, on a connection that begins with `announced`. Returns whether the client was
/// rate limited; none if the server closes the connection without a response.
async fn is_limited_over(test: &TestApp, announced: &[u8], headers: &str, round: u32) -> Option<bool> {
    let body = json!({ "email": format!("nobody{round}@desk.example"), "password": "a wrong password" }).to_string();
    let mut wire = Wire::open(test.address).await;
    wire.send(announced).await;
    wire.send(format!(
        "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\n{headers}content-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    ))
    .await;
    let (status, text) = wire.answer().await?;
    assert!(matches!(status, 401 | 429), "{status} {text}");
    Some(status == 429)
}

/// A header of version 2 of the PROXY protocol: `command`, addresses of IPv4, and a proxy's own note.
fn binary(command: u8, client: [u8; 4]) -> Vec<u8> {
    let mut header = b"\r\n\r\n\0\r\nQUIT\n".to_vec();
    header.extend([0x20 | command, 0x11, 0, 12 + 5]);
    header.extend(client);
    header.extend([127, 0, 0, 1, 0x12, 0x67, 0x01, 0xbb]);
    header.extend([0x04, 0, 2, b'x', b'y']);
    header
}

#[tokio::test]
async fn the_proxy_protocol_names_the_client_and_headers_do_not() {
    let test = start_with_source(ClientSource::ProxyProtocol).await;
    let text = |client: &str| format!("PROXY TCP4 {client} 127.0.0.1 4711 443\r\n").into_bytes();
    let announced =
        [text("203.0.113.1"), binary(1, [203, 0, 113, 1]), text("203.0.113.1"), binary(1, [203, 0, 113, 1])];
    for (round, announced) in (0..).zip(announced) {
        let forged = format!("x-forwarded-for: 198.51.100.{round}\r\nforwarded: for=198.51.100.{round}\r\n");
        assert_eq!(is_limited_over(&test, &announced, &forged, round).await, Some(round == 3), "{round}");
    }
    assert_eq!(is_limited_over(&test, &text("203.0.113.2"), "", 4).await, Some(false));
    let ipv6 = b"PROXY TCP6 2001:db8::7 ::1 4711 443\r\n";
    assert_eq!(is_limited_over(&test, ipv6, "", 5).await, Some(false));
    // The proxy's own requests count as its own.
    for (round, own) in (6..).zip([&b"PROXY UNKNOWN\r\n"[..], &binary(0, [203, 0, 113, 1])]) {
        assert_eq!(is_limited_over(&test, own, "", round).await, Some(false));
    }
}

#[tokio::test]
async fn a_connection_of_a_proxy_that_announces_nobody_is_closed() {
    let test = start_with_source(ClientSource::ProxyProtocol).await;
    let mut long = binary(1, [203, 0, 113, 1]);
    long[14..16].copy_from_slice(&u16::MAX.to_be_bytes());
    let endless = [b"PROXY TCP4 ".as_slice(), &[b'1'; 200]].concat();
    let others = [&b""[..], b"PROXY TCP4 203.0.113.1\r\n", b"PROXY TCP4 one two 1 2\r\n", &long, &endless, b"PRO"];
    for (round, other) in (0..).zip(others) {
        assert_eq!(is_limited_over(&test, other, "", round).await, None, "{other:?}");
    }
    // A proxy that begins and does not go on holds no connection.
    let mut wire = Wire::open(test.address).await;
    wire.send("PROXY TCP4 ").await;
    wire.until_closed().await;
}

#[tokio::test]
async fn a_stranger_does_not_choose_an_address_by_the_proxy_protocol() {
    let test = TestApp::start_with(|config| config.client_source = ClientSource::ProxyProtocol).await;
    let mut wire = Wire::open(test.address).await;
    wire.send("PROXY TCP4 203.0.113.1 127.0.0.1 4711 443\r\nGET /healthz HTTP/1.1\r\nhost: desk\r\n\r\n").await;
    assert_eq!(wire.answer().await.map(|(status, _)| status), Some(400));
}

#[tokio::test]
async fn only_the_chosen_header_names_the_client() {
    let test = start_with_source(ClientSource::Forwarded).await;
    for round in 0..4 {
        let headers = format!("x-forwarded-for: 198.51.100.{round}\r\nforwarded: for=\"203.0.113.1:{round}\"\r\n");
        assert_eq!(is_limited_over(&test, b"", &headers, round).await, Some(round == 3), "{round}");
    }
    // Where the chosen one is absent, another does not take its place: the proxy's own address counts.
    for round in 4..8 {
        let headers = format!("x-forwarded-for: 198.51.100.{round}\r\n");
        assert_eq!(is_limited_over(&test, b"", &headers, round).await, Some(round == 7), "{round}");
    }
}

#[tokio::test]
async fn the_health_check_says_that_a_proxy_does_not_name_its_client() {
    let test = start_with_source(ClientSource::XForwardedFor).await;
    for (headers, says) in [
        ("", "ok"),
        ("x-forwarded-for: [2001:db8::7]:443\r\n", "ok"),
        (
            "x-forwarded-for: 203.0.113.1, unknown\r\n",
            "ok\nthe last entry of the header x-forwarded-for of a trusted proxy is not understood",
        ),
        (
            "forwarded: for=203.0.113.1\r\n",
            "ok\na trusted proxy sends the header forwarded, but client_source is x-forwarded-for",
        ),
    ] {
        let mut wire = Wire::open(test.address).await;
        wire.send(format!("GET /healthz HTTP/1.1\r\nhost: desk\r\n{headers}\r\n")).await;
        assert_eq!(wire.answer().await, Some((200, says.to_owned())), "{headers}");
    }
}

/// A proxy that adds a line to the head of one request. Returns its address.
async fn proxy_adding(line: &'static str, server: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.expect("a client");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            client.read_buf(&mut head).await.expect("a head");
        }
        head.truncate(head.len() - 2);
        head.extend(format!("{line}connection: close\r\n\r\n").into_bytes());
        let mut server = TcpStream::connect(server).await.expect("the server accepts");
        server.write_all(&head).await.expect("the server reads");
        tokio::io::copy(&mut server, &mut client).await.expect("the client reads");
    });
    address.to_string()
}

#[tokio::test]
async fn check_config_asks_the_running_server_whether_it_understands_the_proxy() {
    let installation = Installation::make().await;
    let trusted = ("VISADESK_TRUSTED_PROXIES", "127.0.0.1");
    let program = installation.serve(&[trusted]);
    let server = program.address.to_string();
    let checked = async |public: String| {
        let mut command = installation.command(&["check-config"]);
        command.env("VISADESK_PUBLIC_URL", format!("http://{public}")).envs([trusted]).env("NO_PROXY", "*");
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it runs").expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = checked(proxy_adding("forwarded: for=203.0.113.1\r\n", server.clone()).await).await;
    assert!(said.contains("sends the header forwarded, but client_source is x-forwarded-for"), "{said}");
    let said = checked(proxy_adding("x-forwarded-for: 203.0.113.1:4711\r\n", server).await).await;
    assert!(!said.contains("proxy"), "{said}");
    let said = checked("127.0.0.1:9".to_owned()).await;
    assert!(said.contains("not checked: whether the proxy's header is understood"), "{said}");
}
