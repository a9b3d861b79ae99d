//! The public pages: visitor access, its duration and the visible data.

mod codes;
mod cost;
mod downloads;
mod guessing;
mod mailed_links;
mod shares;
mod traces;

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::json;
use visadesk::db::schema::{failed_attempts, orders, visitor_grants};
use visadesk::orders::status::ProcessStatus::{Awaiting, AwaitingGovt, Completed, Deleted, New};
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::support::TestApp;

const FAILED: &str = "We found no application with this order number and email. Please check both and try again";

/// Trusts the test as a proxy, so that each request can come from another address.
async fn behind_a_proxy() -> TestApp {
    TestApp::start_with(|config| config.trusted_proxies = "127.0.0.1".parse().expect("an address")).await
}

/// The plain texts of the mails that were sent into the folder.
fn sent_texts(test: &TestApp) -> Vec<String> {
    let folder = test.app.config.data_dir.join("mail");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let texts = files.map(|file| {
        let content = std::fs::read(file.expect("a file").path()).expect("a mail");
        let message = mail_parser::MessageParser::default().parse(&content).expect("a message");
        message.body_text(0).expect("a text").into_owned()
    });
    texts.collect()
}

#[tokio::test]
async fn an_order_number_and_its_email_show_the_status() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let tracked = test.anonymous().track(order, "ana@post.example").await;
    assert_snapshot!(tracked, @r#"200 {"status":1,"message":"We found your application","visitorToken":"[token]"}"#);
    let token = tracked.json["visitorToken"].as_str().unwrap();
    assert_eq!(tracked.header("set-cookie"), format!("visitor={token}; HttpOnly; SameSite=Strict; Path=/"));
    assert_eq!((tracked.header("cache-control"), tracked.header("referrer-policy")), ("no-store", "no-referrer"));

    let seen = test.with_token(token).history(order).await;
    assert_snapshot!(seen, @r#"200 {"status":1,"message":"","data":[],"total":0,"mainResult":{"order_id":100001,"order_number":"VD-100001","full_name":"Ana Putri","stage":"received","timeline":[{"stage":"received","at":"[time]"}],"needs":[{"code":"document","label":"Passport"},{"code":"document","label":"Bank statement (minimum USD 2000)"},{"code":"document","label":"Recent colour photograph"}],"asked":null,"missing":[{"kind":"passport","label":"Passport","state":"asked","faults":[]},{"kind":"bank_statement","label":"Bank statement (minimum USD 2000)","state":"asked","faults":[]},{"kind":"recent_photo","label":"Recent colour photograph","state":"asked","faults":[]}],"papers_complete":false},"path":null}"#);
    assert_eq!((seen.header("cache-control"), seen.header("referrer-policy")), ("no-store", "no-referrer"));

    let stored: Vec<String> =
        test.read(|conn| Ok(visitor_grants::table.select(visitor_grants::grant_hash).load(conn)?)).await;
    assert!(stored.len() == 1 && stored[0] != token, "only the hash of the token is stored");
}

#[tokio::test]
async fn an_order_is_accepted_in_every_id_format_and_the_email_in_any_case() {
    let test = TestApp::start().await;
    let order = test
        .add_order_with(New, |order| order.application.account_email = Some("Família.Putri@post.example".into()))
        .await;
    for name in [json!(order), json!("100001"), json!("VD-100001"), json!(" MjAwMDAy ")] {
        assert_eq!(test.anonymous().track(name.clone(), " ANA@Post.Example ").await.status, 200, "{name}");
        assert_eq!(test.anonymous().track(name, "FAMÍLIA.putri@POST.example").await.status, 200);
    }
    let ana = test.as_visitor(order).await;
    for name in [json!(order), json!("100001"), json!("VD-100001"), json!("MjAwMDAy")] {
        assert_eq!(ana.history(name.clone()).await.status, 200, "{name}");
    }
}

#[tokio::test]
async fn both_fields_are_required() {
    let test = TestApp::start().await;
    let visitor = test.anonymous();
    for missing in [json!(null), json!(""), json!("  ")] {
        let refused = visitor.track(missing, "ana@post.example").await;
        assert_eq!((refused.status, refused.message()), (422, "Please enter your orderId"));
    }
    assert_snapshot!(visitor.post("/front/track-order", json!({})).await, @r#"422 {"status":0,"code":"tracked_order_missing","message":"Please enter your orderId"}"#);
    for missing in ["", " \t "] {
        let refused = visitor.track(100_001, missing).await;
        assert_eq!((refused.status, refused.message()), (422, "Please enter your email"));
    }
}

#[tokio::test]
async fn a_grant_is_limited_to_one_order() {
    let test = TestApp::start().await;
    let (own, other) = (test.add_order(New).await, test.add_order(New).await);
    let file1 = test.add_visa(other).await;
    let ana = test.as_visitor(own).await;
    for name in [json!(other), json!("VD-100002"), json!(999_999), json!("nonsense"), json!([own]), json!(true)] {
        for answer in [ana.history(name.clone()).await, ana.download(name, file1.as_str()).await] {
            assert_eq!((answer.status, answer.message()), (404, FAILED));
        }
    }
    assert_snapshot!(ana.post("/front/get-download-history", json!({})).await, @r#"422 {"status":0,"code":"tracked_order_missing","message":"Please enter your orderId"}"#);
    assert_eq!(ana.download(own, file1).await.status, 404);
}

#[tokio::test]
async fn a_grant_ends_after_half_an_hour_or_when_its_order_is_deleted() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let ana = test.as_visitor(order).await;
    test.later(TimeDelta::minutes(29));
    assert_eq!(ana.history(order).await.status, 200);
    test.later(TimeDelta::minutes(2));
    assert_snapshot!(ana.history(order).await, @r#"401 {"status":0,"code":"email_not_confirmed","message":"Please confirm the email used on the application"}"#);

    let again = test.as_visitor(order).await;
    test.as_staff(Admin, "Ayu")
        .put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": "Deleted" }))
        .await;
    assert_eq!(again.history(order).await.status, 404);
    assert_eq!(test.anonymous().track(order, "ana@post.example").await.status, 404);

    let rows = || test.read(|conn| Ok(visitor_grants::table.count().get_result::<i64>(conn)?));
    visadesk::app::maintenance::delete_expired(&test.app).await.expect("expired rows are deleted");
    assert_eq!(rows().await, 1, "the valid grant is kept");
    test.later(TimeDelta::days(31));
    visadesk::app::maintenance::delete_expired(&test.app).await.expect("expired rows are deleted");
    assert_eq!(rows().await, 0);
    let counters = test.read(|conn| Ok(failed_attempts::table.count().get_result::<i64>(conn)?)).await;
    assert_eq!(counters, 0, "expired counters of addresses are deleted");
}

#[tokio::test]
async fn the_cookie_grants_the_same_access_as_the_token_even_beside_a_staff_token() {
    let test = TestApp::start_with(|config| config.public_url = "https://visa.example".into()).await;
    let order = test.add_order(New).await;
    let tracked = test.anonymous().track(order, "ana@post.example").await;
    let token = tracked.json["visitorToken"].as_str().unwrap();
    assert_eq!(
        tracked.header("set-cookie"),
        format!("__Host-visitor={token}; HttpOnly; SameSite=Strict; Secure; Path=/")
    );

    let cookie = format!("other=1; __Host-visitor={token}");
    assert_eq!(test.anonymous().with_header("cookie", &cookie).history(order).await.status, 200);
    assert_eq!(test.as_staff(Team, "Budi").with_header("cookie", &cookie).history(order).await.status, 200);
    assert_eq!(test.anonymous().with_header("cookie", &format!("visitor={token}")).history(order).await.status, 401);
    let two = test.with_token("nonsense").with_header("authorization", token);
    assert_eq!(two.history(order).await.status, 401, "the server reads one header, not whichever is valid");
}

#[tokio::test]
async fn the_applicant_sees_the_progress_of_the_order_and_no_staff_data() {
    let test = TestApp::start().await;
    let order = test
        .add_order_with(New, |order| {
            order.application.document_number = Some("A1234567".into());
            order.application.place_of_birth = Some("Perth".into());
        })
        .await;
    let budi = test.as_staff(Team, "Budi Santoso");
    let ana = test.as_visitor(order).await;
    let stage = || async { ana.history(order).await.json["mainResult"]["stage"].as_str().unwrap().to_owned() };

    budi.put("/admin/assign-order-status", json!({ "orderId": [order], "assignto": "Budi Santoso" })).await;
    assert_eq!(stage().await, "in_review");
    budi.post("/admin/add-new-remark", json!({ "orderId": order, "remark": "a difficult customer" })).await;
    for (status, expected) in
        [(Awaiting, "waiting_for_you"), (AwaitingGovt, "with_immigration"), (Completed, "in_review")]
    {
        budi.put("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": status })).await;
        assert_eq!(stage().await, expected, "{status}");
    }
    test.add_visa(order).await;
    assert_eq!(stage().await, "ready");

    let seen = ana.history(order).await;
    let steps: Vec<&str> = seen.json["mainResult"]["timeline"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["stage"].as_str())
        .collect();
    assert_eq!(steps, ["received", "waiting_for_you", "with_immigration", "in_review", "ready"]);
    for hidden in ["Budi", "Santoso", "difficult", "A1234567", "Perth", "post.example", "8123456789"] {
        assert!(!seen.text.contains(hidden), "{hidden} in {seen}");
    }
}

#[tokio::test]
async fn a_restored_order_can_be_tracked_again() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": "Deleted" })).await;
    assert_eq!(test.anonymous().track(order, "ana@post.example").await.status, 404);
    ayu.put("/admin/restore-orders", json!({ "orderId": [order] })).await;
    let ana = test.as_visitor(order).await;
    let timeline = ana.history(order).await.json["mainResult"]["timeline"].clone();
    assert_eq!(timeline.as_array().map(Vec::len), Some(1), "the deletion is not shown to the applicant: {timeline}");
    let deleted: i64 =
        test.read(|conn| Ok(orders::table.filter(orders::process_status.eq(Deleted)).count().get_result(conn)?)).await;
    assert_eq!(deleted, 0);
}
