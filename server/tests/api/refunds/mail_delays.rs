//! The mails of more than ten orders marked at once wait, and can be stopped and sent after all.

use chrono::TimeDelta;
use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, mail_texts, mails};
use visadesk::mail::worker;
use visadesk::orders::status::ProcessStatus::Refunds;
use visadesk::staff::rules::StaffType::{Manager, NightStaff, Team};

use super::{Traces, add_orders, refund, traces};
use crate::support::at_once::at_once;
use crate::support::mailbox::Mailbox;
use crate::support::{Answer, Client, TestApp};

pub async fn stop(desk: &Client<'_>, orders: impl Into<Value>) -> Answer {
    desk.put("/admin/stop-refund-mails", json!({ "orderId": orders.into() })).await
}

async fn send(desk: &Client<'_>, orders: impl Into<Value>) -> Answer {
    desk.put("/admin/send-refund-mails", json!({ "orderId": orders.into() })).await
}

/// The state and the note of the order's newest mail, as Email History shows it.
pub async fn shown(desk: &Client<'_>, order: i64) -> (String, Option<String>) {
    let details = desk.get(&format!("/admin/get-orders-details/{order}")).await;
    let mail = &details.data()["mailHistory"][0];
    (mail["state"].as_str().expect("a state").to_owned(), mail["failure"].as_str().map(str::to_owned))
}

async fn count(test: &TestApp, action: &'static str) -> i64 {
    let rows = audit::table.filter(audit::action.eq(action)).count();
    test.read(move |conn| Ok(rows.get_result(conn)?)).await
}

#[tokio::test]
async fn mails_of_more_than_ten_orders_wait_ten_minutes_and_those_of_fewer_leave_at_once() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    let (few, many) = (add_orders(test.db(), 10).await, add_orders(test.db(), 11).await);
    let at_once = refund(&budi, few).await;
    assert!(at_once.status == 200 && at_once.json.get("mails_leave_at").is_none(), "{at_once}");
    let delayed = refund(&budi, many.clone()).await;
    let leave_at = test.clock.now() + TimeDelta::minutes(10);
    assert_eq!(
        (delayed.message(), &delayed.json["mails_leave_at"]),
        ("11 refunded, 0 already refunded", &json!(leave_at))
    );
    assert_eq!(traces(&test).await, Traces::of(21), "the marks do not wait");
    worker::send_due(&test.app.mail).await.expect("they are sent");
    assert_eq!(mailbox.wait_for(10).await.len(), 10);

    let waiting = budi.get("/admin/waiting-refund-mails").await;
    assert_eq!((&waiting.data()["leave_at"], &waiting.data()["order_ids"]), (&json!(leave_at), &json!(many)));
    assert_eq!(shown(&budi, many[0]).await.0, "queued");
    test.later(TimeDelta::seconds(599));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("none is due"), 0);
    test.later(TimeDelta::seconds(1));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("they are sent"), 11);
    assert_eq!(mailbox.wait_for(21).await.len(), 21);
    let waiting = budi.get("/admin/waiting-refund-mails").await;
    assert_eq!(waiting.data(), &json!({ "order_ids": [], "leave_at": null }));
}

#[tokio::test]
async fn the_mail_about_the_refund_of_an_order_that_is_deleted_meanwhile_leaves_without_a_link_to_its_page() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let made = test.as_staff(Manager, "Made");
    let ids = add_orders(test.db(), 11).await;
    assert_eq!(refund(&made, ids.clone()).await.status, 200);
    for (order, status) in [(ids[0], "Deleted"), (ids[1], "ChargeBack")] {
        let moved = json!({ "orderId": [order], "updatingStatus": status });
        assert_eq!(made.put("/admin/change-order-status", moved).await.status, 200);
    }
    test.later(TimeDelta::minutes(10));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("they are sent"), 11);
    let (without, with): (Vec<_>, Vec<_>) =
        mailbox.wait_for(11).await.into_iter().partition(|mail| !mail.text.contains("/track-order/"));
    assert_eq!((without.len(), with.len()), (1, 10));
    let number = format!("VD-{}", ids[0]);
    assert!(without[0].text.contains(&number), "{}", without[0].text);
    let kept = mail_texts::table.inner_join(mails::table).filter(mails::order_id.eq(ids[0]));
    let kept = kept.select(mail_texts::text_body);
    let kept: String = test.read(move |conn| Ok(kept.first(conn)?)).await;
    assert!(kept.contains(&number) && !kept.contains("track-order"), "what is kept is what was sent: {kept}");
}

