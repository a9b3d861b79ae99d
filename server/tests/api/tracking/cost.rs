//! The cost of a failed track request, counted in statements: response times must not reveal which orders exist.

use serde_json::{Value, json};
use visadesk::orders::rules::ProcessStatus::{Deleted, New};

use crate::support::TestApp;
use crate::support::statements::Statements;

#[tokio::test]
async fn a_wrong_email_an_unknown_order_and_a_deleted_one_run_the_same_number_of_statements() {
    let test = TestApp::start_open().await;
    let with_account =
        test.add_order_with(New, |order| order.application.account_email = Some("family@post.example".into())).await;
    let (plain, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let statements = Statements::watch(&test).await;
    let mut costs: Vec<(Value, usize)> = Vec::new();
    for name in
        [json!(plain), json!(with_account), json!(deleted), json!(999_999), json!("VD-999999"), json!("nonsense")]
    {
        // The first failure for a target inserts its row. Later failures update it.
        for _ in 0..2 {
            statements.take();
            assert_eq!(test.anonymous().track(name.clone(), "wrong@post.example").await.status, 404);
            costs.push((name.clone(), statements.take().len()));
        }
    }
    assert!(costs[0].1 > 5, "statements are counted: {costs:?}");
    assert!(costs.iter().all(|(_, cost)| *cost == costs[0].1), "{costs:?}");
}
