//! Unusual texts and types in every field of every call of the contract.

use axum::body::Bytes;
use futures_util::{StreamExt as _, stream};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use serde_json::{Value, json};
use visadesk::access::Access;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType;

use crate::intake::shop_key;
use crate::support::calls::{Call, calls, places, with_value};
use crate::support::database::is_postgres;
use crate::support::rounds::{rounds, seed};
use crate::support::wire::Wire;
use crate::support::{Answer, Client, TestApp};

/// A placeholder in a body, replaced by bytes that a JSON serialiser would not produce.
const PLACEHOLDER: &str = "@@here@@";

/// The bytes between the quotes, and whether every call must refuse them.
const TEXTS: [(&str, &[u8], bool); 16] = [
    ("quotes", b"'; DROP TABLE orders; -- \\\" %_\\\\", false),
    ("an escaped NUL", b"a\\u0000b", true),
    ("a NUL", b"a\0b", true),
    ("half a surrogate", b"\\ud800", true),
    ("the other half of a surrogate", b"x\\udc00", true),
    ("surrogates in the wrong order", b"\\udc00\\ud800", true),
    ("an overlong NUL", b"\xc0\x80", true),
    ("an overlong slash", b"\xe0\x80\xaf", true),
    ("a surrogate in UTF-8", b"\xed\xa0\x80", true),
    ("an invalid byte", b"\xff", true),
    ("a truncated character", b"\xe7\x8e", true),
    ("a control character", b"\x01", true),
    ("a byte order mark", b"\xef\xbb\xbf", false),
    ("a replacement character", b"\xef\xbf\xbd", false),
    ("a noncharacter", b"\xef\xbf\xbf\xf4\x8f\xbf\xbf", false),
    ("right-to-left text", b"\xe2\x80\xaegnp.exe", false),
];

/// Requests of one call after another, by a caller that signs in again only when the server no longer knows it.
struct Sender<'a> {
    test: &'a TestApp,
    call: &'static Call,
    key: &'a str,
    caller: Client<'a>,
}

impl<'a> Sender<'a> {
    async fn new(test: &'a TestApp, call: &'static Call, key: &'a str) -> Self {
        Self { test, call, key, caller: caller(test, call, key).await }
    }

    async fn send(&mut self, body: impl Into<Bytes>) -> Answer {
        self.send_to(&self.call.path, Some(body.into())).await
    }

    async fn send_to(&mut self, path: &str, body: Option<Bytes>) -> Answer {
        let answer = self.try_to(path, body.clone()).await;
        if answer.status != 401 {
            return answer;
        }
        // An earlier request may have ended the session: then the same one is sent in a new one.
        self.caller = caller(self.test, self.call, self.key).await;
        self.try_to(path, body).await
    }

    async fn try_to(&self, path: &str, body: Option<Bytes>) -> Answer {
        let mut request = self.caller.request(self.call.method.clone(), path).await;
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        self.caller.send(request).await
    }
}

/// A caller of its own for each call, whose session no other call can end.
async fn caller<'a>(test: &'a TestApp, call: &'static Call, key: &str) -> Client<'a> {
    match call.access {
        Access::Staff(_) => test.as_staff(StaffType::Admin, &format!("Admin of {}", call.name)),
        _ => call.caller(test, key).await,
    }
}

