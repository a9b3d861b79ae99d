//! Refunds: each order is refunded at most once, despite repeated clicks, concurrent calls and crashes.

mod approvals;
mod kills;
mod mail_delays;
mod taking_back;

use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::db::schema::{audit, mails, orders, refunds};
use visadesk::mail::rules::{MailKind, Provider};
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::{self, ChargeBack, Completed, Deleted, Future, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, NightStaff, Team};
use visadesk::timestamp::Timestamp;

pub use self::kills::add_orders;
use crate::deliveries::visa;
use crate::migrations::kept_rows::refusal;
use crate::support::database::is_postgres;
use crate::support::mailbox::Mailbox;
use crate::support::mails::past_mail;
use crate::support::{Answer, Client, TestApp};

async fn refund(desk: &Client<'_>, orders: impl Into<Value>) -> Answer {
    desk.put("/admin/move-to-complete-refund", json!({ "orderId": orders.into() })).await
}

/// The number of rows that refunds leave in each table.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Traces {
    pub rows: i64,
    pub mails: i64,
    pub dates: i64,
    pub audited: i64,
}

impl Traces {
    /// The traces of `refunded` refunds.
    pub fn of(refunded: i64) -> Self {
        Self { rows: refunded, mails: refunded, dates: refunded, audited: refunded }
    }

    pub fn read(conn: &mut Conn) -> visadesk::error::Result<Self> {
        let dated = orders::table.filter(orders::refund_date.is_not_null());
        Ok(Self {
            rows: refunds::table.count().get_result(conn)?,
            mails: mails::table.filter(mails::kind.eq(MailKind::Refund)).count().get_result(conn)?,
            dates: dated.count().get_result(conn)?,
            audited: audit::table.filter(audit::action.eq("order.refund")).count().get_result(conn)?,
        })
    }
}

async fn traces(test: &TestApp) -> Traces {
    test.read(Traces::read).await
}

async fn refund_date(test: &TestApp, order: i64) -> Option<Timestamp> {
    test.read(move |conn| Ok(orders::table.find(order).select(orders::refund_date).first(conn)?)).await
}

/// Everything that a refused call must leave unchanged.
async fn snapshot(test: &TestApp) -> (Traces, Vec<(i64, ProcessStatus, Option<Timestamp>, Timestamp)>) {
    let columns = (orders::order_id, orders::process_status, orders::refund_date, orders::updated_at);
    let rows = test.read(move |conn| Ok(orders::table.order(orders::order_id).select(columns).load(conn)?)).await;
    (traces(test).await, rows)
}

/// Today in the date format of the messages.
fn today(test: &TestApp) -> String {
    test.clock.today(chrono_tz::Asia::Jakarta).format("%d-%m-%Y").to_string()
}

#[tokio::test]
async fn a_refund_dates_the_order_mails_the_applicant_and_is_audited() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        config.mail.aws = mailbox.url();
        config.public_url = "https://desk.example".into();
    })
    .await;
    let order = test.add_order(Refunds).await;
    // Every staff type may refund (spec §6).
    let nyoman = test.as_staff(NightStaff, "Nyoman");
    assert_snapshot!(refund(&nyoman, order).await, @r#"200 {"status":1,"message":"1 refunded, 0 already refunded","refunded":1,"already_refunded":0}"#);
    assert_eq!(traces(&test).await, Traces::of(1));
    assert_eq!(nyoman.list("refundOrder").await, [order], "it stays in its folder");
    let at = refund_date(&test, order).await.expect("a date");
    let row = nyoman.get("/admin/get-orders-list/refundOrder").await.data()[0].clone();
    assert_eq!(row["refund_date"].as_str().and_then(|date| date.parse().ok()), Some(at));

    let refunded =
        refunds::table.select((refunds::order_id, refunds::refunded_at, refunds::staff_id, refunds::mail_id));
    let refunded: (i64, Timestamp, i64, i64) = test.read(move |conn| Ok(refunded.first(conn)?)).await;
    assert_eq!(refunded, (order, at, nyoman.id().await, 1));
    let details = nyoman.get(&format!("/admin/get-orders-details/{order}")).await;
    let (mail, done) = (&details.data()["mailHistory"][0], &details.data()["timeline"][0]);
    assert_eq!(
        (&mail["kind"], &mail["email"], &mail["sent_by"]),
        (&"refund".into(), &"ana@post.example".into(), &"Nyoman".into())
    );
    assert_eq!(
        (&done["actor"], &done["action"], &done["after"]),
        (&"Nyoman".into(), &"order.refund".into(), &"AWS, to ana@post.example".into())
    );

    worker::send_due(&test.app.mail).await.expect("it is sent");
    let received = mailbox.wait_for(1).await.remove(0);
    assert_eq!(
        (&*received.to, received.message().subject()),
        (&["ana@post.example".to_owned()][..], Some("Your refund (VD-100001)"))
    );
    let text = received.message().body_text(0).expect("a text").into_owned();
    assert!(
        text.contains("Dear Ana Putri,") && text.contains("We have refunded your payment for order VD-100001"),
        "{text}"
    );
}

