//! The same POST sent many times concurrently, as from double clicks and retrying clients.

use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::json;
use visadesk::db::schema::{orders, payments, staff};
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType::Admin;

use crate::intake::{order, payment, shop_key};
use crate::support::{Answer, TestApp};

/// All successful responses are identical, and requests during processing are refused with 409.
#[track_caller]
fn assert_one_effect(answers: &[Answer]) {
    let done: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert!(!done.is_empty(), "{answers:?}");
    for answer in answers {
        assert!(answer.status == 409 || answer.text == done[0].text, "{answer}");
    }
}

#[tokio::test]
async fn ten_concurrent_repeats_on_two_nodes_have_one_effect() {
    let test = TestApp::start().await;
    let other = test.another_node().await;
    let key = shop_key(&test).await;
    let pending = test.add_order(ProcessStatus::Pending).await;
    let nodes = [&test, &other];

    let member =
        json!({ "name": "Citra", "email": "citra@desk.example", "password": "a fine password", "type": "Team" });
    let token = test.as_staff(Admin, "Ayu").token().await.to_owned();
    let (one_order, one_payment) = (order(json!({})), payment());
    let payment_path = format!("/intake/orders/{pending}/payment");

    let additions = join_all((0..10).map(|index| {
        let desk = nodes[index % 2].with_token(&token).with_key("member");
        let member = member.clone();
        async move { desk.post("/admin/add-team-member", member).await }
    }));
    assert_one_effect(&additions.await);
    let order_requests = join_all((0..10).map(|index| {
        let desk = nodes[index % 2].with_api_key(&key).with_key("order");
        let body = one_order.clone();
        async move { desk.post("/intake/orders", body).await }
    }));
    assert_one_effect(&order_requests.await);
    let payment_requests = join_all((0..10).map(|index| {
        let desk = nodes[index % 2].with_api_key(&key).with_key("payment");
        let (path, body) = (&payment_path, one_payment.clone());
        async move { desk.post(path, body).await }
    }));
    assert_one_effect(&payment_requests.await);

    let (members, all, paid): (i64, i64, i64) = test
        .read(|conn| {
            Ok((
                staff::table.filter(staff::name.eq("Citra")).count().get_result(conn)?,
                orders::table.count().get_result(conn)?,
                payments::table.count().get_result(conn)?,
            ))
        })
        .await;
    assert_eq!((members, all, paid), (1, 2, 1));
}
