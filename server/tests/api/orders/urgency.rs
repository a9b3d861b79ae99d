//! ChargeBack by urgency: open disputes by working deadline, then the others.

use chrono::{NaiveDate, TimeDelta};
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::chargebacks::store::{self as chargebacks, Dispute, NewDispute};
use visadesk::chargebacks::terms::{ChargebackOutcome, Network};
use visadesk::db::schema::orders;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::ChargeBack;
use visadesk::staff::rules::StaffType::Team;

use crate::refunds::add_orders;
use crate::support::statements::Statements;
use crate::support::{Client, TestApp};

/// Adds an order in ChargeBack with a dispute. The days are counted from today; negative ones lie before it.
async fn add(test: &TestApp, opened_on: i64, respond_by: i64, outcome: ChargebackOutcome) -> i64 {
    let (now, today) = (test.clock.now(), test.clock.today(test.app.config.time_zone));
    let day = |days: i64| -> NaiveDate { today + TimeDelta::days(days) };
    let order = test.add_order(ChargeBack).await;
    let dispute = Dispute {
        network: Network::Visa,
        reason_group: None,
        reason_code: None,
        case_id: None,
        amount_minor: None,
        currency: None,
        arn: None,
        opened_on: day(opened_on),
        respond_by: day(respond_by),
        outcome,
    };
    let new = NewDispute { dispute, at: now };
    test.write(move |tx| chargebacks::add(tx, std::iter::once((OrderId(order), &new)), "test")).await;
    order
}

/// The pages of the list by urgency, and of the search that finds all of it.
async fn pages(client: &Client<'_>, length: i64, count: i64) -> [Vec<i64>; 2] {
    let (mut listed, mut found) = (Vec::new(), Vec::new());
    for page in 1..=count {
        let call = format!("/admin/get-orders-list/chargeBackOrder?sort=urgency&limit={length}&page={page}");
        listed.extend(client.get(&call).await.order_ids());
        let body = json!({ "folderName": "chargeBackOrder", "searchVal": "ana", "sort": "urgency",
            "start": (page - 1) * length, "end": page * length });
        found.extend(client.post("/admin/search-order", body).await.order_ids());
    }
    [listed, found]
}

#[tokio::test]
async fn open_disputes_come_by_working_deadline_and_the_others_after_them_the_newest_first() {
    use ChargebackOutcome::{Lost, Open, Won};
    let test = TestApp::start_with(|config| config.chargebacks.working_days = 10).await;
    let budi = test.as_staff(Team, "Budi");
    let without_record = test.add_order(ChargeBack).await;
    let in_time = add(&test, 0, 30, Open).await;
    let won = add(&test, -60, -30, Won).await;
    let overdue_by_own_days = add(&test, -12, 30, Open).await;
    let due_at_the_bank = add(&test, 0, 1, Open).await;
    let same_day = add(&test, -9, 25, Open).await;
    let lost = add(&test, -90, -60, Lost).await;
    let expected = [overdue_by_own_days, due_at_the_bank, same_day, in_time, lost, won, without_record];
    for length in 1..=8 {
        let [listed, found] = pages(&budi, length, 8).await;
        assert_eq!(listed, expected, "in pages of {length}");
        assert_eq!(found, expected, "searched, in pages of {length}");
    }
    let newest = [lost, same_day, due_at_the_bank, overdue_by_own_days, won, in_time, without_record];
    assert_eq!(budi.list("chargeBackOrder").await, newest, "unless it is asked for");
    let page = budi.get("/admin/get-orders-list/chargeBackOrder?sort=urgency&limit=2&page=3").await;
    assert_eq!((page.json["total"].as_i64(), page.json["more"].as_bool()), (Some(7), Some(false)));
    let days: Vec<&Value> =
        page.data().as_array().expect("rows").iter().map(|row| &row["chargeback"]["days_left"]).collect();
    assert_eq!(days, [&Value::Null, &Value::Null], "decided disputes have no days left");
}

#[tokio::test]
async fn a_search_by_urgency_for_a_common_term_turns_pages_of_the_same_order() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    // More orders than the index yields candidates.
    add_orders(test.db(), 1_200).await;
    test.write(|tx| {
        let status = orders::process_status.eq(ChargeBack);
        Ok(diesel::update(orders::table).set(status).execute(tx)?)
    })
    .await;
    let mut first = Vec::new();
    for days in [4, 2, 3] {
        first.push((days, add(&test, 0, days, ChargebackOutcome::Open).await));
    }
    first.sort_unstable();
    let first: Vec<i64> = first.into_iter().map(|(_, order)| order).collect();
    let newest = budi.search("chargeBackOrder", "ana").await;
    let others: Vec<i64> = newest.into_iter().filter(|order| !first.contains(order)).collect();
    let [listed, found] = pages(&budi, 3, 4).await;
    let expected = [first, others].concat();
    assert_eq!(listed, expected[..12]);
    assert_eq!(found, expected[..12]);
}

#[tokio::test]
async fn only_chargeback_orders_can_be_sorted_by_urgency() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let refused = budi.get("/admin/get-orders-list/newOrder?sort=urgency").await;
    assert_eq!((refused.status, &refused.json["code"]), (422, &json!("sort_not_of_folder")), "{refused}");
    let body = json!({ "folderName": "allOrder", "sort": "urgency" });
    assert_eq!(budi.post("/admin/search-order", body).await.json["code"], "sort_not_of_folder");
    assert_eq!(budi.get("/admin/get-orders-list/chargeBackOrder?sort=oldest").await.status, 400);
    let body = json!({ "folderName": "chargeBackOrder", "sort": "oldest" });
    assert_eq!(budi.post("/admin/search-order", body).await.status, 422);
}

#[tokio::test]
async fn a_page_by_urgency_reads_as_many_disputes_as_it_can_show() {
    let test = TestApp::start().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    budi.id().await;
    for days in 0..30 {
        add(&test, 0, days, ChargebackOutcome::Open).await;
    }
    let statements = Statements::watch(&test).await;
    let page = budi.get("/admin/get-orders-list/chargeBackOrder?sort=urgency&limit=5&page=2").await;
    assert_eq!(page.order_ids().len(), 5);
    let sent = statements.take();
    let by_deadline: Vec<&String> =
        sent.iter().filter(|statement| statement.contains("ORDER BY") && statement.contains("chargebacks")).collect();
    assert_eq!(by_deadline.len(), 2, "{sent:#?}");
    assert!(
        by_deadline.iter().all(|statement| statement.contains("LIMIT") && statement.contains("10")),
        "{by_deadline:#?}"
    );
    // As the partial indexes have it: with a bound value, SQLite would not use them.
    assert!(by_deadline.iter().all(|statement| statement.contains("outcome = 'Open'")), "{by_deadline:#?}");
}
