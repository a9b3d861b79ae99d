//! Undo: a change is taken back as a change of its own, whole or not at all.

mod races;
mod refusals;

use chrono::{Days, TimeDelta};
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::app::maintenance::delete_expired;
use visadesk::db::schema::{orders, undo_records};
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::{
    self, Awaiting, AwaitingGovt, ChargeBack, Completed, Deleted, Future, New, Refunds,
};
use visadesk::staff::rules::StaffType::{Admin, Team};
use visadesk::timestamp::Timestamp;

use super::history;
use crate::support::{Answer, Client, TestApp};

/// Everything that a change of owner or status may set, without the time of the change, by id.
type Row = (i64, ProcessStatus, Option<ProcessStatus>, Option<i64>, Option<i64>, Option<Timestamp>);

async fn rows(test: &TestApp) -> Vec<Row> {
    let all = orders::table.order(orders::order_id).select((
        orders::order_id,
        orders::process_status,
        orders::status_before_deletion,
        orders::assign_to,
        orders::processed_by,
        orders::processed_at,
    ));
    test.read(move |conn| Ok(all.load(conn)?)).await
}

async fn assign(client: &Client<'_>, orders: &[i64], name: &str) -> Answer {
    changed(client.put("/admin/assign-order-status", json!({ "orderId": orders, "assignto": name })).await)
}

async fn move_to(client: &Client<'_>, orders: &[i64], to: ProcessStatus) -> Answer {
    changed(client.put("/admin/change-order-status", json!({ "orderId": orders, "updatingStatus": to })).await)
}

async fn restore(client: &Client<'_>, orders: &[i64]) -> Answer {
    changed(client.put("/admin/restore-orders", json!({ "orderId": orders })).await)
}

fn changed(answer: Answer) -> Answer {
    assert_eq!(answer.status, 200, "{answer}");
    answer
}

async fn undo_event(client: &Client<'_>, event_id: &Value) -> Answer {
    client.post("/admin/undo", json!({ "eventId": event_id })).await
}

/// Undoes the change that was answered by `change`.
async fn undo(client: &Client<'_>, change: &Answer) -> Answer {
    undo_event(client, &change.json["undo"]["event_id"]).await
}

#[tokio::test]
async fn every_change_of_owner_and_status_is_undone_for_one_order_and_for_many() {
    let test = TestApp::start().await;
    let (ayu, budi, citra) =
        (test.as_staff(Admin, "Ayu"), test.add_member(Team, "Budi").await, test.add_member(Team, "Citra").await);
    for count in [1, 3] {
        let mut ids = Vec::new();
        for (status, owner) in
            [(New, Some(budi)), (Awaiting, Some(citra)), (Refunds, Some(budi))].into_iter().take(count)
        {
            ids.push(test.add_order_with(status, |order| order.assign_to = owner.map(StaffId)).await);
        }
        let start = rows(&test).await;
        let answers = |change: Answer| {
            assert_eq!(change.json["changed"], count, "{change}");
            change
        };
        for to in [AwaitingGovt, Completed, ChargeBack, Deleted] {
            let change = answers(move_to(&ayu, &ids, to).await);
            assert_ne!(rows(&test).await, start);
            let undone = answers(changed(undo(&ayu, &change).await));
            assert_eq!(undone.json["undo"], Value::Null);
            assert_eq!(rows(&test).await, start, "{to}");
        }
        let change = answers(assign(&ayu, &ids, "").await);
        answers(changed(undo(&ayu, &change).await));
        assert_eq!(rows(&test).await, start, "several owners get their orders back");

        assign(&ayu, &ids, "").await;
        let unassigned = rows(&test).await;
        let change = answers(assign(&ayu, &ids, "Ayu").await);
        answers(changed(undo(&ayu, &change).await));
        assert_eq!(rows(&test).await, unassigned);

        move_to(&ayu, &ids, Deleted).await;
        let deleted = rows(&test).await;
        let change = answers(restore(&ayu, &ids).await);
        answers(changed(undo(&ayu, &change).await));
        assert_eq!(rows(&test).await, deleted, "each can be restored to where it was");
        restore(&ayu, &ids).await;
        assert_eq!(rows(&test).await, unassigned);
        move_to(&ayu, &ids, Deleted).await;
    }
}

