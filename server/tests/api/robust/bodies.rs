//! Request bodies that are too large, too deep, compressed or endless.

use insta::assert_snapshot;
use serde_json::json;
use visadesk::staff::rules::StaffType::Team;

use crate::intake::shop_key;
use crate::support::TestApp;
use crate::support::wire::Wire;

const SIGN_IN: &str = "POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\n";

#[tokio::test]
async fn a_body_with_a_huge_content_length_is_refused_before_it_is_sent() {
    let test = TestApp::start().await;
    let key = shop_key(&test).await;
    let upload = format!(
        "POST /api/intake/orders/100001/documents/passport_picture HTTP/1.1\r\nhost: desk\r\nx-api-key: {key}\r\n\
         content-type: multipart/form-data; boundary=x\r\n"
    );
    for head in [SIGN_IN, &upload] {
        let mut wire = Wire::open(test.address).await;
        wire.send(format!("{head}content-length: 10737418240\r\n\r\n")).await;
        let (status, body) = wire.answer().await.expect("an answer");
        assert_eq!(status, 413, "{body}");
        assert!(body.contains(r#""status":0"#), "{body}");
    }
    let mut wire = Wire::open(test.address).await;
    wire.send(format!("{SIGN_IN}content-length: 300000\r\n\r\n")).await;
    let (status, body) = wire.answer().await.expect("an answer");
    assert_snapshot!(format!("{status} {body}"), @r#"413 {"status":0,"code":"request_too_large","message":"The request is larger than 256 KB"}"#);
}

#[tokio::test]
async fn an_endless_body_is_cut_off_at_the_limit() {
    let test = TestApp::start().await;
    let mut wire = Wire::open(test.address).await;
    wire.send(format!("{SIGN_IN}transfer-encoding: chunked\r\n\r\n")).await;
    let chunk = format!("2000\r\n{}\r\n", "x".repeat(0x2000));
    let mut sent = 0;
    // Socket buffers hold far more than the limit, but the server must not read everything.
    while sent < 64 * 1024 * 1024 && wire.send(&chunk).await {
        sent += chunk.len();
    }
    assert!(sent < 64 * 1024 * 1024, "the server closed the connection");
    assert_eq!(test.anonymous().page("/healthz").await.status, 200);
}

#[tokio::test]
async fn an_endless_upload_is_cut_off_at_the_limit() {
    let test = TestApp::start_with(|config| config.limits.upload_bytes = 1024 * 1024).await;
    let key = shop_key(&test).await;
    let shop = test.with_api_key(&key);
    let order = shop.post("/intake/orders", crate::intake::order(json!({}))).await;
    assert_eq!(order.status, 200, "{order}");
    let mut wire = Wire::open(test.address).await;
    wire.send(format!(
        "POST /api/intake/orders/100001/documents/passport_picture HTTP/1.1\r\nhost: desk\r\nx-api-key: {key}\r\n\
         content-type: multipart/form-data; boundary=x\r\ntransfer-encoding: chunked\r\n\r\n"
    ))
    .await;
    let start = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.7\n";
    wire.send(format!("{:x}\r\n{start}\r\n", start.len())).await;
    let chunk = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
    let mut sent = 0;
    while sent < 64 * 1024 * 1024 && wire.send(&chunk).await {
        sent += chunk.len();
    }
    assert!(sent < 64 * 1024 * 1024, "the server closed the connection");
    let stored = std::fs::read_dir(test.app.config.data_dir.join("files")).expect("the files").count();
    assert_eq!(stored, 0, "no part of the upload stays");
}

#[tokio::test]
async fn a_body_with_deep_nesting_too_many_keys_or_a_duplicate_key_is_refused() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let send = async |body: String| {
        let request = budi.request(reqwest::Method::POST, "/api/admin/search-order").await;
        budi.send(request.header("content-type", "application/json").body(body)).await
    };
    for deep in
        ["[".repeat(100_000), "{\"a\":".repeat(40_000), format!("{{\"start\":{}0{}}}", "[".repeat(40), "]".repeat(40))]
    {
        assert_eq!(
            send(deep).await.to_string(),
            r#"400 {"status":0,"code":"nested_too_deep","message":"The request is nested too deeply"}"#
        );
    }
    let keys = |count: usize| (0..count).map(|index| format!("\"k{index}\":1,")).collect::<String>();
    let many = send(format!("{{{}\"folderName\":\"newOrder\"}}", keys(1_000_000))).await;
    assert_eq!(many.status, 413, "{many}");
    let many = send(format!("{{{}\"folderName\":\"newOrder\"}}", keys(15_000))).await;
    assert!(many.status < 500, "{many}");
    let twice = send(r#"{"folderName":"newOrder","folderName":"allOrder"}"#.into()).await;
    assert_snapshot!(twice, @r#"422 {"status":0,"code":"wrong_shape","message":"The request is not valid: duplicate field `folderName` at line 1 column 37"}"#);
}

#[tokio::test]
async fn only_uncompressed_json_is_accepted() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let body = r#"{"folderName":"newOrder"}"#;
    let post = async || budi.request(reqwest::Method::POST, "/api/admin/search-order").await.body(body);
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""]
    {
        let answer = budi.send(post().await.header("content-type", kind)).await;
        assert_eq!(answer.status, 415, "{kind}: {answer}");
    }
    let plain = budi.send(post().await.header("content-type", "Application/JSON; charset=utf-8")).await;
    assert_eq!(plain.status, 200, "{plain}");
    for encoding in ["gzip", "br", "deflate", "identity"] {
        let compressed = post().await.header("content-type", "application/json").header("content-encoding", encoding);
        assert_eq!(
            budi.send(compressed).await.to_string(),
            r#"415 {"status":0,"code":"compressed_request","message":"This server does not accept compressed requests"}"#
        );
    }
    for empty in ["", " ", "{", "nul", "{\"folderName\":\"newOrder\"} {}", "{'folderName':1}"] {
        let request = budi.request(reqwest::Method::POST, "/api/admin/search-order").await;
        let answer = budi.send(request.header("content-type", "application/json").body(empty)).await;
        assert_eq!(answer.to_string(), r#"400 {"status":0,"code":"not_json","message":"The request is not JSON"}"#);
    }
}
