//! Calls of staff: resend a mail, send the download link, show the content of a mail.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, mails};
use visadesk::mail::rules::{MailKind, Provider};
use visadesk::orders::status::ProcessStatus::{Completed, Deleted, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use super::{all, resend, send_due, to_server};
use crate::support::mailbox::Mailbox;
use crate::support::{Answer, TestApp};

/// Actor, action and new value of the order's audit rows about mails.
async fn audit_rows(test: &TestApp, order: i64) -> Vec<(String, String, Option<String>)> {
    let rows = audit::table
        .filter(audit::order_id.eq(order))
        .filter(audit::action.like("mail.%"))
        .order(audit::audit_id)
        .select((audit::actor, audit::action, audit::after));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

async fn send_link(test: &TestApp, order: i64, email: &str) -> Answer {
    test.as_staff(Team, "Budi").post("/admin/send-download-mail", json!({ "orderId": order, "email": email })).await
}

#[tokio::test]
async fn a_mail_is_resent_through_the_chosen_provider() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| to_server(config, &mailbox.url())).await;
    let order = test.add_order(Completed).await;
    assert_snapshot!(resend(&test, order, "ana@post.example", "Sendgrid").await, @r#"200 {"status":1,"message":"The mail to ana@post.example is on its way through Sendgrid. See Email History for delivery"}"#);
    assert_eq!(all(&test).await, [("ana@post.example".into(), Provider::Sendgrid, MailKind::Resend)]);
    assert_eq!(
        audit_rows(&test, order).await,
        [("Budi".into(), "mail.resend".into(), Some("Sendgrid, to ana@post.example".into()))]
    );
    send_due(&test).await;
    assert_eq!(mailbox.mails()[0].to, ["ana@post.example"]);
    assert!(mailbox.mails()[0].header("X-SMTPAPI").is_some());
}

#[tokio::test]
async fn the_download_link_is_sent_through_aws() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let answer = send_link(&test, order, "ana@post.example").await;
    assert_snapshot!(answer, @r#"200 {"status":1,"message":"The mail to ana@post.example is on its way through AWS. See Email History for delivery"}"#);
    assert_eq!(all(&test).await, [("ana@post.example".into(), Provider::Aws, MailKind::DownloadLink)]);
    assert_eq!(audit_rows(&test, order).await[0].1, "mail.download_link");
}

#[tokio::test]
async fn a_provider_that_is_not_configured_is_refused_and_the_other_one_sends_what_names_none() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        to_server(config, &mailbox.url());
        config.mail.aws = String::new();
    })
    .await;
    let (order, refunded) = (test.add_order(Completed).await, test.add_order(Refunds).await);
    assert_snapshot!(resend(&test, order, "ana@post.example", "AWS").await, @r#"422 {"status":0,"code":"mail_provider_not_configured","message":"AWS is not set up here. Please choose the other provider, or ask an Admin to configure it"}"#);
    assert_eq!(all(&test).await, []);
    let budi = test.as_staff(Team, "Budi");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["mail_providers"], json!(["Sendgrid"]));

    let omitted = json!({ "orderId": order, "email": "ana@post.example" });
    assert_eq!(budi.post("/admin/resend-mail", omitted).await.status, 200);
    assert_eq!(send_link(&test, order, "ana@post.example").await.status, 200);
    let refund = budi.put("/admin/move-to-complete-refund", json!({ "orderId": [refunded] })).await;
    assert_eq!(refund.status, 200, "{refund}");
    assert_eq!(send_due(&test).await, 3);
    let sent = mailbox.mails();
    assert_eq!(sent.len(), 3);
    assert!(sent.iter().all(|mail| mail.header("X-SMTPAPI").is_some()), "each is for Sendgrid");
}

