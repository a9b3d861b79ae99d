//! The links in mails to an order's own addresses, which open the order without typing.

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{downloads, mail_texts, orders};
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::sent_texts;
use crate::deliveries::{upload, visa};
use crate::support::TestApp;

/// Mails the link of the order to `email`, and returns the text that was sent.
async fn mail_link(test: &TestApp, order: i64, email: &str) -> String {
    let known = sent_texts(test);
    let body = json!({ "orderId": order, "email": email });
    let queued = test.as_staff(Team, "Budi").post("/admin/send-download-mail", body).await;
    assert_eq!(queued.status, 200, "{queued}");
    worker::send_due(&test.app.mail).await.expect("the mails are sent");
    sent_texts(test).into_iter().find(|text| !known.contains(text)).expect("a new mail")
}

/// The key of the link in a mail.
fn key_in(text: &str) -> Option<String> {
    let (_, key) = text.split_once("#key=")?;
    Some(key.chars().take_while(|one| one.is_ascii_alphanumeric() || "-_".contains(*one)).collect())
}

#[tokio::test]
async fn the_link_in_a_mail_opens_the_order_without_recording_anything() {
    let test = TestApp::start_open().await;
    let order = test.add_order(Completed).await;
    test.add_visa(order).await;
    let key = key_in(&mail_link(&test, order, "Ana@Post.example").await).expect("a key");
    assert_eq!(key.len(), 43, "256 bits in base64");
    let opened = test.anonymous().open_link(order, &key).await;
    assert_snapshot!(opened, @r#"200 {"status":1,"message":"We found your application","visitorToken":"[token]"}"#);
    let token = opened.json["visitorToken"].as_str().expect("a token");
    assert_eq!(opened.header("set-cookie"), format!("visitor={token}; HttpOnly; SameSite=Strict; Path=/"));
    let history = test.with_token(token).history(order).await;
    assert_eq!((history.status, &history.json["total"]), (200, &json!(0)));
    let recorded: i64 = test.read(|conn| Ok(downloads::table.count().get_result(conn)?)).await;
    assert_eq!(recorded, 0);
    test.later(TimeDelta::days(29));
    assert_eq!(test.anonymous().open_link(format!("VD-{order}"), &key).await.status, 200);
    test.later(TimeDelta::days(1));
    let refused = test.anonymous().open_link(order, &key).await;
    assert_snapshot!(refused, @r#"404 {"status":0,"code":"mailed_link_invalid","message":"This link is no longer valid. Please enter the email used on the application"}"#);
}

#[tokio::test]
async fn a_key_opens_its_own_order_alone_and_forged_keys_open_nothing() {
    let test = TestApp::start_open().await;
    let (order, other) = (test.add_order(New).await, test.add_order(New).await);
    let key = key_in(&mail_link(&test, order, "ana@post.example").await).expect("a key");
    let mut changed = key.clone().into_bytes();
    changed[40] = if changed[40] == b'A' { b'B' } else { b'A' };
    let changed = String::from_utf8(changed).expect("text");
    let refused = test.anonymous().open_link(other, &key).await;
    assert_eq!(refused.status, 404);
    let long = "A".repeat(5_000);
    for (name, key) in [
        (json!(order), changed.as_str()),
        (json!(order), &key[1..]),
        (json!(order), ""),
        (json!(order), &"A".repeat(43)),
        (json!(order), long.as_str()),
        (json!(999_999), key.as_str()),
        (json!("nonsense"), key.as_str()),
        (json!([order]), key.as_str()),
    ] {
        let answer = test.anonymous().open_link(name.clone(), key).await;
        assert_eq!((answer.status, &answer.text), (404, &refused.text), "{name} {key}");
    }
    assert_eq!(test.anonymous().open_link(json!(null), &key).await.message(), "Please enter your orderId");
}

#[tokio::test]
async fn mails_to_other_addresses_and_stored_texts_have_no_key() {
    let test = TestApp::start_open().await;
    let order = test.add_order(Completed).await;
    let elsewhere = mail_link(&test, order, "agent@else.example").await;
    assert!(elsewhere.contains("/track-order/MjAwMDAy") && !elsewhere.contains("#key="), "{elsewhere}");
    let own = mail_link(&test, order, "ana@post.example").await;
    let key = key_in(&own).expect("a key");
    assert_eq!(own.matches(&key).count(), 1, "the plain text has the link once: {own}");
    let stored: Vec<(String, String)> = test
        .read(|conn| Ok(mail_texts::table.select((mail_texts::text_body, mail_texts::html_body)).load(conn)?))
        .await;
    let budi = test.as_staff(Team, "Budi");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await.text;
    let content = budi.get(&format!("/admin/get-email-content/{order}")).await.text;
    for shown in [format!("{stored:?}"), details, content] {
        assert!(!shown.contains(&key) && !shown.contains("#key"), "{shown}");
    }
}

#[tokio::test]
async fn the_mail_of_a_visa_to_another_address_has_no_key() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let uploaded = upload(&test.as_staff(Team, "Budi"), order, visa("PA1234567", "ANA PUTRI", "17/05/1990"), "").await;
    assert_eq!(uploaded.status, 200, "{uploaded}");
    worker::send_due(&test.app.mail).await.expect("the mail is sent");
    let texts = sent_texts(&test);
    assert!(
        matches!(&texts[..], [text] if text.contains("/track-order/MjAwMDAy") && !text.contains("#key=")),
        "{texts:?}"
    );
}

#[tokio::test]
async fn a_link_ends_with_its_revocation_its_address_or_its_order() {
    let test = TestApp::start_open().await;
    let order = test.add_order(New).await;
    let ayu = test.as_staff(Admin, "Ayu");
    let status = async |key: &str| test.anonymous().open_link(order, key).await.status;

    let first = key_in(&mail_link(&test, order, "ana@post.example").await).expect("a key");
    let opened = test.anonymous().open_link(order, &first).await;
    let visitor = test.with_token(opened.json["visitorToken"].as_str().expect("a token"));
    let revoked = ayu.put("/admin/revoke-mailed-links", json!({ "orderId": order })).await;
    assert_snapshot!(revoked, @r#"200 {"status":1,"message":"1 link in sent mails no longer opens this order. Visitors have to confirm its email again"}"#);
    assert_eq!(status(&first).await, 404);
    assert_eq!(visitor.history(order).await.status, 401, "open visits end too");
    let none = ayu.put("/admin/revoke-mailed-links", json!({ "orderId": order })).await;
    assert_eq!(
        none.message(),
        "0 links in sent mails no longer open this order. Visitors have to confirm its email again"
    );
    assert_eq!(ayu.put("/admin/revoke-mailed-links", json!({ "orderId": 999_999 })).await.status, 404);
    let events = ayu.get(&format!("/admin/get-orders-details/{order}")).await;
    assert!(events.text.contains("mail.revoke_links"), "{events}");

    test.later(TimeDelta::minutes(2));
    let second = key_in(&mail_link(&test, order, "ana@post.example").await).expect("a key");
    let set_address = |address: &'static str| {
        test.write(move |tx| {
            let row = orders::table.find(order);
            Ok(diesel::update(row).set(orders::contact_email_address.eq(address)).execute(tx)?)
        })
    };
    assert_eq!(status(&second).await, 200);
    set_address("new@post.example").await;
    assert_eq!(status(&second).await, 404, "the address is no longer the order's");
    set_address("ana@post.example").await;
    let change =
        |status: Value| ayu.put("/admin/change-order-status", json!({ "orderId": [order], "updatingStatus": status }));
    change(json!("Deleted")).await;
    assert_eq!(status(&second).await, 404);
    ayu.put("/admin/restore-orders", json!({ "orderId": [order] })).await;
    assert_eq!(status(&second).await, 200);
}

#[tokio::test]
async fn links_open_while_anonymous_calls_are_used_up() {
    let test = TestApp::start_with(|config| {
        config.limits.tracks = 3;
        config.limits.public_calls_per_address = 3;
    })
    .await;
    let order = test.add_order(New).await;
    let key = key_in(&mail_link(&test, order, "ana@post.example").await).expect("a key");
    for _ in 0..20 {
        test.anonymous().track(999_999, "somebody@post.example").await;
        test.anonymous().open_link(order, "forged").await;
    }
    assert_eq!(test.anonymous().track(order, "ana@post.example").await.status, 429);
    test.clock.stop();
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(test.anonymous().open_link(order, &key).await.status);
    }
    assert_eq!(statuses, [200, 200, 200, 429], "one order has the limit of one address");
}
