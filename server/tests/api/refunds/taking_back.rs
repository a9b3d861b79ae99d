//! An Admin takes a mistaken refund back: the row stays, the date empties, one new refund is possible.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, mails, orders, refunds};
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::timestamp::Timestamp;

use super::mail_delays::shown;
use super::{add_orders, refund, refund_date};
use crate::migrations::kept_rows::refusal;
use crate::support::mailbox::Mailbox;
use crate::support::{Answer, Client, TestApp};

async fn take_back(desk: &Client<'_>, order: i64, reason: &str) -> Answer {
    desk.put("/admin/take-back-refund", json!({ "orderId": order, "reason": reason })).await
}

async fn details(desk: &Client<'_>, order: i64) -> Value {
    desk.get(&format!("/admin/get-orders-details/{order}")).await.data().clone()
}

/// The number of the order's rows: refunds, refunds in force, mails.
async fn rows(test: &TestApp, order: i64) -> (i64, i64, i64) {
    test.read(move |conn| {
        let theirs = refunds::table.filter(refunds::order_id.eq(order));
        Ok((
            theirs.count().get_result(conn)?,
            theirs.filter(refunds::taken_back_at.is_null()).count().get_result(conn)?,
            mails::table.filter(mails::order_id.eq(order)).count().get_result(conn)?,
        ))
    })
    .await
}

#[tokio::test]
async fn a_refund_whose_mail_has_left_is_taken_back_with_a_correction() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let order = test.add_order(Refunds).await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Ayu"));
    assert_eq!(refund(&budi, order).await.status, 200);
    worker::send_due(&test.app.mail).await.expect("it is sent");
    assert_eq!(details(&budi, order).await["allowed"]["take_back_refund"], false);
    assert_eq!(details(&ayu, order).await["allowed"]["take_back_refund"], true);
    // The correction goes to the address that got the refund notice, even if the order has another one now.
    test.write(move |tx| {
        let moved = orders::table.find(order);
        Ok(diesel::update(moved).set(orders::contact_email_address.eq("new@post.example")).execute(tx)?)
    })
    .await;
    test.later(TimeDelta::minutes(3));
    let answer = take_back(&ayu, order, "  Wrong row\r\nselected ").await;
    assert_eq!(
        (answer.status, answer.message()),
        (200, "The refund was taken back. A correction is on its way to the customer")
    );
    assert_eq!((refund_date(&test, order).await, rows(&test, order).await), (None, (1, 0, 2)));
    worker::send_due(&test.app.mail).await.expect("it is sent");
    let received = mailbox.wait_for(2).await.remove(1);
    assert_eq!(
        (&*received.to, received.message().subject()),
        (&["ana@post.example".to_owned()][..], Some("Correction: no refund was made (VD-100001)"))
    );
    let text = received.message().body_text(0).expect("a text").into_owned();
    assert!(text.contains("Dear Ana Putri,") && text.contains("the payment has not been refunded"), "{text}");

    let now = details(&ayu, order).await;
    let mark = &now["refund_marks"][0];
    assert_eq!((&now["refund_date"], &now["allowed"]["take_back_refund"]), (&Value::Null, &json!(false)));
    assert_eq!(
        (&mark["refunded_by"], &mark["taken_back_by"], &mark["reason"]),
        (&json!("Budi"), &json!("Ayu"), &json!("Wrong row\nselected"))
    );
    let done = &now["timeline"][0];
    assert_eq!(
        (&done["actor"], &done["action"], &done["after"]),
        (&json!("Ayu"), &json!("refund.take_back"), &json!("Wrong row\nselected"))
    );
    assert_eq!(now["mailHistory"][1]["kind"], "refund correction");

    // One new refund is possible, and it can be taken back as well.
    assert_eq!(budi.list("refundOrder").await, [order]);
    assert_eq!(refund(&budi, order).await.message(), "1 refunded, 0 already refunded");
    assert!(refund(&budi, order).await.message().starts_with("0 refunded, 1 already refunded"));
    assert_eq!(rows(&test, order).await, (2, 1, 3));
    assert_eq!(take_back(&ayu, order, "Once more").await.status, 200);
    assert_eq!(rows(&test, order).await, (2, 0, 3), "its mail had not left: no correction");
    assert_eq!(details(&ayu, order).await["refund_marks"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_mail_that_waits_is_stopped_by_taking_the_refund_back() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let ids = add_orders(test.db(), 11).await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_eq!(refund(&ayu, ids.clone()).await.status, 200);
    let answer = take_back(&ayu, ids[0], "Wrong order").await;
    assert_eq!(answer.message(), "The refund was taken back, and the email about it was stopped before it was sent");
    let why = "Stopped: Ayu took the refund back before it was sent";
    assert_eq!(shown(&ayu, ids[0]).await, ("stopped".into(), Some(why.into())));
    // A stopped mail of a refund that was taken back is not sent after all.
    let sent = ayu.put("/admin/send-refund-mails", json!({ "orderId": ids[0] })).await;
    assert_eq!(sent.json["changed"], 0);
    let stopped = ayu.put("/admin/stop-refund-mails", json!({ "orderId": ids[1] })).await;
    assert_eq!(stopped.json["changed"], 1);
    assert_eq!(
        take_back(&ayu, ids[1], "Wrong order").await.message(),
        "The refund was taken back. The customer got no email about it"
    );
    test.later(TimeDelta::minutes(10));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("they are sent"), 9);
    assert_eq!(mailbox.wait_for(9).await.len(), 9);
}

