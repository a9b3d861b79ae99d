//! The workload of the team.

use chrono::TimeDelta;
use serde_json::{Value, json};
use visadesk::ids::StaffId;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus::{self, Awaiting, Completed, New};
use visadesk::staff::rules::StaffType::{Manager, Team};

use crate::search::plans::plan;
use crate::support::database::is_postgres;
use crate::support::{Client, TestApp};

async fn workload(client: &Client<'_>) -> Vec<Value> {
    let answer = client.get("/admin/workload").await;
    assert_eq!(answer.status, 200, "{answer}");
    answer.data().as_array().expect("a list").clone()
}

fn of<'a>(all: &'a [Value], name: &str) -> &'a Value {
    all.iter().find(|one| one["name"] == name).expect("an active member")
}

/// Adds an order that was received this many hours ago.
async fn add(test: &TestApp, status: ProcessStatus, owner: Option<i64>, hours: i64, mode: ProcessingMode) -> i64 {
    let received_at = test.clock.now() - TimeDelta::hours(hours);
    let change = move |order: &mut visadesk::orders::new_order::NewOrder| {
        order.assign_to = owner.map(StaffId);
        order.created_at = received_at;
        order.processing_mode = mode;
    };
    test.add_order_with(status, change).await
}

#[tokio::test]
async fn the_workload_counts_the_open_orders_of_each_member_and_its_oldest_twenty_are_moved_in_one_call() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Ayu"));
    let (of_budi, of_ayu) = (budi.id().await, ayu.id().await);
    let mut owned = Vec::new();
    for hours in 1..=23 {
        owned.push(add(&test, New, Some(of_budi), hours, ProcessingMode::Regular).await);
    }
    owned.reverse();
    let urgent = add(&test, New, Some(of_budi), 0, ProcessingMode::Priority).await;
    let waits = add(&test, Awaiting, Some(of_budi), 90, ProcessingMode::Regular).await;
    add(&test, Completed, Some(of_budi), 100, ProcessingMode::Regular).await;
    let unassigned = [
        add(&test, New, None, 5, ProcessingMode::Regular).await,
        add(&test, New, None, 4, ProcessingMode::Priority).await,
    ];
    add(&test, Awaiting, None, 300, ProcessingMode::Regular).await;

    let all = workload(&made).await;
    let names: Vec<&Value> = all.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, [&json!("Ayu"), &json!("Budi"), &json!("Made"), &Value::Null]);
    let loaded = of(&all, "Budi");
    assert_eq!((&loaded["total"], &loaded["priority"]), (&json!(25), &json!(1)), "{loaded}");
    assert_eq!(loaded["statuses"], json!({ "New": 24, "Awaiting": 1 }));
    let oldest: Vec<i64> = serde_json::from_value(loaded["oldest"].clone()).expect("ids");
    assert_eq!(oldest, [vec![waits], owned.clone(), vec![urgent]].concat());
    let none = of(&all, "Ayu");
    assert_eq!((&none["total"], &none["oldest_at"], &none["oldest"]), (&json!(0), &Value::Null, &json!([])));
    let new = all.last().expect("the last");
    assert_eq!((&new["total"], &new["priority"], &new["oldest"]), (&json!(2), &json!(1), &json!(unassigned)));

    let moved = json!({ "orderId": &oldest[..20], "assignto": "Ayu", "note": "Budi is ill" });
    let answer = made.put("/admin/reassign-orders", moved).await;
    assert_eq!((answer.status, &answer.json["changed"]), (200, &json!(20)), "{answer}");
    let all = workload(&made).await;
    assert_eq!(of(&all, "Ayu")["oldest"], json!(&oldest[..20]));
    assert_eq!((&of(&all, "Ayu")["total"], &of(&all, "Budi")["total"]), (&json!(20), &json!(5)));
    assert_eq!(budi.get("/admin/workload").await.status, 403);
    assert_ne!(of_ayu, of_budi);
}

#[tokio::test]
async fn the_workload_is_counted_by_an_index_that_has_all_it_needs() {
    let test = TestApp::start().await;
    let is_open = ProcessStatus::condition(|status| !status.is_final());
    let statement = format!(
        "SELECT assign_to, process_status, processing_mode, count(*), min(created_at) FROM orders
         WHERE {is_open} AND assign_to IS NOT NULL GROUP BY assign_to, process_status, processing_mode"
    );
    let planned = test.read(move |conn| Ok(plan(conn, &statement))).await;
    let index = if is_postgres() { "orders_workload" } else { "USING COVERING INDEX orders_workload" };
    assert!(planned.contains(index), "{planned}");
}
