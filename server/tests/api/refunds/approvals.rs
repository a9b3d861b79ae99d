//! Bulk refunds that wait for a second person: from which number or sum on, and what an approval carries out.

mod decisions;

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::{Value, json};
use visadesk::db::schema::audit;
use visadesk::mail::worker;
use visadesk::money::{Currency, Money};
use visadesk::orders::facts::Payment;
use visadesk::orders::status::ProcessStatus::Refunds;
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team};

use super::mail_delays::shown;
use super::{Traces, add_orders, refund, traces};
use crate::support::mailbox::Mailbox;
use crate::support::{Answer, Client, TestApp};

async fn approve(desk: &Client<'_>, request: &Value) -> Answer {
    desk.put("/admin/approve-refunds", json!({ "approvalId": request })).await
}

async fn decline(desk: &Client<'_>, request: &Value, note: &str) -> Answer {
    desk.put("/admin/decline-refunds", json!({ "approvalId": request, "note": note })).await
}

async fn withdraw(desk: &Client<'_>, request: &Value) -> Answer {
    desk.put("/admin/withdraw-refunds", json!({ "approvalId": request })).await
}

async fn requests(desk: &Client<'_>) -> Value {
    desk.get("/admin/refund-approvals").await.data()["requests"].clone()
}

/// The waiting requests that the caller may decide about, and the caller's own.
async fn counts(desk: &Client<'_>) -> (Value, Value) {
    let counts = desk.get("/admin/refund-approval-counts").await;
    (counts.data()["to_decide"].clone(), counts.data()["own"].clone())
}

/// The number of the request that a refund made.
fn request_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 202, "{answer}");
    answer.json["approval"]["approval_id"].clone()
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status, answer.json["code"].as_str().unwrap_or_default())
}

/// A program in which a second person approves refunds of more than ten orders.
async fn above_ten() -> TestApp {
    TestApp::start_with(|config| config.refunds.approval_orders = 10).await
}

/// Adds an order in Refunds with that payment.
async fn add_paid(test: &TestApp, amount: &str, currency: &str) -> i64 {
    let money = Money::parse(amount, Currency::parse(currency).expect("a currency")).expect("an amount");
    let paid_at = test.clock.now();
    test.add_order_with(Refunds, |order| {
        order.payment = Some(Payment {
            gateway: "Stripe".into(),
            payment_reference: "pi_1".into(),
            amount_minor: money.minor,
            currency: money.currency,
            card_brand: None,
            card_last_four: None,
            paid_at,
        });
    })
    .await
}

async fn count(test: &TestApp, action: &'static str) -> i64 {
    let rows = audit::table.filter(audit::action.eq(action)).count();
    test.read(move |conn| Ok(rows.get_result(conn)?)).await
}

#[tokio::test]
async fn without_the_settings_no_refund_waits_and_the_response_is_unchanged() {
    let test = TestApp::start_with(|config| config.refunds.mail_delay_minutes = 0).await;
    let ids = add_orders(test.db(), 500).await;
    let budi = test.as_staff(Team, "Budi");
    let answer = refund(&budi, ids).await;
    let unchanged = json!({
        "status": 1, "message": "500 refunded, 0 already refunded", "refunded": 500, "already_refunded": 0
    });
    assert_eq!((answer.status, &answer.json), (200, &unchanged));
    assert_eq!(requests(&budi).await, json!([]));
}

#[tokio::test]
async fn a_refund_of_more_orders_than_the_setting_waits_and_changes_nothing() {
    let test = above_ten().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    let ids = add_orders(test.db(), 13).await;
    assert_eq!(refund(&budi, ids[11..].to_vec()).await.status, 200);
    let before = super::snapshot(&test).await;
    let answer = refund(&budi, ids.clone()).await;
    let expires_at = test.clock.now() + TimeDelta::days(7);
    assert_eq!(
        (answer.status, answer.message()),
        (202, "Nothing was refunded yet: 11 orders wait for approval by another Admin or Manager, 2 already refunded")
    );
    assert_eq!(
        (&answer.json["refunded"], &answer.json["already_refunded"], &answer.json["approval"]),
        (&json!(0), &json!(2), &json!({ "approval_id": 1, "orders": 11, "expires_at": expires_at }))
    );
    assert_eq!(super::snapshot(&test).await, before, "no order, mail or refund changed");
    assert_eq!((count(&test, "refund.request").await, counts(&budi).await), (11, (json!(0), json!(1))));

    let made = test.as_staff(Manager, "Made");
    assert_eq!(counts(&made).await, (json!(1), json!(0)));
    let listed = made.get("/admin/refund-approvals").await;
    assert_eq!(listed.data()["waiting"], 1);
    let request = &listed.data()["requests"][0];
    assert_eq!(
        (&request["state"], &request["requested_by"], &request["order_ids"], &request["without_payment"]),
        (&json!("Waiting"), &json!("Budi"), &json!(ids[..11]), &json!(11))
    );
    assert_eq!(request["allowed"], json!({ "decide": true, "withdraw": false }));
    assert_eq!(requests(&budi).await[0]["allowed"], json!({ "decide": false, "withdraw": true }));
    let timeline = budi.get(&format!("/admin/get-orders-details/{}", ids[0])).await;
    let requested = &timeline.data()["timeline"][0];
    assert_eq!((&requested["action"], &requested["after"]), (&json!("refund.request"), &json!("11 orders")));
}

