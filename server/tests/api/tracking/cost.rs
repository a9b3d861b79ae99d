//! The cost of a failed track request, counted in statements: response times must not reveal which orders exist.

use serde_json::{Value, json};
use visadesk::orders::status::ProcessStatus::{Deleted, New};

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

#[tokio::test]
async fn asking_for_a_code_and_guessing_it_run_the_same_statements_for_every_order() {
    let test = TestApp::start_open().await;
    let with_account =
        test.add_order_with(New, |order| order.application.account_email = Some("family@post.example".into())).await;
    let (plain, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let statements = Statements::watch(&test).await;
    let mut costs: Vec<(Value, Vec<String>)> = Vec::new();
    for name in [json!(plain), json!(with_account), json!(deleted), json!(999_999), json!("nonsense")] {
        statements.take();
        let asked = test.anonymous().send_code(name.clone(), Some("ana@post.example")).await;
        visadesk::public::codes::mail_requested(&test.app.public).await.expect("the codes are mailed");
        statements.take();
        test.anonymous().send_code(name.clone(), Some("ana@post.example")).await;
        let mut ran = statements.take();
        let ticket = asked.json["codeToken"].as_str().expect("a ticket").to_owned();
        statements.take();
        assert_eq!(test.anonymous().confirm_code(name.clone(), "000000", &ticket).await.status, 404);
        ran.extend(statements.take());
        costs.push((name, ran));
    }
    let shapes = |ran: &[String]| {
        ran.iter().map(|sql| sql.split(" -- binds").next().unwrap_or(sql).to_owned()).collect::<Vec<_>>()
    };
    let first = shapes(&costs[0].1);
    assert!(first.len() > 4, "statements are counted: {first:?}");
    for (name, ran) in &costs {
        assert_eq!(shapes(ran), first, "{name}");
    }
}
