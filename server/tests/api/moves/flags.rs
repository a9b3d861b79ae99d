//! The `allowed` flags of an order agree with what the calls allow.

use chrono::Days;
use serde_json::json;
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::{Deleted, Future, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

use super::history;
use crate::support::TestApp;

/// The path and body of the call behind a flag of `allowed`.
fn call_of(flag: &str, order: i64, name: &str) -> (&'static str, serde_json::Value) {
    match flag {
        "assign_to_me" => ("/admin/assign-order-status", json!({ "orderId": order, "assignto": name })),
        "assign_to_others" => ("/admin/assign-order-status", json!({ "orderId": order, "assignto": "Ann" })),
        "unassign" => ("/admin/assign-order-status", json!({ "orderId": order, "assignto": "" })),
        "delete" => ("/admin/move-order-status", json!({ "orderId": order, "updatingStatus": "Deleted" })),
        "restore" => ("/admin/restore-orders", json!({ "orderId": order })),
        "refund" => ("/admin/move-to-complete-refund", json!({ "orderId": order })),
        flag => panic!("no call for {flag}"),
    }
}

#[tokio::test]
async fn calls_succeed_exactly_where_the_allowed_flags_say_so() {
    let test = TestApp::start().await;
    let ann = test.add_member(Team, "Ann").await;
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(2));
    for (staff_type, name) in
        [(Admin, "Ayu"), (Manager, "Made"), (Team, "Budi"), (Telecaller, "Citra"), (NightStaff, "Nyoman")]
    {
        let desk = test.as_staff(staff_type, name);
        let me = desk.id().await;
        for (status, owner) in
            [(New, None), (New, Some(me)), (New, Some(ann)), (Future, None), (Refunds, None), (Deleted, Some(ann))]
        {
            for flag in ["assign_to_me", "assign_to_others", "unassign", "delete", "restore", "refund"] {
                let order = test
                    .add_order_with(status, |order| {
                        order.assign_to = owner.map(StaffId);
                        order.processing_date = ahead;
                    })
                    .await;
                let details = desk.get(&format!("/admin/get-orders-details/{order}")).await;
                let (path, body) = call_of(flag, order, name);
                let before = history(&test, order).await;
                let answer = desk.put(path, body).await;
                let changed = answer.status == 200 && history(&test, order).await != before;
                assert_eq!(details.data()["allowed"][flag], changed, "{flag} of {status} by {staff_type}: {answer}");
            }
        }
    }
}