#[tokio::test]
async fn waiting_mails_are_stopped_while_the_marks_stay_and_are_sent_after_all() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| config.mail.aws = mailbox.url()).await;
    let budi = test.as_staff(Team, "Budi");
    let ids = add_orders(test.db(), 12).await;
    let already = ids[11];
    assert_eq!(refund(&budi, already).await.status, 200);
    worker::send_due(&test.app.mail).await.expect("it is sent");
    assert_eq!(refund(&budi, ids.clone()).await.message(), "11 refunded, 1 already refunded");

    let stopped = stop(&budi, ids.clone()).await;
    assert_eq!(
        (stopped.message(), &stopped.json["changed"], &stopped.json["unchanged"]),
        ("11 emails stopped, 1 could not be stopped", &json!(11), &json!(1))
    );
    assert_eq!(shown(&budi, ids[0]).await, ("stopped".into(), Some("Stopped by Budi before it was sent".into())));
    assert_eq!(shown(&budi, already).await.0, "sent");
    assert_eq!((traces(&test).await, count(&test, "refund.stop_mail").await), (Traces::of(12), 11));
    test.later(TimeDelta::hours(2));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("none is due"), 0);
    // The first session has ended.
    let budi = test.as_staff(Team, "Budi");
    let again = stop(&budi, ids.clone()).await;
    assert_eq!(again.message(), "0 emails stopped, 12 could not be stopped");

    let sent = send(&budi, ids.clone()).await;
    assert_eq!((sent.message(), &sent.json["unchanged"]), ("11 emails are on the way", &json!(1)));
    assert_eq!(worker::send_due(&test.app.mail).await.expect("they are sent"), 11);
    assert_eq!(shown(&budi, ids[0]).await, ("sent".into(), None));
    assert_eq!(send(&budi, ids).await.json["changed"], 0, "none is sent twice");
    assert_eq!((mailbox.wait_for(12).await.len(), count(&test, "refund.send_mail").await), (12, 11));
}

#[tokio::test]
async fn the_member_who_marked_them_admins_and_managers_stop_mails() {
    let test = TestApp::start().await;
    let (budi, nyoman) = (test.as_staff(Team, "Budi"), test.as_staff(NightStaff, "Nyoman"));
    let (his, hers) = (add_orders(test.db(), 11).await, add_orders(test.db(), 11).await);
    assert_eq!(refund(&budi, his.clone()).await.status, 200);
    assert_eq!(refund(&nyoman, hers.clone()).await.status, 200);
    let both = vec![hers[0], his[0]];
    let refused = stop(&nyoman, both.clone()).await;
    assert_eq!((refused.status, &refused.json["code"]), (403, &json!("refund_mail_of_another_member")), "{refused}");
    assert_eq!(refused.data()["order_id"], his[0]);
    assert_eq!(shown(&nyoman, hers[0]).await.0, "queued", "all or none");
    let waiting = nyoman.get("/admin/waiting-refund-mails").await;
    assert_eq!(waiting.data()["order_ids"], json!(hers));
    let made = test.as_staff(Manager, "Made");
    let waiting = made.get("/admin/waiting-refund-mails").await;
    assert_eq!(waiting.data()["order_ids"].as_array().map(Vec::len), Some(22));
    assert_eq!(stop(&made, both).await.message(), "2 emails stopped");
    assert_eq!(send(&nyoman, his[0]).await.status, 403);
    let unknown = stop(&made, vec![his[1], 999_999]).await;
    assert_eq!((unknown.status, shown(&made, his[1]).await.0), (404, "queued".into()));
    assert_eq!(send(&made, 999_999).await.json["code"], "selected_order_not_found");
}