/// Runs `work` for every call of the contract, some of them at once. Returns the sum of what it returns.
async fn for_each_call<F: Future<Output = usize>>(work: impl FnMut(&'static Call) -> F) -> usize {
    stream::iter(calls()).map(work).buffer_unordered(8).fold(0, async |sum, sent| sum + sent).await
}

/// All values on SQLite, whose run records the errors of each call. On PostgreSQL `count` of them, drawn by a printed seed; all in the long
/// form.
fn drawn<'a, T>(values: &'a [T], count: usize, rng: &'a mut ChaCha8Rng) -> impl Iterator<Item = &'a T> {
    let count = if is_postgres() { rounds(count, values.len()) } else { values.len() };
    values.sample(rng, count)
}

fn replace(text: &str, with: &[u8]) -> Vec<u8> {
    let (before, after) = text.split_once(PLACEHOLDER).expect("the placeholder is there");
    [before.as_bytes(), with, after.as_bytes()].concat()
}

/// Starts the app with very high rate limits, one order and an API key of the sales site.
async fn prepared() -> (TestApp, String) {
    let test = TestApp::start_with(|config| {
        config.limits.sign_in_failures_per_address = 1_000_000;
        config.limits.sign_in_failures_per_account = 1_000_000;
        config.limits.wrong_emails_per_order = 1_000_000;
        config.limits.tracks_per_address = 1_000_000;
        config.limits.public_calls_per_address = 1_000_000;
        config.limits.public_calls = 1_000_000;
        config.limits.tracks = 1_000_000;
    })
    .await;
    assert_eq!(test.add_order(ProcessStatus::New).await, 100_001);
    // The owner that some bodies name.
    test.as_staff(StaffType::Admin, "Ayu").id().await;
    let key = shop_key(&test).await;
    (test, key)
}

#[tokio::test]
async fn the_sample_bodies_are_valid_for_their_calls() {
    let (test, key) = prepared().await;
    for call in calls() {
        let Some(body) = &call.body else { continue };
        let answer = Sender::new(&test, call, &key).await.send(body.to_string()).await;
        assert!(matches!(answer.status, 200 | 401 | 404 | 409 | 422), "{} {body}: {answer}", call.name);
        assert!(!answer.message().contains("The request is not valid"), "{} {body}: {answer}", call.name);
    }
}

#[tokio::test]
async fn odd_text_in_any_field_of_any_call_never_causes_a_server_error() {
    let (test, key) = prepared().await;
    let seed = seed();
    let sent = for_each_call(async |call| {
        let (Some(body), mut rng) = (&call.body, ChaCha8Rng::from_seed(seed)) else { return 0 };
        let (mut sender, mut sent) = (Sender::new(&test, call, &key).await, 0);
        for place in places(body).iter().filter(|place| body.pointer(place).is_some_and(Value::is_string)) {
            let template = with_value(body, place, &json!(PLACEHOLDER)).to_string();
            for (what, bytes, must_refuse) in drawn(&TEXTS, 4, &mut rng) {
                let answer = sender.send(replace(&template, bytes)).await;
                let context = format!("{what} in {} of {}: {answer}", place, call.name);
                assert!(answer.status < 500 && answer.status != 403, "{context}");
                // The fields of an order are read one by one: it costs at most the one that it is in.
                let is_of_a_field = call.name == "create_order" && *what == "an escaped NUL";
                if *must_refuse && !is_of_a_field {
                    assert_eq!(answer.status, 400, "{context}");
                    assert!(answer.json["status"] == 0 && !answer.message().is_empty(), "{context}");
                }
                sent += 1;
            }
        }
        sent
    })
    .await;
    assert!(sent > 500, "only {sent} texts were sent");
}

#[tokio::test]
async fn a_value_of_the_wrong_type_in_any_field_of_any_call_never_causes_a_server_error() {
    let (test, key) = prepared().await;
    let long = "x".repeat(100_000);
    let values = [
        json!(""),
        json!(long),
        json!([]),
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(" "),
        json!("text"),
        json!([[]]),
        json!([null, true, "1", 1.5, {}]),
        json!(vec![0; 1_001]),
        json!({}),
        json!({ "": { "": [] } }),
    ];
    let seed = seed();
    let sent = for_each_call(async |call| {
        let (Some(body), mut rng) = (&call.body, ChaCha8Rng::from_seed(seed)) else { return 0 };
        let (mut sender, mut sent) = (Sender::new(&test, call, &key).await, 0);
        for place in places(body) {
            for value in drawn(&values, 7, &mut rng) {
                let answer = sender.send(with_value(body, &place, value).to_string()).await;
                let shown: String = value.to_string().chars().take(40).collect();
                assert!(answer.status < 500, "{shown} in {place} of {}: {answer}", call.name);
                assert!(answer.json["message"].is_string(), "{shown} in {place} of {}: {answer}", call.name);
                sent += 1;
            }
        }
        sent
    })
    .await;
    assert!(sent > 1_000, "only {sent} values were sent");
    assert_eq!(test.anonymous().page("/readyz").await.status, 200);
}

#[tokio::test]
async fn odd_url_parameters_never_cause_a_server_error() {
    let (test, key) = prepared().await;
    let long = "9".repeat(5_000);
    let values = [
        "0",
        "99999999999999999999999",
        "%00",
        "a%00b",
        "%ff",
        "%c0%80",
        "%ed%a0%80",
        "%EF%BB%BF",
        "%EF%BF%BD",
        "%EF%BF%BF",
        "%",
        "%zz",
        "%2",
        "%25%30%30",
        "-1",
        "1.5",
        "1e9",
        "9223372036854775807",
        "9223372036854775808",
        "%2e%2e%2f",
        "..%5c",
        "%2Fetc%2Fpasswd",
        "null",
        "undefined",
        "NaN",
        "[]",
        "1;--",
        "%27%20OR%201=1",
        "MjAwMA==",
        "====",
        "%20",
        "+",
        &long,
    ];
    let seed = seed();
    let sent = for_each_call(async |call| {
        let (mut sender, mut rng) = (Sender::new(&test, call, &key).await, ChaCha8Rng::from_seed(seed));
        let mut addresses = Vec::new();
        for value in drawn(&values, 8, &mut rng) {
            if call.template.contains('{') {
                let parts = call.template.split('/').map(|part| if part.starts_with('{') { value } else { part });
                addresses.push(parts.collect::<Vec<_>>().join("/"));
            }
            addresses.extend(call.query.iter().map(|name| format!("{}?{name}={value}", call.path)));
            addresses.push(format!("{}?{value}", call.path));
        }
        for address in &addresses {
            let body = call.body.as_ref().map(|body| body.to_string().into());
            let answer = sender.send_to(address, body).await;
            let shown: String = address.chars().take(120).collect();
            assert!(answer.status < 500, "{} {shown}: {answer}", call.method);
        }
        addresses.len()
    })
    .await;
    assert!(sent > 1_000, "only {sent} addresses were asked for");
}

#[tokio::test]
async fn a_malformed_http_head_is_refused_and_the_server_keeps_running() {
    let (test, _) = prepared().await;
    let many_headers = (0..80).map(|index| format!("x-{index}: 1\r\n")).collect::<String>();
    let heads: [&[u8]; 9] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /\xff\xfe HTTP/1.1\r\nhost: desk\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nhost: desk\r\n\r\n",
        b"GET / HTTP/9.9\r\nhost: desk\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost desk\r\n\r\n",
        b"GET / HTTP/1.1\r\nx: a\0b\r\n\r\n",
        b"POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello",
        b"POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ncontent-length: -1\r\n\r\n",
        b"POST /api/admin/admin-login HTTP/1.1\r\nhost: desk\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    ];
    let mut heads: Vec<Vec<u8>> = heads.into_iter().map(<[u8]>::to_vec).collect();
    heads.push(format!("GET / HTTP/1.1\r\nhost: desk\r\n{many_headers}\r\n").into_bytes());
    heads.push(format!("GET /{} HTTP/1.1\r\nhost: desk\r\n\r\n", "x".repeat(70_000)).into_bytes());
    for head in heads {
        let mut wire = Wire::open(test.address).await;
        wire.send(&head).await;
        let answer = wire.answer().await;
        let refused = answer.as_ref().is_none_or(|(status, _)| (400..500).contains(status));
        assert!(refused, "{}: {answer:?}", String::from_utf8_lossy(&head[..head.len().min(80)]));
    }
    assert_eq!(test.anonymous().page("/healthz").await.status, 200);
}
