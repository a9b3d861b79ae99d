//! Codes by mail: who gets one, what it opens, and what its guessers learn.

use chrono::TimeDelta;
use diesel::prelude::*;
use insta::assert_snapshot;
use reqwest::header::SET_COOKIE;
use serde_json::{Value, json};
use visadesk::db::schema::{mail_texts, mails, tracking_codes};
use visadesk::mail::rules::{MailKind, Provider};
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{Completed, Deleted, New};
use visadesk::public::codes;
use visadesk::staff::rules::StaffType::Team;

use super::{behind_a_proxy, sent_texts};
use crate::support::{Answer, TestApp};

const EMAIL: &str = "ana@post.example";
const WRONG: &str = "This code is wrong or no longer valid. Please check the newest email, or ask for another code";

/// Asks for a code, and mails it. Returns the ticket.
async fn ask(test: &TestApp, order: impl Into<Value>, email: Option<&str>) -> String {
    let asked = test.anonymous().send_code(order, email).await;
    assert_eq!(asked.status, 200, "{asked}");
    codes::mail_requested(&test.app.public).await.expect("the codes are mailed");
    worker::send_due(&test.app.mail).await.expect("the mails are sent");
    asked.json["codeToken"].as_str().expect("a ticket").to_owned()
}

/// The codes in the mails that were sent, in any order.
fn codes_in_mails(test: &TestApp) -> Vec<String> {
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
    let mails = sent_texts(test);
    mails.iter().filter_map(|mail| mail.lines().map(str::trim).find(is_code).map(str::to_owned)).collect()
}

async fn mailed(test: &TestApp) -> i64 {
    test.read(|conn| Ok(mails::table.filter(mails::kind.eq(MailKind::TrackingCode)).count().get_result(conn)?)).await
}

/// A code that is not `right`.
fn another(right: &str) -> String {
    format!("{:06}", (right.parse::<u32>().expect("digits") + 1) % 1_000_000)
}

