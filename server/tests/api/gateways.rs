//! Payment gateways: exactly one is active at any time, and orders keep the gateway with which they were paid.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use futures_util::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::db::schema::{active_gateway, audit, payment_gateways};
use visadesk::staff::rules::StaffType::{Admin, Manager};

use crate::intake::{order, payment, shop, shop_key};
use crate::migrations::kept_rows::refusal;
use crate::support::database::is_postgres;
use crate::support::{Answer, Client, TestApp, until};

async fn switch(client: &Client<'_>, id: impl Into<Value>) -> Answer {
    client.post("/admin/payment-gateway-setting", json!({ "gatewayId": id.into() })).await
}

/// Asks again while all connections to the database are taken, as clients do: how many get one in time depends on the machine.
async fn admitted(ask: impl AsyncFn() -> Answer) -> Answer {
    until("a request gets a connection", async || {
        Some(ask().await).filter(|answer| answer.json["code"] != "database_busy")
    })
    .await
}

/// The names of the active gateways in a list.
fn active(list: &Answer) -> Vec<&str> {
    assert_eq!(list.status, 200, "{list}");
    let all = list.data().as_array().expect("a list").iter();
    all.filter(|gateway| gateway["is_active"] == "1").filter_map(|gateway| gateway["gateway_name"].as_str()).collect()
}

/// Starts a program on the same database with these gateways in its config.
async fn with_gateways(test: &TestApp, names: &[&str]) -> TestApp {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    test.another_node_with(|config| config.gateways = names).await
}

#[tokio::test]
async fn the_first_gateway_of_the_config_is_active_until_a_manager_chooses_another() {
    let test = TestApp::start().await;
    let made = test.as_staff(Manager, "Made");
    assert_snapshot!(made.get("/admin/payment-gateways").await, @r#"200 {"status":1,"message":"","data":[{"id":1,"gateway_name":"Stripe","is_active":"1"},{"id":2,"gateway_name":"Adyen","is_active":"0"},{"id":3,"gateway_name":"PayPal","is_active":"0"}]}"#);
    let shop = shop(&test).await;
    assert_snapshot!(shop.get("/intake/active-gateway").await, @r#"200 {"status":1,"message":"","data":{"id":1,"gateway_name":"Stripe","is_active":"1"}}"#);

    assert_snapshot!(switch(&made, 2).await, @r#"200 {"status":1,"message":"Adyen is the active gateway now"}"#);
    assert_eq!(shop.get("/intake/active-gateway").await.data()["gateway_name"], "Adyen");
    // The id may be encoded, or a number as text.
    assert_eq!(switch(&made, "Ng==").await.message(), "PayPal is the active gateway now");
    assert_eq!(switch(&made, "1").await.message(), "Stripe is the active gateway now");
    assert_eq!(switch(&made, 1).await.message(), "Stripe is the active gateway now");
    assert_eq!(active(&made.get("/admin/payment-gateways").await), ["Stripe"]);

    let id = made.id().await;
    let trail: Vec<(Option<i64>, Option<String>, Option<String>)> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.eq("gateway.switch")).order(audit::audit_id);
            Ok(rows.select((audit::staff_id, audit::before, audit::after)).load(conn)?)
        })
        .await;
    let row = |from: &str, to: &str| (Some(id), Some(from.to_owned()), Some(to.to_owned()));
    let expected = [row("Stripe", "Adyen"), row("Adyen", "PayPal"), row("PayPal", "Stripe")];
    assert_eq!(trail, expected, "a switch without a change adds no row");
}

#[tokio::test]
async fn a_switch_needs_an_existing_gateway() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu");
    for empty in [json!({}), json!({ "gatewayId": null }), json!({ "gatewayId": "" }), json!({ "gatewayId": "  " })] {
        let answer = ayu.post("/admin/payment-gateway-setting", empty).await;
        assert_eq!((answer.status, answer.message()), (422, "Please select gateway"));
    }
    assert_snapshot!(switch(&ayu, 99).await, @r#"404 {"status":0,"code":"gateway_not_found","message":"There is no such gateway. Please select another one"}"#);
    assert_snapshot!(switch(&ayu, "Stripe").await, @r#"422 {"status":0,"code":"invalid_gateway_id","message":"gatewayId is not a gateway's id. Please select gateway"}"#);
    assert_eq!(active(&ayu.get("/admin/payment-gateways").await), ["Stripe"]);
}

#[tokio::test]
async fn two_hundred_concurrent_switches_leave_exactly_one_active_in_every_read() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let key = shop_key(&test).await;
    let token = test.as_staff(Admin, "Ayu").token().await.to_owned();
    let switches = (0..200_i64).map(|number| {
        let (node, token) = (if number % 2 == 0 { &test } else { &other_node }, token.clone());
        async move { admitted(async || switch(&node.with_token(token.clone()), number % 3 + 1).await).await }
    });
    let reads = (0..200).map(|number| {
        let (node, token, key) = (if number % 2 == 0 { &other_node } else { &test }, token.clone(), &key);
        async move {
            let list = admitted(async || node.with_token(token.clone()).get("/admin/payment-gateways").await).await;
            assert_eq!(active(&list).len(), 1, "{list}");
            let shown = admitted(async || node.with_api_key(key).get("/intake/active-gateway").await).await;
            assert_eq!((shown.status, shown.data()["is_active"].as_str()), (200, Some("1")), "{shown}");
        }
    });
    let (switched, _) = tokio::join!(join_all(switches), join_all(reads));
    for answer in &switched {
        assert_eq!(answer.status, 200, "{answer}");
    }

    // Each audit row begins with the gateway to which the previous row switched.
    let trail: Vec<(Option<String>, Option<String>)> = test
        .read(|conn| {
            let rows = audit::table.filter(audit::action.eq("gateway.switch")).order(audit::audit_id);
            Ok(rows.select((audit::before, audit::after)).load(conn)?)
        })
        .await;
    let mut active_name = Some("Stripe".to_owned());
    for (from, to) in &trail {
        assert!(*from == active_name && to != from, "{trail:?}");
        active_name.clone_from(to);
    }
    let ayu = test.with_token(token);
    assert_eq!(active(&ayu.get("/admin/payment-gateways").await), [active_name.expect("a name")]);
}