#[tokio::test]
async fn without_any_provider_mails_are_written_to_files_and_none_counts_as_sent() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    assert_eq!(resend(&test, order, "ana@post.example", "Sendgrid").await.status, 200);
    assert_eq!(send_due(&test).await, 1);
    let budi = test.as_staff(Team, "Budi");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["mail_providers"], json!(["AWS", "Sendgrid"]));
    assert_eq!(details.data()["mailHistory"][0]["state"], "written");
}

#[tokio::test]
async fn the_order_id_may_have_any_form_and_the_provider_any_case() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let budi = test.as_staff(Team, "Budi");
    for (id, provider) in
        [(json!(order), json!("sendgrid")), (json!("VD-100001"), json!("aws")), (json!("MjAwMDAy"), Value::Null)]
    {
        let body = json!({ "orderId": id, "email": "ana@post.example", "mailServiceProvider": provider });
        assert_eq!(budi.post("/admin/resend-mail", body).await.status, 200, "{id} {provider}");
        test.later(TimeDelta::minutes(2));
    }
    let providers: Vec<Provider> = all(&test).await.into_iter().map(|(_, provider, _)| provider).collect();
    assert_eq!(providers, [Provider::Sendgrid, Provider::Aws, Provider::Aws]);
}

#[tokio::test]
async fn without_exactly_one_valid_address_no_mail_is_sent() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let budi = test.as_staff(Team, "Budi");
    for email in [
        json!(["ana@post.example"]),
        json!(["ana@post.example", "x@y.example"]),
        json!({ "0": "ana@post.example" }),
        json!("ana@post.example,x@y.example"),
        json!("ana@post.example;x@y.example"),
        json!("ana@post.example x@y.example"),
        json!("ana@post.example\r\nBcc: x@y.example"),
        json!("ana@post.example%0d%0aBcc: x@y.example"),
        json!(format!("{}@post.example", "a".repeat(300))),
        json!("ana"),
        json!(""),
        json!(7),
        Value::Null,
    ] {
        for path in ["/admin/resend-mail", "/admin/send-download-mail"] {
            let body = json!({ "orderId": order, "email": email, "mailServiceProvider": "AWS" });
            let answer = budi.post(path, body).await;
            assert_eq!(answer.status, 422, "{path} {email}: {answer}");
            assert_ne!(answer.message(), "");
        }
    }
    for provider in [json!("Mailgun"), json!(["AWS", "Sendgrid"]), json!("AWS,Sendgrid")] {
        let body = json!({ "orderId": order, "email": "ana@post.example", "mailServiceProvider": provider });
        assert_eq!(budi.post("/admin/resend-mail", body).await.status, 422, "{provider}");
    }
    assert_eq!(all(&test).await, []);
}

#[tokio::test]
async fn a_slow_template_delays_no_other_write() {
    let folder = tempfile::tempdir().unwrap();
    let slow =
        "Subject: Your visa\n\n{% for a in range(2000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}Text\n";
    std::fs::write(folder.path().join("resend.txt"), slow).unwrap();
    let templates_dir = folder.path().display().to_string();
    let test = TestApp::start_with(|config| config.mail.templates_dir = templates_dir).await;
    let (order, other) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let ayu = test.as_staff(Manager, "Ayu");
    ayu.id().await;
    let done = std::sync::Mutex::new(Vec::new());
    let resend = async {
        assert_eq!(resend(&test, order, "ana@post.example", "AWS").await.status, 200);
        done.lock().unwrap().push("mail");
    };
    let remark = async {
        // Waits until the template is being rendered.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let remark = json!({ "orderId": other, "remark": "from the office" });
        assert_eq!(ayu.post("/admin/add-new-remark", remark).await.status, 200);
        done.lock().unwrap().push("remark");
    };
    tokio::join!(resend, remark);
    assert_eq!(*done.lock().unwrap(), ["remark", "mail"]);
}

