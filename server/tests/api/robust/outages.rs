//! Outages of the database and recovery from them.

use diesel::prelude::*;
use futures_util::future::join_all;
use serde_json::json;
use visadesk::orders::status::ProcessStatus;
use visadesk::staff::rules::StaffType::Admin;

use crate::support::database::{Database, apart, connect, end_other_connections, runs_on, server_url};
use crate::support::program::{Installation, Program};
use crate::support::{PATIENCE, TestApp, until};

/// Allows or refuses new connections to the database of `url`.
fn allow_connections(url: &str, allow: bool) {
    let (_, name) = url.split('?').next().and_then(|url| url.rsplit_once('/')).expect("the URL names a database");
    let statement = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {allow}");
    let mut conn = connect(&server_url());
    apart(move || diesel::sql_query(statement).execute(&mut conn).expect("the database is altered"));
}

#[tokio::test]
async fn dead_pooled_connections_never_fail_a_request() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    let test = TestApp::start().await;
    let order = test.add_order(ProcessStatus::New).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let url = test.app.config.database_url.clone();
    for round in 0..5 {
        // All connections of both pools are open.
        join_all((0..12).map(|_| async { assert_eq!(ayu.list("newOrder").await, [order]) })).await;
        end_other_connections(&mut connect(&url)).await;
        if round % 2 == 0 {
            let answer = ayu.get("/admin/get-orders-list/newOrder").await;
            assert_eq!(answer.status, 200, "the first read after it: {answer}");
        }
        let status = if round % 2 == 0 { "Awaiting" } else { "New" };
        let body = json!({ "orderId": [order], "updatingStatus": status });
        let answer = ayu.put("/admin/change-order-status", body).await;
        assert_eq!(answer.status, 200, "the first write after it: {answer}");
        let body = json!({ "orderId": [order], "updatingStatus": "New" });
        ayu.put("/admin/change-order-status", body).await;
    }
}

#[tokio::test]
async fn during_a_database_outage_requests_fail_fast_and_recover_afterwards() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    let test = TestApp::start().await;
    let order = test.add_order(ProcessStatus::New).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let url = test.app.config.database_url.clone();
    join_all((0..12).map(|_| async { assert_eq!(ayu.list("newOrder").await, [order]) })).await;

    let mut conn = connect(&url);
    allow_connections(&url, false);
    end_other_connections(&mut conn).await;
    drop(conn);
    for _ in 0..3 {
        let answer = ayu.get("/admin/get-orders-list/newOrder").await;
        // A request that waits for a connection, as if the database were only busy, is refused as database_busy.
        assert_eq!((answer.status, &answer.json["code"]), (503, &json!("database_unreachable")), "{answer}");
        assert!(answer.json["status"] == 0 && !answer.header("retry-after").is_empty(), "{answer}");
    }
    assert_eq!(test.anonymous().page("/healthz").await.status, 200, "the server itself is healthy");
    assert_eq!(test.anonymous().page("/readyz").await.status, 503);

    allow_connections(&url, true);
    let list = async || ayu.get("/admin/get-orders-list/newOrder").await.status;
    until("the server recovers", async || (list().await == 200).then_some(())).await;
    let body = json!({ "orderId": [order], "updatingStatus": "Awaiting" });
    assert_eq!(ayu.put("/admin/change-order-status", body).await.status, 200);
    assert_eq!(ayu.list("awaitingOrder").await, [order]);
}

#[tokio::test]
async fn a_server_started_without_its_database_waits_for_it() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    let installation = Installation::make().await;
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let address = port.expect("a port is free").to_string();
    allow_connections(&installation.database_url(), false);
    let mut command = installation.command(&["serve"]);
    command.env("VISADESK_LISTEN", &address);
    let starting = tokio::task::spawn_blocking(move || Program::start(command));

    let (healthz, list) = (format!("http://{address}/healthz"), format!("http://{address}/api/user_info"));
    until("the server listens", async || reqwest::get(&healthz).await.ok()).await;
    let answer = reqwest::get(&list).await.expect("an answer");
    assert_eq!((answer.status().as_u16(), answer.headers().contains_key("retry-after")), (503, true));
    let body: serde_json::Value = answer.json().await.expect("JSON");
    assert_eq!(body["message"], "The database cannot be reached yet. Please try again in a moment");
    assert!(!starting.is_finished(), "it is not ready");

    allow_connections(&installation.database_url(), true);
    let mut program = starting.await.expect("it becomes ready");
    let answer = reqwest::get(&list).await.expect("an answer");
    assert_eq!(answer.status(), 401, "it serves");
    program.terminate();
    assert!(program.ends_within(PATIENCE).await);
}
