//! Pages far behind: they begin where the counters of days say, and show what reading up to them would show.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use serde_json::json;
use visadesk::app::maintenance;
use visadesk::audit::store::Actor;
use visadesk::orders::new_order;
use visadesk::orders::status::ProcessStatus::{Completed, Deleted, New, Refunds};
use visadesk::staff::rules::StaffType::Admin;

use crate::support::orders::new_order;
use crate::support::{Client, TestApp};

/// More than the rows that a page reads over.
const ORDERS: usize = 720;

/// Adds orders of four months: a few on most days, many on some, of every third order two at the same instant.
async fn add_orders(test: &TestApp) {
    let (now, by) = (test.clock.now(), Actor::program("import"));
    let order = |place: usize| {
        let status = [Completed, Deleted, Completed, New, Refunds][place % 5];
        let mut order = new_order(status, now);
        let hours = i64::try_from(place * place * 4 / ORDERS).expect("it is small");
        order.created_at = now - TimeDelta::hours(hours - hours % 3);
        order
    };
    let orders: Vec<_> = (0..ORDERS).map(order).collect();
    test.write(move |tx| Ok(new_order::add_all(tx, &orders, &by, now)?.len())).await;
}

/// Compares the pages of `length` rows with the whole list.
async fn compare(client: &Client<'_>, folder: &str, length: usize) {
    let whole = client.get(&format!("/admin/get-orders-list/{folder}?limit=1000")).await;
    let ids = whole.order_ids();
    assert!(ids.len() > 130, "{folder} has {} orders", ids.len());
    for (place, page) in ids.chunks(length).map(Some).chain([None, None]).enumerate() {
        let shown = client.get(&format!("/admin/get-orders-list/{folder}?page={}&limit={length}", place + 1)).await;
        assert_eq!(shown.order_ids(), page.unwrap_or_default(), "page {} of {folder}", place + 1);
        assert_eq!(shown.json["total"], ids.len(), "page {} of {folder}", place + 1);
    }
}

#[derive(Debug, PartialEq, QueryableByName)]
struct Counted {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = BigInt)]
    orders: i64,
}

/// The orders of each month and day by the counters, and by the orders themselves.
async fn counters_and_counts(test: &TestApp) -> [BTreeMap<(String, String), i64>; 2] {
    const COUNTERS: &str = "SELECT kind, key, CAST(sum(order_count) AS BIGINT) AS orders FROM (
            SELECT kind, key, order_count FROM folder_counters UNION ALL SELECT kind, key, order_count FROM folder_counter_deltas) AS counters
        WHERE kind LIKE 'created %' GROUP BY kind, key HAVING sum(order_count) <> 0";
    let resting = "queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending')";
    let count = |unit: &str, length: usize, list: &str, which: &str| {
        format!(
            "SELECT 'created {unit} of ' || {list} AS kind, substr(CAST(created_at AS TEXT), 1, {length}) AS key, count(*) AS orders
             FROM orders WHERE {which} GROUP BY 1, 2"
        )
    };
    let counts = [("month", 7), ("day", 10)].map(|(unit, length)| {
        count(unit, length, "'everything'", "1 = 1") + " UNION ALL " + &count(unit, length, "queue", resting)
    });
    let counts = counts.join(" UNION ALL ");
    test.read(move |conn| {
        let by_key = |counted: Vec<Counted>| counted.into_iter().map(|one| ((one.kind, one.key), one.orders)).collect();
        let counters = diesel::sql_query(COUNTERS).load::<Counted>(conn)?;
        Ok([by_key(counters), by_key(diesel::sql_query(counts).load::<Counted>(conn)?)])
    })
    .await
}

#[tokio::test]
async fn a_page_far_behind_shows_what_the_whole_list_shows_there() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    add_orders(&test).await;
    for (folder, length) in [("allOrder", 7), ("completedOrder", 10), ("allOrder", 250), ("deletedOrder", 3)] {
        compare(&ayu, folder, length).await;
    }
    // Orders move out of a list and into it, and the counters with them.
    let completed = ayu.get("/admin/get-orders-list/completedOrder?limit=1000").await.order_ids();
    for (to, orders) in
        [("Deleted", &completed[40..90]), ("New", &completed[100..130]), ("Completed", &completed[105..110])]
    {
        let moved = ayu.put("/admin/change-order-status", json!({ "orderId": orders, "updatingStatus": to })).await;
        assert_eq!(moved.status, 200, "{moved}");
    }
    for is_merged in [false, true] {
        if is_merged {
            maintenance::merge_counters(&test.app).await.expect("the counters are merged");
        }
        let [counters, counts] = counters_and_counts(&test).await;
        assert!(counts.len() > 100, "{} months and days", counts.len());
        let differing: Vec<_> = counters.iter().filter(|(of, count)| counts.get(*of) != Some(*count)).collect();
        assert!(differing.is_empty() && counters.len() == counts.len(), "merged: {is_merged}, wrong: {differing:?}");
        compare(&ayu, "completedOrder", 10).await;
    }
}

#[tokio::test]
async fn a_page_far_behind_skips_the_orders_of_one_day_only() {
    let test = TestApp::start().await;
    add_orders(&test).await;
    let [counters, _] = counters_and_counts(&test).await;
    let most =
        counters.iter().filter(|((kind, _), _)| kind == "created day of everything").map(|(_, orders)| *orders).max();
    let most = most.expect("days with orders");
    for start in [201, 400, 700] {
        let entry = test.read(move |conn| visadesk::orders::far_pages::find_entry(conn, "everything", start)).await;
        let entry = entry.expect("the list has orders");
        assert!(entry.skip < most, "{entry:?} skips more than the {most} orders of the longest day");
    }
}
