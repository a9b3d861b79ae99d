//! Taking the next order: which one it is, why, and that no two members get the same.

mod fairness;

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate, TimeDelta};
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use visadesk::db::schema::{new_orders, orders};
use visadesk::ids::{OrderId, StaffId};
use visadesk::orders::rules::ProcessingMode::{Priority, Regular};
use visadesk::orders::rules::next_order::{FreeOrder, TakeRank, UNKNOWN_ARRIVAL};
use visadesk::orders::status::ProcessStatus::{Awaiting, Future, New, Pending};
use visadesk::staff::rules::StaffType::{self, Manager, Team};

use crate::filing::claims::{claim, expire};
use crate::moves::history;
use crate::paper_requests::{ask, order_for_c1, send};
use crate::search::plans::plan;
use crate::support::database::{deadlocks, is_postgres};
use crate::support::sample_files::pdf;
use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn take(client: &Client<'_>) -> Answer {
    client.post("/admin/take-next", json!({})).await
}

/// The orders that a member takes until none is left, with their reasons.
async fn take_all(client: &Client<'_>) -> Vec<(i64, String)> {
    let mut taken = Vec::new();
    loop {
        let answer = take(client).await;
        assert_eq!(answer.status, 200, "{answer}");
        let Some(order) = answer.data()["order_id"].as_i64() else { return taken };
        let (_, reason) = answer.message().split_once(" is yours: ").expect("a reason");
        taken.push((order, reason.to_owned()));
    }
}

