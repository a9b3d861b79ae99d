//! The delivery of a visa that differs is undone before its mail is sent.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join;
use serde_json::{Value, json};
use visadesk::db::schema::{documents, mails, orders};
use visadesk::mail::worker::send_due;
use visadesk::orders::status::ProcessStatus::{self, Awaiting, Completed};
use visadesk::staff::rules::StaffType::Team;

use super::{audited, upload, visa};
use crate::support::{Answer, Client, TestApp};

/// The status of an order, and who completed it.
type State = (ProcessStatus, Option<i64>, Option<i64>);

async fn state(test: &TestApp, order: i64) -> State {
    let row = orders::table.find(order).select((orders::process_status, orders::assign_to, orders::processed_by));
    test.read(move |conn| Ok(row.first(conn)?)).await
}

/// Uploads a visa with another name, whose delivery can be undone.
async fn deliver_wrong(client: &Client<'_>, order: i64) -> Answer {
    deliver(client, order, visa(&format!("X{order}"), "SOMEBODY ELSE", "01/02/1999")).await
}

async fn deliver(client: &Client<'_>, order: i64, wrong: Vec<u8>) -> Answer {
    let sent = upload(client, order, wrong, "").await;
    assert_eq!(sent.status, 200, "{sent}");
    assert!(sent.json["undo"]["event_id"].is_i64(), "{sent}");
    sent
}

async fn undo(client: &Client<'_>, delivered: &Answer) -> Answer {
    client.post("/admin/undo", json!({ "eventId": delivered.json["undo"]["event_id"] })).await
}

async fn details(client: &Client<'_>, order: i64) -> Value {
    client.get(&format!("/admin/get-orders-details/{order}")).await.data().clone()
}

/// The state of each mail, the oldest first.
async fn mail_states(test: &TestApp) -> Vec<String> {
    test.read(|conn| Ok(mails::table.order(mails::mail_id).select(mails::state).load(conn)?)).await
}

#[tokio::test]
async fn an_undone_delivery_leaves_no_mail_and_no_visa_for_the_customer() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let budi = test.as_staff(Team, "Budi");
    let before = state(&test, order).await;
    let sent = deliver_wrong(&budi, order).await;
    assert_eq!(state(&test, order).await.0, Completed);
    assert_eq!(send_due(&test.app.mail).await.unwrap(), 0, "the mail waits");
    let visitor = test.as_visitor(order).await;
    let file1 = visitor.history(order).await.json["path"]["file1"].clone();
    assert!(file1.is_string(), "the call delivers as ever");

    let undone = undo(&budi, &sent).await;
    assert_eq!(undone.status, 200, "{undone}");
    let said = format!("Undone: the visa is withdrawn, no mail was sent, and order {order} is as it was before");
    assert_eq!(undone.json["message"], said);
    assert_eq!(state(&test, order).await, before);
    test.later(TimeDelta::minutes(1));
    assert_eq!(send_due(&test.app.mail).await.unwrap(), 0);
    assert!(!visitor.history(order).await.json["path"]["file1"].is_string());
    assert_eq!(visitor.download(order, file1).await.status, 404);

    let shown = details(&budi, order).await;
    assert_eq!(shown["uploadDoc"][0]["is_withdrawn"], true, "staff still see it");
    assert_eq!(shown["uploadDoc"][0]["check"]["is_open"], false);
    assert_eq!(shown["documents"], json!([]), "it is none of the applicant's files");
    let mail = &shown["mailHistory"][0];
    assert_eq!((&mail["state"], &mail["due_at"]), (&json!("stopped"), &Value::Null), "{mail}");
    assert_eq!(mail["failure"], "Stopped: Budi undid the delivery before it was sent");
    assert_eq!(audited(&test, "visa.withdraw").await, [Some("before its mail was sent".to_owned())]);
    assert_eq!(audited(&test, "order.undo").await, [Some("Awaiting".to_owned())]);
    let again = undo(&budi, &sent).await;
    assert_eq!((again.status, &again.json["code"]), (409, &json!("change_undone_before")), "{again}");

    let owner = test.add_order(Awaiting).await;
    let found = deliver(&budi, owner, visa(&format!("X{order}"), "SOMEBODY ELSE", "01/02/1999")).await;
    assert_eq!(found.data()["used_by"], Value::Null, "a withdrawn visa was never another order's");
}

