//! The log and the metrics of the real binary, which hold no personal data.

use std::collections::BTreeMap;

use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};
use visadesk::access::Access;

use super::program::text;
use crate::support::calls::{Call, calls};
use crate::support::http;
use crate::support::program::{Installation, Program};

/// Values of personal data in this test that must not appear in any log.
const CANARIES: [&str; 4] = ["kanari", "81299887766", "kn7654321", "203.0.113.77"];

#[tokio::test]
async fn logs_and_metrics_hold_no_personal_data() {
    let installation = Installation::make().await;
    let added = installation.run(
        &[
            "staff",
            "add",
            "--name",
            "Kanari Nama",
            "--email",
            "kanari@desk.example",
            "--type",
            "Admin",
            "--password-stdin",
        ],
        "kanari sandi 9137\n",
    );
    assert!(added.status.success(), "{}", text(&added.stderr));
    let key = text(&installation.run(&["api-key", "add", "kanari-toko"], "").stdout).trim().to_owned();
    let program = installation.serve(&[("VISADESK_TRUSTED_PROXIES", "127.0.0.1")]);
    let client = http::client();
    let post = |path: &str, body: Value| {
        let request = client.post(program.url(path)).json(&body).header("x-forwarded-for", "203.0.113.77");
        let request = request.header("x-api-key", &key);
        async move { request.send().await.expect("an answer") }
    };
    let post = &post;
    let mut statuses = Vec::new();
    for name in ["Kanari Pelanggan", "Kanari\n{\"level\":\"info\",\"message\":\"kanari\"}", "Kanari\u{202e}"] {
        let order = json!({
            "full_name": name, "contact_email_address": "kanari.surel@post.example", "phone_number": "81299887766",
            "processing_mode": "Regular Processing", "document_number": "KN7654321", "user_agent": "Kanari/1.0",
        });
        statuses.push(post("/api/intake/orders", order).await.status().as_u16());
    }
    assert_eq!(statuses[0], 200);
    let sign_in =
        |email: &str, password: &str| post("/api/admin/admin-login", json!({ "email": email, "password": password }));
    for _ in 0..7 {
        sign_in("kanari.lain@desk.example", "kanari salah").await;
    }
    sign_in("kanari@desk.example", "kanari salah").await;
    let direct = installation.serve(&[]);
    let answer: Value = client
        .post(direct.url("/api/admin/admin-login"))
        .json(&json!({ "email": "kanari@desk.example", "password": "kanari sandi 9137" }))
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    let token = answer["jwtToken"].as_str().unwrap_or_default().to_owned();
    let paths = [
        "/api/admin/get-orders-details/100001",
        "/api/admin/get-orders-list/newOrder?userName=Kanari+Lain",
        "/kanari/81299887766",
        "/api/admin/kanari",
        "/api/admin/get-orders-details/kanari",
        "/api/admin/get-orders-list/kanari?kanari=kanari",
        "/uploads/kanari.pdf",
    ];
    for program in [&program, &direct] {
        for path in paths {
            client.get(program.url(path)).header(AUTHORIZATION, &token).send().await.expect("an answer");
        }
        let search = json!({ "folderName": "newOrder", "searchVal": "kanari" });
        let search = client.post(program.url("/api/admin/search-order")).header(AUTHORIZATION, &token).json(&search);
        search.send().await.expect("an answer");
        for number in 0..40 {
            let method = reqwest::Method::from_bytes(format!("KANARI{number}").as_bytes()).expect("a method");
            client.request(method, program.url("/api/user_info")).send().await.expect("an answer");
        }
    }
    let metrics = client.get(program.url("/metrics")).send().await.expect("an answer").text().await.expect("text");
    assert!(metrics.contains("visadesk_request_seconds"), "{metrics}");
    assert!(metrics.contains(r#"method="other""#), "{metrics}");
    let series = metrics.lines().filter(|line| line.starts_with("visadesk_request_seconds_count")).count();
    assert!(series < 40, "one series per route and status, regardless of the requested paths: {metrics}");

    for (what, text) in [("metrics", metrics), ("log", program.log()), ("other log", direct.log())] {
        let lower = text.to_lowercase();
        for canary in CANARIES {
            let line = lower.lines().find(|line| line.contains(canary));
            assert_eq!(line, None, "{canary} is in the {what}");
        }
        assert!(token.is_empty() || !text.contains(&token[token.len() - 20..]), "a token is in the {what}");
        if what != "metrics" {
            assert!(text.lines().count() > 20, "the {what} has a line for each request");
            for line in text.lines() {
                let record: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("not a JSON record: {line}"));
                assert!(record["timestamp"].is_string() && record["level"].is_string(), "{line}");
            }
        }
    }
    assert!(!token.is_empty(), "an Admin could sign in: {answer}");
}

/// The value with this text in place of each text in it.
fn with_text(value: &Value, text: &str) -> Value {
    match value {
        Value::String(_) => json!(text),
        Value::Array(items) => items.iter().map(|item| with_text(item, text)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, field)| (key.clone(), with_text(field, text))).collect())
        }
        other => other.clone(),
    }
}