#[tokio::test]
async fn the_most_urgent_order_is_taken_and_the_reason_is_given() {
    let test = TestApp::start().await;
    test.clock.stop();
    let today = test.clock.now().date_naive();
    let in_days = |days| Some(today + Days::new(days));
    let old = test.add_order(New).await;
    let old_priority = test.add_order_with(New, |order| order.processing_mode = Priority).await;
    test.later(TimeDelta::hours(24));
    let age = test.add_order(New).await;
    test.later(TimeDelta::seconds(1));
    let younger = test.add_order(New).await;
    let late = test.add_order_with(New, |order| order.application.arrival_date = in_days(30)).await;
    let soon = test.add_order_with(New, |order| order.application.arrival_date = in_days(20)).await;
    let documents = order_for_c1(&test, New).await;
    let applicant = test.as_visitor(documents).await;
    assert_eq!(send(&applicant, documents, "bank_statement", pdf()).await.status, 200, "it was missing");
    let priority = test.add_order_with(New, |order| order.processing_mode = Priority).await;
    let budi = test.as_staff(Team, "Budi");
    let overdue = "it has waited for more than 24 hours";
    let expected = [
        (old, overdue),
        (old_priority, overdue),
        (priority, "it is a priority order"),
        (documents, "its applicant has sent documents"),
        (soon, "its arrival date is the earliest"),
        (late, "its arrival date is the earliest"),
        (age, "it has waited longest"),
        (younger, "it has waited longest"),
    ];
    assert_eq!(take_all(&budi).await, expected.map(|(order, reason)| (order, reason.to_owned())));
    assert_eq!(budi.list("myOrder").await.len(), expected.len());
    assert_eq!(history(&test, old).await[0], ("Budi".into(), "order.assign".into(), None, Some("Budi".into())));
    assert_snapshot!(take(&budi).await, @r#"200 {"status":1,"message":"No order is free to take","data":null,"undo":null}"#);
}

#[tokio::test]
async fn only_new_orders_without_an_owner_are_taken_by_members_of_every_type() {
    let test = TestApp::start().await;
    let made = StaffId(test.as_staff(Manager, "Made").id().await);
    test.add_order_with(New, |order| order.assign_to = Some(made)).await;
    let tomorrow = test.clock.now().date_naive() + Days::new(2);
    test.add_order_with(Future, |order| order.processing_date = Some(tomorrow)).await;
    for status in [Awaiting, Pending] {
        test.add_order(status).await;
    }
    for staff_type in StaffType::ALL {
        let member = test.as_staff(*staff_type, &format!("A member of {staff_type}"));
        assert!(take(&member).await.data().is_null());
        let free = test.add_order(New).await;
        assert_eq!(take(&member).await.data(), &json!({ "order_id": free, "reason": "age" }), "{staff_type}");
        assert_eq!(member.list("myOrder").await, [free]);
    }
}

#[tokio::test]
async fn an_order_that_is_given_back_has_its_place_again_and_a_repeated_request_takes_no_second_one() {
    let test = TestApp::start().await;
    let (first, second) = (test.add_order(New).await, test.add_order(New).await);
    let budi = test.as_staff(Team, "Budi");
    let with_key = test.with_token(budi.token().await).with_key("one press of the key");
    let taken = take(&with_key).await;
    assert_eq!(taken.data()["order_id"], first);
    assert_eq!(take(&with_key).await.text, taken.text, "the same request");
    let sari = test.as_staff(Team, "Sari");
    assert_eq!(take(&sari).await.data()["order_id"], second);
    assert!(take(&sari).await.data().is_null());
    test.later(TimeDelta::minutes(2));
    let third = test.add_order(New).await;
    let moved = json!({ "orderId": [second], "updatingStatus": "Awaiting" });
    let moved = sari.put("/admin/change-order-status", moved).await;
    test.later(TimeDelta::minutes(2));
    let undone = sari.post("/admin/undo", json!({ "eventId": moved.json["undo"]["event_id"] })).await;
    assert_eq!(undone.status, 200, "{undone}");
    let undone = budi.post("/admin/undo", json!({ "eventId": taken.json["undo"]["event_id"] })).await;
    assert_eq!(undone.status, 200, "{undone}");
    let given_back = json!({ "orderId": [second], "assignto": "" });
    assert_eq!(sari.put("/admin/assign-order-status", given_back).await.status, 200);
    let taken: Vec<i64> = take_all(&sari).await.into_iter().map(|(order, _)| order).collect();
    assert_eq!(taken, [first, second, third]);
}

#[tokio::test]
async fn an_order_that_returns_with_documents_comes_before_older_ones_and_a_correction_moves_one() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let returning = order_for_c1(&test, New).await;
    assert_eq!(ask(&budi, returning, &[("bank_statement", "missing")]).await.status, 200);
    let older = test.add_order(New).await;
    let corrected = order_for_c1(&test, New).await;
    let day = test.clock.now().date_naive() + Days::new(40);
    let field = json!({ "arrival_date": { "before": null, "after": day } });
    let correction = budi.put("/admin/correct-order", json!({ "orderId": corrected, "fields": field })).await;
    assert_eq!(correction.status, 200, "{correction}");
    let applicant = test.as_visitor(returning).await;
    assert_eq!(send(&applicant, returning, "bank_statement", pdf()).await.status, 200);
    let taken: Vec<i64> = take_all(&budi).await.into_iter().map(|(order, _)| order).collect();
    assert_eq!(taken, [returning, corrected, older]);
}

#[tokio::test]
async fn without_a_limit_the_oldest_order_is_always_the_next_one() {
    let test = TestApp::start_with(|config| config.orders.overdue_hours = 0).await;
    let oldest = test.add_order(New).await;
    test.later(TimeDelta::seconds(1));
    let priority = test.add_order_with(New, |order| order.processing_mode = Priority).await;
    let reason = "it has waited longest".to_owned();
    let taken = take_all(&test.as_staff(Team, "Budi")).await;
    assert_eq!(taken, [(oldest, reason.clone()), (priority, reason)]);
}

#[tokio::test]
async fn an_order_that_a_colleague_is_filing_is_passed_over() {
    let test = TestApp::start().await;
    let mut orders = Vec::new();
    for _ in 0..4 {
        orders.push(test.add_order_with(New, |order| order.processing_mode = Priority).await);
    }
    let (ayu, budi) = (test.as_staff(Team, "Ayu"), test.as_staff(Team, "Budi"));
    for order in &orders[..3] {
        assert_eq!(claim(&ayu, *order).await.status, 200);
    }
    expire(&test, orders[1]).await;
    assert_eq!(take(&budi).await.data()["order_id"], orders[1], "the claim has expired");
    assert_eq!(take(&budi).await.data()["order_id"], orders[3]);
    assert!(take(&budi).await.data().is_null(), "the others are claimed");
    let own: Vec<i64> = take_all(&ayu).await.into_iter().map(|(order, _)| order).collect();
    assert_eq!(own, [orders[0], orders[2]], "one's own claim");
}