#[tokio::test]
async fn a_switch_sent_twice_with_one_key_applies_once() {
    let test = TestApp::start().await;
    let ayu = test.as_staff(Admin, "Ayu").with_key("one");
    let (first, made) = (switch(&ayu, 2).await, test.as_staff(Manager, "Made"));
    assert_eq!(switch(&made, 3).await.status, 200);
    assert_eq!(switch(&ayu, 2).await.text, first.text, "the response of the first request");
    assert_eq!(active(&made.get("/admin/payment-gateways").await), ["PayPal"]);
}

#[tokio::test]
async fn a_gateway_removed_from_the_config_is_retired_unless_active_and_can_return() {
    let test = TestApp::start().await;
    let token = test.as_staff(Admin, "Ayu").token().await.to_owned();
    let names = async |node: &TestApp| -> Vec<String> {
        let list = node.with_token(token.clone()).get("/admin/payment-gateways").await;
        let all = list.data().as_array().expect("a list").iter();
        all.map(|gateway| format!("{}{}", gateway["gateway_name"], gateway["is_active"]).replace('"', "")).collect()
    };
    let node = with_gateways(&test, &["Adyen", "Braintree"]).await;
    assert_eq!(names(&node).await, ["Stripe1", "Adyen0", "Braintree0"], "the active gateway stays");
    let ayu = node.with_token(token.clone());
    assert_snapshot!(switch(&ayu, 3).await, @r#"409 {"status":0,"code":"gateway_retired","message":"PayPal is not in use any more. Please select another gateway"}"#);
    assert_eq!(switch(&ayu, 4).await.message(), "Braintree is the active gateway now");
    assert_eq!(names(&node).await, ["Adyen0", "Braintree1"], "it is retired once another gateway is active");
    assert_eq!(switch(&ayu, 1).await.status, 409);

    let back = with_gateways(&test, &["Stripe", "PayPal"]).await;
    assert_eq!(names(&back).await, ["Stripe0", "PayPal0", "Braintree1"]);
}

#[tokio::test]
async fn an_order_keeps_the_gateway_with_which_it_was_paid() {
    let test = TestApp::start().await;
    let shop = shop(&test).await;
    let created = shop.post("/intake/orders", order(json!({ "payment": payment() }))).await;
    let path = format!("/admin/get-orders-details/{}", created.data()["order_id"]);
    let ayu = test.as_staff(Admin, "Ayu");
    assert_eq!(switch(&ayu, 2).await.status, 200);
    let node = with_gateways(&test, &["Adyen"]).await;
    for node in [&test, &node] {
        let details = node.with_token(ayu.token().await).get(&path).await;
        assert_eq!(details.data()["payment"]["gateway"], "Stripe", "{details}");
    }
}

#[tokio::test]
async fn the_database_itself_enforces_exactly_one_active_gateway() {
    let test = TestApp::start().await;
    type Attempt = fn(&mut Conn) -> QueryResult<usize>;
    let (stays, foreign_key) = ("one gateway is always active", "foreign key constraint");
    let only_one =
        if is_postgres() { "active_gateway_only_one_check" } else { "check constraint failed: only_one = 1" };
    let attempts: [(&str, &str, Attempt); 6] = [
        ("none", stays, |tx| diesel::delete(active_gateway::table).execute(tx)),
        ("none, with all rows at once", stays, |tx| match tx {
            Conn::Postgres(tx) => tx.batch_execute("TRUNCATE active_gateway").map(|()| 0),
            Conn::Sqlite(tx) => tx.batch_execute("DELETE FROM active_gateway WHERE only_one = 1").map(|()| 0),
        }),
        ("a second", only_one, |tx| {
            let row =
                (active_gateway::only_one.eq(2), active_gateway::gateway_id.eq(2), active_gateway::retired.eq(false));
            diesel::insert_into(active_gateway::table).values(row).execute(tx)
        }),
        ("one that does not exist", foreign_key, |tx| {
            diesel::update(active_gateway::table).set(active_gateway::gateway_id.eq(99)).execute(tx)
        }),
        ("one that is retired", foreign_key, |tx| {
            diesel::update(payment_gateways::table.find(1_i64)).set(payment_gateways::retired.eq(true)).execute(tx)
        }),
        ("one that is removed", foreign_key, |tx| diesel::delete(payment_gateways::table.find(1_i64)).execute(tx)),
    ];
    for (attempted, reason, attempt) in attempts {
        let refused = refusal(&test, attempt).await;
        assert!(refused.contains(reason), "{attempted}: {refused}");
    }
    assert_eq!(active(&test.as_staff(Admin, "Ayu").get("/admin/payment-gateways").await), ["Stripe"]);
}