#[tokio::test]
async fn an_approval_refunds_the_orders_as_the_member_who_asked_would_now() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        config.mail.aws = mailbox.url();
        config.refunds.approval_orders = 10;
    })
    .await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 11).await;
    let request = request_of(&refund(&budi, ids.clone()).await);
    test.later(TimeDelta::minutes(10));
    let body = json!({ "approvalId": request, "note": " As agreed\r\nwith the airline " });
    let approved = made.put("/admin/approve-refunds", body).await;
    assert_eq!((approved.status, approved.message()), (200, "11 orders refunded"));
    assert_eq!(traces(&test).await, Traces::of(11));

    let details = made.get(&format!("/admin/get-orders-details/{}", ids[0])).await;
    let (mark, done) = (&details.data()["refund_marks"][0], &details.data()["timeline"][0]);
    assert_eq!((&mark["refunded_by"], &mark["approved_by"]), (&json!("Budi"), &json!("Made")));
    assert_eq!(
        (&done["actor"], &done["action"], &done["after"]),
        (&json!("Made"), &json!("order.refund"), &json!("AWS, to ana@post.example, requested by Budi"))
    );
    let row = test.as_staff(Admin, "Ayu").get("/admin/get-audit-list?action=refund.approve").await;
    assert_eq!(
        (&row.data()[0]["actor"], &row.data()[0]["before"], &row.data()[0]["after"]),
        (&json!("Made"), &json!("11 orders requested by Budi"), &json!("As agreed\nwith the airline"))
    );
    let ended = &requests(&budi).await[0];
    assert_eq!(
        (&ended["state"], &ended["decided_by"], &ended["note"], &ended["changed_order_ids"]),
        (&json!("Approved"), &json!("Made"), &json!("As agreed\nwith the airline"), &json!([]))
    );

    // The mails wait, and the member who asked for the refund may stop them.
    assert_eq!(shown(&budi, ids[0]).await.0, "queued");
    assert_eq!(budi.get("/admin/waiting-refund-mails").await.data()["order_ids"], json!(ids));
    test.later(TimeDelta::minutes(10));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("they are sent"), 11);

    let again = approve(&made, &request).await;
    assert_eq!(refused(&again), (409, "refund_approval_decided"));
    assert_eq!(again.message(), "Nothing was changed: this request was already approved by Made");
    assert_eq!(refused(&withdraw(&budi, &request).await), (409, "refund_approval_decided"));
    assert_eq!(refused(&decline(&made, &request, "").await), (409, "refund_approval_decided"));
    assert_eq!(traces(&test).await, Traces::of(11));
    // What a second person has approved does not count towards the next refund.
    assert_eq!(refund(&budi, add_orders(test.db(), 10).await).await.status, 200);
}

