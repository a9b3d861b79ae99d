//! Applicants who do not answer are reminded, at most once a day, and then called.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::casework::paper_reminders::remind_due;
use visadesk::db::schema::mails;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;

use super::{ask, order_for_c1, send, status};
use crate::support::TestApp;
use crate::support::sample_files::pdf;

/// How many mails of the kind are about the order.
async fn mailed(test: &TestApp, order: i64, kind: &'static str) -> i64 {
    let of_order = mails::table.filter(mails::order_id.eq(order)).filter(mails::kind.eq(kind));
    test.read(move |conn| Ok(of_order.count().get_result(conn)?)).await
}

async fn remind(test: &TestApp) -> usize {
    remind_due(&test.app.casework).await.expect("applicants are reminded")
}

#[tokio::test]
async fn an_applicant_is_reminded_after_two_five_and_ten_days_and_then_called() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    let mut sent = Vec::new();
    for day in 1..=16 {
        test.later(TimeDelta::days(1));
        remind(&test).await;
        // Sessions end overnight.
        let budi = test.as_staff(Team, "Budi");
        sent.push((day, mailed(&test, order, "papers reminder").await, status(&budi, order).await.0));
    }
    let reminders: Vec<i64> = sent.iter().map(|(_, count, _)| *count).collect();
    assert_eq!(reminders, [0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3]);
    let called: Vec<i32> =
        sent.iter().filter(|(.., status)| *status == "Contact Customer").map(|(day, ..)| *day).collect();
    assert_eq!(called, [15, 16]);
    assert_eq!(remind(&test).await, 0, "nothing more follows");
    let budi = test.as_staff(Team, "Budi");
    // A late answer still brings the order back.
    assert_eq!(send(&test.as_visitor(order).await, order, "bank_statement", pdf()).await.status, 200);
    assert_eq!(status(&budi, order).await.0, "New");
}

#[tokio::test]
async fn nobody_gets_two_reminders_within_a_day_whatever_their_orders_are() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (one, two) = (order_for_c1(&test, New).await, order_for_c1(&test, New).await);
    // The same address, as some forms spell it.
    test.write(move |tx| {
        use visadesk::db::schema::orders::dsl::{contact_email_address, orders};
        Ok(diesel::update(orders.find(OrderId(two))).set(contact_email_address.eq("Ana@Post.example")).execute(tx)?)
    })
    .await;
    for order in [one, two] {
        assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    }
    let reminded = async || mailed(&test, one, "papers reminder").await + mailed(&test, two, "papers reminder").await;
    test.later(TimeDelta::days(2));
    assert_eq!(remind(&test).await, 2);
    assert_eq!(reminded().await, 1);
    test.later(TimeDelta::hours(23));
    remind(&test).await;
    assert_eq!(reminded().await, 1);
    test.later(TimeDelta::hours(2));
    remind(&test).await;
    assert_eq!(reminded().await, 2);
}

#[tokio::test]
async fn two_nodes_remind_once_and_an_order_that_staff_moved_on_is_left_alone() {
    let test = TestApp::start().await;
    let other = test.another_node().await;
    let budi = test.as_staff(Team, "Budi");
    let (waits, moved) = (order_for_c1(&test, New).await, order_for_c1(&test, New).await);
    for order in [waits, moved] {
        assert_eq!(ask(&budi, order, &[("bank_statement", "missing")]).await.status, 200);
    }
    let back = json!({ "orderId": moved, "updatingStatus": "New" });
    assert_eq!(budi.put("/admin/change-order-status", back).await.status, 200);
    test.later(TimeDelta::days(2));
    let (one, two) = tokio::join!(remind_due(&test.app.casework), remind_due(&other.app.casework));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    assert_eq!(mailed(&test, waits, "papers reminder").await, 1);
    assert_eq!(mailed(&test, moved, "papers reminder").await, 0);
    let budi = test.as_staff(Team, "Budi");
    assert_eq!(status(&budi, moved).await.0, "New");
    let papers = budi.get(&format!("/admin/order-papers/{moved}")).await;
    assert_eq!(papers.data()["request"], serde_json::Value::Null);
}