#[tokio::test]
async fn only_an_admin_takes_a_refund_back_and_only_with_a_reason() {
    let test = TestApp::start().await;
    let order = test.add_order(Refunds).await;
    let ayu = test.as_staff(Admin, "Ayu");
    let refused = |answer: &Answer| (answer.status, answer.json["code"].as_str().expect("a code").to_owned());
    assert_eq!(refused(&take_back(&ayu, order, "Why").await), (409, "order_not_refunded".into()));
    assert_eq!(refused(&take_back(&ayu, 999_999, "Why").await), (404, "selected_order_not_found".into()));
    assert_eq!(refund(&ayu, order).await.status, 200);
    let date = refund_date(&test, order).await;
    for staff_type in [Manager, Team, Telecaller, NightStaff] {
        let desk = test.as_staff(staff_type, &format!("The {staff_type}"));
        assert_eq!(take_back(&desk, order, "Why").await.status, 403);
        assert_eq!(details(&desk, order).await["allowed"]["take_back_refund"], false);
    }
    assert_eq!(refused(&take_back(&ayu, order, " \n ").await), (422, "empty_reason".into()));
    assert_eq!(refused(&take_back(&ayu, order, &"x".repeat(5_001)).await), (422, "reason_too_long".into()));
    let missing = ayu.put("/admin/take-back-refund", json!({ "orderId": order })).await;
    assert_eq!(refused(&missing), (422, "empty_reason".into()));
    let imported = test.add_order_with(Refunds, |order| order.refund_date = Some(Timestamp::EPOCH)).await;
    assert_eq!(refused(&take_back(&ayu, imported, "Why").await), (409, "refund_of_older_system".into()));
    assert_eq!((refund_date(&test, order).await, rows(&test, order).await), (date, (1, 1, 1)));
    // Wherever the order is.
    let moved = json!({ "orderId": order, "updatingStatus": "ChargeBack" });
    assert_eq!(ayu.put("/admin/move-order-status", moved).await.status, 200);
    assert_eq!(take_back(&ayu, order, "Why").await.status, 200);
    assert_eq!(details(&ayu, order).await["process_status"], ChargeBack.as_str());
}

#[tokio::test]
async fn take_backs_and_refunds_that_race_on_two_nodes_leave_one_refund_in_force_at_most() {
    let test = TestApp::start().await;
    let node = test.another_node().await;
    let order = test.add_order(Refunds).await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_eq!(refund(&ayu, order).await.status, 200);
    let token = ayu.token().await.to_owned();
    let calls = (0..10).map(|number| {
        let desk = [&test, &node][number % 2].with_token(&token);
        async move { take_back(&desk, order, "Wrong order").await.status }
    });
    let statuses = join_all(calls).await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");

    let calls = (0..40).map(|number| {
        let desk = [&test, &node][number % 2].with_token(&token);
        async move {
            match number % 4 {
                0 | 1 => (refund(&desk, order).await, 0),
                _ => (take_back(&desk, order, "Wrong order").await, 1),
            }
        }
    });
    let answers = join_all(calls).await;
    assert!(answers.iter().all(|(answer, _)| [200, 409].contains(&answer.status)), "{answers:?}");
    let marked = answers.iter().filter(|(answer, _)| answer.json["refunded"] == 1).count() as i64;
    let taken =
        answers.iter().filter(|(answer, is_take_back)| *is_take_back == 1 && answer.status == 200).count() as i64;
    let (all, in_force, _) = rows(&test, order).await;
    assert_eq!((all, in_force), (1 + marked, marked - taken), "{marked} marked, {taken} taken back");
    assert!((0..=1).contains(&in_force));
    assert_eq!(refund_date(&test, order).await.is_some(), in_force == 1);
    let audited = audit::table.filter(audit::action.eq("refund.take_back")).count();
    assert_eq!(test.read(move |conn| Ok(audited.get_result::<i64>(conn)?)).await, 1 + taken);
}

#[tokio::test]
async fn the_database_takes_a_refund_back_once_and_changes_nothing_else_of_it() {
    let test = TestApp::start().await;
    let order = test.add_order(Refunds).await;
    let ayu = test.as_staff(Admin, "Ayu");
    assert_eq!(refund(&ayu, order).await.status, 200);
    assert_eq!(take_back(&ayu, order, "Wrong order").await.status, 200);
    assert_eq!(refund(&ayu, order).await.status, 200);
    type Attempt = fn(&mut visadesk::db::Conn) -> QueryResult<usize>;
    let altered = "a refund is never altered";
    let attempts: [(&str, &str, Attempt); 4] = [
        ("another reason", altered, |tx| {
            let taken_back = refunds::table.filter(refunds::taken_back_at.is_not_null());
            diesel::update(taken_back).set(refunds::taken_back_reason.eq("Another one")).execute(tx)
        }),
        ("back in force", altered, |tx| {
            let taken_back = refunds::table.filter(refunds::taken_back_at.is_not_null());
            let none = (
                refunds::taken_back_at.eq(None::<Timestamp>),
                refunds::taken_back_by.eq(None::<i64>),
                refunds::taken_back_reason.eq(None::<String>),
            );
            diesel::update(taken_back).set(none).execute(tx)
        }),
        ("another time", altered, |tx| {
            let in_force = refunds::table.filter(refunds::taken_back_at.is_null());
            diesel::update(in_force).set(refunds::refunded_at.eq(Timestamp::EPOCH)).execute(tx)
        }),
        // The first refund was taken back; the date is that of the second.
        ("no date", "a refund date is never altered", |tx| {
            diesel::update(orders::table).set(orders::refund_date.eq(None::<Timestamp>)).execute(tx)
        }),
    ];
    let before = rows(&test, order).await;
    for (attempted, reason, attempt) in attempts {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains(reason), "{attempted}: {refused}");
    }
    assert_eq!(rows(&test, order).await, before);
    assert!(refund_date(&test, order).await.is_some());
}
