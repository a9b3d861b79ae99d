//! Folder counts: they always equal the length of the lists.

use chrono::Days;
use diesel::prelude::*;
use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::json;
use visadesk::app::maintenance;
use visadesk::db::Conn;
use visadesk::db::schema::{folder_counter_deltas, orders};
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::support::rounds::seed;
use crate::support::{Client, TestApp};

/// Every folder with the key of its count.
pub const FOLDERS: [(&str, &str); 14] = [
    ("newOrder", "newOrdersCount"),
    ("priorityOrder", "priorityOrdersCount"),
    ("myOrder", "myOrdersCount"),
    ("pendingOrder", "pendingOrdersCount"),
    ("completedOrder", "completedOrdersCount"),
    ("deletedOrder", "deletedOrdersCount"),
    ("awaitingOrder", "awaitingOrdersCount"),
    ("awaitingGovtOrder", "awaitingGovtCount"),
    ("customerCalledOrder", "customerCalledCount"),
    ("contactCustomerOrder", "contactCustomerOrdersCount"),
    ("refundOrder", "refundOrdersCount"),
    ("chargeBackOrder", "chargeBackCount"),
    ("futureOrder", "futureOrdersCount"),
    ("allOrder", "allOrdersCount"),
];

#[tokio::test]
async fn without_orders_every_count_is_zero() {
    let test = TestApp::start().await;
    assert_snapshot!(test.as_staff(Team, "Budi").get("/admin/get-all-folder-count").await, @r#"200 {"status":1,"message":"","data":{"myOrdersCount":0,"newOrdersCount":0,"priorityOrdersCount":0,"pendingOrdersCount":0,"completedOrdersCount":0,"awaitingOrdersCount":0,"awaitingGovtCount":0,"customerCalledCount":0,"contactCustomerOrdersCount":0,"deletedOrdersCount":0,"allOrdersCount":0,"refundOrdersCount":0,"chargeBackCount":0,"futureOrdersCount":0}}"#);
}

/// A change that a staff member makes to some orders.
#[derive(Clone, Debug)]
enum Step {
    Assign { to: usize, orders: Vec<usize> },
    Unassign { orders: Vec<usize> },
    Move { to: ProcessStatus, orders: Vec<usize> },
    Restore { orders: Vec<usize> },
}

fn steps(orders: usize, people: usize) -> impl Strategy<Value = Vec<Step>> {
    let some = || proptest::sample::subsequence((0..orders).collect::<Vec<_>>(), 1..=4);
    let step = prop_oneof![
        3 => (0..people, some()).prop_map(|(to, orders)| Step::Assign { to, orders }),
        1 => some().prop_map(|orders| Step::Unassign { orders }),
        5 => (proptest::sample::select(ProcessStatus::ALL), some()).prop_map(|(to, orders)| Step::Move { to, orders }),
        1 => some().prop_map(|orders| Step::Restore { orders }),
    ];
    proptest::collection::vec(step, 250)
}

#[tokio::test]
async fn after_a_thousand_random_moves_every_count_equals_its_list() {
    let test = TestApp::start().await;
    let people = ["Ann", "Budi", "Sari"];
    let ann = test.as_staff(Admin, "Ann");
    let clients = [&ann, &test.as_staff(Team, "Budi"), &test.as_staff(Team, "Sari")];
    for client in clients {
        client.id().await;
    }
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(40));
    let mut orders = Vec::new();
    for number in 0..24 {
        orders.push(
            test.add_order_with(ProcessStatus::New, |order| {
                order.processing_mode =
                    if number % 3 == 0 { ProcessingMode::Priority } else { ProcessingMode::Regular };
                order.processing_date = ahead.filter(|_| number % 2 == 0);
            })
            .await,
        );
    }
    let seed = seed();
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    for _ in 0..4 {
        let walk = steps(orders.len(), people.len()).new_tree(&mut runner).expect("a walk").current();
        for step in walk {
            take(&ann, &people, &orders, step).await;
        }
        for client in clients {
            compare(client).await;
        }
        maintenance::merge_counters(&test.app).await.expect("the counters are merged");
        compare(&ann).await;
    }
}

/// Takes the step. It may fail, because the walk includes invalid steps.
async fn take(ann: &Client<'_>, people: &[&str], orders: &[i64], step: Step) {
    let ids = |places: Vec<usize>| places.into_iter().map(|place| orders[place]).collect::<Vec<_>>();
    let answer = match step {
        Step::Assign { to, orders } => {
            ann.put("/admin/assign-order-status", json!({ "orderId": ids(orders), "assignto": people[to] })).await
        }
        Step::Unassign { orders } => {
            ann.put("/admin/assign-order-status", json!({ "orderId": ids(orders), "assignto": "" })).await
        }
        Step::Move { to, orders } => {
            ann.put("/admin/change-order-status", json!({ "orderId": ids(orders), "updatingStatus": to.as_str() }))
                .await
        }
        Step::Restore { orders } => ann.put("/admin/restore-orders", json!({ "orderId": ids(orders) })).await,
    };
    assert!(matches!(answer.status, 200 | 409 | 422), "{answer}");
}

/// Compares the count of every folder with its list.
pub async fn compare(client: &Client<'_>) {
    let counts = client.get("/admin/get-all-folder-count").await;
    for (folder, key) in FOLDERS {
        let list = client.get(&format!("/admin/get-orders-list/{folder}?limit=1000")).await;
        assert_eq!(counts.data()[key].as_i64(), Some(list.order_ids().len() as i64), "{folder}");
        assert_eq!(counts.data()[key], list.json["total"], "{folder}");
    }
}

/// The upper limit of unmerged deltas, even without a worker.
const MAX_UNMERGED: i64 = 3_000;

#[tokio::test]
async fn without_a_worker_few_counter_deltas_stay_unmerged_and_every_count_is_right() {
    const WRITERS: usize = 4;
    const CHANGES: usize = 1_500;
    let test = TestApp::start().await;
    let mut orders = Vec::new();
    for _ in 0..WRITERS {
        orders.push(test.add_order(ProcessStatus::New).await);
    }
    let writers = orders.iter().map(|order| {
        let (db, order) = (test.db().clone(), *order);
        async move {
            for from in (0..CHANGES).step_by(50) {
                let write = move |tx: &mut Conn| {
                    for number in from..from + 50 {
                        let to = if number % 2 == 0 { ProcessStatus::Awaiting } else { ProcessStatus::New };
                        diesel::update(orders::table.find(order)).set(orders::process_status.eq(to)).execute(tx)?;
                    }
                    Ok(())
                };
                db.write(write).await.expect("the orders change");
            }
        }
    });
    futures_util::future::join_all(writers).await;
    let unmerged: i64 = test.read(|conn| Ok(folder_counter_deltas::table.count().get_result(conn)?)).await;
    assert!(unmerged <= MAX_UNMERGED, "{unmerged} unmerged deltas");
    compare(&test.as_staff(Team, "Budi")).await;
    maintenance::merge_counters(&test.app).await.expect("the counters are merged");
    let unmerged: i64 = test.read(|conn| Ok(folder_counter_deltas::table.count().get_result(conn)?)).await;
    assert_eq!(unmerged, 0);
    compare(&test.as_staff(Team, "Budi")).await;
}
