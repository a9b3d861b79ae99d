//! Disputes: opened and withdrawn with their orders, recorded by people, counted down in the agency's days.

mod priors;

use chrono::{Days, NaiveDate, TimeDelta};
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, chargebacks, orders};
use visadesk::orders::facts::Payment;
use visadesk::orders::rules::ProcessStatus::{
    self, ChargeBack, Completed, CustomerCalled, Deleted, Future, New, Refunds,
};
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::support::{Answer, Desk, TestApp};

fn today(test: &TestApp) -> NaiveDate {
    test.clock.today(test.app.config.time_zone)
}

fn in_days(test: &TestApp, days: u64) -> String {
    today(test).checked_add_days(Days::new(days)).expect("a day").to_string()
}

/// A completed order that was paid with a card of that brand.
async fn paid(test: &TestApp, card_brand: &str) -> i64 {
    let paid_at = test.clock.now();
    test.add_order_with(Completed, |order| {
        order.payment = Some(Payment {
            gateway: "Stripe".into(),
            payment_reference: "pay_1".into(),
            amount_minor: 14_900,
            currency: "USD".into(),
            card_brand: Some(card_brand.into()),
            card_last_four: Some("4242".into()),
            paid_at,
        });
    })
    .await
}

async fn move_to(desk: &Desk<'_>, orders: &[i64], to: ProcessStatus) {
    let moved = desk.put("/admin/change-order-status", json!({ "orderId": orders, "updatingStatus": to })).await;
    assert_eq!(moved.status, 200, "{moved}");
}

async fn details(desk: &Desk<'_>, order: i64) -> Value {
    desk.get(&format!("/admin/get-orders-details/{order}")).await.data().clone()
}

async fn dispute(desk: &Desk<'_>, order: i64) -> Value {
    details(desk, order).await["chargeback"].clone()
}

/// Actor, action, before and after of what the audit says of disputes and transaction details.
async fn told(test: &TestApp, order: i64) -> Vec<String> {
    let rows = audit::table
        .filter(audit::order_id.eq(order))
        .filter(audit::action.like("chargeback.%").or(audit::action.eq("order.transaction")))
        .order(audit::audit_id)
        .select((audit::actor, audit::action, audit::before, audit::after));
    let rows: Vec<(String, String, Option<String>, Option<String>)> = test.read(move |conn| Ok(rows.load(conn)?)).await;
    let day = today(test).to_string();
    let line = |(actor, action, before, after): (String, String, Option<String>, Option<String>)| {
        let (before, after) = (before.unwrap_or_else(|| "nothing".into()), after.unwrap_or_default());
        format!("{actor} {action}: {before} -> {after}").replace(&day, "TODAY")
    };
    rows.into_iter().map(line).collect()
}

/// The form of an order's dispute, as it may be sent.
fn form(order: i64, more: Value) -> Value {
    let mut form = json!({ "orderId": order, "network": "Visa", "reasonGroup": "", "reasonCode": "", "caseId": "",
        "amount": "", "currency": "", "arn": "", "openedOn": "", "respondBy": "", "outcome": "Open" });
    for (field, value) in more.as_object().expect("fields") {
        form[field] = value.clone();
    }
    form
}

async fn save(desk: &Desk<'_>, order: i64, more: Value) -> Answer {
    desk.post("/admin/save-chargeback", form(order, more)).await
}

