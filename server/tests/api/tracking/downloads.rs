//! Downloads of the visa and the recorded evidence.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::Method;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use visadesk::db::schema::{documents, downloads};
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::Completed;
use visadesk::staff::rules::StaffType::Team;
use visadesk::tracking::store::{self, DownloadRow};

use crate::support::TestApp;

const PHONE: &str =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36";

async fn rows(test: &TestApp) -> i64 {
    test.read(|conn| Ok(downloads::table.count().get_result(conn)?)).await
}

#[tokio::test]
async fn a_download_returns_a_link_and_is_listed_for_visitor_and_staff() {
    let test = TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    let ana = test.as_visitor(order).await.with_header("x-forwarded-for", "6.6.6.6, ::ffff:192.168.7.9");
    let ana = ana.with_header("user-agent", PHONE);
    let seen = ana.history(order).await;
    assert_eq!(seen.json["path"], json!({ "file1": file1 }));

    let answer = ana.download(order, file1.as_str()).await;
    assert_eq!((answer.status, answer.message()), (200, "Your visa is ready"));
    let path = answer.json["path"].as_str().unwrap();
    assert!(path.starts_with(&format!("uploads/{file1}.pdf?e=")) && path.contains("&s="), "{path}");
    assert_eq!((answer.header("cache-control"), answer.header("referrer-policy")), ("no-store", "no-referrer"));

    let seen = ana.history(order).await;
    let mut seen_rows = seen.clone();
    seen_rows.json = seen.data().clone();
    assert_snapshot!(seen_rows, @r#"200 [{"order_id":100001,"create_ts":"[time]","ip":"192.168.7.9","device":"Phone","device_type":"Mobile","browser":"Chrome Mobile 138","os":"Android","location":"-","automated":false}]"#);

    let details = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await;
    let row = &details.data()["downloadHistory"][0];
    assert_eq!(row["ip"], "192.168.7.9", "forged addresses must not appear: {row}");
    assert_eq!(row["browser"], "Phone-Mobile-Chrome Mobile 138");
    assert_eq!((&row["location_as_of"], &row["timezone"], &row["file1"]), (&json!(null), &json!("-"), &json!(file1)));
    let raw: Option<String> = test.read(|conn| Ok(downloads::table.select(downloads::user_agent).first(conn)?)).await;
    assert_eq!(raw.as_deref(), Some(PHONE));
}

#[tokio::test]
async fn a_repeated_download_request_adds_one_row() {
    let test = TestApp::start_open().await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    let tracked = test.anonymous().track(order, "ana@post.example").await;
    let token = tracked.json["visitorToken"].as_str().unwrap();
    let answers = join_all((0..20).map(|_| {
        let ana = test.with_token(token).with_key("click 1");
        let file1 = file1.clone();
        async move { ana.download(order, file1).await }
    }))
    .await;
    let done: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!done.is_empty() && done.iter().all(|answer| answer.text == done[0].text), "{answers:?}");
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 409)), "{answers:?}");
    assert_eq!(rows(&test).await, 1);

    // Another click adds another row, and idempotency keys are separate for each visitor.
    assert_eq!(test.with_token(token).with_key("click 2").download(order, file1.as_str()).await.status, 200);
    let again = test.as_visitor(order).await.with_key("click 1");
    assert_eq!(again.download(order, file1.as_str()).await.status, 200);
    assert_eq!(rows(&test).await, 3);
}

#[tokio::test]
async fn only_the_newest_visa_of_the_visitors_order_can_be_downloaded() {
    let test = TestApp::start_open().await;
    let (order, other) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let (older, newest, others) = (test.add_visa(order).await, test.add_visa(order).await, test.add_visa(other).await);
    let ana = test.as_visitor(order).await;
    assert_eq!(ana.history(order).await.json["path"], json!({ "file1": newest }));
    let long = "../".repeat(1_400);
    for wrong in [
        json!(others),
        json!(older),
        json!(""),
        json!(null),
        json!("../../etc/passwd"),
        json!("..%2f..%2fetc%2fpasswd"),
        json!("/etc/passwd"),
        json!("C:\\Windows\\win.ini"),
        json!(format!("{newest}.pdf")),
        json!(format!("{newest} ")),
        json!(newest.to_uppercase() + "x"),
        json!(long),
        json!([newest]),
        json!({ "file1": newest }),
        json!(1),
        json!(true),
    ] {
        let refused = ana.download(order, wrong.clone()).await;
        let expected = (404, "There is no such file. Please reload the page");
        assert_eq!((refused.status, refused.message()), expected, "{wrong}");
    }
    assert_eq!(ana.download(order, "a\0b").await.status, 400);
    assert_eq!(rows(&test).await, 0);
    assert_eq!(ana.download(order, newest).await.status, 200);
    assert_eq!(rows(&test).await, 1);
}