#[tokio::test]
async fn fifty_calls_on_two_nodes_and_after_a_restart_refund_once() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let order = test.add_order(Refunds).await;
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let calls = (0..50).map(|number| {
        let desk = [&test, &other_node][number % 2].with_token(&token);
        async move { refund(&desk, if number % 3 == 0 { json!(order) } else { json!([order]) }).await }
    });
    let answers = join_all(calls).await;
    let date = refund_date(&test, order).await.expect("a date");
    let already = format!("0 refunded, 1 already refunded on {}", today(&test));
    let first = answers.iter().filter(|answer| answer.message() == "1 refunded, 0 already refunded");
    assert_eq!(first.count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.message() == already).count(), 49, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.status == 200 && answer.json["status"] == 1), "{answers:?}");

    test.later(TimeDelta::minutes(5));
    let restarted = test.another_node().await;
    for node in [&restarted, &other_node, &test] {
        let again = refund(&node.with_token(&token), order).await;
        assert_eq!((again.status, again.message()), (200, &*already));
    }
    assert_eq!((traces(&test).await, refund_date(&test, order).await), (Traces::of(1), Some(date)));
}

#[tokio::test]
async fn concurrent_overlapping_selections_on_two_nodes_refund_each_order_once() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let mut ids = Vec::new();
    for _ in 0..12 {
        ids.push(test.add_order(Refunds).await);
    }
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let calls = (0..24).map(|number| {
        let desk = [&test, &other_node][number % 2].with_token(&token);
        let mut chosen: Vec<i64> = ids.iter().copied().skip(number % 5).step_by(1 + number % 3).collect();
        // The server locks orders in ascending id order, whatever the order of the selection.
        chosen.rotate_left(number % 4);
        async move { refund(&desk, chosen).await }
    });
    let mut refunded = 0;
    for answer in join_all(calls).await {
        assert_eq!(answer.status, 200, "{answer}");
        let (count, _) = answer.message().split_once(" refunded, ").expect("the counts");
        refunded += count.parse::<i64>().expect("a number");
    }
    assert_eq!((refunded, traces(&test).await), (12, Traces::of(12)));
}

#[tokio::test]
async fn already_refunded_orders_are_counted_and_left_unchanged() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let before = test.clock.now() - TimeDelta::days(400);
    // This order was refunded in an older system, so it has no refund mail here.
    let imported = test.add_order_with(Refunds, |order| order.refund_date = Some(before)).await;
    let (one, two) = (test.add_order(Refunds).await, test.add_order(Refunds).await);
    assert_eq!(refund(&budi, one).await.status, 200);
    let date = refund_date(&test, one).await;
    test.later(TimeDelta::minutes(10));
    assert_snapshot!(refund(&budi, vec![one, two, imported]).await, @r#"200 {"status":1,"message":"1 refunded, 2 already refunded","refunded":1,"already_refunded":2}"#);
    assert_snapshot!(refund(&budi, vec![imported, two, one]).await, @r#"200 {"status":1,"message":"0 refunded, 3 already refunded","refunded":0,"already_refunded":3}"#);
    assert_eq!((refund_date(&test, one).await, refund_date(&test, imported).await), (date, Some(before)));
    let all = traces(&test).await;
    assert_eq!(all, Traces { dates: 3, ..Traces::of(2) });
}

#[tokio::test]
async fn an_order_outside_refunds_refuses_the_whole_call_with_the_reason() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let due = test.add_order(Refunds).await;
    let ahead = test.clock.today(chrono_tz::Asia::Jakarta).checked_add_days(chrono::Days::new(9));
    let before = "2026-11-19T17:00:00Z".parse::<Timestamp>().expect("an instant");
    for status in ProcessStatus::ALL.iter().filter(|status| **status != Refunds) {
        for refunded_before in [None, Some(before)] {
            let order = test.add_order_with(*status, |order| {
                (order.processing_date, order.refund_date) = (ahead, refunded_before);
            });
            let order = order.await;
            let reason = match (status, refunded_before) {
                (ChargeBack, None) => {
                    "has an open chargeback, and a refund would pay the customer twice. Move it out of \
                     ChargeBack first"
                }
                (ChargeBack, Some(_)) => {
                    "has an open chargeback, and it was already refunded on 20-11-2026: one more refund \
                     would pay the customer twice"
                }
                (_, None) => "is not in Refunds. Move it there first",
                (_, Some(_)) => "is not in Refunds, and it was already refunded on 20-11-2026",
            };
            let unchanged = snapshot(&test).await;
            for selection in [json!(order), json!([due, order])] {
                let refused = refund(&budi, selection).await;
                assert_eq!(
                    (refused.status, refused.message()),
                    (409, &*format!("Nothing was changed: order {order} {reason}"))
                );
                assert_eq!(refused.data()["order_id"], order);
            }
            assert_eq!(snapshot(&test).await, unchanged, "{status}");
        }
    }
    let refused = refund(&budi, vec![due, 999_999]).await;
    assert_eq!((refused.status, refused.message()), (404, "Nothing was changed: order 999999 does not exist"));
    assert_eq!(traces(&test).await.rows, 0);
}

