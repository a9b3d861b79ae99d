//! Permanent deletion requests, deletion by way of Future, and payments of deleted orders.

use chrono::Days;
use serde_json::json;
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed, Future, New, Refunds};
use visadesk::staff::rules::StaffType::{Admin, Manager, Team};

use super::history;
use crate::intake::{order, payment, shop};
use crate::support::{Client, TestApp};

#[tokio::test]
async fn a_permanent_deletion_request_is_audited_but_only_soft_deletes() {
    let test = TestApp::start().await;
    for flag in [json!(true), json!("1"), json!("true"), json!(1)] {
        let order = test.add_order(New).await;
        let body = json!({ "orderId": [order], "updatingStatus": "Deleted", "permanentDeletedFlag": flag });
        assert_eq!(test.as_staff(Admin, "Ann").put("/admin/change-order-status", body).await.status, 200);
        assert!(test.as_staff(Admin, "Ann").list("deletedOrder").await.contains(&order));
        assert_eq!(history(&test, order).await[0].1, "order.move (permanent delete asked)");
    }
}

#[tokio::test]
async fn a_future_order_that_had_a_visa_or_a_dispute_is_deleted_by_admins_and_managers_only() {
    let test = TestApp::start().await;
    let ahead = test.clock.today(test.app.config.time_zone).checked_add_days(Days::new(30));
    let budi = test.as_staff(Team, "Budi");
    let set = |order: i64, to: &str| json!({ "orderId": [order], "updatingStatus": to });
    let mut served = Vec::new();
    for status in ["Completed", "ChargeBack"] {
        let order = test.add_order_with(New, |order| order.processing_date = ahead).await;
        assert_eq!(budi.put("/admin/change-order-status", set(order, status)).await.status, 200);
        served.push(order);
    }
    for status in [Completed, ChargeBack] {
        served.push(test.add_order_with(status, |order| order.processing_date = ahead).await);
    }
    let with_visa = test.add_order_with(Refunds, |order| order.processing_date = ahead).await;
    test.add_visa(with_visa).await;
    served.push(with_visa);
    let plain = test.add_order_with(Future, |order| order.processing_date = ahead).await;
    let may_delete = async |desk: &Client<'_>, order: i64| {
        let rows = desk.get("/admin/get-orders-list/futureOrder").await;
        let row = rows.data().as_array().unwrap().iter().find(|row| row["order_id"] == order).cloned().unwrap();
        let details = desk.get(&format!("/admin/get-orders-details/{order}")).await;
        assert_eq!(details.data()["allowed"]["delete"], row["allowed"]["delete"], "{details}");
        row["allowed"]["delete"].as_bool().unwrap()
    };
    let ayu = test.as_staff(Manager, "Ayu");
    for order in served {
        assert_eq!(budi.put("/admin/change-order-status", set(order, "Future")).await.status, 200);
        assert!(!may_delete(&budi, order).await && may_delete(&ayu, order).await, "{order}");
        for call in ["change-order-status", "move-order-status"] {
            let refused = budi.put(&format!("/admin/{call}"), set(order, "Deleted")).await;
            assert_eq!(
                (refused.status, refused.json["code"].as_str()),
                (403, Some("served_order_deletion_forbidden")),
                "{refused}"
            );
        }
        assert_eq!(ayu.put("/admin/change-order-status", set(order, "Deleted")).await.status, 200);
        // Restoring it makes it no other order.
        assert_eq!(ayu.put("/admin/restore-orders", json!({ "orderId": [order] })).await.status, 200);
        assert_eq!(budi.put("/admin/change-order-status", set(order, "Deleted")).await.status, 403);
    }
    assert!(may_delete(&budi, plain).await);
    assert_eq!(budi.put("/admin/change-order-status", set(plain, "Deleted")).await.status, 200);
}

#[tokio::test]
async fn an_order_that_is_paid_while_it_is_deleted_is_restored_as_paid() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let created = shop.post("/intake/orders", order(json!({}))).await.data()["order_id"].as_i64().expect("an order");
    let ayu = test.as_staff(Manager, "Ayu");
    let deleted = json!({ "orderId": [created], "updatingStatus": "Deleted" });
    assert_eq!(ayu.put("/admin/change-order-status", deleted).await.status, 200);
    assert_eq!(shop.post(&format!("/intake/orders/{created}/payment"), payment()).await.status, 200);
    assert_eq!(ayu.list("deletedOrder").await, [created]);
    assert_eq!(ayu.put("/admin/restore-orders", json!({ "orderId": [created] })).await.status, 200);
    assert_eq!(ayu.list("newOrder").await, [created]);
}