#[tokio::test]
async fn the_sum_of_each_currency_is_compared_with_the_amount() {
    let test = TestApp::start_with(|config| config.refunds.approval_amount = 300).await;
    let budi = test.as_staff(Team, "Budi");
    let dear = add_paid(&test, "900.00", "USD").await;
    assert_eq!(refund(&test.as_staff(Team, "Nyoman"), dear).await.status, 200, "a single order");
    let (first, second) = (add_paid(&test, "150.00", "USD").await, add_paid(&test, "150.00", "USD").await);
    let euro = add_paid(&test, "299.99", "EUR").await;
    let unpaid = test.add_order(Refunds).await;
    assert_eq!(refund(&budi, vec![first, second, euro, unpaid]).await.status, 200, "no currency is above 300");
    let cent = add_paid(&test, "0.01", "USD").await;
    let (yen, more_yen) = (add_paid(&test, "150", "JPY").await, add_paid(&test, "149", "JPY").await);
    assert_eq!(refund(&budi, vec![yen, more_yen]).await.status, 200, "a yen has no cents");
    let request = request_of(&refund(&budi, cent).await);
    let listed = &requests(&budi).await[0];
    assert_eq!(listed["sums"], json!([{ "currency": "USD", "amount": "0.01" }]));
    assert_eq!(withdraw(&budi, &request).await.message(), "The request was withdrawn. Nothing was refunded");
    let mixed =
        [add_paid(&test, "1.50", "USD").await, add_paid(&test, "2", "JPY").await, test.add_order(Refunds).await];
    request_of(&refund(&budi, mixed.to_vec()).await);
    let listed = &requests(&budi).await[0];
    let sums = json!([{ "currency": "JPY", "amount": "2" }, { "currency": "USD", "amount": "1.50" }]);
    assert_eq!((&listed["sums"], &listed["without_payment"]), (&sums, &json!(1)));
    assert_eq!(traces(&test).await, Traces::of(7));
}

#[tokio::test]
async fn a_large_refund_cannot_be_split_into_small_ones() {
    let test = above_ten().await;
    let node = test.another_node().await;
    let budi = test.as_staff(Team, "Budi");
    let ids = add_orders(test.db(), 60).await;
    let token = budi.token().await.to_owned();
    // One, two or three orders a call, at the same time on two nodes.
    let mut rest = &ids[..40];
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (part, others) = rest.split_at((parts.len() % 3 + 1).min(rest.len()));
        parts.push(part.to_vec());
        rest = others;
    }
    let calls = parts.into_iter().enumerate().map(|(number, part)| {
        let desk = [&test, &node][number % 2].with_token(&token);
        async move { refund(&desk, part).await }
    });
    let answers = join_all(calls).await;
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 202)), "{answers:?}");
    let marked = traces(&test).await.rows;
    assert!((8..=10).contains(&marked), "{marked} of at most 10 orders");
    assert_eq!(traces(&test).await, Traces::of(marked));
    assert_eq!(refund(&budi, ids[40..43].to_vec()).await.status, 202);
    // Another member has an allowance of their own, and this one has it again after a day.
    assert_eq!(refund(&test.as_staff(NightStaff, "Nyoman"), ids[43..53].to_vec()).await.status, 200);
    test.later(TimeDelta::hours(24));
    assert_eq!(refund(&test.as_staff(Team, "Budi"), ids[53..58].to_vec()).await.status, 200);
}

#[tokio::test]
async fn an_approval_counts_towards_the_daily_limit_of_the_member_who_asked() {
    let test = TestApp::start_with(|config| {
        config.refunds.approval_orders = 5;
        config.refunds.bulk_orders_per_day.team = 12;
    })
    .await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 30).await;
    assert_eq!(
        refused(&refund(&budi, ids[..13].to_vec()).await),
        (429, "too_many_refunds_in_day"),
        "before it is stored"
    );
    let request = request_of(&refund(&budi, ids[..10].to_vec()).await);
    assert_eq!(refund(&budi, ids[10..15].to_vec()).await.status, 200);
    let over = approve(&made, &request).await;
    assert_eq!(refused(&over), (429, "too_many_refunds_in_day"));
    assert_eq!((traces(&test).await, counts(&made).await.0), (Traces::of(5), json!(1)));
    test.later(TimeDelta::hours(24));
    assert_eq!(approve(&test.as_staff(Manager, "Made"), &request).await.status, 200);
    assert_eq!(refund(&test.as_staff(Team, "Budi"), ids[15..18].to_vec()).await.status, 429, "the approved ones count");
}

#[tokio::test]
async fn the_oldest_requests_are_listed_and_all_are_counted() {
    let test = TestApp::start_with(|config| config.refunds.approval_orders = 1).await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 26).await;
    for pair in ids[..24].chunks(2) {
        test.later(TimeDelta::seconds(1));
        request_of(&refund(&budi, pair.to_vec()).await);
    }
    request_of(&refund(&made, ids[24..].to_vec()).await);
    let listed = made.get("/admin/refund-approvals").await;
    let shown = listed.data()["requests"].as_array().expect("a list");
    assert_eq!((&listed.data()["waiting"], shown.len(), &shown[0]["order_ids"]), (&json!(13), 10, &json!(ids[..2])));
    assert_eq!(budi.get("/admin/refund-approvals").await.data()["waiting"], 12, "their own");
    assert_eq!((counts(&made).await, counts(&budi).await), ((json!(12), json!(1)), (json!(0), json!(12))));
}