#[tokio::test]
async fn an_undo_is_audited_as_a_change_and_says_what_it_did() {
    let test = TestApp::start().await;
    let (order, other, budi) = (test.add_order(New).await, test.add_order(New).await, test.as_staff(Team, "Budi"));
    let one = assign(&budi, &[order], "Budi").await;
    assert_eq!(undo(&budi, &one).await.message(), format!("Undone: order {order} is as it was before"));
    let two = move_to(&budi, &[order, other], Awaiting).await;
    assert_eq!(undo(&budi, &two).await.message(), "Undone: 2 orders are as they were before");
    let row = |action: &str, before: Option<&str>, after: Option<&str>| {
        ("Budi".to_owned(), action.to_owned(), before.map(str::to_owned), after.map(str::to_owned))
    };
    assert_eq!(
        history(&test, order).await,
        [
            row("order.assign", None, Some("Budi")),
            row("order.undo_assign", Some("Budi"), None),
            row("order.move", Some("New"), Some("Awaiting")),
            row("order.undo", Some("Awaiting"), Some("New")),
        ]
    );
}

#[tokio::test]
async fn a_change_answers_how_many_orders_changed_and_until_when_it_can_be_undone() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (order, other, budi) = (test.add_order(New).await, test.add_order(Awaiting).await, test.as_staff(Team, "Budi"));
    let until = serde_json::to_value(test.clock.now() + TimeDelta::minutes(10)).expect("a time");
    let moved = move_to(&budi, &[order, other], Awaiting).await;
    assert_eq!(moved.json["changed"], 1, "the other one was there before");
    assert_eq!(moved.json["undo"]["until"], until);
    let again = move_to(&budi, &[order, other], Awaiting).await;
    assert_eq!((&again.json["changed"], &again.json["undo"]), (&json!(0), &Value::Null));
    let given_back = assign(&budi, &[order], "").await;
    assert_eq!((&given_back.json["changed"], &given_back.json["undo"]), (&json!(0), &Value::Null));
}

#[tokio::test]
async fn two_changes_at_the_same_instant_are_undone_one_by_one() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (first, second, third) = (test.add_order(New).await, test.add_order(New).await, test.add_order(New).await);
    let budi = test.as_staff(Team, "Budi");
    let one = move_to(&budi, &[first, second], Awaiting).await;
    let two = move_to(&budi, &[third], Awaiting).await;
    let twice = move_to(&budi, &[second], Completed).await;
    changed(undo(&budi, &two).await);
    let refused = undo(&budi, &one).await;
    assert_eq!((refused.status, refused.json["code"].as_str()), (409, Some("order_changed_since")), "{refused}");
    assert_eq!(refused.data()["order_id"], second);
    changed(undo(&budi, &twice).await);
    let states: Vec<_> = rows(&test).await.into_iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(states, [(first, Awaiting), (second, Awaiting), (third, New)]);
}

#[tokio::test]
async fn a_team_member_undoes_a_deletion_from_future_that_they_may_not_restore() {
    let test = TestApp::start().await;
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(1));
    let waiting = test.add_order_with(Future, |order| order.processing_date = ahead).await;
    let budi = test.as_staff(Team, "Budi");
    let deleted = move_to(&budi, &[waiting], Deleted).await;
    assert_eq!(budi.put("/admin/restore-orders", json!({ "orderId": [waiting] })).await.status, 403);
    changed(undo(&budi, &deleted).await);
    assert_eq!(budi.list("futureOrder").await, [waiting]);
}

#[tokio::test]
async fn an_undone_completion_counts_for_no_one_and_leaves_an_earlier_one() {
    let test = TestApp::start().await;
    let (order, earlier) = (test.add_order(Awaiting).await, test.add_order(New).await);
    let (budi, sari) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Sari"));
    move_to(&sari, &[earlier], Completed).await;
    let before = move_to(&sari, &[earlier], Refunds).await;
    let completed = move_to(&budi, &[order, earlier], Completed).await;
    changed(undo(&budi, &completed).await);
    let processed =
        async |order: i64| budi.get(&format!("/admin/get-orders-details/{order}")).await.data()["processed_by"].clone();
    assert_eq!(processed(order).await, Value::Null);
    assert_eq!(processed(earlier).await, "Sari");
    // The last change of the order is the undo now.
    assert_eq!(undo(&sari, &before).await.json["code"], "order_changed_since");
}

