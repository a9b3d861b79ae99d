//! Disputes: opened and withdrawn with their orders, edited by staff, with deadlines in the agency's days.

mod priors;
mod refusals;

use chrono::{Days, NaiveDate, TimeDelta};
use diesel::prelude::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use visadesk::db::schema::{audit, chargebacks, orders};
use visadesk::money::Currency;
use visadesk::orders::facts::Payment;
use visadesk::orders::status::ProcessStatus::{
    self, ChargeBack, Completed, CustomerCalled, Deleted, Future, New, Refunds,
};
use visadesk::staff::rules::StaffType::{Admin, Team};

use crate::support::{Answer, Client, TestApp};

fn today(test: &TestApp) -> NaiveDate {
    test.clock.today(test.app.config.time_zone)
}

fn in_days(test: &TestApp, days: u64) -> String {
    today(test).checked_add_days(Days::new(days)).expect("a day").to_string()
}

/// Adds a completed order that was paid with a card of this brand.
async fn paid(test: &TestApp, card_brand: &str) -> i64 {
    let paid_at = test.clock.now();
    test.add_order_with(Completed, |order| {
        order.payment = Some(Payment {
            gateway: "Stripe".into(),
            payment_reference: "pay_1".into(),
            amount_minor: 14_900,
            currency: Currency::parse("USD").unwrap(),
            card_brand: Some(card_brand.into()),
            card_last_four: Some("4242".into()),
            paid_at,
        });
    })
    .await
}

async fn move_to(client: &Client<'_>, orders: &[i64], to: ProcessStatus) {
    let moved = client.put("/admin/change-order-status", json!({ "orderId": orders, "updatingStatus": to })).await;
    assert_eq!(moved.status, 200, "{moved}");
}

async fn details(client: &Client<'_>, order: i64) -> Value {
    client.get(&format!("/admin/get-orders-details/{order}")).await.data().clone()
}

async fn dispute(client: &Client<'_>, order: i64) -> Value {
    details(client, order).await["chargeback"].clone()
}

