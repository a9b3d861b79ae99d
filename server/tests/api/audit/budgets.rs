//! Budgets of rows that a member may read in an hour: a warning to the Admins, and a stop if the settings say so.

use chrono::TimeDelta;
use serde_json::{Value, json};
use visadesk::app::maintenance::delete_expired;
use visadesk::orders::status::ProcessStatus::{Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Team};

use super::{format_rows, list};
use crate::support::{Answer, Client, TestApp};

const LIST: &str = "/admin/get-orders-list/newOrder";

/// The program over three orders, with a budget of ten rows for Team staff. The clock stands at the start of an hour.
async fn with_budget(stop_at_budget: bool) -> TestApp {
    let test = TestApp::start_with(|config| {
        config.access.rows_per_hour.team = 10;
        config.access.stop_at_budget = stop_at_budget;
    })
    .await;
    test.begin_hour();
    for _ in 0..3 {
        test.add_order(New).await;
    }
    test
}

async fn read(client: &Client<'_>, times: usize) {
    for _ in 0..times {
        assert_eq!(client.get(LIST).await.status, 200);
    }
}

async fn flush(test: &TestApp) {
    test.app.audit.access_log.flush().await.expect("the log is written");
}

/// The warnings on the dashboard: person, rows, budget, and whether the member is stopped.
async fn warnings(test: &TestApp) -> Vec<(Value, Value, Value, Value)> {
    let answer = test.as_staff(Admin, "Ayu").get("/admin/row-budgets").await;
    assert_eq!(answer.status, 200, "{answer}");
    let of = |one: &Value, key: &str| one[key].clone();
    let warnings = answer.data().as_array().expect("a list").iter();
    warnings.map(|one| (of(one, "person"), of(one, "rows"), of(one, "rows_per_hour"), of(one, "is_stopped"))).collect()
}

async fn audited(test: &TestApp) -> Vec<String> {
    format_rows(&list(&test.as_staff(Admin, "Ayu"), "action=staff.row_budget").await)
}

fn assert_stopped(answer: &Answer) {
    assert_eq!((answer.status, &answer.json["code"]), (429, &json!("row_budget_reached")), "{answer}");
}

#[tokio::test]
async fn a_member_at_the_budget_is_reported_to_the_admins_once_an_hour_and_not_stopped() {
    let test = with_budget(false).await;
    let budi = test.as_staff(Team, "Budi");
    read(&budi, 3).await;
    flush(&test).await;
    assert_eq!((warnings(&test).await, audited(&test).await), (vec![], vec![]), "nine rows");
    for expected in ["12", "15"] {
        read(&budi, 1).await;
        flush(&test).await;
        let warning = (json!("Budi"), json!(expected.parse::<i64>().expect("a number")), json!(10), json!(false));
        assert_eq!(warnings(&test).await, [warning]);
        assert_eq!(audited(&test).await, ["Budi staff.row_budget null 12 rows in an hour, with a budget of 10"]);
    }
    test.later(TimeDelta::hours(1));
    read(&test.as_staff(Team, "Budi"), 4).await;
    flush(&test).await;
    assert_eq!((warnings(&test).await.len(), audited(&test).await.len()), (2, 2), "the next hour has its own");
    test.later(TimeDelta::hours(26));
    assert_eq!(warnings(&test).await, []);
    test.later(TimeDelta::days(2));
    delete_expired(&test.app).await.expect("expired rows are deleted");
    assert_eq!(audited(&test).await.len(), 2, "the audit keeps them");
}

#[tokio::test]
async fn reports_and_logs_do_not_count_towards_the_budget() {
    let test = with_budget(true).await;
    let budi = test.as_staff(Team, "Budi");
    let day = test.clock.today(chrono_tz::Asia::Jakarta).to_string();
    for _ in 0..12 {
        let days = json!({ "fromDate": day, "toDate": day });
        assert_eq!(budi.post("/admin/get-country-order-list", days).await.data()[0]["count"], 3);
    }
    read(&budi, 1).await;
    flush(&test).await;
    assert_eq!(warnings(&test).await, []);
}

#[tokio::test]
async fn rows_of_all_nodes_count_together() {
    let test = with_budget(true).await;
    let other = test.another_node().await;
    let budi = test.as_staff(Team, "Budi");
    let there = other.with_token(budi.token().await);
    read(&budi, 2).await;
    flush(&test).await;
    assert_eq!(there.get(LIST).await.status, 200);
    assert_eq!(there.get(LIST).await.status, 200);
    assert_stopped(&there.get(LIST).await);
    flush(&other).await;
    assert_stopped(&budi.get(LIST).await);
    assert_eq!(audited(&test).await, ["Budi staff.row_budget null 12 rows in an hour, with a budget of 10"]);
}

#[tokio::test]
async fn with_the_stop_every_read_of_customers_is_refused_until_the_next_hour() {
    let test = with_budget(true).await;
    let order = test.add_order(Completed).await;
    let (budi, ayu) = (test.as_staff(Team, "Budi"), test.as_staff(Admin, "Ayu"));
    let mail = budi.get(&format!("/admin/get-email-content/{order}")).await;
    let page = format!("/{}", mail.data()["link"].as_str().expect("a link"));
    // Unwritten notes count as well.
    read(&budi, 3).await;
    assert_eq!(budi.page(&page).await.status, 429);
    test.later(TimeDelta::minutes(20));
    let search = json!({ "folderName": "newOrder", "searchVal": "ana" });
    let refused = [
        budi.get(LIST).await,
        budi.post("/admin/search-order", search).await,
        budi.get(&format!("/admin/get-orders-details/{order}")).await,
        budi.get(&format!("/admin/get-email-content/{order}")).await,
        budi.post("/admin/defence-pack-details", json!({ "orderId": order })).await,
        budi.post("/admin/get-defence-pack-pdf", json!({ "orderId": order, "defencePackType": 1 })).await,
    ];
    for answer in &refused {
        assert_stopped(answer);
        assert!(!answer.text.contains("Ana"), "{answer}");
        // The clock goes on while the calls are made.
        let wait: u64 = answer.header("retry-after").parse().expect("seconds");
        assert!((2_380..=2_400).contains(&wait), "{wait}");
    }
    assert_eq!(
        refused[0].message(),
        "You have seen the 10 rows that your role may see in one hour. Please wait 40 minutes, or ask an Admin"
    );
    assert_eq!(budi.get("/user_info").await.status, 200);
    let remark = json!({ "orderId": order, "remark": "I can go on writing" });
    assert_eq!(budi.post("/admin/add-new-remark", remark).await.status, 200);
    read(&ayu, 20).await;
    flush(&test).await;
    assert_eq!(warnings(&test).await[0].3, json!(true), "the dashboard says that Budi is stopped");
    test.later(TimeDelta::minutes(40));
    read(&budi, 1).await;
}
