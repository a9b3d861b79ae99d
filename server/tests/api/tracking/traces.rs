//! What wrong tries to open an order leave behind: who tried, from where, in few rows.

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::app::maintenance;
use visadesk::db::schema::failed_tracks;
use visadesk::orders::status::ProcessStatus::{Deleted, New};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use crate::support::visitors::without_limits;
use crate::support::{Answer, Client, TestApp};

async fn start(days: u32) -> TestApp {
    let test = TestApp::start_with(move |config| {
        without_limits(config);
        config.trusted_proxies = "127.0.0.1".parse().expect("an address");
        config.retention.access_log_days = days;
    })
    .await;
    test.clock.stop();
    test
}

async fn try_from(test: &TestApp, address: &str, order: impl Into<Value>) -> Answer {
    let answer = test.anonymous().with_header("x-forwarded-for", address).track(order, "wrong@post.example").await;
    assert_eq!(answer.status, 404, "{answer}");
    answer
}

/// The wrong tries at the order as this person sees them.
async fn tries(desk: &Client<'_>, order: i64) -> Vec<Value> {
    let details = desk.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.status, 200, "{details}");
    details.data()["failed_tries"].as_array().expect("a list").clone()
}

/// Order, network and tries of each row.
async fn rows(test: &TestApp) -> Vec<(i64, String, i32)> {
    test.read(|conn| {
        let rows = failed_tracks::table.order((failed_tracks::order_id, failed_tracks::hour, failed_tracks::network));
        Ok(rows.select((failed_tracks::order_id, failed_tracks::network, failed_tracks::tries)).load(conn)?)
    })
    .await
}

#[tokio::test]
async fn admins_and_managers_see_from_where_an_order_was_tried_and_how_often() {
    let test = start(0).await;
    let (order, other) = (test.add_order(New).await, test.add_order(New).await);
    for address in ["8.8.8.8", "8.8.8.8", "2001:db8:1:2::3", "2001:db8:1:ffff::9"] {
        try_from(&test, address, order).await;
    }
    test.later(TimeDelta::hours(1));
    try_from(&test, "8.8.8.8", order).await;
    assert_eq!(test.anonymous().track(order, "ana@post.example").await.status, 200, "a right one leaves no trace");

    let seen = tries(&test.as_staff(Admin, "Ayu"), order).await;
    let of = |row: &Value| (row["network"].clone(), row["tries"].clone(), row["location"].clone());
    assert_eq!(
        seen.iter().map(of).collect::<Vec<_>>(),
        [
            (json!("2001:db8:1::/48"), json!(2), json!("-")),
            (json!("8.8.8.8"), json!(2), json!("United States")),
            (json!("8.8.8.8"), json!(1), json!("United States")),
        ]
    );
    assert_eq!(seen[2]["last_at"], json!(test.clock.now()));
    assert_eq!(tries(&test.as_staff(Manager, "Made"), order).await, seen);
    assert_eq!(tries(&test.as_staff(Admin, "Ayu"), other).await, [] as [Value; 0]);
    for (staff_type, name) in [(Team, "Budi"), (Telecaller, "Citra"), (NightStaff, "Nyoman")] {
        assert_eq!(tries(&test.as_staff(staff_type, name), order).await, [] as [Value; 0], "{name}");
    }
}

#[tokio::test]
async fn wrong_codes_leave_the_same_trace() {
    let test = start(0).await;
    let order = test.add_order(New).await;
    let desk = test.anonymous().with_header("x-forwarded-for", "203.0.113.7");
    let asked = desk.send_code(order, None).await;
    let ticket = asked.json["codeToken"].as_str().expect("a ticket");
    for code in ["000000", "000001"] {
        assert_eq!(desk.confirm_code(order, code, ticket).await.status, 404);
    }
    assert_eq!(rows(&test).await, [(order, "203.0.113.7".to_owned(), 2)]);
}

#[tokio::test]
async fn tries_at_orders_that_do_not_exist_share_one_row_for_each_network() {
    let test = start(0).await;
    let deleted = test.add_order(Deleted).await;
    for number in 0..10 {
        try_from(&test, "203.0.113.7", 999_000 + number).await;
    }
    try_from(&test, "203.0.113.7", deleted).await;
    try_from(&test, "203.0.113.7", "nonsense").await;
    assert_eq!(rows(&test).await, [(0, "203.0.113.7".to_owned(), 12)]);
}

#[tokio::test]
async fn a_flood_of_wrong_tries_leaves_few_rows_and_counts_all_of_them() {
    let test = start(0).await;
    let order = test.add_order(New).await;
    for host in 0..60 {
        for _ in 0..2 {
            try_from(&test, &format!("198.51.100.{host}"), order).await;
        }
    }
    let seen = tries(&test.as_staff(Admin, "Ayu"), order).await;
    assert_eq!(seen.len(), 21, "20 networks, and one row for the others");
    assert_eq!(seen.iter().filter_map(|row| row["tries"].as_i64()).sum::<i64>(), 120);
    let others: Vec<&Value> = seen.iter().filter(|row| row["network"].is_null()).collect();
    assert_eq!((others.len(), &others[0]["tries"], &others[0]["location"]), (1, &json!(80), &json!("-")));
}

#[tokio::test]
async fn a_network_that_tries_many_orders_leaves_a_limited_number_of_rows() {
    let test = start(0).await;
    for _ in 0..205 {
        let order = test.add_order(New).await;
        try_from(&test, "203.0.113.7", order).await;
    }
    let rows = rows(&test).await;
    assert_eq!(rows.len(), 201);
    assert_eq!(rows[0], (0, "203.0.113.7".to_owned(), 5));
}

#[tokio::test]
async fn tries_refused_by_the_rate_limit_add_nothing() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    for _ in 0..20 {
        test.anonymous().track(order, "wrong@post.example").await;
    }
    assert_eq!(rows(&test).await, [(order, "127.0.0.1".to_owned(), 5)]);
}

#[tokio::test]
async fn wrong_tries_are_deleted_with_the_access_log() {
    let test = start(30).await;
    let order = test.add_order(New).await;
    try_from(&test, "203.0.113.7", order).await;
    test.later(TimeDelta::days(29));
    try_from(&test, "203.0.113.8", order).await;
    maintenance::delete_expired(&test.app).await.expect("the maintenance");
    assert_eq!(rows(&test).await.len(), 2);
    test.later(TimeDelta::days(2));
    maintenance::delete_expired(&test.app).await.expect("the maintenance");
    assert_eq!(rows(&test).await, [(order, "203.0.113.8".to_owned(), 1)]);
}
