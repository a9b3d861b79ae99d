//! Forged tokens. Each is refused with 401, and none is believed more than the session it names.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use serde_json::{Value, json};
use sha2::Sha256;
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::support::TestApp;

const HS256: &str = r#"{"typ":"JWT","alg":"HS256"}"#;

fn encode(text: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(text)
}

/// A token with that head and payload, signed with `key`.
fn sign(key: &[u8], head: &str, payload: &str) -> String {
    let message = format!("{}.{}", encode(head), encode(payload));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(message.as_bytes());
    format!("{message}.{}", encode(mac.finalize().into_bytes()))
}

/// The payload of a token.
fn payload(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap()
}

/// The payload with one claim set, or taken away.
fn with(payload: &Value, claim: &str, value: Option<Value>) -> String {
    let mut changed = payload.clone();
    match value {
        Some(value) => changed[claim] = value,
        None => drop(changed.as_object_mut().unwrap().remove(claim)),
    }
    changed.to_string()
}

#[tokio::test]
async fn the_token_carries_the_user_and_its_expiry() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let mut said = payload(budi.token().await);
    assert_eq!(said["exp"].as_i64().unwrap() - said["iat"].as_i64().unwrap(), 12 * 3_600);
    assert_eq!(said["nbf"], said["iat"]);
    assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(said["sid"].as_str().unwrap()).unwrap().len(), 32);
    for drawn in ["sid", "iat", "nbf", "exp"] {
        said[drawn] = json!("-");
    }
    insta::assert_snapshot!(said, @r#"{"user":{"id":1,"name":"Budi","type":"Team"},"sid":"-","sub":"1","aud":"visadesk","typ":"session","iat":"-","nbf":"-","exp":"-"}"#);
}