#[tokio::test]
async fn stops_that_race_with_the_workers_of_two_nodes_stop_a_mail_or_let_it_go() {
    let mailbox = Mailbox::open();
    let test = TestApp::start_with(|config| {
        config.mail.aws = mailbox.url();
        config.refunds.delay_mails_above = 1;
        config.refunds.mail_delay_minutes = 1;
    })
    .await;
    let node = test.another_node().await;
    let budi = test.as_staff(Team, "Budi");
    let ids = add_orders(test.db(), 40).await;
    assert_eq!(refund(&budi, ids.clone()).await.status, 200);
    test.later(TimeDelta::minutes(1));
    let token = budi.token().await.to_owned();
    let stops = ids.chunks(4).enumerate().map(|(number, ids)| {
        let desk = [&test, &node][number % 2].with_token(&token);
        async move { stop(&desk, ids).await.json["changed"].as_u64().expect("a count") }
    });
    let sends = [worker::send_due(&test.app.mail), worker::send_due(&node.app.mail)];
    let (stopped, sent) = tokio::join!(join_all(stops), join_all(sends));
    let stopped: u64 = stopped.into_iter().sum();
    assert!(sent.iter().all(Result::is_ok), "{sent:?}");
    worker::send_due(&test.app.mail).await.expect("what is left is sent");
    let left = 40 - usize::try_from(stopped).expect("a count");
    assert_eq!(mailbox.wait_for(left).await.len(), left, "{stopped} stopped");
    let states = mails::table.select((mails::state, mails::stopped_at.is_not_null()));
    let states: Vec<(String, bool)> = test.read(move |conn| Ok(states.load(conn)?)).await;
    for (state, is_stopped) in states {
        assert_eq!(state, if is_stopped { "failed" } else { "sent" });
    }
}

#[tokio::test]
async fn a_member_marks_at_most_so_many_orders_a_day_when_several_are_selected() {
    let test = TestApp::start_with(|config| config.refunds.bulk_orders_per_day.team = 5).await;
    let other_node = test.another_node().await;
    let (budi, made) = (test.as_staff(Team, "Budi"), test.as_staff(Manager, "Made"));
    let ids = add_orders(test.db(), 30).await;
    let token = budi.token().await.to_owned();
    // Two nodes count together.
    let calls = ids[..12].chunks(2).enumerate().map(|(number, ids)| {
        let desk = [&test, &other_node][number % 2].with_token(&token);
        async move { refund(&desk, ids).await }
    });
    let answers = at_once(&test, "LOCK TABLE refunds IN SHARE MODE", calls.collect()).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 2, "{answers:?}");
    let refused = answers.iter().find(|answer| answer.status != 200).expect("a refusal");
    assert_eq!((refused.status, &refused.json["code"]), (429, &json!("too_many_refunds_in_day")), "{refused}");
    assert!(refused.headers.contains_key("retry-after"), "{refused}");
    assert_eq!(traces(&test).await, Traces::of(4));
    assert_eq!(refund(&budi, ids[12]).await.status, 200, "single orders as before");
    assert_eq!(refund(&budi, ids[13]).await.status, 200);
    assert_eq!(refund(&made, ids[14..24].to_vec()).await.status, 200, "no limit for this type");
    let new = test.add_order(Refunds).await;
    assert_eq!(refund(&budi, vec![new, ids[24]]).await.status, 429);
    test.later(TimeDelta::hours(24));
    assert_eq!(refund(&test.as_staff(Team, "Budi"), ids[24..29].to_vec()).await.status, 200);
}