#[tokio::test]
async fn an_order_without_a_usable_email_address_is_named() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let broken = |order: &mut visadesk::orders::new_order::NewOrder| order.contact_email_address = "ana at post".into();
    let (good, bad) = (test.add_order(Refunds).await, test.add_order_with(Refunds, broken).await);
    let with_account = test.add_order_with(Refunds, |order| {
        broken(order);
        order.application.account_email = Some("family@post.example".into());
    });
    let with_account = with_account.await;
    assert_snapshot!(refund(&budi, vec![good, bad]).await, @r#"409 {"status":0,"code":"order_unreachable_by_mail","message":"Nothing was changed: order 100002 has no email address that a mail can go to. Take it out of the selection","data":{"order_id":100002}}"#);
    assert_eq!(traces(&test).await, Traces::default());
    assert_eq!(refund(&budi, vec![good, with_account]).await.status, 200);
    let sent = mails::table.order(mails::mail_id).select((mails::order_id, mails::recipient, mails::provider));
    let sent: Vec<(i64, String, Provider)> = test.read(move |conn| Ok(sent.load(conn)?)).await;
    assert!(sent.contains(&(with_account, "family@post.example".into(), Provider::Aws)), "{sent:?}");
}

#[tokio::test]
async fn a_refund_date_survives_moves_deletion_and_uploads() {
    let test = TestApp::start().await;
    let ann = test.as_staff(Admin, "Ann");
    let ahead = test.clock.today(chrono_tz::Asia::Jakarta).checked_add_days(chrono::Days::new(30));
    let order = test.add_order_with(Refunds, |order| order.processing_date = ahead).await;
    assert_eq!(refund(&ann, order).await.status, 200);
    let date = refund_date(&test, order).await;
    assert!(date.is_some());
    let refund_day = today(&test);
    for status in ProcessStatus::ALL.iter().filter(|status| **status != Refunds) {
        test.later(TimeDelta::seconds(1));
        for call in ["move-order-status", "change-order-status"] {
            let body = json!({ "orderId": order, "updatingStatus": status.as_str() });
            assert_eq!(ann.put(&format!("/admin/{call}"), body).await.status, 200, "{status}");
            ann.put("/admin/assign-order-status", json!({ "orderId": order, "assignto": "Ann" })).await;
            if matches!(status, New | Completed | Future) {
                let form = Form::new().text("orderId", order.to_string()).text("email", "ana@post.example");
                let form = form.part(
                    "uploadVisaDoc",
                    Part::bytes(visa("PA1234567", "ANA PUTRI", "17/05/1990")).file_name("visa.pdf"),
                );
                assert_eq!(ann.upload("/admin/upload-visa-document", form).await.status, 200);
            }
            assert_eq!(refund_date(&test, order).await, date, "{status}");
            let elsewhere = refund(&ann, order).await;
            assert!(
                elsewhere.status == 409 && elsewhere.message().contains(&format!("already refunded on {refund_day}")),
                "{elsewhere}"
            );
            if *status == Deleted {
                assert_eq!(ann.put("/admin/restore-orders", json!({ "orderId": order })).await.status, 200);
                assert_eq!(refund_date(&test, order).await, date, "restored");
            }
            let back = json!({ "orderId": order, "updatingStatus": "Refunds" });
            assert_eq!(ann.put("/admin/move-order-status", back).await.status, 200);
            let again = refund(&ann, order).await;
            assert_eq!(
                (again.status, again.message()),
                (200, &*format!("0 refunded, 1 already refunded on {refund_day}"))
            );
        }
    }
    assert_eq!((refund_date(&test, order).await, traces(&test).await), (date, Traces::of(1)));
}

