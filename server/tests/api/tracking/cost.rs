//! What a failed track costs. The statements are counted, not the time: a stranger with a watch must learn nothing from either.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use diesel::connection::{Connection, InstrumentationEvent};
use serde_json::{Value, json};
use visadesk::db::Conn;
use visadesk::orders::rules::ProcessStatus::{Deleted, New};

use crate::support::TestApp;
use crate::support::database::{CONNECTIONS, is_postgres};

/// Counts the statements of every connection of the program from now on.
async fn count_statements(test: &TestApp) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let watch = |conn: &mut Conn, count: &Arc<AtomicUsize>| {
        let count = count.clone();
        conn.set_instrumentation(move |event: InstrumentationEvent<'_>| {
            if matches!(event, InstrumentationEvent::StartQuery { .. }) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
    };
    // Each waits until all are lent, so that each is another one.
    let all = Arc::new(Barrier::new(CONNECTIONS as usize));
    let readers = (0..CONNECTIONS).map(|_| {
        let (all, count) = (all.clone(), count.clone());
        test.read(move |conn| {
            watch(conn, &count);
            all.wait();
            Ok(())
        })
    });
    futures_util::future::join_all(readers).await;
    let writers = if is_postgres() { CONNECTIONS } else { 1 };
    let all = Arc::new(Barrier::new(writers as usize));
    let writers = (0..writers).map(|_| {
        let (all, count) = (all.clone(), count.clone());
        test.write(move |tx| {
            watch(tx, &count);
            all.wait();
            Ok(())
        })
    });
    futures_util::future::join_all(writers).await;
    count
}

#[tokio::test]
async fn a_wrong_email_an_unknown_order_and_a_deleted_one_cost_the_same_statements() {
    let test = TestApp::start_open().await;
    let with_account =
        test.add_order_with(New, |order| order.application.account_email = Some("family@post.example".into())).await;
    let (plain, deleted) = (test.add_order(New).await, test.add_order(Deleted).await);
    let count = count_statements(&test).await;
    let mut costs: Vec<(Value, usize)> = Vec::new();
    for name in
        [json!(plain), json!(with_account), json!(deleted), json!(999_999), json!("VD-999999"), json!("nonsense")]
    {
        // The first failure at a target makes its row; each later one changes it.
        for _ in 0..2 {
            let before = count.load(Ordering::Relaxed);
            assert_eq!(test.anonymous().track(name.clone(), "wrong@post.example").await.status, 404);
            costs.push((name.clone(), count.load(Ordering::Relaxed) - before));
        }
    }
    assert!(costs[0].1 > 5, "statements are counted: {costs:?}");
    assert!(costs.iter().all(|(_, cost)| *cost == costs[0].1), "{costs:?}");
}
