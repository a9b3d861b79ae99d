//! A change of many orders sends as many statements as one of a few, because its transaction locks all of them.

use serde_json::{Value, json};
use visadesk::orders::status::ProcessStatus::{ChargeBack, Completed, Deleted, New};
use visadesk::staff::rules::StaffType::{Admin, Manager};

use crate::refunds::add_orders;
use crate::support::TestApp;
use crate::support::statements::Statements;

/// Every bulk change, as call and body. The orders begin in Refunds, and end where they were before their deletion.
fn changes(ids: &[i64]) -> Vec<(&'static str, Value)> {
    let assign = |name: &str| ("assign-order-status", json!({ "orderId": ids, "assignto": name }));
    // A move into ChargeBack also opens disputes, and one out of it withdraws them.
    let moves = [Completed, ChargeBack, New, ChargeBack, Deleted]
        .map(|to| ("change-order-status", json!({ "orderId": ids, "updatingStatus": to.as_str() })));
    let mut changes = vec![("move-to-complete-refund", json!({ "orderId": ids })), assign("Ayu"), assign("")];
    changes.extend(moves);
    changes.push(("restore-orders", json!({ "orderId": ids })));
    changes
}

#[tokio::test]
async fn the_number_of_statements_of_a_change_does_not_grow_with_the_number_of_orders() {
    let test = TestApp::start().await;
    // The server stores the last use of a session once a minute.
    test.clock.stop();
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let statements = Statements::watch(&test).await;
    let mut sent = Vec::new();
    for count in [5, 500] {
        let ids = add_orders(test.db(), count).await;
        let mut sent_by_change = Vec::new();
        for (call, body) in changes(&ids) {
            statements.take();
            let answer = ayu.put(&format!("/admin/{call}"), body).await;
            assert_eq!(answer.status, 200, "{call} of {count} orders: {answer}");
            sent_by_change.push(statements.take());
        }
        sent.push(sent_by_change);
    }
    for ((call, body), (few, many)) in changes(&[]).into_iter().zip(sent[0].iter().zip(&sent[1])) {
        assert!(!few.is_empty(), "{call} {body}: the statements are recorded");
        assert_eq!(few.len(), many.len(), "{call} {body}: {few:#?}");
    }
}

#[tokio::test]
async fn the_number_of_statements_of_an_approval_does_not_grow_with_the_number_of_orders() {
    let test = TestApp::start_with(|config| config.refunds.approval_orders = 1).await;
    test.clock.stop();
    let (ayu, made) = (test.as_staff(Admin, "Ayu"), test.as_staff(Manager, "Made"));
    ayu.id().await;
    made.id().await;
    let statements = Statements::watch(&test).await;
    let mut sent = Vec::new();
    for count in [5, 500] {
        let ids = add_orders(test.db(), count).await;
        statements.take();
        let waits = ayu.put("/admin/move-to-complete-refund", json!({ "orderId": ids })).await;
        assert_eq!(waits.status, 202, "{waits}");
        let requested = statements.take().len();
        let list = made.get("/admin/refund-approvals").await;
        assert_eq!(list.data()["waiting"], 1, "{list}");
        let listed = statements.take().len();
        let body = json!({ "approvalId": waits.json["approval"]["approval_id"] });
        assert_eq!(made.put("/admin/approve-refunds", body).await.status, 200);
        sent.push([requested, listed, statements.take().len()]);
    }
    assert!(sent[0].iter().all(|count| *count > 0), "the statements are recorded");
    assert_eq!(sent[0], sent[1]);
}