/// An Admin's token, an API key, and the grant of an applicant of order 100001, whose facts are canaries.
async fn credentials(installation: &Installation, program: &Program) -> [String; 3] {
    let add = ["staff", "add", "--name", "Kanari Nama", "--email", "kanari@desk.example", "--type", "Admin"];
    let added = installation.run(&[&add[..], &["--password-stdin"]].concat(), "kanari sandi 9137\n");
    assert!(added.status.success(), "{}", text(&added.stderr));
    let key = text(&installation.run(&["api-key", "add", "kanari-toko"], "").stdout).trim().to_owned();
    let client = http::client();
    let post = async |path: &str, body: Value| -> Value {
        let request = client.post(program.url(path)).header("x-api-key", &key).json(&body);
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.json().await.expect("JSON")
    };
    let order = json!({
        "full_name": "Kanari Pelanggan", "contact_email_address": "kanari.surel@post.example", "phone_number": "81299887766",
        "processing_mode": "Regular Processing", "document_number": "KN7654321",
    });
    post("/api/intake/orders", order).await;
    let password = json!({ "email": "kanari@desk.example", "password": "kanari sandi 9137" });
    let token = post("/api/admin/admin-login", password).await["jwtToken"].as_str().expect("a token").to_owned();
    let tracked = json!({ "orderId": 100_001, "email": "kanari.surel@post.example" });
    let grant = post("/api/front/track-order", tracked).await["visitorToken"].as_str().expect("a grant").to_owned();
    [token, key, grant]
}

#[tokio::test]
async fn no_call_of_the_contract_logs_what_it_was_sent_or_what_it_answers() {
    let installation = Installation::make().await;
    let program = installation.serve(&[]);
    let [token, key, grant] = credentials(&installation, &program).await;
    let client = http::client();
    let mut statuses = BTreeMap::<u16, usize>::new();
    let mut calls: Vec<&Call> = calls().iter().collect();
    // These end the session.
    calls.sort_by_key(|call| ["change_password", "end_session", "sign_out"].contains(&call.name.as_str()));
    for call in &calls {
        let valid = call.body.clone();
        let odd = call.body.as_ref().map(|body| with_text(body, "kanari\n{81299887766}"));
        for (body, path) in [(valid, call.path.clone()), (odd, call.path.replace("100001", "kanari%0A81299887766"))] {
            let mut url = url::Url::parse(&program.url(&path)).expect("a URL");
            if path != call.path {
                url.query_pairs_mut().extend_pairs(call.query.iter().map(|name| (name, "kanari KN7654321")));
            }
            let request = client.request(call.method.clone(), url);
            let request = match call.access {
                Access::Staff(_) => request.header(AUTHORIZATION, &token),
                Access::SalesSite(_) => request.header("x-api-key", &key),
                Access::Visitor => request.header(AUTHORIZATION, &grant),
                Access::Public | Access::RateLimited(_) => request,
            };
            let answer = body.iter().fold(request, reqwest::RequestBuilder::json).send().await.expect("an answer");
            *statuses.entry(answer.status().as_u16()).or_default() += 1;
        }
    }
    assert!(statuses[&200] > 60 && statuses[&422] > 30, "{statuses:?}");
    assert_eq!(statuses.get(&500), None);
    let log = program.log();
    assert!(log.matches("\"answered\"").count() >= 2 * calls.len(), "the log has a line for each request");
    for line in log.to_lowercase().lines() {
        for canary in CANARIES {
            assert!(!line.contains(canary), "{canary} is in {line}");
        }
    }
    for secret in [token, key, grant] {
        assert!(!log.contains(&secret[secret.len() - 20..]), "a secret is in the log");
    }
}
