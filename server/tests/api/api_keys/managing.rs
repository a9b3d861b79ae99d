//! Admins list, create and revoke keys, on the screen and from the command line.

use diesel::prelude::*;
use insta::assert_snapshot;
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};
use visadesk::db::schema::{api_keys, audit, idempotency};
use visadesk::staff::rules::StaffType::Admin;

use super::{REFUSED, last_use};
use crate::intake::order;
use crate::support::program::Installation;
use crate::support::{Answer, Client, TestApp, http, until};

async fn add(client: &Client<'_>, options: Value) -> Answer {
    let mut body = json!({ "name": "shop" });
    for (field, value) in options.as_object().expect("options") {
        body[field] = value.clone();
    }
    client.post("/admin/add-api-key", body).await
}

fn shown_key(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer}");
    answer.data()["key"].as_str().unwrap_or_else(|| panic!("no key: {answer}")).to_owned()
}

/// The rows of keys in the audit: who, what and the text.
async fn audited(test: &TestApp) -> Vec<(String, String, Option<String>)> {
    test.read(|conn| {
        let rows = audit::table.filter(audit::action.like("api-key.%")).order(audit::audit_id);
        Ok(rows.select((audit::actor, audit::action, audit::after)).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn an_admin_creates_a_key_sees_it_once_and_revokes_it() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_snapshot!(ayu.get("/admin/api-keys").await, @r#"200 {"status":1,"message":"","data":[]}"#);
    let options = json!({
        "source": "E-Visa Shop", "rights": ["payments", "orders", "gateway"], "expires": "2090-05-31",
        "networks": "127.0.0.1,203.0.113.9/24", "calls_per_minute": 600,
    });
    let key = shown_key(&add(&ayu, options).await);
    let shop = test.with_api_key(&key);
    assert_eq!(shop.get("/intake/active-gateway").await.status, 200);
    until("the use is stored", async || last_use(&test).await).await;

    let list = ayu.get("/admin/api-keys").await;
    assert!(!list.text.contains(&key), "the list does not show the key");
    let start = list.data()[0]["start"].as_str().expect("a start").to_owned();
    assert!(start.len() == 15 && key.starts_with(&start), "{start}");
    let shown = list.to_string().replace(&start, "[start]");
    assert_snapshot!(shown, @r#"200 {"status":1,"message":"","data":[{"id":1,"name":"shop","source":"E-Visa Shop","rights":["orders","payments","gateway"],"expires_at":"[time]","networks":"127.0.0.1, 203.0.113.0/24","calls_per_minute":600,"strict":false,"start":"[start]","state":"active","created_at":"[time]","last_used_at":"[time]","revoked_at":null}]}"#);

    let revoke = async || ayu.post("/admin/revoke-api-key", json!({ "apiKeyId": 1 })).await;
    assert_snapshot!(revoke().await, @r#"200 {"status":1,"message":"The key shop has been revoked"}"#);
    assert_eq!(shop.post("/intake/orders", order(json!({}))).await.to_string(), REFUSED);
    assert_snapshot!(revoke().await, @r#"404 {"status":0,"code":"api_key_revoked","message":"This key does not exist, or it has been revoked already. Please reload the list"}"#);
    assert_eq!(ayu.get("/admin/api-keys").await.data()[0]["state"], "revoked");
    test.app.audit.access_log.flush().await.expect("the log is written");
    let summary = "shop; source E-Visa Shop; rights orders, payments, gateway; expires 31-05-2090 17:00:00 UTC; \
                   from 127.0.0.1, 203.0.113.0/24; 600 calls a minute";
    let row = |actor: &str, action: &str, after: &str| (actor.to_owned(), action.to_owned(), Some(after.to_owned()));
    assert_eq!(
        audited(&test).await,
        [
            row("Ayu", "api-key.add", summary),
            row("Ayu", "api-key.revoke", "shop"),
            row("sales site shop", "api-key.refused", "revoked"),
        ]
    );
}

#[tokio::test]
async fn a_repeated_request_creates_no_second_key_and_does_not_show_the_first_one_again() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("once");
    let key = shown_key(&add(&ayu, json!({})).await);
    let again = add(&ayu, json!({})).await;
    assert_snapshot!(again, @r#"200 {"status":1,"message":"The key shop has been created","data":{"id":1,"name":"shop","key":null}}"#);
    let answers: Vec<String> = test.read(|conn| Ok(idempotency::table.select(idempotency::answer).load(conn)?)).await;
    assert_eq!(answers.len(), 1);
    assert!(!answers[0].contains(&key[..20]), "the stored response has no key: {}", answers[0]);
    let count: i64 = test.read(|conn| Ok(api_keys::table.count().get_result(conn)?)).await;
    assert_eq!(count, 1);
    assert_eq!(test.with_api_key(&key).get("/intake/active-gateway").await.status, 200);
}

#[tokio::test]
async fn invalid_options_are_refused_and_create_no_key() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    for (options, code) in [
        (json!({ "name": " " }), "invalid_api_key_name"),
        (json!({ "name": null }), "invalid_api_key_name"),
        (json!({ "source": "x".repeat(101) }), "invalid_source_name"),
        (json!({ "rights": [] }), "api_key_rights_missing"),
        (json!({ "rights": ["everything"] }), "unknown_api_key_right"),
        (json!({ "expires": "2020-01-01" }), "api_key_expiry_past"),
        (json!({ "expires": "soon" }), "invalid_api_key_expiry"),
        (json!({ "networks": "shop.example" }), "invalid_api_key_network"),
        (json!({ "networks": vec!["10.0.0.1"; 51].join(",") }), "too_many_api_key_networks"),
        (json!({ "calls_per_minute": 0 }), "invalid_api_key_rate"),
    ] {
        let refused = add(&ayu, options.clone()).await;
        assert_eq!((refused.status, refused.json["code"].as_str()), (422, Some(code)), "{options}: {refused}");
    }
    shown_key(&add(&ayu, json!({})).await);
    let taken = add(&ayu, json!({})).await;
    assert_eq!((taken.status, taken.json["code"].as_str()), (409, Some("api_key_name_taken")), "{taken}");
    let count: i64 = test.read(|conn| Ok(api_keys::table.count().get_result(conn)?)).await;
    assert_eq!(count, 1);
}

#[tokio::test]
async fn the_command_line_creates_lists_and_revokes_keys_and_no_log_has_a_key() {
    let installation = Installation::make().await;
    let run = |arguments: &[&str]| {
        let output = installation.command(&[&["api-key"], arguments].concat()).output().expect("the program runs");
        let text = if output.status.success() { output.stdout } else { output.stderr };
        String::from_utf8(text).expect("text").trim_end().to_owned()
    };
    let limits = ["--source", "Visa Shop", "--rights", "gateway,orders", "--expires", "2090-05-31", "--networks"];
    let limited = run(&[&["add", "limited"], &limits[..], &["203.0.113.0/24,127.0.0.1", "--rate", "60"]].concat());
    let unlimited = run(&["add", "unlimited"]);
    let elsewhere = run(&["add", "elsewhere", "--networks", "203.0.113.0/24"]);
    assert!([&limited, &unlimited, &elsewhere].iter().all(|key| key.starts_with("visadesk_")), "{limited}");
    assert!(run(&["add", "odd", "--rights", "orders,all"]).contains("The rights of a key are"));
    assert!(run(&["revoke", "unlimited"]).is_empty());
    assert_eq!(run(&["revoke", "unlimited"]), "visadesk: There is no key named unlimited in use");
    let list = run(&["list"]);
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), 3, "{list}");
    assert_eq!(
        lines[1],
        format!(
            "limited ({}…): source Visa Shop; rights orders, gateway; expires 01-06-2090 00:00:00 WIB; from 203.0.113.0/24, 127.0.0.1; \
             60 calls a minute; never used",
            &limited[..15]
        )
    );
    assert!(lines[2].starts_with("unlimited") && lines[2].contains("; revoked "), "{list}");

    let program = installation.serve(&[("RUST_LOG", "debug")]);
    let client = http::client();
    let call = async |key: &str| {
        let request = client.get(program.url("/api/intake/active-gateway")).header("x-api-key", key);
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!([call(&limited).await, call(&unlimited).await, call(&elsewhere).await], [200, 401, 401]);
    let admin = TestApp::on(&installation).await;
    let token = admin.as_staff(Admin, "Ayu").token().await.to_owned();
    let made = client
        .post(program.url("/api/admin/add-api-key"))
        .header(AUTHORIZATION, token)
        .json(&json!({ "name": "made" }));
    let made: Value = made.send().await.expect("an answer").json().await.expect("a body");
    let made = made["data"]["key"].as_str().expect("a key").to_owned();
    program.says(&["wrong network"]).await;
    let log = program.log();
    assert!(log.contains("an API key was refused") && log.contains("api_key_id"), "{log}");
    for key in [limited, unlimited, elsewhere, made] {
        assert!(!log.contains(&key[15..]), "{log}");
    }
}