#[tokio::test]
async fn no_mail_is_sent_for_an_unknown_or_deleted_order() {
    let test = TestApp::start().await;
    let deleted = test.add_order(Deleted).await;
    assert_eq!(resend(&test, deleted, "ana@post.example", "AWS").await.status, 409);
    assert_eq!(resend(&test, deleted + 1, "ana@post.example", "AWS").await.status, 404);
    assert_eq!(send_link(&test, deleted + 1, "ana@post.example").await.status, 404);
    assert_eq!(all(&test).await, []);
}

#[tokio::test]
async fn every_staff_type_may_send_mails_and_anonymous_callers_may_not() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    for (staff_type, name) in
        [(Admin, "Ada"), (Manager, "Max"), (Team, "Tia"), (Telecaller, "Cal"), (NightStaff, "Nia")]
    {
        let body = json!({ "orderId": order, "email": "ana@post.example", "mailServiceProvider": "AWS" });
        assert_eq!(test.as_staff(staff_type, name).post("/admin/resend-mail", body).await.status, 200, "{staff_type}");
    }
    let body = json!({ "orderId": order, "email": "ana@post.example" });
    assert_eq!(test.anonymous().post("/admin/resend-mail", body.clone()).await.status, 401);
    assert_eq!(test.anonymous().post("/admin/send-download-mail", body).await.status, 401);
}

#[tokio::test]
async fn mails_to_other_addresses_are_allowed_audited_and_limited() {
    let test = TestApp::start_with(|config| config.limits.resends_per_order_and_hour = 100).await;
    let order = test.add_order(Completed).await;
    for number in 0..10 {
        assert_eq!(resend(&test, order, &format!("friend{number}@post.example"), "AWS").await.status, 200);
    }
    let limited = resend(&test, order, "friend10@post.example", "AWS").await;
    assert_eq!(limited.status, 429, "{limited}");
    assert!(limited.header("retry-after").parse::<u64>().is_ok_and(|seconds| (3_000..=3_600).contains(&seconds)));
    assert_eq!(
        resend(&test, order, "ana@post.example", "AWS").await.status,
        200,
        "the order's own address is not limited"
    );
    let rows = audit_rows(&test, order).await;
    assert_eq!(rows[0].2.as_deref(), Some("AWS, to friend0@post.example (not an address of the order)"));
    assert_eq!(rows.len(), 11);
    test.later(TimeDelta::minutes(61));
    assert_eq!(resend(&test, order, "friend10@post.example", "AWS").await.status, 200);
}

#[tokio::test]
async fn the_mails_per_member_and_hour_are_limited() {
    let test = TestApp::start_with(|config| config.limits.mails_per_member_and_hour = 3).await;
    for _ in 0..3 {
        let order = test.add_order(Completed).await;
        assert_eq!(resend(&test, order, "ana@post.example", "AWS").await.status, 200);
    }
    let order = test.add_order(Completed).await;
    assert_eq!(resend(&test, order, "ana@post.example", "AWS").await.status, 429);
    let body = json!({ "orderId": order, "email": "ana@post.example", "mailServiceProvider": "AWS" });
    assert_eq!(
        test.as_staff(Team, "Citra").post("/admin/resend-mail", body).await.status,
        200,
        "the limit is per member"
    );
}

#[tokio::test]
async fn the_same_mail_within_a_minute_is_sent_once() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let first = resend(&test, order, "ana@post.example", "AWS").await;
    let second = resend(&test, order, "ana@post.example", "AWS").await;
    assert_eq!((second.status, &second.text), (200, &first.text));
    assert_eq!(all(&test).await.len(), 1);
    assert_eq!(audit_rows(&test, order).await.len(), 1);
    test.later(TimeDelta::seconds(61));
    resend(&test, order, "ana@post.example", "AWS").await;
    assert_eq!(all(&test).await.len(), 2);
}

#[tokio::test]
async fn a_failed_mail_may_be_resent_at_once() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    resend(&test, order, "ana@post.example", "AWS").await;
    test.write(|tx| Ok(diesel::update(mails::table).set(mails::state.eq("failed")).execute(tx)?)).await;
    resend(&test, order, "ana@post.example", "AWS").await;
    assert_eq!(all(&test).await.len(), 2);
}

