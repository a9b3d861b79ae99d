//! Short reads, which share connections on PostgreSQL.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer};
use futures_util::future::{join_all, try_join_all};
use visadesk::db::schema::orders;
use visadesk::db::{Conn, DatabaseError, Db};
use visadesk::error::Result;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::New;

use crate::support::database::{Database, runs_on};
use crate::support::{TestApp, until};

#[derive(QueryableByName)]
struct Process {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// The processes of the server that answer so many look-ups at a time.
async fn processes(db: &Db, look_ups: usize) -> BTreeSet<i32> {
    let ask = |conn: &mut Conn| -> Result<i32> {
        Ok(diesel::sql_query("SELECT pg_backend_pid() AS pid, pg_sleep(0.01)").get_result::<Process>(conn)?.pid)
    };
    try_join_all((0..look_ups).map(|_| db.look_up(ask))).await.expect("they are answered").into_iter().collect()
}

/// The name of an order, and how many have it: the second statement depends on the row of the first one.
fn name_and_count(conn: &mut Conn, id: i64) -> Result<Option<(String, i64)>> {
    let name: Option<String> = orders::table.find(OrderId(id)).select(orders::full_name).first(conn).optional()?;
    let Some(name) = name else { return Ok(None) };
    let count = orders::table.filter(orders::full_name.eq(&name)).count().get_result(conn)?;
    Ok(Some((name, count)))
}

#[tokio::test]
async fn each_of_many_at_once_finds_its_own_rows_also_those_that_depend_on_others() {
    let test = TestApp::start().await;
    let mut ids = Vec::new();
    for place in 0..20 {
        // Four names, each of five orders.
        ids.push(test.add_order_with(New, |order| order.full_name = format!("Ana {}", place % 4)).await);
    }
    for _ in 0..5 {
        let found = join_all(ids.iter().chain(&[1]).map(|id| {
            let id = *id;
            test.db().look_up(move |conn| name_and_count(conn, id))
        }));
        let found: Vec<_> = found.await.into_iter().map(|found| found.expect("it is answered")).collect();
        for (place, found) in found[..20].iter().enumerate() {
            assert_eq!(*found, Some((format!("Ana {}", place % 4), 5)));
        }
        assert_eq!(found[20], None);
    }
}

#[tokio::test]
async fn one_that_fails_or_panics_has_its_error_and_disturbs_no_other() {
    let test = TestApp::start().await;
    let id = test.add_order(New).await;
    for _ in 0..10 {
        let fails = test.db().look_up(|conn| -> Result<i64> {
            let rows = diesel::sql_query("SELECT no_such_column FROM orders").execute(conn)?;
            Ok(rows as i64)
        });
        let panics = test.db().look_up(|_| -> Result<i64> { panic!("in a test") });
        let refuses = test.db().look_up(|conn| -> Result<i64> {
            name_and_count(conn, 1)?.map(|(_, count)| count).ok_or_else(|| DatabaseError::DatabaseBusy.into())
        });
        let finds = test.db().look_up(move |conn| Ok(name_and_count(conn, id)?.map_or(0, |(_, count)| count)));
        let (failed, panicked, refused, found) = tokio::join!(fails, panics, refuses, finds);
        let failed = failed.expect_err("there is no such column").cause().unwrap_or_default();
        assert!(failed.contains("no_such_column"), "{failed}");
        assert_eq!(panicked.expect_err("it panics").cause().as_deref(), Some("in a test"));
        assert_eq!(refused.expect_err("there is no such order").code(), "database_busy");
        assert_eq!(found.expect("it is answered"), 1);
    }
}

#[tokio::test]
async fn they_share_four_connections_and_use_the_pool_when_many_wait() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    let test = TestApp::start().await;
    until("all four are open", async || test.db().change_shared_connections(|_| {}).then_some(())).await;
    let shared = processes(test.db(), 32).await;
    let more = processes(test.db(), 80).await;
    assert!(more.is_superset(&shared) && more.len() > 4, "16 wait on each, the rest uses the pool: {more:?}");
    // Applicants and strangers have a share of the pool, and none of these.
    let of_share = processes(&test.db().share(), 8).await;
    assert!(of_share.is_disjoint(&shared), "{of_share:?} {shared:?}");
}

#[tokio::test]
async fn a_statement_that_is_used_again_stays_prepared() {
    if !runs_on(Database::Postgres, "SQLite has no server") {
        return;
    }
    #[derive(QueryableByName)]
    struct Prepared {
        #[diesel(sql_type = BigInt)]
        times: i64,
    }
    let test = TestApp::start().await;
    let id = test.add_order(New).await;
    until("all four are open", async || test.db().change_shared_connections(|_| {}).then_some(())).await;
    for _ in 0..20 {
        join_all((0..8).map(|_| test.db().look_up(move |conn| name_and_count(conn, id)))).await;
    }
    let prepared = test.db().look_up(|conn| {
        let of_names = "SELECT count(*) AS times FROM pg_prepared_statements WHERE statement LIKE '%full_name%'";
        Ok(diesel::sql_query(of_names).get_result::<Prepared>(conn)?.times)
    });
    assert_eq!(prepared.await.expect("it is answered"), 2, "once for each of the two statements");
}
