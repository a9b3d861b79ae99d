//! Lists of all orders in a group of the home screen.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::orders;
use visadesk::ids::StaffId;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::rules::ProcessingMode::{Priority, Regular};
use visadesk::orders::status::ProcessStatus;
use visadesk::orders::status::ProcessStatus::{
    Awaiting, ChargeBack, Completed, ContactCustomer, CustomerCalled, New, Pending, Refunds,
};
use visadesk::staff::rules::StaffType::{self, Admin, Manager, Team, Telecaller};

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

/// Adds orders of every group (disputed, with a failed mail, untouched and priority), owned by members of each type and unassigned.
async fn fill(test: &TestApp, members: &[Client<'_>]) {
    let mut owners = vec![None];
    for member in members {
        owners.push(Some(StaffId(member.id().await)));
    }
    let (budi, today) = (test.as_staff(Team, "Budi"), test.clock.today(chrono_tz::Asia::Jakarta));
    for owner in owners {
        let add = async |status: ProcessStatus, mode: ProcessingMode| {
            test.add_order_with(status, |order| (order.assign_to, order.processing_mode) = (owner, mode)).await
        };
        for outcome in ["Open", "Open", "Won"] {
            let order = add(ChargeBack, Regular).await;
            let body = json!({ "orderId": order, "network": "Visa", "outcome": outcome, "openedOn": today, "respondBy": today });
            assert_eq!(budi.post("/admin/save-chargeback", body).await.status, 200);
        }
        add(ChargeBack, Regular).await;
        for status in [Completed, New, Refunds, Pending] {
            let order = add(status, Regular).await;
            test.add_mail(past_mail(order, "approval", "failed", test.clock.now())).await;
        }
        for (status, mode) in [(New, Regular), (ContactCustomer, Regular), (CustomerCalled, Regular), (New, Priority)] {
            let order = add(status, mode).await;
            let long_ago = test.clock.now() - TimeDelta::days(5);
            test.write(move |tx| {
                let row = orders::table.filter(orders::order_id.eq(order));
                Ok(diesel::update(row).set(orders::updated_at.eq(long_ago)).execute(tx)?)
            })
            .await;
        }
    }
}

#[tokio::test]
async fn each_total_of_the_home_screen_is_that_of_the_list_to_which_it_leads() {
    let test = TestApp::start().await;
    test.clock.stop();
    let members: Vec<Client<'_>> = StaffType::ALL.iter().map(|who| test.as_staff(*who, who.as_str())).collect();
    fill(&test, &members).await;
    let mut totals = BTreeMap::new();
    for (who, member) in StaffType::ALL.iter().zip(&members) {
        let board = member.get("/admin/home").await;
        for group in board.data()["groups"].as_array().expect("groups") {
            let name = group["group"].as_str().expect("a name");
            let needs = if name == "priority" { String::new() } else { format!("needs={name}&") };
            let folder = group["folder"].as_str().expect("a folder");
            let (ids, total) = listed(member, &format!("{folder}?{needs}limit=500")).await;
            assert_eq!((ids.len() as i64, &json!(total)), (total, &group["total"]), "{who} {name}");
            let first: Vec<&Value> =
                group["orders"].as_array().expect("orders").iter().map(|order| &order["order_id"]).collect();
            assert!(name == "priority" || first == ids[..first.len()], "the list begins with them: {who} {name}");
            totals.insert((name.to_owned(), who.as_str()), total);
        }
    }
    let total = |name: &str, who: StaffType| totals[&(name.to_owned(), who.as_str())];
    assert_eq!((total("disputes", Team), total("disputes", Telecaller)), (12, 12), "2 of each owner's 4 are open");
    assert!(total("emails", Admin) > total("emails", Telecaller) && total("emails", Telecaller) > 0, "{totals:?}");
    assert!(
        total("untouched", Admin) > total("untouched", Telecaller) && total("untouched", Telecaller) > 0,
        "{totals:?}"
    );
    assert!(total("priority", Telecaller) > 0, "{totals:?}");
}