#[tokio::test]
async fn a_hundred_concurrent_resends_are_one_mail_with_one_key_and_five_with_many_keys() {
    let test = TestApp::start().await;
    let other = test.another_node().await;
    let nodes = [&test, &other];
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let (one, many) = (test.add_order(Completed).await, test.add_order(Completed).await);
    let request_mail = |index: usize, order: i64, email: String, key: String| {
        let client = nodes[index % 2].with_token(&token).with_key(&key);
        async move { client.post("/admin/resend-mail", json!({ "orderId": order, "email": email })).await.status }
    };
    let requests = (0..100).map(|index| request_mail(index, one, "ana@post.example".into(), "one key".into()));
    let answers = join_all(requests).await;
    assert!(answers.contains(&200) && answers.iter().all(|status| matches!(status, 200 | 409)), "{answers:?}");
    assert_eq!(all(&test).await.len(), 1);

    let requests =
        (0..100).map(|index| request_mail(index, many, format!("ana{index}@post.example"), format!("key {index}")));
    let mut answers = join_all(requests).await;
    answers.sort_unstable();
    assert_eq!(answers, [vec![200; 5], vec![429; 95]].concat());
    assert_eq!(all(&test).await.len(), 1 + 5);
}

#[tokio::test]
async fn the_content_is_a_preview_before_the_first_mail_and_the_mail_afterwards() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let path = format!("/admin/get-email-content/{order}");
    let preview = budi.get(&path).await;
    assert_eq!((&preview.data()["mail_id"], &preview.data()["email"]), (&Value::Null, &json!("ana@post.example")));
    assert_eq!(preview.data()["whatsapp_number"], "628123456789");
    assert_eq!(
        preview.data()["whatsapp_text"],
        "Hello Ana Putri, you can follow your e-visa application VD-100001 here: http://localhost:8080/track-order/MjAwMDAy"
    );
    resend(&test, order, "friend@post.example", "AWS").await;
    send_due(&test).await;
    let shown = budi.get(&path).await;
    let data = shown.data();
    assert_eq!(
        (&data["mail_id"], &data["email"], &data["state"]),
        (&json!(1), &json!("friend@post.example"), &json!("written"))
    );
    assert!(data["sent_at"].is_string() && data["subject"].as_str().is_some_and(|text| text.ends_with("(VD-100001)")));
    for id in ["100099", "0", "abc", "%00"] {
        assert_eq!(budi.get(&format!("/admin/get-email-content/{id}")).await.status, 404, "{id}");
    }
}

#[tokio::test]
async fn the_download_link_has_the_limits_of_the_resent_mail_and_no_deleted_order() {
    let test = TestApp::start_with(|config| {
        config.limits.resends_per_order_and_hour = 2;
        config.limits.mails_per_member_and_hour = 3;
        config.limits.mails_elsewhere_per_member_and_hour = 1;
    })
    .await;
    let orders = [test.add_order(Completed).await, test.add_order(Completed).await];
    let deleted = test.add_order(Deleted).await;
    for (order, email, expected) in [
        (deleted, "ana@post.example", (409, "mail_about_deleted_order")),
        (orders[0], "elsewhere@post.example", (200, "")),
        (orders[1], "elsewhere@post.example", (429, "too_many_mails_elsewhere")),
        (orders[0], "ana@post.example", (200, "")),
        (orders[0], "ana@post.example", (429, "too_many_mails_for_order")),
        (orders[1], "ana@post.example", (200, "")),
        (orders[1], "ana@post.example", (429, "too_many_mails_by_member")),
    ] {
        let answer = send_link(&test, order, email).await;
        assert_eq!((answer.status, answer.json["code"].as_str().unwrap_or_default()), expected, "{order}: {answer}");
        // The same mail again within two minutes is one mail.
        test.later(TimeDelta::minutes(3));
    }
}
