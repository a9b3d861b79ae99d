//! Remarks that staff add to an order.

use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, orders, remarks};
use visadesk::orders::status::ProcessStatus::{Deleted, New};
use visadesk::staff::rules::StaffType::{self, Team};

use crate::support::{Answer, Client, TestApp};

async fn add(desk: &Client<'_>, body: Value) -> Answer {
    desk.post("/admin/add-new-remark", body).await
}

#[tokio::test]
async fn a_remark_is_stored_with_its_author_and_shown_with_the_order() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    let body = json!({
        "orderId": order, "remark": "Called twice.\nWill send the photo.", "remarkerName": "Ayu Lestari",
        "whatsapp": "", "telephone": "Y", "statusRefund": "", "voided": null, "chargeBack": "Y",
    });
    let added = add(&budi, body).await;
    let mut shown = added.clone();
    shown.json["data"]["us_date"] = json!("[date]");
    shown.json["data"]["us_time"] = json!("[time]");
    assert_snapshot!(shown, @r#"200 {"status":1,"message":"The remark has been added successfully","data":{"id":1,"order_id":100001,"us_date":"[date]","us_time":"[time]","remark_name":"Budi","remark":"Called twice.\nWill send the photo.","whatsapp":"","telephone":"Y","status_refund":"","voided":"","chargeback":"Y","report_error":""}}"#);

    let details = budi.get(&format!("/admin/get-orders-details/{order}")).await;
    assert_eq!(details.data()["remark"], json!([added.data()]), "the details show the same entry");
    assert!(!details.text.contains("Ayu Lestari"), "a forged author must not appear");

    let (id, audited) = (budi.id().await, audit::table.filter(audit::action.eq("remark.add")));
    let audited = audited.select((audit::staff_id, audit::order_id, audit::after));
    let audited: Vec<(Option<i64>, Option<i64>, Option<String>)> = test.read(move |conn| Ok(audited.load(conn)?)).await;
    assert_eq!(audited, [(Some(id), Some(order), Some("1".into()))]);
}

#[tokio::test]
async fn every_staff_type_adds_remarks_to_every_order() {
    let test = TestApp::start().await;
    let (open, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    for staff_type in StaffType::ALL {
        let desk = test.as_staff(*staff_type, staff_type.as_str());
        for order in [json!(open), json!(format!("VD-{deleted}")), json!("MjAwMDAy")] {
            assert_eq!(add(&desk, json!({ "orderId": order, "remark": "noted" })).await.status, 200);
        }
    }
    let budi = test.as_staff(Team, "Budi");
    assert_snapshot!(add(&budi, json!({ "orderId": 999_999, "remark": "noted" })).await, @r#"404 {"status":0,"code":"order_not_found","message":"There is no such order"}"#);
}

#[tokio::test]
async fn an_empty_too_long_or_malformed_remark_is_refused() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let budi = test.as_staff(Team, "Budi");
    for empty in [json!(null), json!(""), json!(" \r\n ")] {
        let refused = add(&budi, json!({ "orderId": order, "remark": empty })).await;
        assert_eq!((refused.status, refused.message()), (422, "Please enter your remark"));
    }
    assert_snapshot!(add(&budi, json!({ "orderId": order, "remark": "x".repeat(5_001) })).await, @r#"422 {"status":0,"code":"remark_too_long","message":"Please write at most 5000 characters in one remark"}"#);
    for flag in ["whatsapp", "telephone", "statusRefund", "voided", "chargeBack"] {
        for malformed in [json!("N"), json!("y"), json!(true), json!(1), json!(["Y"])] {
            let answer = add(&budi, json!({ "orderId": order, "remark": "noted", flag: malformed })).await;
            assert_eq!(answer.status, 422, "{flag} = {malformed}: {answer}");
        }
    }
    let stored: i64 = test.read(|conn| Ok(remarks::table.count().get_result(conn)?)).await;
    assert_eq!(stored, 0);
}

#[tokio::test]
async fn a_remark_sent_ten_times_is_stored_once() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let token = test.as_staff(Team, "Budi").token().await.to_owned();
    let answers = join_all((0..10).map(|_| {
        let desk = test.with_token(&token).with_key("remark");
        async move { add(&desk, json!({ "orderId": order, "remark": "noted" })).await }
    }))
    .await;
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 409)), "{answers:?}");
    let stored: i64 = test.read(|conn| Ok(remarks::table.count().get_result(conn)?)).await;
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn a_remark_does_not_conflict_with_a_colleagues_change() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let details = test.as_staff(Team, "Budi").get(&format!("/admin/get-orders-details/{order}")).await;
    let updated_at = details.data()["updated_at"].clone();
    let made = test.as_staff(StaffType::Manager, "Made");
    add(&made, json!({ "orderId": order, "remark": "noted" })).await;
    let body = json!({ "orderId": order, "updatingStatus": "Awaiting", "updated_at": updated_at });
    let moved = test.as_staff(Team, "Budi").put("/admin/move-order-status", body.clone()).await;
    assert_eq!(moved.status, 200, "{moved}");

    // The refusal names the member who moved the order, not the author of a later remark.
    add(&made, json!({ "orderId": order, "remark": "noted again" })).await;
    let refused = made.put("/admin/move-order-status", body).await;
    assert_eq!(refused.status, 409, "{refused}");
    assert!(refused.message().contains("was changed by Budi"), "{refused}");
    let status: String =
        test.read(move |conn| Ok(orders::table.find(order).select(orders::process_status).first(conn)?)).await;
    assert_eq!(status, "Awaiting");
}