#[tokio::test]
async fn the_link_of_a_visitor_to_a_withdrawn_visa_opens_nothing() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let budi = test.as_staff(Team, "Budi");
    let sent = deliver_wrong(&budi, order).await;
    let visitor = test.as_visitor(order).await;
    let file1 = visitor.history(order).await.json["path"]["file1"].clone();
    let link = visitor.download(order, file1).await.json["path"].as_str().unwrap().to_owned();
    let refused = undo(&budi, &sent).await;
    assert_eq!((refused.status, &refused.json["code"]), (409, &json!("visa_downloaded")), "{refused}");
    assert_eq!(visitor.page(&format!("/{link}")).await.status, 200);
    assert_eq!(mail_states(&test).await, ["queued"], "nothing was undone");

    // As it would be had the download been recorded a moment later.
    test.write(|tx| Ok(diesel::update(documents::table).set(documents::kind.eq("withdrawn_visa")).execute(tx)?)).await;
    assert_eq!(visitor.page(&format!("/{link}")).await.status, 404);
}

#[tokio::test]
async fn a_delivery_is_not_undone_after_its_mail_has_left_or_by_a_colleague() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let sent = deliver_wrong(&budi, order).await;
    let theirs = undo(&sari, &sent).await;
    assert_eq!(theirs.json["code"], "change_of_another_member", "{theirs}");
    test.later(TimeDelta::seconds(20));
    assert_eq!(send_due(&test.app.mail).await.unwrap(), 1);
    let late = undo(&budi, &sent).await;
    assert_eq!((late.status, &late.json["code"]), (409, &json!("mail_left_since")), "{late}");
    let shown = details(&budi, order).await;
    assert_eq!(
        (&shown["uploadDoc"][0]["is_withdrawn"], &shown["process_status"]),
        (&json!(false), &json!("Completed"))
    );
    assert!(audited(&test, "visa.withdraw").await.is_empty());
}

#[tokio::test]
async fn a_completed_order_keeps_its_status_and_its_earlier_visa() {
    let test = TestApp::start().await;
    let order = test.add_order(Completed).await;
    let budi = test.as_staff(Team, "Budi");
    let earlier = test.add_visa(order).await;
    let before = state(&test, order).await;
    let sent = deliver_wrong(&budi, order).await;
    assert_eq!(undo(&budi, &sent).await.status, 200);
    assert_eq!(state(&test, order).await, before);
    assert_eq!(test.as_visitor(order).await.history(order).await.json["path"]["file1"], earlier);
    assert!(audited(&test, "order.undo").await.is_empty(), "its status was not changed");
    assert_eq!(mail_states(&test).await, ["failed"]);
}

#[tokio::test]
async fn a_delivery_is_not_undone_over_a_later_change() {
    let test = TestApp::start().await;
    let order = test.add_order(Awaiting).await;
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    let sent = deliver_wrong(&budi, order).await;
    let moved = json!({ "orderId": [order], "updatingStatus": "Contact Customer" });
    assert_eq!(sari.put("/admin/change-order-status", moved).await.status, 200);
    let refused = undo(&budi, &sent).await;
    assert_eq!(refused.json["code"], "order_changed_since", "{refused}");
    assert_eq!(mail_states(&test).await, ["queued"], "and its mail still waits");
}

#[tokio::test]
async fn without_a_wait_the_mail_of_a_wrong_visa_is_due_at_once() {
    let test = TestApp::start_with(|config| config.delivery.undo_seconds = 0).await;
    let order = test.add_order(Awaiting).await;
    let sent = upload(&test.as_staff(Team, "Budi"), order, visa("X1", "SOMEBODY ELSE", "01/02/1999"), "").await;
    assert_eq!((sent.status, &sent.json["undo"]), (200, &Value::Null), "{sent}");
    assert_eq!(sent.data()["is_open"], true);
    assert_eq!(send_due(&test.app.mail).await.unwrap(), 1);
}

#[tokio::test]
async fn of_an_undo_and_the_worker_at_once_one_is_too_late() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let mut undone_first = 0;
    for _ in 0..8 {
        let order = test.add_order(Awaiting).await;
        let sent = deliver_wrong(&budi, order).await;
        test.later(TimeDelta::seconds(20));
        let (answer, attempts) = join(undo(&budi, &sent), send_due(&test.app.mail)).await;
        let last = mail_states(&test).await.pop();
        if answer.status == 200 {
            undone_first += 1;
            assert_eq!((attempts.unwrap(), last.as_deref()), (0, Some("failed")));
            assert_eq!(state(&test, order).await.0, Awaiting);
        } else {
            assert_eq!(answer.json["code"], "mail_left_since", "{answer}");
            assert_eq!((attempts.unwrap(), last.as_deref()), (1, Some("sent")));
            assert_eq!(state(&test, order).await.0, Completed);
        }
    }
    println!("undone before the mail: {undone_first} of 8");
}
