//! Lists of all orders in a group of the home screen.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::json;
use visadesk::db::schema::orders;
use visadesk::orders::rules::ProcessStatus::{Awaiting, Completed, CustomerCalled, New};
use visadesk::staff::rules::StaffType::{Manager, Team, Telecaller};

use crate::support::mails::past_mail;
use crate::support::{Client, TestApp};

/// Adds a completed order whose mail failed that many days ago.
async fn with_failed_mail(test: &TestApp, name: &str, days: i64) -> i64 {
    let order = test.add_order_with(Completed, |order| order.full_name = name.into()).await;
    let at = test.clock.now() - TimeDelta::days(days);
    test.add_mail(past_mail(order, "approval", "failed", at)).await;
    order
}

async fn listed(client: &Client<'_>, query: &str) -> (Vec<i64>, i64) {
    let page = client.get(&format!("/admin/get-orders-list/{query}")).await;
    assert_eq!(page.status, 200, "{page}");
    (page.order_ids(), page.json["total"].as_i64().expect("a total"))
}

#[tokio::test]
async fn a_list_of_orders_with_unsent_emails_has_pages_a_search_and_a_file() {
    let test = TestApp::start().await;
    let (made, budi) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    let mut failed = Vec::new();
    for (days, name) in [(3, "Ana Putri"), (1, "Rahayu Kirana"), (2, "Dewi Putri")] {
        failed.push(with_failed_mail(&test, name, days).await);
    }
    test.add_order(Completed).await;
    // The newest first, as on the home screen's board.
    let expected = vec![failed[1], failed[2], failed[0]];
    let board = budi.get("/admin/home").await;
    let group = board.data()["groups"].as_array().and_then(|all| all.iter().find(|one| one["group"] == "emails"));
    let on_board: Vec<i64> = group.expect("the group")["orders"]
        .as_array()
        .expect("its orders")
        .iter()
        .filter_map(|order| order["order_id"].as_i64())
        .collect();
    assert_eq!(on_board, expected);
    assert_eq!(listed(&budi, "allOrder?needs=emails").await, (expected.clone(), 3));
    assert_eq!(listed(&budi, "allOrder?needs=emails&limit=2&page=2").await, (vec![failed[0]], 3));
    assert_eq!(listed(&budi, "newOrder?needs=emails").await, (vec![], 0), "none of them is in that list");
    let sorted = budi.get("/admin/get-orders-list/chargeBackOrder?needs=emails&sort=urgency").await;
    assert_eq!(sorted.json["code"], "sort_not_of_folder", "they have an order of their own: {sorted}");
    let body = json!({ "folderName": "allOrder", "searchVal": "putri", "needs": "emails" });
    let found = budi.post("/admin/search-order", body).await;
    assert_eq!((found.order_ids(), &found.json["total"]), (vec![failed[2], failed[0]], &json!(2)));
    let file = made.get("/admin/orders-csv/allOrder?needs=emails").await;
    let numbers: Vec<i64> =
        file.text.lines().skip(1).filter_map(|line| line.split(',').next()?.trim_matches('"').parse().ok()).collect();
    assert_eq!(numbers, expected, "{file}");
}

#[tokio::test]
async fn a_list_of_untouched_orders_has_those_in_work_that_the_member_may_find() {
    let test = TestApp::start().await;
    test.clock.stop();
    let mut orders = Vec::new();
    for (status, days) in [(New, 4), (CustomerCalled, 6), (Awaiting, 9), (New, 2)] {
        let order = test.add_order(status).await;
        let changed_at = test.clock.now() - TimeDelta::days(days);
        test.write(move |tx| {
            let row = orders::table.filter(orders::order_id.eq(order));
            Ok(diesel::update(row).set(orders::updated_at.eq(changed_at)).execute(tx)?)
        })
        .await;
        orders.push(order);
    }
    let budi = test.as_staff(Team, "Budi");
    let (all, total) = listed(&budi, "allOrder?needs=untouched").await;
    assert_eq!((all, total), (vec![orders[1], orders[0]], 2), "awaiting is not in work");
    let dewi = test.as_staff(Telecaller, "Dewi");
    assert_eq!(listed(&dewi, "customerCalledOrder?needs=untouched").await, (vec![orders[1]], 1));
}
