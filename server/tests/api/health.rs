use std::time::Instant;

use futures_util::future::join_all;
use insta::assert_snapshot;
use visadesk::staff::rules::StaffType::Team;

use crate::support::TestApp;
use crate::support::statements::Statements;

#[tokio::test]
async fn a_running_server_is_healthy_and_ready() {
    let test = TestApp::start().await;
    assert_snapshot!(test.anonymous().page("/healthz").await, @"200 ok");
    assert_snapshot!(test.anonymous().page("/readyz").await, @r"
    200 ready
    last backup: none
    ");
    let metrics = test.anonymous().page("/metrics").await;
    assert_eq!(metrics.status, 200);
}

#[tokio::test]
async fn asking_whether_the_process_is_alive_asks_no_database() {
    let test = TestApp::start().await;
    let statements = Statements::watch(&test).await;
    statements.take();
    for _ in 0..50 {
        assert_eq!(test.anonymous().page("/healthz").await.status, 200);
    }
    assert_eq!(statements.take(), [""; 0]);
    assert_eq!(test.anonymous().page("/readyz").await.status, 200);
    assert!(!statements.take().is_empty(), "statements are recorded");
}

#[tokio::test]
async fn asking_whether_the_server_is_ready_asks_the_database_at_most_once_a_second() {
    let test = TestApp::start().await;
    let statements = Statements::watch(&test).await;
    statements.take();
    let since = Instant::now();
    let ask = async || assert_eq!(test.anonymous().page("/readyz").await.status, 200);
    join_all((0..20).map(|_| ask())).await;
    for _ in 0..20 {
        ask().await;
    }
    let asked = statements.take().iter().filter(|statement| statement.contains("backups")).count();
    let seconds = usize::try_from(since.elapsed().as_secs()).expect("a few");
    assert!((1..=1 + seconds).contains(&asked), "{asked} questions of 40 requests in {seconds} seconds");
}

#[tokio::test]
async fn an_unknown_api_address_returns_404() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    assert_snapshot!(budi.get("/admin/no-such-call").await, @r#"404 {"status":0,"code":"no_such_address","message":"There is nothing at this address"}"#);
}