#[tokio::test]
async fn an_applicant_locked_out_by_strangers_gets_in_with_a_mailed_code() {
    let test = behind_a_proxy().await;
    let order = test.add_order(New).await;
    for host in 0..8 {
        let stranger = test.anonymous().with_header("x-forwarded-for", &format!("203.0.113.{host}"));
        stranger.track(order, &format!("guess{host}@post.example")).await;
    }
    let ana = test.anonymous().with_header("x-forwarded-for", "192.0.2.1");
    assert_eq!(ana.track(order, EMAIL).await.status, 429);

    let asked = ana.send_code(order, Some(EMAIL)).await;
    assert_snapshot!(asked, @r#"200 {"status":1,"message":"If there is such an order, a code is on its way to its email address. It is valid for 10 minutes, in this browser. An order gets at most three codes a day","codeToken":"[token]"}"#);
    let ticket = asked.json["codeToken"].as_str().expect("a ticket");
    assert_eq!(asked.header("set-cookie"), format!("visitor-code={ticket}; HttpOnly; SameSite=Strict; Path=/"));
    codes::mail_requested(&test.app.public).await.expect("the codes are mailed");
    worker::send_due(&test.app.mail).await.expect("the mails are sent");
    let code = codes_in_mails(&test).pop().expect("a code");

    let cookie = ana.with_header("cookie", &format!("visitor-code={ticket}"));
    let confirm = |code: String| cookie.post("/front/confirm-tracking-code", json!({ "orderId": order, "code": code }));
    let confirmed = confirm(format!(" {} {}", &code[..3], &code[3..])).await;
    assert_snapshot!(confirmed, @r#"200 {"status":1,"message":"We found your application","visitorToken":"[token]"}"#);
    assert!(confirmed.headers.get(SET_COOKIE).is_some());
    let token = confirmed.json["visitorToken"].as_str().expect("a token");
    assert_eq!(test.with_token(token).history(order).await.status, 200);
    assert_eq!(confirm(code).await.status, 404, "a code admits once");

    let known = test.anonymous().with_header("x-forwarded-for", "192.0.2.1");
    assert_eq!(known.track(order, EMAIL).await.status, 200, "her network is known from now on");
}

#[tokio::test]
async fn a_code_expires_after_ten_minutes_and_after_five_tries() {
    let test = TestApp::start_open().await;
    let order = test.add_order(New).await;
    let (first, second) = (ask(&test, order, Some(EMAIL)).await, ask(&test, order, Some(EMAIL)).await);
    let codes = codes_in_mails(&test);
    let try_code = async |code: &str, ticket: &str| test.anonymous().confirm_code(order, code, ticket).await;
    let mut right = None;
    for code in &codes {
        // Each code is valid with its own ticket alone.
        let statuses = [try_code(code, &first).await.status, try_code(code, &second).await.status];
        assert!(statuses == [200, 404] || statuses == [404, 200], "{statuses:?}");
        right = Some(code.clone());
    }
    let right = right.expect("a code");

    let third = ask(&test, order, Some(EMAIL)).await;
    let code = codes_in_mails(&test).into_iter().find(|code| !codes.contains(code)).expect("a third code");
    for _ in 0..5 {
        assert_eq!(try_code(&another(&code), &third).await.message(), WRONG);
    }
    assert_eq!(try_code(&code, &third).await.status, 404, "the sixth try is refused, even with the right code");

    test.later(TimeDelta::hours(25));
    let late = ask(&test, order, None).await;
    let known = [codes.as_slice(), &[code, right]].concat();
    let code = codes_in_mails(&test).into_iter().find(|code| !known.contains(code)).expect("a fourth code");
    test.later(TimeDelta::minutes(10));
    assert_eq!(try_code(&code, &late).await.status, 404, "after ten minutes");
}

#[tokio::test]
async fn an_order_gets_three_codes_a_day_and_strangers_leave_one_for_its_applicant() {
    let test = TestApp::start_open().await;
    let order = test.add_order(New).await;
    for _ in 0..4 {
        ask(&test, order, Some("somebody@else.example")).await;
    }
    assert_eq!(mailed(&test).await, 2);
    for _ in 0..3 {
        ask(&test, order, Some(" ANA@post.example ")).await;
    }
    assert_eq!(mailed(&test).await, 3);
    test.later(TimeDelta::hours(25));
    ask(&test, order, None).await;
    assert_eq!(mailed(&test).await, 4);
}

#[tokio::test]
async fn strangers_ask_for_few_codes_an_hour_over_all_orders() {
    let test = TestApp::start_with(|config| config.limits.codes_per_hour = 3).await;
    let mut orders = Vec::new();
    for _ in 0..6 {
        orders.push(test.add_order(New).await);
    }
    for order in &orders {
        ask(&test, *order, None).await;
    }
    assert_eq!(mailed(&test).await, 3);
    ask(&test, orders[5], Some(EMAIL)).await;
    assert_eq!(mailed(&test).await, 4, "an applicant gets one all the same");
    test.later(TimeDelta::minutes(61));
    ask(&test, orders[4], None).await;
    assert_eq!(mailed(&test).await, 5);
}

#[tokio::test]
async fn the_code_goes_to_the_orders_own_address_by_the_provider_of_its_mails() {
    let test = TestApp::start_open().await;
    let order =
        test.add_order_with(New, |order| order.application.account_email = Some("family@post.example".into())).await;
    let budi = test.as_staff(Team, "Budi");
    let body = json!({ "orderId": order, "email": EMAIL, "mailServiceProvider": "Sendgrid" });
    assert_eq!(budi.post("/admin/resend-mail", body).await.status, 200);
    for email in [Some("thief@else.example"), Some("family@post.example")] {
        ask(&test, order, email).await;
    }
    let sent: Vec<(String, Provider)> = test
        .read(|conn| {
            let codes = mails::table.filter(mails::kind.eq(MailKind::TrackingCode)).order(mails::mail_id);
            Ok(codes.select((mails::recipient, mails::provider)).load(conn)?)
        })
        .await;
    let expected = [(EMAIL.to_owned(), Provider::Sendgrid), ("family@post.example".to_owned(), Provider::Sendgrid)];
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn every_order_gets_the_same_response_and_only_existing_ones_a_mail() {
    let test = TestApp::start_open().await;
    let (order, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let stable = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        for each in ["date", "x-request-id", "set-cookie"] {
            headers.remove(each);
        }
        let mut json = answer.json.clone();
        json["codeToken"] = json!(answer.json["codeToken"].as_str().map(str::len));
        (answer.status, headers, json)
    };
    let first = test.anonymous().send_code(order, None).await;
    let ticket = first.json["codeToken"].as_str().expect("a ticket");
    let wrong = test.anonymous().confirm_code(order, "000000", ticket).await;
    assert_eq!((wrong.status, wrong.message()), (404, WRONG));
    for name in [json!(deleted), json!(999_999), json!("VD-999999"), json!("nonsense"), json!([1]), json!(true)] {
        let asked = test.anonymous().send_code(name.clone(), None).await;
        assert_eq!(stable(&asked), stable(&first), "{name}");
        let ticket = asked.json["codeToken"].as_str().expect("a ticket");
        let refused = test.anonymous().confirm_code(name.clone(), "000000", ticket).await;
        assert_eq!((refused.status, &refused.text), (404, &wrong.text), "{name}");
    }
    codes::mail_requested(&test.app.public).await.expect("the codes are mailed");
    assert_eq!(mailed(&test).await, 1);
    let waiting = tracking_codes::table.filter(tracking_codes::settled_at.is_null()).count();
    assert_eq!(test.read(move |conn| Ok(waiting.get_result::<i64>(conn)?)).await, 0);

    for missing in [json!(null), json!(" ")] {
        assert_eq!(test.anonymous().send_code(missing, None).await.message(), "Please enter your orderId");
    }
    for missing in ["", "12345", "1234567", "12345x", "１２３４５６"] {
        let refused = test.anonymous().confirm_code(order, missing, ticket).await;
        assert_eq!((refused.status, refused.message()), (422, "Please enter the six digits of the code"), "{missing}");
    }
}

#[tokio::test]
async fn no_table_and_no_screen_of_staff_shows_the_code() {
    let test = TestApp::start_open().await;
    let order = test.add_order(Completed).await;
    ask(&test, order, None).await;
    let code = codes_in_mails(&test).pop().expect("a code");
    let stored: Vec<(String, String, String)> = test
        .read(|conn| {
            Ok(mail_texts::table
                .select((mail_texts::subject, mail_texts::text_body, mail_texts::html_body))
                .load(conn)?)
        })
        .await;
    let budi = test.as_staff(Team, "Budi");
    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["mailHistory"][0]["kind"], "tracking code");
    for shown in [format!("{stored:?}"), details.text.clone()] {
        assert!(!shown.contains(&code), "{shown}");
    }
    assert!(format!("{stored:?}").contains("••••••"), "{stored:?}");
}

#[tokio::test]
async fn a_code_that_expired_while_its_provider_was_away_is_not_sent() {
    let test = TestApp::start_open().await;
    let order = test.add_order(New).await;
    assert_eq!(test.anonymous().send_code(order, None).await.status, 200);
    codes::mail_requested(&test.app.public).await.expect("the codes are mailed");
    test.later(TimeDelta::minutes(11));
    worker::send_due(&test.app.mail).await.expect("the mails are sent");
    let failure: Option<String> = test.read(|conn| Ok(mails::table.select(mails::failure).first(conn)?)).await;
    assert_eq!(failure.as_deref(), Some("The code expired before it could be sent"));
    assert_eq!(codes_in_mails(&test), [""; 0]);
}
