//! Forged tokens are refused with 401, and a valid token is trusted only for its session id.

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

/// Creates a token with this header and payload, signed with `key`.
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

/// The payload with one claim set or removed.
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
    let mut claims = payload(budi.token().await);
    assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 12 * 3_600);
    assert_eq!(claims["nbf"], claims["iat"]);
    assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(claims["sid"].as_str().unwrap()).unwrap().len(), 32);
    for variable in ["sid", "iat", "nbf", "exp"] {
        claims[variable] = json!("-");
    }
    insta::assert_snapshot!(claims, @r#"{"user":{"id":1,"name":"Budi","type":"Team"},"sid":"-","sub":"1","aud":"visadesk","typ":"session","iat":"-","nbf":"-","exp":"-"}"#);
}

#[tokio::test]
async fn a_forged_token_is_refused() {
    let test = TestApp::start().await;
    // Some tokens become valid a second later.
    test.clock.stop();
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let key = test.app.kit.secret.derive("session tokens");
    let (claims, now) = (payload(&token), test.clock.now().timestamp());
    let sign_payload = |payload: String| sign(&key, HS256, &payload);
    let parts: Vec<&str> = token.split('.').collect();
    let (head, body, signature) = (parts[0], parts[1], parts[2]);
    let as_admin = with(&claims, "user", Some(json!({ "id": 1, "name": "Budi", "type": "Admin" })));

    let valid = sign_payload(claims.to_string());
    assert_eq!(test.with_token(&valid).get("/user_info").await.status, 200, "the signing helper of this test works");

    let mut forged: Vec<(&str, String)> = vec![
        ("HS384 under our key", sign(&key, r#"{"typ":"JWT","alg":"HS384"}"#, &claims.to_string())),
        ("HS512 under our key", sign(&key, r#"{"typ":"JWT","alg":"HS512"}"#, &claims.to_string())),
        ("RS256 under our key", sign(&key, r#"{"typ":"JWT","alg":"RS256"}"#, &claims.to_string())),
        ("EdDSA under our key", sign(&key, r#"{"typ":"JWT","alg":"EdDSA"}"#, &claims.to_string())),
        ("no algorithm", sign(&key, r#"{"typ":"JWT"}"#, &claims.to_string())),
        ("no signature", format!("{head}.{body}.")),
        ("a signature cut short", format!("{head}.{body}.{}", &signature[..40])),
        ("another payload", format!("{head}.{}.{signature}", encode(&as_admin))),
        ("the key of another installation", sign(&[7; 32], HS256, &claims.to_string())),
        ("an empty key", sign(b"", HS256, &claims.to_string())),
        (
            "a key in its own header",
            sign(
                b"attacker",
                r#"{"typ":"JWT","alg":"HS256","jwk":{"kty":"oct","k":"YXR0YWNrZXI"}}"#,
                &claims.to_string(),
            ),
        ),
        (
            "a key from elsewhere",
            sign(
                b"attacker",
                r#"{"typ":"JWT","alg":"HS256","kid":"/dev/null","jku":"http://127.0.0.1:9/","x5u":"http://127.0.0.1:9/"}"#,
                &claims.to_string(),
            ),
        ),
        ("expired by 61 seconds", sign_payload(with(&claims, "exp", Some(json!(now - 61))))),
        ("exp as text", sign_payload(with(&claims, "exp", Some(json!((now + 999).to_string()))))),
        ("exp missing", sign_payload(with(&claims, "exp", None))),
        ("exp null", sign_payload(with(&claims, "exp", Some(Value::Null)))),
        ("exp out of range", sign_payload(with(&claims, "exp", Some(json!(1e300))))),
        ("exp a fraction", sign_payload(with(&claims, "exp", Some(json!(now as f64 + 99.5))))),
        ("nbf ahead by 61 seconds", sign_payload(with(&claims, "nbf", Some(json!(now + 61))))),
        ("nbf missing", sign_payload(with(&claims, "nbf", None))),
        ("nbf as text", sign_payload(with(&claims, "nbf", Some(json!("0"))))),
        ("iat missing", sign_payload(with(&claims, "iat", None))),
        ("sub missing", sign_payload(with(&claims, "sub", None))),
        ("sub a number", sign_payload(with(&claims, "sub", Some(json!(1))))),
        ("another audience", sign_payload(with(&claims, "aud", Some(json!("elsewhere"))))),
        ("no audience", sign_payload(with(&claims, "aud", None))),
        ("another kind", sign_payload(with(&claims, "typ", Some(json!("visitor"))))),
        ("no kind", sign_payload(with(&claims, "typ", None))),
        ("no session", sign_payload(with(&claims, "sid", None))),
        ("an unknown session", sign_payload(with(&claims, "sid", Some(json!("AAAA"))))),
        ("a session as a list", sign_payload(with(&claims, "sid", Some(json!([claims["sid"]]))))),
        ("a duplicate claim", sign_payload(claims.to_string().replacen('{', r#"{"exp":99999999999,"#, 1))),
        ("a payload that is not an object", sign_payload("[]".into())),
        ("a payload that is not JSON", sign_payload("{\"user\"".into())),
        ("a payload that is not base64", format!("{head}.!!!!.{signature}")),
        ("a payload that is not UTF-8", sign(&key, HS256, "").replace("..", &format!(".{}.", encode([0xff, 0xfe])))),
        ("an empty token", String::new()),
        ("one part", "5".into()),
        ("two parts", format!("{head}.{body}")),
        ("four parts", format!("{token}.{signature}")),
        ("dots", "...".into()),
        ("a scheme prefix", format!("Bearer {token}")),
        ("more than 4 KB", sign_payload(with(&claims, "user", Some(json!("x".repeat(5_000)))))),
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
    assert_eq!(test.with_token(&valid).get("/user_info").await.status, 200, "the valid token still works");
}

#[tokio::test]
async fn clock_skew_of_a_minute_is_tolerated() {
    let test = TestApp::start().await;
    test.clock.stop();
    let claims = payload(test.as_staff(Team, "Budi").token().await);
    let (key, now) = (test.app.kit.secret.derive("session tokens"), test.clock.now().timestamp());
    for (claim, at) in [("exp", now - 60), ("nbf", now + 60)] {
        let token = sign(&key, HS256, &with(&claims, claim, Some(json!(at))));
        assert_eq!(test.with_token(token).get("/user_info").await.status, 200, "{claim}");
    }
}

#[tokio::test]
async fn only_the_session_id_of_a_token_is_trusted() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").id().await;
    let mut claims = payload(test.as_staff(Team, "Budi").token().await);
    claims["user"] = json!({ "id": ayu, "name": "Ayu", "type": "Admin" });
    claims["sub"] = json!(ayu.to_string());
    let raised = test.with_token(sign(&test.app.kit.secret.derive("session tokens"), HS256, &claims.to_string()));
    assert_eq!(raised.get("/user_info").await.data()["name"], "Budi");
    assert_eq!(raised.get("/admin/get-team-member-list").await.status, 403);
}

#[tokio::test]
async fn a_non_text_duplicate_or_huge_authorization_header_is_refused() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let token = budi.token().await;
    let anonymous = test.anonymous();

    let twice = budi.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, token);
    assert_eq!(anonymous.send(twice).await.status, 401);
    let bytes = HeaderValue::from_bytes(b"\xff\xfe\xfd").unwrap();
    let bytes = anonymous.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, bytes);
    assert_eq!(anonymous.send(bytes).await.status, 401);
    let huge = anonymous.request(Method::GET, "/api/user_info").await.header(AUTHORIZATION, "x".repeat(1_000_000));
    // The server may close the connection while the client is still sending.
    if let Ok(answer) = huge.send().await {
        assert!((400..500).contains(&answer.status().as_u16()), "{}", answer.status());
    }
    assert_eq!(budi.get("/user_info").await.status, 200);
}