#[tokio::test]
async fn a_dispute_is_removed_and_reopened_with_its_undone_moves() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(Completed).await, test.as_staff(Team, "Budi"));
    let outcome = async || {
        let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
        details.data()["chargeback"]["outcome"].clone()
    };
    let disputed = move_to(&budi, &[order], ChargeBack).await;
    assert_eq!(outcome().await, "Open");
    changed(undo(&budi, &disputed).await);
    assert_eq!(outcome().await, Value::Null, "it had none before");
    move_to(&budi, &[order], ChargeBack).await;
    let left = move_to(&budi, &[order], Completed).await;
    assert_eq!(outcome().await, "Withdrawn");
    changed(undo(&budi, &left).await);
    assert_eq!(outcome().await, "Open");
}

#[tokio::test]
async fn an_undone_move_is_no_step_of_the_applicants_timeline() {
    let test = TestApp::start().await;
    // A member whose name is that of a status: an undone assignment to them is not read as a move.
    let (ayu, order) = (test.as_staff(Admin, "Ayu"), test.add_order(New).await);
    test.add_member(Team, "Refunds").await;
    move_to(&ayu, &[order], AwaitingGovt).await;
    let mistaken = move_to(&ayu, &[order], Refunds).await;
    changed(undo(&ayu, &mistaken).await);
    assign(&ayu, &[order], "Refunds").await;
    let given_back = assign(&ayu, &[order], "").await;
    changed(undo(&ayu, &given_back).await);
    let ana = test.as_visitor(order).await;
    let timeline = ana.history(order).await.json["mainResult"]["timeline"].clone();
    let stages: Vec<&str> =
        timeline.as_array().expect("steps").iter().filter_map(|step| step["stage"].as_str()).collect();
    assert_eq!(stages, ["received", "with_immigration"]);
}

#[tokio::test]
async fn a_future_order_whose_day_has_come_returns_to_new() {
    let test = TestApp::start().await;
    let zone = test.app.config.time_zone;
    let ahead = test.clock.today(zone).checked_add_days(Days::new(1));
    let order = test.add_order_with(Future, |order| order.processing_date = ahead).await;
    let midnight = ahead.and_then(|day| day.and_hms_opt(0, 0, 0)).and_then(|at| at.and_local_timezone(zone).single());
    let until_midnight = midnight.expect("midnight").to_utc() - *test.clock.now();
    test.later(until_midnight - TimeDelta::minutes(5));
    let budi = test.as_staff(Team, "Budi");
    let deleted = move_to(&budi, &[order], Deleted).await;
    test.later(TimeDelta::minutes(6));
    changed(undo(&budi, &deleted).await);
    assert_eq!(budi.list("newOrder").await, [order]);
}

#[tokio::test]
async fn a_repeated_undo_with_the_same_key_gets_the_same_answer() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(New).await, test.as_staff(Team, "Budi"));
    let moved = move_to(&budi, &[order], Awaiting).await;
    let keyed = budi.with_key("undo-of-a-move");
    let first = changed(undo(&keyed, &moved).await);
    assert_eq!(undo(&keyed, &moved).await.json, first.json);
    assert_eq!(history(&test, order).await.len(), 2);
}

#[tokio::test]
async fn records_of_changes_are_deleted_a_day_later() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let moved = move_to(&budi, &[test.add_order(New).await, test.add_order(New).await], Awaiting).await;
    test.later(TimeDelta::hours(25));
    // The session has ended.
    let budi = test.as_staff(Team, "Budi");
    move_to(&budi, &[test.add_order(New).await], Awaiting).await;
    delete_expired(&test.app).await.expect("the maintenance");
    let left = undo_records::table.count();
    assert_eq!(test.read(move |conn| Ok(left.get_result::<i64>(conn)?)).await, 1);
    assert_eq!(undo(&budi, &moved).await.json["code"], "change_to_undo_not_found");
}