#[tokio::test]
async fn downloads_with_the_user_agent_of_a_scanner_or_preview_are_listed_with_that_note() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    let as_ana = || test.as_visitor(order);
    let person = as_ana().await.with_header("user-agent", PHONE);
    let scanner = as_ana().await.with_header("user-agent", "Mozilla/5.0 (via ggpht.com GoogleImageProxy)");
    let prefetch = as_ana().await.with_header("user-agent", PHONE).with_header("sec-purpose", "prefetch;prerender");
    for client in [person, scanner, prefetch] {
        assert_eq!(client.download(order, file1.as_str()).await.status, 200);
    }
    let noted = |list: &Value| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|row| json!([row["device_type"], row["automated"]])).collect()
    };
    let expected = [json!(["Mobile", false]), json!(["Bot", true]), json!(["Bot", true])];
    let history = as_ana().await.history(order).await;
    assert_eq!((noted(history.data()), &history.json["total"]), (expected.to_vec(), &json!(3)));
    let details = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(noted(&details.data()["downloadHistory"]), expected);
    assert_eq!(details.data()["downloadTotal"], 3);
}

#[tokio::test]
async fn a_missing_or_overlong_user_agent_is_stored_within_limits() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    for user_agent in [String::new(), "é\u{202e}".repeat(1_000), format!("Mozilla/5.0 ({})", "A; ".repeat(2_000))] {
        let ana = test.as_visitor(order).await;
        let request = ana.request(Method::POST, "/api/front/download-passport-doc-pdf").await;
        let user_agent = HeaderValue::from_bytes(user_agent.as_bytes()).unwrap();
        let body = json!({ "orderId": order, "customername": "customer", "file1": file1 });
        assert_eq!(ana.send(request.header("user-agent", user_agent).json(&body)).await.status, 200);
    }
    let stored: Vec<Option<String>> = test
        .read(|conn| Ok(downloads::table.order(downloads::download_id).select(downloads::user_agent).load(conn)?))
        .await;
    let lengths: Vec<_> = stored.iter().map(|stored| stored.as_ref().map(|stored| stored.chars().count())).collect();
    assert_eq!(lengths, [None, Some(512), Some(512)]);
}

#[tokio::test]
async fn a_download_requires_a_valid_grant() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    let ana = test.as_visitor(order).await.with_key("click");
    assert_eq!(ana.download(order, file1.as_str()).await.status, 200);
    test.later(TimeDelta::minutes(31));
    assert_eq!(ana.download(order, file1.as_str()).await.status, 401, "the stored response is not returned either");
    assert_eq!(rows(&test).await, 1);
}

#[tokio::test]
async fn visitors_see_the_newest_two_hundred_downloads_staff_the_newest_fifty_and_both_the_total() {
    let test = TestApp::start_open().await;
    let order = test.add_order(Completed).await;
    let file1 = test.add_visa(order).await;
    let now = test.clock.now();
    test.write(move |tx| {
        let document_id =
            documents::table.filter(documents::file1.eq(&file1)).select(documents::document_id).first::<i64>(tx)?;
        let ips: Vec<String> = (0..250).map(|number| format!("192.0.2.{number}")).collect();
        let row = |ip| DownloadRow {
            order_id: OrderId(order),
            document_id,
            ip,
            device: "Phone",
            device_type: "Mobile",
            browser: "Firefox",
            os: "Android",
            location: "-",
            automated: false,
            created_at: now,
        };
        store::load(tx, ips.iter().map(|ip| row(ip)))
    })
    .await;
    let expected: Vec<String> = (50..250).map(|number| format!("192.0.2.{number}")).collect();
    let ips = |list: &Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|row| row["ip"].as_str().unwrap().to_owned()).collect()
    };
    let history = test.as_visitor(order).await.history(order).await;
    assert_eq!((ips(history.data()), &history.json["total"]), (expected.clone(), &json!(250)));
    let details = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await;
    let details = details.data();
    assert_eq!(ips(&details["downloadHistory"]), expected[150..]);
    assert_eq!(details["downloadTotal"], 250);
}
