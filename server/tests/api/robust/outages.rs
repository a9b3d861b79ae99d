//! The database goes away and comes back.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::{Connection, PgConnection};
use futures_util::future::join_all;
use serde_json::json;
use visadesk::orders::rules::ProcessStatus;
use visadesk::staff::rules::StaffType::Admin;

use crate::support::TestApp;
use crate::support::database::is_postgres;

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// Ends every connection that the database of `url` has, as a restart of PostgreSQL would; waits until they are gone.
fn end_all_connections(url: &str) {
    let mut conn = PgConnection::establish(url).expect("PostgreSQL answers");
    let others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let list = |conn: &mut PgConnection| -> Vec<i32> {
        let found = diesel::sql_query(format!("SELECT pid {others}")).load::<Backend>(conn).expect("it answers");
        found.into_iter().map(|backend| backend.pid).collect()
    };
    let before = list(&mut conn);
    assert!(before.len() > 1, "the program has connections");
    diesel::sql_query(format!("SELECT pg_terminate_backend(pid) {others}")).execute(&mut conn).expect("it ends them");
    while list(&mut conn).iter().any(|pid| before.contains(pid)) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[tokio::test]
async fn a_dead_connection_is_never_felt() {
    if !is_postgres() {
        return; // SQLite is no server.
    }
    let test = TestApp::start().await;
    let order = test.add_order(ProcessStatus::New).await;
    let ayu = test.as_staff(Admin, "Ayu");
    ayu.id().await;
    let url = test.app.config.database_url.clone();
    for round in 0..5 {
        // All connections of both pools are open.
        join_all((0..12).map(|_| async { assert_eq!(ayu.list("newOrder").await, [order]) })).await;
        end_all_connections(&url);
        if round % 2 == 0 {
            let answer = ayu.get("/admin/get-orders-list/newOrder").await;
            assert_eq!(answer.status, 200, "the first question after it: {answer}");
        }
        let status = if round % 2 == 0 { "Awaiting" } else { "New" };
        let body = json!({ "orderId": [order], "updatingStatus": status });
        let answer = ayu.put("/admin/change-order-status", body).await;
        assert_eq!(answer.status, 200, "the first change after it: {answer}");
        let body = json!({ "orderId": [order], "updatingStatus": "New" });
        ayu.put("/admin/change-order-status", body).await;
    }
}
