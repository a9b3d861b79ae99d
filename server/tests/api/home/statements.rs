//! Each group of the home screen is one statement, however many orders it reads.

use chrono::TimeDelta;
use serde_json::json;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed, New};
use visadesk::staff::rules::StaffType::{Admin, Telecaller};

use super::{changed_at, home, shown};
use crate::support::TestApp;
use crate::support::mails::past_mail;
use crate::support::statements::Statements;

/// Adds an order to each of the four groups.
async fn add_one_to_each_group(test: &TestApp) {
    let ayu = test.as_staff(Admin, "Ayu");
    test.add_order_with(New, |order| order.processing_mode = ProcessingMode::Priority).await;
    let disputed = test.add_order(ChargeBack).await;
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    let dispute =
        json!({ "orderId": disputed, "network": "Visa", "outcome": "Open", "openedOn": today, "respondBy": today });
    assert_eq!(ayu.post("/admin/save-chargeback", dispute).await.status, 200);
    let completed = test.add_order(Completed).await;
    test.add_mail(past_mail(completed, "approval", "failed", test.clock.now())).await;
    let untouched = test.add_order(New).await;
    changed_at(test, untouched, test.clock.now() - TimeDelta::hours(100)).await;
}

#[tokio::test]
async fn each_group_is_one_statement_and_so_is_ones_own_day() {
    let test = TestApp::start().await;
    test.clock.stop();
    for _ in 0..2 {
        add_one_to_each_group(&test).await;
    }
    let (ayu, tia) = (test.as_staff(Admin, "Ayu"), test.as_staff(Telecaller, "Tia"));
    tia.id().await;
    let statements = Statements::watch(&test).await;
    let is_of_orders =
        |sql: &String| ["orders", "mails", "chargebacks", "folder_counters"].iter().any(|table| sql.contains(table));
    for (client, expected) in [(&ayu, 4 + 3 + 1), (&tia, 4 + 1)] {
        statements.take();
        let answer = home(client).await;
        let asked: Vec<String> = statements.take().into_iter().filter(is_of_orders).collect();
        assert_eq!(asked.len(), expected, "four groups, three of the numbers, one of the own day: {asked:#?}");
        for group in ["priority", "disputes"] {
            assert_eq!(shown(&answer, group).0, 2, "{group}");
        }
    }
}
