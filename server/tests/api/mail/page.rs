//! The page that shows a mail: valid for one session and five minutes, without active content.

use chrono::TimeDelta;
use diesel::prelude::*;
use reqwest::Method;
use reqwest::header::COOKIE;
use serde_json::json;
use visadesk::db::schema::mail_attempts;
use visadesk::mail::rules::Provider;
use visadesk::mail::store::MailRow;
use visadesk::orders::status::ProcessStatus::{Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::timestamp::Timestamp;

use super::{new_mail, queue, resend, send_due, to_server};
use crate::support::mailbox::{Fault, FaultyServer};
use crate::support::mails::past_mail;
use crate::support::{Client, TestApp};

/// The client's link to the order's mail.
async fn link_of(client: &Client<'_>, order: i64) -> String {
    let answer = client.get(&format!("/admin/get-email-content/{order}")).await;
    answer.data()["link"].as_str().unwrap_or_else(|| panic!("no link in {answer}")).to_owned()
}

#[tokio::test]
async fn the_page_shows_the_mail_without_active_content() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let mut mail = new_mail(&test, order, "ana@post.example", Provider::Aws);
    mail.message.html = "<p>the mail as it was sent</p>".into();
    queue(&test, mail).await;
    let budi = test.as_staff(Team, "Budi");
    let link = link_of(&budi, order).await;
    assert!(link.starts_with(&format!("uploads/mails/{order}.html?e=")), "{link}");
    let page = budi.page(&format!("/{link}")).await;
    assert_eq!((page.status, &*page.text), (200, "<p>the mail as it was sent</p>"));
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        (
            "content-security-policy",
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
        ),
        ("x-frame-options", "SAMEORIGIN"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, no-store"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(page.header(name), value);
    }
}

#[tokio::test]
async fn a_mail_without_stored_text_is_rendered_again() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let preview = budi.page(&format!("/{}", link_of(&budi, order).await)).await;
    assert!(preview.text.contains("Dear Ana Putri,"), "{preview}");
    let now = test.clock.now();
    let old = MailRow { recipient: "old@post.example", ..past_mail(order, "approval", "sent", now) };
    test.add_mail(old).await;
    let shown = budi.get(&format!("/admin/get-email-content/{order}")).await;
    assert_eq!(shown.data()["email"], "old@post.example");
    let page = budi.page(&format!("/{}", link_of(&budi, order).await)).await;
    assert!(page.text.contains("Dear Ana Putri,"), "{page}");
}

#[tokio::test]
async fn the_link_is_valid_for_one_session_and_five_minutes() {
    let test = TestApp::start().await;
    let (order, other) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let (budi, ada) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Ada"));
    let link = link_of(&budi, order).await;
    let (path, query) = link.split_once('?').expect("a signed link");
    let (half, last) = link.split_at(link.len() - 1);
    let changed = format!("{half}{}", if last == "0" { "1" } else { "0" });
    for wrong in [
        path.to_owned(),
        format!("uploads/mails/{other}.html?{query}"),
        format!("uploads/mails/0{order}.html?{query}"),
        format!("uploads/mails/VD-{order}.html?{query}"),
        format!("uploads/{order}.html?{query}"),
        format!("uploads/mails/{order}?{query}"),
        format!("uploads/mails/..%2fmails%2f{order}.html?{query}"),
        format!("{link}&x=1"),
        changed,
    ] {
        assert_eq!(budi.page(&format!("/{wrong}")).await.status, 404, "{wrong}");
    }
    for other_client in [&test.anonymous(), &ada] {
        assert_eq!(other_client.page(&format!("/{link}")).await.status, 404);
    }
    assert_eq!(budi.page(&format!("/{link}")).await.status, 200);
    let posted = budi.send(budi.request(Method::POST, &format!("/{link}")).await).await;
    assert_eq!(posted.status, 404, "{posted}");

    // A browser sends only the cookie of the session.
    let cookie = budi.get("/user_info").await.header("set-cookie").split(';').next().unwrap_or_default().to_owned();
    let anonymous = test.anonymous();
    let by_cookie = anonymous.request(Method::GET, &format!("/{link}")).await.header(COOKIE, &cookie);
    assert_eq!(anonymous.send(by_cookie).await.status, 200);
    test.later(TimeDelta::minutes(6));
    assert_eq!(budi.page(&format!("/{link}")).await.status, 404, "the link has expired");
}

#[tokio::test]
async fn email_history_shows_the_sender_and_each_attempt() {
    let server = FaultyServer::open(Fault::Says("RCPT", "451 4.7.1 Greylisted")).await;
    let test = TestApp::start_with(|config| to_server(config, &server.url())).await;
    let order = test.add_order(Completed).await;
    resend(&test, order, "ana@post.example", "Sendgrid").await;
    let budi = test.as_staff(Team, "Budi");
    let history = async || {
        let answer = budi.get(&format!("/admin/get-orders-details/{order}")).await;
        answer.data()["mailHistory"][0].clone()
    };
    let queued = history().await;
    assert_eq!((&queued["state"], &queued["attempts"]), (&json!("queued"), &json!([])));
    send_due(&test).await;
    server.set(Fault::Nothing);
    test.later(TimeDelta::seconds(2));
    send_due(&test).await;
    let sent = history().await;
    assert_eq!(sent["id"], 1);
    assert_eq!(sent["sent_by"], "Budi");
    assert_eq!(sent["kind"], "resend");
    assert_eq!(sent["subject"], "Your e-visa application (VD-100001)");
    assert_eq!((&sent["state"], &sent["failure"]), (&json!("sent"), &json!(null)));
    let attempts: Vec<_> = sent["attempts"].as_array().expect("attempts").iter().collect();
    assert_eq!(attempts.len(), 2);
    assert_eq!((&attempts[0]["outcome"], &attempts[0]["answer"]), (&json!("put off"), &json!("451 4.7.1 Greylisted")));
    assert_eq!(
        (&attempts[1]["outcome"], &attempts[1]["answer"]),
        (&json!("accepted"), &json!("250 OK queued as 4711"))
    );
    assert!(attempts.iter().all(|attempt| attempt["at"].is_string() && attempt["ended_at"].is_string()));

    test.write(move |tx| {
        Ok(diesel::update(mail_attempts::table).set(mail_attempts::ended_at.eq(None::<Timestamp>)).execute(tx)?)
    })
    .await;
    assert!(history().await["attempts"][0]["ended_at"].is_null(), "an attempt in progress has no end");
}