#[tokio::test]
async fn a_forged_token_is_refused() {
    let test = TestApp::start().await;
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let key = test.app.kit.secret.derive("session tokens");
    let (said, now) = (payload(&token), test.clock.now().and_utc().timestamp());
    let ours = |payload: String| sign(&key, HS256, &payload);
    let parts: Vec<&str> = token.split('.').collect();
    let (head, body, signature) = (parts[0], parts[1], parts[2]);
    let as_admin = with(&said, "user", Some(json!({ "id": 1, "name": "Budi", "type": "Admin" })));

    let good = ours(said.to_string());
    assert_eq!(test.with_token(&good).get("/user_info").await.status, 200, "the forger's tools work");

    let mut forged: Vec<(&str, String)> = vec![
        ("HS384 under our key", sign(&key, r#"{"typ":"JWT","alg":"HS384"}"#, &said.to_string())),
        ("HS512 under our key", sign(&key, r#"{"typ":"JWT","alg":"HS512"}"#, &said.to_string())),
        ("RS256 under our key", sign(&key, r#"{"typ":"JWT","alg":"RS256"}"#, &said.to_string())),
        ("EdDSA under our key", sign(&key, r#"{"typ":"JWT","alg":"EdDSA"}"#, &said.to_string())),
        ("no algorithm", sign(&key, r#"{"typ":"JWT"}"#, &said.to_string())),
        ("no signature", format!("{head}.{body}.")),
        ("a signature cut short", format!("{head}.{body}.{}", &signature[..40])),
        ("another payload", format!("{head}.{}.{signature}", encode(&as_admin))),
        ("the key of another installation", sign(&[7; 32], HS256, &said.to_string())),
        ("an empty key", sign(b"", HS256, &said.to_string())),
        (
            "a key in its own head",
            sign(
                b"attacker",
                r#"{"typ":"JWT","alg":"HS256","jwk":{"kty":"oct","k":"YXR0YWNrZXI"}}"#,
                &said.to_string(),
            ),
        ),
        (
            "a key from elsewhere",
            sign(
                b"attacker",
                r#"{"typ":"JWT","alg":"HS256","kid":"/dev/null","jku":"http://127.0.0.1:9/","x5u":"http://127.0.0.1:9/"}"#,
                &said.to_string(),
            ),
        ),
        ("expired by 61 seconds", ours(with(&said, "exp", Some(json!(now - 61))))),
        ("exp as text", ours(with(&said, "exp", Some(json!((now + 999).to_string()))))),
        ("exp missing", ours(with(&said, "exp", None))),
        ("exp null", ours(with(&said, "exp", Some(Value::Null)))),
        ("exp beyond all numbers", ours(with(&said, "exp", Some(json!(1e300))))),
        ("exp a fraction", ours(with(&said, "exp", Some(json!(now as f64 + 99.5))))),
        ("nbf ahead by 61 seconds", ours(with(&said, "nbf", Some(json!(now + 61))))),
        ("nbf missing", ours(with(&said, "nbf", None))),
        ("nbf as text", ours(with(&said, "nbf", Some(json!("0"))))),
        ("iat missing", ours(with(&said, "iat", None))),
        ("sub missing", ours(with(&said, "sub", None))),
        ("sub a number", ours(with(&said, "sub", Some(json!(1))))),
        ("another audience", ours(with(&said, "aud", Some(json!("elsewhere"))))),
        ("no audience", ours(with(&said, "aud", None))),
        ("another kind", ours(with(&said, "typ", Some(json!("visitor"))))),
        ("no kind", ours(with(&said, "typ", None))),
        ("no session", ours(with(&said, "sid", None))),
        ("a session that is not there", ours(with(&said, "sid", Some(json!("AAAA"))))),
        ("a session as a list", ours(with(&said, "sid", Some(json!([said["sid"]]))))),
        ("a claim said twice", ours(said.to_string().replacen('{', r#"{"exp":99999999999,"#, 1))),
        ("a payload that is no object", ours("[]".into())),
        ("a payload that is no JSON", ours("{\"user\"".into())),
        ("a payload that is no base64", format!("{head}.!!!!.{signature}")),
        (
            "a payload of bytes that are no text",
            sign(&key, HS256, "").replace("..", &format!(".{}.", encode([0xff, 0xfe]))),
        ),
        ("nothing", String::new()),
        ("one part", "5".into()),
        ("two parts", format!("{head}.{body}")),
        ("four parts", format!("{token}.{signature}")),
        ("dots", "...".into()),
        ("a scheme before it", format!("Bearer {token}")),
        ("more than 4 KB", ours(with(&said, "user", Some(json!("x".repeat(5_000)))))),
    ];
    for name in ["none", "None", "nOnE", "NONE", ""] {
        let unsigned = encode(format!(r#"{{"typ":"JWT","alg":"{name}"}}"#));
        forged.push(("an algorithm that signs nothing", format!("{unsigned}.{body}.")));
        forged.push(("an algorithm that signs nothing, signed", format!("{unsigned}.{body}.{signature}")));
    }
    for (how, token) in forged {
        let answer = test.with_token(token).get("/user_info").await;
        assert_eq!((answer.status, answer.message()), (401, "Please sign in again"), "{how}");
    }
    assert_eq!(test.with_token(&good).get("/user_info").await.status, 200, "and the good one still works");
}

#[tokio::test]
async fn clock_skew_of_a_minute_is_tolerated() {
    let test = TestApp::start().await;
    let said = payload(test.as_staff(Team, "Budi").token().await);
    let (key, now) = (test.app.kit.secret.derive("session tokens"), test.clock.now().and_utc().timestamp());
    for (claim, at) in [("exp", now - 58), ("nbf", now + 58)] {
        let token = sign(&key, HS256, &with(&said, claim, Some(json!(at))));
        assert_eq!(test.with_token(token).get("/user_info").await.status, 200, "{claim}");
    }
}

#[tokio::test]
async fn only_the_session_id_of_a_token_is_trusted() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").id().await;
    let mut said = payload(test.as_staff(Team, "Budi").token().await);
    said["user"] = json!({ "id": ayu, "name": "Ayu", "type": "Admin" });
    said["sub"] = json!(ayu.to_string());
    let raised = test.with_token(sign(&test.app.kit.secret.derive("session tokens"), HS256, &said.to_string()));
    assert_eq!(raised.get("/user_info").await.data()["name"], "Budi");
    assert_eq!(raised.get("/admin/get-team-member-list").await.status, 403);
}

#[tokio::test]
async fn a_non_text_duplicate_or_huge_authorization_header_is_refused() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let token = budi.token().await;
    let nobody = test.anonymous();

    let twice = budi.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, token);
    assert_eq!(nobody.send(twice).await.status, 401);
    let bytes = HeaderValue::from_bytes(b"\xff\xfe\xfd").unwrap();
    let bytes = nobody.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, bytes);
    assert_eq!(nobody.send(bytes).await.status, 401);
    let endless = nobody.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, "x".repeat(1_000_000));
    // The server may let go while the client still sends.
    if let Ok(answer) = endless.send().await {
        assert!((400..500).contains(&answer.status().as_u16()), "{}", answer.status());
    }
    assert_eq!(budi.get("/user_info").await.status, 200);
}