#[tokio::test]
async fn transaction_details_are_asked_for_kept_and_told() {
    let test = TestApp::start().await;
    let (order, budi) = (test.add_order(Completed).await, test.as_staff(Team, "Budi"));
    let enter = async |id: &str, name: &str| {
        let body = json!({ "orderId": order, "transactionId": id, "merchantName": name });
        budi.post("/admin/save-transaction-details", body).await
    };
    assert_snapshot!(enter(" ", "Visa Agency").await, @r#"422 {"status":0,"code":"transaction_id_missing","message":"Please enter your Transaction Id"}"#);
    assert_snapshot!(enter("ch_1", "").await, @r#"422 {"status":0,"code":"merchant_name_missing","message":"Please enter your Merchant Name"}"#);
    assert_snapshot!(enter("x".repeat(201).as_str(), "A").await, @r#"422 {"status":0,"code":"text_too_long","message":"The transaction id is longer than 200 characters"}"#);
    assert_snapshot!(enter("ch_1", "Visa Agency").await, @r#"200 {"status":1,"message":"Transaction details saved successfully"}"#);
    let shown = details(&budi, order).await;
    assert_eq!((&shown["transaction_id"], &shown["merchant_name"]), (&json!("ch_1"), &json!("Visa Agency")));
    assert_eq!(enter("ch_1", "Visa Agency").await.status, 200, "nothing new");
    assert_eq!(enter("ch_2", "Visa Agency").await.status, 200);
    assert_eq!(details(&budi, order).await["transaction_id"], "ch_2");
    assert_eq!(
        told(&test, order).await,
        [
            "Budi order.transaction: nothing -> ch_1, Visa Agency",
            "Budi order.transaction: ch_1, Visa Agency -> ch_2, Visa Agency"
        ]
    );
}

#[tokio::test]
async fn only_delivered_orders_take_transaction_details() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for status in ProcessStatus::ALL {
        let order = test.add_order_with(*status, |order| {
            order.status_before_deletion = (*status == Deleted).then_some(New);
            order.processing_date = (*status == Future).then(|| "2100-01-01".parse().expect("a day"));
        });
        let body = json!({ "orderId": order.await, "transactionId": "ch_1", "merchantName": "Visa Agency" });
        let answer = budi.post("/admin/save-transaction-details", body).await;
        let taken = matches!(status, Completed | CustomerCalled | ChargeBack);
        assert_eq!(answer.status, if taken { 200 } else { 409 }, "{status}: {answer}");
    }
    let body = |order: i64| json!({ "orderId": order, "transactionId": "ch_1", "merchantName": "Visa Agency" });
    let order = test.add_order(Refunds).await;
    let answer = budi.post("/admin/save-transaction-details", body(order)).await;
    assert_eq!(
        answer.message(),
        format!(
            "Transaction details are for orders in Completed, Customer Called or ChargeBack, and order {order} is in Refunds"
        )
    );
    assert_snapshot!(budi.post("/admin/save-transaction-details", body(999_999)).await, @r#"404 {"status":0,"code":"disputed_order_not_found","message":"There is no order 999999"}"#);
}

#[tokio::test]
async fn who_entered_transaction_details_did_not_change_the_order() {
    let test = TestApp::start().await;
    let (ann, budi) = (test.as_staff(Team, "Ann"), test.as_staff(Team, "Budi"));
    let order = test.add_order(Completed).await;
    let seen = details(&budi, order).await["updated_at"].clone();
    move_to(&ann, &[order], CustomerCalled).await;
    let body = json!({ "orderId": order, "transactionId": "ch_1", "merchantName": "Visa Agency" });
    assert_eq!(budi.post("/admin/save-transaction-details", body).await.status, 200);
    let body = json!({ "orderId": order, "updatingStatus": "Refunds", "updated_at": seen });
    let refused = budi.put("/admin/move-order-status", body).await;
    assert!(refused.message().contains(&format!("order {order} was changed by Ann")), "{refused}");
}

#[tokio::test]
async fn the_form_offers_networks_with_their_days() {
    let test = TestApp::start_with(|config| config.chargebacks.days_to_respond.visa = 18).await;
    assert_snapshot!(test.as_staff(Team, "Budi").get("/admin/chargeback-terms").await, @r#"200 {"status":1,"message":"","data":{"networks":[{"network":"Visa","days":18},{"network":"Mastercard","days":45},{"network":"American Express","days":20},{"network":"Discover","days":30},{"network":"PayPal","days":10},{"network":"Other","days":20}],"reason_groups":["Fraud","Not received","Not as described","Cancelled or credit","Duplicate","Other"],"outcomes":["Open","Won","Lost","Accepted","Withdrawn"],"working_days":7}}"#);
}

#[tokio::test]
async fn an_order_that_enters_chargeback_has_a_dispute_which_ends_when_it_leaves() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "MasterCard").await, test.as_staff(Team, "Budi"));
    assert_eq!(dispute(&budi, order).await, Value::Null);

    move_to(&budi, &[order], ChargeBack).await;
    let shown = dispute(&budi, order).await;
    for (field, value) in [
        ("network", json!("Mastercard")),
        ("reason_group", Value::Null),
        ("amount", json!("149.00")),
        ("currency", json!("USD")),
        ("opened_on", json!(in_days(&test, 0))),
        ("respond_by", json!(in_days(&test, 45))),
        ("working_deadline", json!(in_days(&test, 7))),
        ("days_left", json!(7)),
        ("urgency", json!("In time")),
        ("outcome", json!("Open")),
        ("updated_by", json!("Budi")),
    ] {
        assert_eq!(shown[field], value, "{field}");
    }

    assert_eq!(save(&budi, order, json!({ "network": "Mastercard", "caseId": "CB-7" })).await.status, 200);
    move_to(&budi, &[order], Completed).await;
    let left = dispute(&budi, order).await;
    assert_eq!(
        (&left["outcome"], &left["urgency"], &left["days_left"]),
        (&json!("Withdrawn"), &json!("Withdrawn"), &Value::Null)
    );
    move_to(&test.as_staff(Team, "Ann"), &[order], ChargeBack).await;
    let back = dispute(&budi, order).await;
    assert_eq!(
        (&back["outcome"], &back["case_id"], &back["updated_by"]),
        (&json!("Open"), &json!("CB-7"), &json!("Ann"))
    );
    let day = in_days(&test, 45);
    assert_eq!(
        told(&test, order).await,
        [
            format!("Budi chargeback.open: nothing -> Mastercard, USD 149.00, opened on TODAY, respond by {day}, Open"),
            format!(
                "Budi chargeback.save: Mastercard, USD 149.00, opened on TODAY, respond by {day}, Open -> Mastercard, case CB-7, opened on TODAY, respond by {day}, Open"
            ),
            "Budi chargeback.withdraw: Open -> Withdrawn".to_owned(),
            format!("Ann chargeback.open: Withdrawn -> Mastercard, case CB-7, opened on TODAY, respond by {day}, Open"),
        ]
    );
}

#[tokio::test]
async fn deleting_withdraws_a_dispute_restoring_opens_it_and_a_decided_one_stays() {
    let test = TestApp::start().await;
    let (open, won, ayu) = (paid(&test, "Visa").await, paid(&test, "Visa").await, test.as_staff(Admin, "Ayu"));
    let outcomes = async || (dispute(&ayu, open).await["outcome"].clone(), dispute(&ayu, won).await["outcome"].clone());
    move_to(&ayu, &[open, won], ChargeBack).await;
    assert_eq!(save(&ayu, won, json!({ "outcome": "Won" })).await.status, 200);
    move_to(&ayu, &[open, won], Deleted).await;
    assert_eq!(outcomes().await, (json!("Withdrawn"), json!("Won")));
    let restored = ayu.put("/admin/restore-orders", json!({ "orderId": [open, won] })).await;
    assert_eq!(restored.status, 200, "{restored}");
    assert_eq!(outcomes().await, (json!("Open"), json!("Won")));
    let words: Vec<String> =
        told(&test, won).await.iter().map(|one| one.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(words, ["Ayu chargeback.open", "Ayu chargeback.save"]);
}

#[tokio::test]
async fn a_refused_move_opens_no_dispute() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    let body = json!({ "orderId": [order, 999_999], "updatingStatus": "ChargeBack" });
    assert_eq!(budi.put("/admin/change-order-status", body).await.status, 404);
    assert_eq!(dispute(&budi, order).await, Value::Null);
}

#[tokio::test]
async fn a_dispute_is_recorded_shown_in_the_list_and_counted_down() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    move_to(&budi, &[order], ChargeBack).await;
    let recorded = json!({ "reasonGroup": "Fraud", "reasonCode": "10.4", "caseId": " CB-1 ", "amount": "100", "currency": "eur",
        "arn": "74537604221431003881865", "openedOn": in_days(&test, 0), "respondBy": in_days(&test, 3) });
    assert_snapshot!(save(&budi, order, recorded.clone()).await, @r#"200 {"status":1,"message":"Chargeback saved successfully"}"#);
    let shown = dispute(&budi, order).await;
    let given = ["network", "reason_group", "reason_code", "case_id", "amount", "currency", "arn"];
    assert_snapshot!(json!(given.map(|field| shown[field].clone())), @r#"["Visa","Fraud","10.4","CB-1","100.00","EUR","74537604221431003881865"]"#);

    let row = async |folder: &str| {
        let list = budi.get(&format!("/admin/get-orders-list/{folder}")).await;
        list.data()[0]["chargeback"].clone()
    };
    let due = json!({ "respond_by": in_days(&test, 3), "working_deadline": in_days(&test, 3), "days_left": 3, "urgency": "Soon", "outcome": "Open" });
    assert_eq!(row("chargeBack").await, due);
    assert_eq!(row("chargeBackOrder").await, due);
    assert_eq!(row("allOrder").await, Value::Null, "in that folder alone");
    let found = budi.post("/admin/search-order", json!({ "searchVal": "Ana", "folderName": "chargeBackOrder" })).await;
    assert_eq!(found.data()[0]["chargeback"], due);

    for (days, left, word) in [(1, 2, "Urgent"), (2, 0, "Due today"), (1, -1, "Overdue")] {
        test.later(TimeDelta::days(days));
        let list = test.as_staff(Team, "Citra").get("/admin/get-orders-list/chargeBack").await;
        let due = &list.data()[0]["chargeback"];
        assert_eq!((&due["days_left"], &due["urgency"]), (&json!(left), &json!(word)));
    }
    let again = test.as_staff(Team, "Dian");
    assert_eq!(save(&again, order, json!({ "outcome": "Lost" })).await.status, 200);
    assert_eq!(dispute(&again, order).await["urgency"], "Lost");
    assert_eq!(save(&again, order, json!({ "outcome": "Open" })).await.status, 200, "it may be opened again");
}

#[tokio::test]
async fn what_somebody_else_changed_meanwhile_is_not_written_over() {
    let test = TestApp::start().await;
    let (order, budi, ann) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"), test.as_staff(Team, "Ann"));
    move_to(&budi, &[order], ChargeBack).await;
    let seen = dispute(&budi, order).await["updated_at"].clone();
    let by_ann = save(&ann, order, json!({ "caseId": "CB-1", "updated_at": seen })).await;
    assert_eq!(by_ann.status, 200, "{by_ann}");
    let late = save(&budi, order, json!({ "caseId": "CB-2", "updated_at": seen })).await;
    assert_eq!(late.status, 409, "{late}");
    assert!(late.message().starts_with(&format!("The chargeback of order {order} was changed by Ann at ")), "{late}");
    assert!(late.message().ends_with("Please open the form again"), "{late}");
    assert_eq!(dispute(&budi, order).await["case_id"], "CB-1");
}

#[tokio::test]
async fn a_dispute_belongs_to_an_order_that_is_or_was_in_chargeback() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    assert_snapshot!(save(&budi, order, json!({ "outcome": "Won" })).await, @r#"409 {"status":0,"code":"no_chargeback","message":"Order 100001 has no chargeback. Move it to ChargeBack first"}"#);
    move_to(&budi, &[order], ChargeBack).await;
    move_to(&budi, &[order], Completed).await;
    assert_snapshot!(save(&budi, order, json!({})).await, @r#"409 {"status":0,"code":"order_not_in_chargeback","message":"Order 100001 is not in ChargeBack, so its chargeback cannot be open. Move it there first"}"#);
    assert_eq!(save(&budi, order, json!({ "outcome": "Won" })).await.status, 200);
    assert_snapshot!(save(&budi, 999_999, json!({})).await, @r#"404 {"status":0,"code":"disputed_order_not_found","message":"There is no order 999999"}"#);
    assert_snapshot!(save(&budi, order, json!({ "network": null })).await, @r#"422 {"status":0,"code":"network_missing","message":"Please select the network"}"#);
}

#[tokio::test]
async fn the_same_form_again_changes_nothing_and_a_key_counts_once() {
    let test = TestApp::start().await;
    let order = paid(&test, "Visa").await;
    let budi = test.as_staff(Team, "Budi").with_key("one");
    move_to(&budi, &[order], ChargeBack).await;
    let first = save(&budi, order, json!({ "caseId": "CB-1" })).await;
    assert_eq!(save(&budi, order, json!({ "caseId": "CB-1" })).await.text, first.text);
    assert_eq!(save(&budi, order, json!({ "caseId": "CB-2" })).await.status, 422, "another body under the key");
    let seen = dispute(&budi, order).await["updated_at"].clone();
    assert_eq!(save(&test.as_staff(Team, "Ann"), order, json!({ "caseId": "CB-1" })).await.status, 200);
    assert_eq!(dispute(&budi, order).await["updated_at"], seen);
    assert_eq!(told(&test, order).await.len(), 2, "opened and saved");
}

#[tokio::test]
async fn whatever_moves_every_order_in_chargeback_has_a_dispute_and_open_ones_are_nowhere_else() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(paid(&test, "Visa").await);
    }
    let ayu = test.as_staff(Admin, "Ayu");
    let elsewhere = other_node.with_token(ayu.token().await);
    let targets = [ChargeBack, Completed, Deleted, ChargeBack, Refunds, ChargeBack];
    for round in 0..40_usize {
        let pick = |node: usize| [ids[(round * 7 + node) % 4], ids[(round * 5 + node * 3 + 1) % 4]];
        let body = |node: usize| {
            let mut chosen = pick(node).to_vec();
            chosen.dedup();
            json!({ "orderId": chosen, "updatingStatus": targets[(round * 11 + node * 5) % 6] })
        };
        let restore = json!({ "orderId": [ids[round % 4]] });
        let (one, two, three) = tokio::join!(
            ayu.put("/admin/change-order-status", body(0)),
            elsewhere.put("/admin/change-order-status", body(1)),
            elsewhere.put("/admin/restore-orders", restore),
        );
        for answer in [one, two, three] {
            assert!(matches!(answer.status, 200 | 409), "{answer}");
        }
        let rows: Vec<(ProcessStatus, Option<String>)> = test
            .read(|conn| {
                let rows = orders::table.left_join(chargebacks::table);
                Ok(rows.select((orders::process_status, chargebacks::outcome.nullable())).load(conn)?)
            })
            .await;
        for (status, outcome) in rows {
            let is_open = outcome.as_deref() == Some("Open");
            assert_eq!(is_open, status == ChargeBack, "{status} {outcome:?}");
        }
    }
}