#[tokio::test]
async fn random_orders_are_taken_in_the_sequence_of_the_rule() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (now, today) = (test.clock.now(), test.clock.now().date_naive());
    let mut random = ChaCha8Rng::seed_from_u64(45);
    let mut expected = Vec::new();
    for _ in 0..60 {
        let is_regular = random.random_bool(0.5);
        let arrival: Option<NaiveDate> =
            [None, Some(1), Some(2)].choose(&mut random).expect("one").map(Days::new).map(|days| today + days);
        let order_id = test
            .add_order_with(New, |order| {
                order.processing_mode = if is_regular { Regular } else { Priority };
                order.application.arrival_date = arrival;
            })
            .await;
        let new_since = now - TimeDelta::hours(random.random_range(20..28));
        let has_no_papers = random.random_bool(0.7);
        test.write(move |tx| {
            let set = (new_orders::new_since.eq(new_since), new_orders::has_no_papers.eq(has_no_papers));
            Ok(diesel::update(new_orders::table.find(order_id)).set(set).execute(tx)?)
        })
        .await;
        let arrives_on = arrival.unwrap_or(UNKNOWN_ARRIVAL);
        let order = FreeOrder { is_regular, has_no_papers, arrives_on, new_since, order_id: OrderId(order_id) };
        expected.push(TakeRank::of(order, now - TimeDelta::hours(24)));
    }
    expected.sort();
    let expected: Vec<(i64, String)> =
        expected.iter().map(|rank| (rank.order_id().0, rank.reason().text(24))).collect();
    assert_eq!(take_all(&test.as_staff(Team, "Budi")).await, expected);
}

#[tokio::test]
async fn the_next_order_is_the_first_row_of_an_index() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    assert!(take(&budi).await.data().is_null());
    let statements = Statements::watch(&test).await;
    assert!(take(&budi).await.data().is_null(), "so that both indexes are asked");
    let asked: Vec<String> = statements.take().into_iter().filter(|sql| sql.contains("new_orders")).collect();
    for (sql, index) in asked.iter().zip(["new_orders_oldest", "new_orders_ranked"]) {
        let sql = sql.split(" -- binds").next().expect("a statement").replace("?1", "'2026-11-30'");
        let sql = sql.replace("$1", "'2026-11-30'");
        let plan = test.write(move |tx| Ok(plan(tx, &sql))).await;
        assert!(plan.contains(index) && !plan.contains("Sort") && !plan.contains("TEMP B-TREE"), "{plan}");
    }
    assert_eq!(asked.len(), 2, "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_members_who_take_at_once_get_fifty_orders() {
    const MEMBERS: usize = 50;
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    for _ in 0..=MEMBERS {
        test.add_order(New).await;
    }
    let mut desks = Vec::new();
    for number in 0..MEMBERS {
        let member = test.as_staff(Team, &format!("Member {number}"));
        let node = if number % 2 == 0 { &test } else { &other_node };
        desks.push(node.with_token(member.token().await));
    }
    let taken: Vec<Answer> = join_all(desks.iter().map(take)).await;
    let order_of = |answer: &Answer| answer.data()["order_id"].as_i64().unwrap_or_else(|| panic!("{answer}"));
    let distinct: BTreeSet<i64> = taken.iter().map(order_of).collect();
    assert_eq!(distinct.len(), MEMBERS, "each has one owner");
    let owned = orders::table.filter(orders::assign_to.is_not_null()).select(orders::order_id).order(orders::order_id);
    let owned: Vec<i64> = test.read(move |conn| Ok(owned.load(conn)?)).await;
    assert_eq!(owned, distinct.into_iter().collect::<Vec<_>>());
    if is_postgres() {
        assert_eq!(deadlocks(&test.app.config.database_url).await, 0);
    }
}