/// Formats the audit rows of disputes and transaction details: actor, action, old and new value.
async fn audit_rows(test: &TestApp, order: i64) -> Vec<String> {
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

/// A valid form of an order's dispute, with the changes in `more`.
pub fn form(order: i64, more: Value) -> Value {
    let mut form = json!({ "orderId": order, "network": "Visa", "reasonGroup": "", "reasonCode": "", "caseId": "",
        "amount": "", "currency": "", "arn": "", "openedOn": "", "respondBy": "", "outcome": "Open" });
    for (field, value) in more.as_object().expect("fields") {
        form[field] = value.clone();
    }
    form
}

async fn save(client: &Client<'_>, order: i64, more: Value) -> Answer {
    client.post("/admin/save-chargeback", form(order, more)).await
}

#[tokio::test]
async fn transaction_details_are_required_saved_and_audited() {
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
    assert_eq!(enter("ch_1", "Visa Agency").await.status, 200, "saved again without a change");
    assert_eq!(enter("ch_2", "Visa Agency").await.status, 200);
    assert_eq!(details(&budi, order).await["transaction_id"], "ch_2");
    assert_eq!(
        audit_rows(&test, order).await,
        [
            "Budi order.transaction: nothing -> ch_1, Visa Agency",
            "Budi order.transaction: ch_1, Visa Agency -> ch_2, Visa Agency"
        ]
    );
}

#[tokio::test]
async fn only_delivered_orders_accept_transaction_details() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    for status in ProcessStatus::ALL {
        let order = test.add_order_with(*status, |order| {
            order.status_before_deletion = (*status == Deleted).then_some(New);
            order.processing_date = (*status == Future).then(|| "2100-01-01".parse().expect("a day"));
        });
        let body = json!({ "orderId": order.await, "transactionId": "ch_1", "merchantName": "Visa Agency" });
        let answer = budi.post("/admin/save-transaction-details", body).await;
        let is_accepted = matches!(status, Completed | CustomerCalled | ChargeBack);
        assert_eq!(answer.status, if is_accepted { 200 } else { 409 }, "{status}: {answer}");
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
    assert_snapshot!(budi.post("/admin/save-transaction-details", body(999_999)).await, @r#"404 {"status":0,"code":"order_not_found","message":"There is no such order"}"#);
}

#[tokio::test]
async fn saving_transaction_details_does_not_count_as_a_change_of_the_order() {
    let test = TestApp::start().await;
    let (ann, budi) = (test.as_staff(Team, "Ann"), test.as_staff(Team, "Budi"));
    let order = test.add_order(Completed).await;
    let known_version = details(&budi, order).await["updated_at"].clone();
    move_to(&ann, &[order], CustomerCalled).await;
    let body = json!({ "orderId": order, "transactionId": "ch_1", "merchantName": "Visa Agency" });
    assert_eq!(budi.post("/admin/save-transaction-details", body).await.status, 200);
    let body = json!({ "orderId": order, "updatingStatus": "Refunds", "updated_at": known_version });
    let rejected = budi.put("/admin/move-order-status", body).await;
    assert!(rejected.message().contains(&format!("order {order} was changed by Ann")), "{rejected}");
}

#[tokio::test]
async fn the_form_lists_networks_with_their_days_to_respond() {
    let test = TestApp::start_with(|config| config.chargebacks.days_to_respond.visa = 18).await;
    assert_snapshot!(test.as_staff(Team, "Budi").get("/admin/chargeback-terms").await, @r#"200 {"status":1,"message":"","data":{"networks":[{"network":"Visa","days":18},{"network":"Mastercard","days":45},{"network":"American Express","days":20},{"network":"Discover","days":30},{"network":"PayPal","days":10},{"network":"Other","days":20}],"reason_groups":["Fraud","Not received","Not as described","Cancelled or credit","Duplicate","Other"],"outcomes":["Open","Won","Lost","Accepted","Withdrawn"],"working_days":7}}"#);
}

#[tokio::test]
async fn a_move_to_chargeback_opens_a_dispute_and_a_move_away_withdraws_it() {
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
    let withdrawn = dispute(&budi, order).await;
    assert_eq!(
        (&withdrawn["outcome"], &withdrawn["urgency"], &withdrawn["days_left"]),
        (&json!("Withdrawn"), &json!("Withdrawn"), &Value::Null)
    );
    move_to(&test.as_staff(Team, "Ann"), &[order], ChargeBack).await;
    let reopened = dispute(&budi, order).await;
    assert_eq!(
        (&reopened["outcome"], &reopened["case_id"], &reopened["updated_by"]),
        (&json!("Open"), &json!("CB-7"), &json!("Ann"))
    );
    let day = in_days(&test, 45);
    assert_eq!(
        audit_rows(&test, order).await,
        [
            format!("Budi chargeback.open: nothing -> Mastercard, USD 149.00, opened on TODAY, respond by {day}, Open"),
            format!(
                "Budi chargeback.save: Mastercard, USD 149.00, opened on TODAY, respond by {day}, Open -> Mastercard, case CB-7, opened on TODAY, respond by {day}, Open"
            ),
            "Budi chargeback.withdraw: Open -> Withdrawn".to_owned(),
            format!(
                "Ann chargeback.open: Mastercard, case CB-7, opened on TODAY, respond by {day}, Withdrawn -> Mastercard, case CB-7, opened on TODAY, respond by {day}, Open"
            ),
        ]
    );
}

#[tokio::test]
async fn deleting_withdraws_an_open_dispute_restoring_reopens_it_and_a_decided_one_is_unchanged() {
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
    let actions: Vec<String> =
        audit_rows(&test, won).await.iter().map(|one| one.split(':').next().unwrap().to_owned()).collect();
    assert_eq!(actions, ["Ayu chargeback.open", "Ayu chargeback.save"]);
}

#[tokio::test]
async fn a_second_dispute_has_a_deadline_that_is_ahead() {
    let test = TestApp::start().await;
    for outcome in ["Won", "Withdrawn"] {
        let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
        move_to(&budi, &[order], ChargeBack).await;
        if outcome == "Won" {
            assert_eq!(save(&budi, order, json!({ "outcome": outcome })).await.status, 200);
        }
        move_to(&budi, &[order], Completed).await;
        assert_eq!(dispute(&budi, order).await["outcome"], outcome);
        test.later(TimeDelta::days(60));
        let budi = test.as_staff(Team, "Budi");
        move_to(&budi, &[order], ChargeBack).await;
        let second = dispute(&budi, order).await;
        assert_eq!(
            [&second["outcome"], &second["opened_on"], &second["respond_by"], &second["urgency"]],
            [&json!("Open"), &json!(in_days(&test, 0)), &json!(in_days(&test, 30)), &json!("In time")],
            "after {outcome}"
        );
    }
}

#[tokio::test]
async fn a_rejected_move_opens_no_dispute() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    let body = json!({ "orderId": [order, 999_999], "updatingStatus": "ChargeBack" });
    assert_eq!(budi.put("/admin/change-order-status", body).await.status, 404);
    assert_eq!(dispute(&budi, order).await, Value::Null);
}

#[tokio::test]
async fn a_dispute_is_saved_and_shown_in_the_list_with_its_days_left() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    move_to(&budi, &[order], ChargeBack).await;
    let fields = json!({ "reasonGroup": "Fraud", "reasonCode": "10.4", "caseId": " CB-1 ", "amount": "100", "currency": "eur",
        "arn": "74537604221431003881865", "openedOn": in_days(&test, 0), "respondBy": in_days(&test, 3) });
    assert_snapshot!(save(&budi, order, fields.clone()).await, @r#"200 {"status":1,"message":"Chargeback saved successfully"}"#);
    let shown = dispute(&budi, order).await;
    let names = ["network", "reason_group", "reason_code", "case_id", "amount", "currency", "arn"];
    assert_snapshot!(json!(names.map(|field| shown[field].clone())), @r#"["Visa","Fraud","10.4","CB-1","100.00","EUR","74537604221431003881865"]"#);

    let row = async |folder: &str| {
        let list = budi.get(&format!("/admin/get-orders-list/{folder}")).await;
        list.data()[0]["chargeback"].clone()
    };
    let due = json!({ "respond_by": in_days(&test, 3), "working_deadline": in_days(&test, 3), "days_left": 3, "urgency": "Soon", "outcome": "Open" });
    assert_eq!(row("chargeBack").await, due);
    assert_eq!(row("chargeBackOrder").await, due);
    assert_eq!(row("allOrder").await, due, "in every list");
    let found = budi.post("/admin/search-order", json!({ "searchVal": "Ana", "folderName": "chargeBackOrder" })).await;
    assert_eq!(found.data()[0]["chargeback"], due);

    for (days, left, urgency) in [(1, 2, "Urgent"), (2, 0, "Due today"), (1, -1, "Overdue")] {
        test.later(TimeDelta::days(days));
        let list = test.as_staff(Team, "Citra").get("/admin/get-orders-list/chargeBack").await;
        let due = &list.data()[0]["chargeback"];
        assert_eq!((&due["days_left"], &due["urgency"]), (&json!(left), &json!(urgency)));
    }
    let again = test.as_staff(Team, "Dian");
    assert_eq!(save(&again, order, json!({ "outcome": "Lost" })).await.status, 200);
    assert_eq!(dispute(&again, order).await["urgency"], "Lost");
    assert_eq!(
        save(&again, order, json!({ "outcome": "Open" })).await.status,
        200,
        "a decided dispute can be opened again"
    );
}

#[tokio::test]
async fn a_dispute_changed_by_another_member_is_not_overwritten() {
    let test = TestApp::start().await;
    let (order, budi, ann) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"), test.as_staff(Team, "Ann"));
    move_to(&budi, &[order], ChargeBack).await;
    let known_version = dispute(&budi, order).await["updated_at"].clone();
    let by_ann = save(&ann, order, json!({ "caseId": "CB-1", "updated_at": known_version })).await;
    assert_eq!(by_ann.status, 200, "{by_ann}");
    let late = save(&budi, order, json!({ "caseId": "CB-2", "updated_at": known_version })).await;
    assert_eq!(late.status, 409, "{late}");
    assert!(late.message().starts_with(&format!("The chargeback of order {order} was changed by Ann at ")), "{late}");
    assert!(late.message().ends_with("Please open the form again"), "{late}");
    assert_eq!(dispute(&budi, order).await["case_id"], "CB-1");
}

#[tokio::test]
async fn only_an_order_that_is_or_was_in_chargeback_has_a_dispute() {
    let test = TestApp::start().await;
    let (order, budi) = (paid(&test, "Visa").await, test.as_staff(Team, "Budi"));
    assert_snapshot!(save(&budi, order, json!({ "outcome": "Won" })).await, @r#"409 {"status":0,"code":"no_chargeback","message":"Order 100001 has no chargeback. Move it to ChargeBack first"}"#);
    move_to(&budi, &[order], ChargeBack).await;
    move_to(&budi, &[order], Completed).await;
    assert_snapshot!(save(&budi, order, json!({})).await, @r#"409 {"status":0,"code":"order_not_in_chargeback","message":"Order 100001 is not in ChargeBack, so its chargeback cannot be open. Move it there first"}"#);
    assert_eq!(save(&budi, order, json!({ "outcome": "Won" })).await.status, 200);
    assert_snapshot!(save(&budi, 999_999, json!({})).await, @r#"404 {"status":0,"code":"order_not_found","message":"There is no such order"}"#);
    assert_snapshot!(save(&budi, order, json!({ "network": null })).await, @r#"422 {"status":0,"code":"network_missing","message":"Please select the network"}"#);
}

#[tokio::test]
async fn saving_the_same_form_again_changes_nothing_and_a_key_applies_once() {
    let test = TestApp::start().await;
    let order = paid(&test, "Visa").await;
    let budi = test.as_staff(Team, "Budi").with_key("one");
    move_to(&budi, &[order], ChargeBack).await;
    let first = save(&budi, order, json!({ "caseId": "CB-1" })).await;
    assert_eq!(save(&budi, order, json!({ "caseId": "CB-1" })).await.text, first.text);
    assert_eq!(save(&budi, order, json!({ "caseId": "CB-2" })).await.status, 422, "another body with the same key");
    let updated_at = dispute(&budi, order).await["updated_at"].clone();
    assert_eq!(save(&test.as_staff(Team, "Ann"), order, json!({ "caseId": "CB-1" })).await.status, 200);
    assert_eq!(dispute(&budi, order).await["updated_at"], updated_at);
    assert_eq!(audit_rows(&test, order).await.len(), 2, "opened and saved");
}

#[tokio::test]
async fn after_concurrent_moves_exactly_the_orders_in_chargeback_have_an_open_dispute() {
    let test = TestApp::start().await;
    let other_node = test.another_node().await;
    let mut ids = Vec::new();
    for _ in 0..4 {
        ids.push(paid(&test, "Visa").await);
    }
    let ayu = test.as_staff(Admin, "Ayu");
    let on_other_node = other_node.with_token(ayu.token().await);
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
            on_other_node.put("/admin/change-order-status", body(1)),
            on_other_node.put("/admin/restore-orders", restore),
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
