//! A list as a CSV file: filtered like the list, streamed in batches, recorded with its rows.

use std::time::Duration;

use diesel::prelude::*;
use reqwest::Method;
use serde_json::json;
use tokio::time::timeout;
use visadesk::db::schema::{access_log, audit, orders};
use visadesk::orders::rules::Folder;
use visadesk::orders::status::ProcessStatus::{ChargeBack, ContactCustomer, Future, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use crate::refunds::add_orders;
use crate::support::statements::Statements;
use crate::support::{Client, TestApp, until};

/// The lines of an export without the head, and the head.
async fn export(client: &Client<'_>, query: &str) -> (String, Vec<String>) {
    let file = client.get(&format!("/admin/orders-csv/{query}")).await;
    assert_eq!(file.status, 200, "{file}");
    let mut lines = file.text.split_terminator("\r\n").map(str::to_owned);
    (lines.next().expect("a head"), lines.collect())
}

/// The ids in the first column.
fn ids(lines: &[String]) -> Vec<i64> {
    lines.iter().map(|line| line.split(',').next().and_then(|id| id.parse().ok()).expect("an id")).collect()
}

/// What the audit has of exports, in the order of the events.
async fn audited(test: &TestApp) -> Vec<(String, String)> {
    let rows = audit::table.filter(audit::action.like("order.export%")).order(audit::audit_id);
    let rows = rows.select((audit::action, audit::after.assume_not_null()));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

/// The rows of each note of an export in the access log.
async fn noted(test: &TestApp) -> Vec<(Option<String>, Option<i64>, bool)> {
    test.app.audit.access_log.flush().await.expect("the log is written");
    let rows = access_log::table.filter(access_log::action.eq("order.export")).order(access_log::access_id);
    let rows = rows.select((access_log::folder, access_log::row_count, access_log::search_hash.is_not_null()));
    test.read(move |conn| Ok(rows.load(conn)?)).await
}

#[tokio::test]
async fn a_file_has_the_columns_of_its_list_without_formulas() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    let day = "2031-05-07".parse().expect("a day");
    let at = "2026-11-20T02:41:07Z".parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    for status in [New, ContactCustomer, Refunds, ChargeBack, Future] {
        test.add_order_with(status, |order| {
            order.full_name = "=cmd|' /C calc'!A0".into();
            order.created_at = at.into();
            order.processing_date = (status == Future).then_some(day);
            order.refund_date = (status == Refunds).then(|| at.into());
        })
        .await;
    }
    let (name, phone, time) = ("'=cmd|' /C calc'!A0", "'+62 812-3456-789", "20-11-2026 09:41:07 WIB");
    for (folder, head, line) in [
        (
            "newOrder",
            "Order Id,Name,Email,Telephone,Date & Time,Status",
            format!("100001,{name},ana@post.example,{phone},{time},New"),
        ),
        (
            "contactCustomerOrder",
            "Order Id,Name,Email,Date & Time,Owner,Status",
            format!("100002,{name},ana@post.example,{time},,Contact Customer"),
        ),
        (
            "refundOrder",
            "Order Id,Email,Telephone,Date & Time,Refund Date,Status",
            format!("100003,ana@post.example,{phone},{time},{time},Refunds"),
        ),
        (
            "chargeBackOrder",
            "Order Id,Email,Telephone,Date and Time,Owner,Status",
            format!("100004,ana@post.example,{phone},{time},,ChargeBack"),
        ),
        (
            "futureOrder",
            "Order ID,Name,Email,Telephone,Date and Time,Processing Date,Process Month,Status",
            format!("100005,{name},ana@post.example,{phone},{time},07-05-2031,May,Future"),
        ),
    ] {
        assert_eq!(export(&made, folder).await, (head.to_owned(), vec![line]), "{folder}");
    }
    assert_eq!(export(&made, "awaitingOrder").await.1, [""; 0], "an empty list is its head");
    let today = test.clock.today(test.app.config.time_zone);
    let file = made.get("/admin/orders-csv/contactCustomerOrder").await;
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    let disposition = format!("attachment; filename=\"contact-customer-order-{today}.csv\"");
    assert_eq!(file.header("content-disposition"), disposition);
}

#[tokio::test]
async fn a_file_has_the_orders_of_every_list_filtered_and_sorted_like_it() {
    let test = TestApp::start().await;
    let (made, budi) = (test.as_staff(Manager, "Made"), test.as_staff(Team, "Budi"));
    let budi_id = visadesk::ids::StaffId(budi.id().await);
    for number in 0..4 {
        for (_, folder) in Folder::ALL.iter().zip(visadesk::orders::status::ProcessStatus::ALL) {
            test.add_order_with(*folder, |order| {
                order.processing_date = format!("2031-0{}-05", number + 1).parse().ok();
                order.assign_to = (number == 0).then_some(budi_id);
                order.full_name = if number % 2 == 0 { "Rahayu Kirana".into() } else { "Ana Putri".into() };
            })
            .await;
        }
    }
    for (_, folder) in Folder::ALL {
        let own = format!("{folder}?userName=Budi");
        let listed = made.get(&format!("/admin/get-orders-list/{own}&limit=100")).await.order_ids();
        assert_eq!(ids(&export(&made, &own).await.1), listed, "{folder}");
        let body = json!({ "folderName": folder, "searchVal": "rahayu k", "userName": "Budi", "end": 100 });
        let found = made.post("/admin/search-order", body).await.order_ids();
        assert_eq!(ids(&export(&made, &format!("{own}&search=Rahayu%20%20K")).await.1), found, "{folder}");
    }
    let month = "futureOrder?year=2031&month=March";
    let listed = made.get(&format!("/admin/get-orders-list/{month}")).await.order_ids();
    assert_eq!((ids(&export(&made, month).await.1), listed.len()), (listed, 1));
    let to = json!({ "orderId": made.list("newOrder").await, "updatingStatus": "ChargeBack" });
    assert_eq!(made.put("/admin/change-order-status", to).await.status, 200);
    let urgent = made.get("/admin/get-orders-list/chargeBackOrder?sort=urgency&limit=100").await.order_ids();
    assert_ne!(urgent, made.list("chargeBackOrder").await);
    assert_eq!(ids(&export(&made, "chargeBackOrder?sort=urgency").await.1), urgent);
    for (query, status) in [
        ("nowhere", 422),
        ("newOrder?sort=urgency", 422),
        ("futureOrder?month=Smarch", 422),
        ("futureOrder?year=1900", 422),
        ("myOrder?userName=Wayan", 422),
    ] {
        assert_eq!(made.get(&format!("/admin/orders-csv/{query}")).await.status, status, "{query}");
    }
    let of_unknown = json!({ "folderName": "myOrder", "userName": "Wayan" });
    assert_eq!(made.post("/admin/search-order", of_unknown).await.json["code"], "unknown_staff_name");
    let long = format!("/admin/orders-csv/newOrder?search={}", "x".repeat(101));
    assert_eq!(made.get(&long).await.json["code"], "search_term_too_long");
}

#[tokio::test]
async fn only_admins_and_managers_export_lists() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    for (staff_type, name) in [(Team, "Budi"), (Telecaller, "Tia"), (NightStaff, "Nora")] {
        assert_eq!(test.as_staff(staff_type, name).get("/admin/orders-csv/newOrder").await.status, 403, "{name}");
    }
    assert_eq!(audited(&test).await, []);
    for (staff_type, name) in [(Admin, "Ayu"), (Manager, "Made")] {
        assert_eq!(export(&test.as_staff(staff_type, name), "newOrder").await.1.len(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_long_list_is_read_in_batches_each_of_which_is_noted_before_it_is_sent() {
    let test = TestApp::start().await;
    test.clock.stop();
    let added = add_orders(test.db(), 2_300).await;
    let made = test.as_staff(Manager, "Made");
    made.id().await;
    let statements = Statements::watch(&test).await;
    let newest: Vec<i64> = added.iter().rev().copied().collect();
    for query in ["refundOrder", "refundOrder?search=ana"] {
        statements.take();
        let (_, lines) = export(&made, query).await;
        assert!(ids(&lines) == newest, "{query}: each order once, the newest first");
        let sent = statements.take();
        let reads: Vec<&String> = sent.iter().filter(|statement| statement.contains("contact_email_address")).collect();
        assert_eq!(reads.len(), 4, "{query}: {sent:#?}");
        assert!(reads.iter().all(|statement| statement.contains("LIMIT")), "{query}: {reads:#?}");
        // A transaction for each, and none around them.
        assert!(sent.iter().filter(|statement| statement.starts_with("BEGIN")).count() >= 4, "{query}: {sent:#?}");
    }
    let rows = |searched| [1_000, 1_000, 300].map(|rows| (Some("refundOrder".to_owned()), Some(rows), searched));
    assert_eq!(noted(&test).await, [rows(false), rows(true)].concat());
    let file = format!("refund-order-{}.csv", test.clock.today(test.app.config.time_zone));
    let event = |action: &str, after: String| (action.to_owned(), after);
    assert_eq!(
        audited(&test).await,
        [
            event("order.export", file.clone()),
            event("order.export_end", format!("{file}: 2300 rows")),
            event("order.export", format!("{file}, searched")),
            event("order.export_end", format!("{file}, searched: 2300 rows")),
        ]
    );
}

#[tokio::test]
async fn the_row_budget_counts_the_rows_of_an_export_and_breaks_it_off() {
    let test = TestApp::start_with(|config| {
        config.access.rows_per_hour.manager = 1_500;
        config.access.stop_at_budget = true;
    })
    .await;
    test.begin_hour();
    for _ in 0..3 {
        add_orders(test.db(), 1_000).await;
    }
    let made = test.as_staff(Manager, "Made");
    let request = made.request(Method::GET, "/api/admin/orders-csv/refundOrder").await;
    let response = request.send().await.expect("the head of a response");
    assert_eq!(response.status(), 200);
    // A file that is not complete does not look complete.
    let broken_off = response.bytes().await.expect_err("the response has no end");
    assert!(broken_off.is_body() || broken_off.is_decode(), "{broken_off:?}");
    let is_recorded = async || audited(&test).await.pop().filter(|(action, _)| action == "order.export_end");
    let (_, after) = until("the end of the export is recorded", is_recorded).await;
    assert!(after.ends_with(": 2000 rows, broken off"), "{after}");
    let refused = made.get("/admin/orders-csv/refundOrder").await;
    assert_eq!((refused.status, &refused.json["code"]), (429, &json!("row_budget_reached")), "{refused}");
    assert_eq!(audited(&test).await.len(), 2, "what was refused is no export");
}

#[tokio::test]
async fn an_export_that_its_client_does_not_read_holds_no_transaction_open_and_ends_with_its_client() {
    let test = TestApp::start().await;
    for _ in 0..5 {
        add_orders(test.db(), 1_000).await;
    }
    // Batches larger than the buffers of both sockets.
    test.write(|tx| {
        let long = orders::contact_email_address.eq("x".repeat(8_000));
        Ok(diesel::update(orders::table).set(long).execute(tx)?)
    })
    .await;
    let made = test.as_staff(Manager, "Made");
    let request = made.request(Method::GET, "/api/admin/orders-csv/refundOrder").await;
    let response = request.send().await.expect("the head of a response");
    let is_waiting = async || (noted(&test).await.len() >= 2).then_some(());
    until("it is under way", is_waiting).await;
    let uses_all_connections = timeout(Duration::from_secs(20), Statements::watch(&test)).await;
    assert!(uses_all_connections.is_ok(), "all connections are free");
    assert_eq!(audited(&test).await.len(), 1, "it is still under way");
    drop(response);
    let is_recorded = async || audited(&test).await.pop().filter(|(action, _)| action == "order.export_end");
    let (_, after) = until("the end of the export is recorded", is_recorded).await;
    assert!(after.ends_with(" rows, broken off"), "{after}");
}