/// Adds a second refund of the only refunded order, with the newest mail.
fn refund_again(tx: &mut Conn) -> QueryResult<usize> {
    let first = refunds::table.select((refunds::order_id, refunds::refunded_at, refunds::staff_id));
    let (order_id, refunded_at, staff_id): (i64, Timestamp, i64) = first.first(tx)?;
    let mail_id: i64 = mails::table.order(mails::mail_id.desc()).select(mails::mail_id).first(tx)?;
    let row = (
        refunds::order_id.eq(order_id),
        refunds::refunded_at.eq(refunded_at),
        refunds::staff_id.eq(staff_id),
        refunds::mail_id.eq(mail_id),
    );
    diesel::insert_into(refunds::table).values(row).execute(tx)
}

#[tokio::test]
async fn the_database_rejects_changes_to_a_refund_and_a_second_refund() {
    let test = TestApp::start().await;
    let order = test.add_order(Refunds).await;
    assert_eq!(refund(&test.as_staff(Team, "Budi"), order).await.status, 200);
    test.add_mail(past_mail(order, "refund", "sent", test.clock.now())).await;
    let unchanged = snapshot(&test).await;
    // On SQLite a trigger against replaced rows refuses it before the index does.
    let (index, before_the_index) = if is_postgres() {
        ("refunds_in_force", "refunds_in_force")
    } else {
        ("unique constraint failed: refunds.order_id", "a refund is never altered")
    };
    type Attempt = fn(&mut Conn) -> QueryResult<usize>;
    let dates_stay = "a refund date is never altered";
    let attempts: [(&str, &str, Attempt); 8] = [
        ("a second row", before_the_index, refund_again),
        ("a second row, by the index alone", index, |tx| {
            if let Conn::Sqlite(tx) = tx {
                tx.batch_execute("DROP TRIGGER refunds_keep_replace")?;
            }
            refund_again(tx)
        }),
        ("a changed row", "a refund is never altered", |tx| {
            diesel::update(refunds::table).set(refunds::staff_id.eq(1)).execute(tx)
        }),
        ("no row", "a refund is never removed", |tx| diesel::delete(refunds::table).execute(tx)),
        ("no rows at all", if is_postgres() { "a refund is for ever" } else { "a refund is never removed" }, |tx| {
            match tx {
                Conn::Postgres(tx) => tx.batch_execute("TRUNCATE refunds").map(|()| 0),
                Conn::Sqlite(tx) => tx.batch_execute("DELETE FROM refunds WHERE order_id > 0").map(|()| 0),
            }
        }),
        ("no date", dates_stay, |tx| {
            diesel::update(orders::table).set(orders::refund_date.eq(None::<Timestamp>)).execute(tx)
        }),
        ("another date", dates_stay, |tx| {
            let later = "2031-01-01T00:00:00Z".parse::<Timestamp>().unwrap();
            diesel::update(orders::table).set(orders::refund_date.eq(later)).execute(tx)
        }),
        ("no order", "orders are never removed", |tx| diesel::delete(orders::table).execute(tx)),
    ];
    for (attempted, reason, attempt) in attempts {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains(reason), "{attempted}: {refused}");
    }
    assert_eq!(snapshot(&test).await, unchanged);
}

#[tokio::test]
async fn five_hundred_orders_are_refunded_together_or_not_at_all() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let mut ids = add_orders(test.db(), 500).await;
    let elsewhere = test.add_order(New).await;
    let last = ids.pop().expect("an order");
    ids.push(elsewhere);
    assert_eq!(refund(&budi, ids.clone()).await.status, 409);
    assert_eq!(traces(&test).await, Traces::default());
    ids.pop();
    ids.push(last);
    assert_eq!(refund(&budi, ids.clone()).await.message(), "500 refunded, 0 already refunded");
    assert_eq!(traces(&test).await, Traces::of(500));
    assert_eq!(refund(&budi, ids).await.message(), "0 refunded, 500 already refunded");
    assert_eq!(traces(&test).await, Traces::of(500));
}
