//! The share of applicants and strangers: what they occupy is not taken from staff.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::watch;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Team;

use crate::support::database::{CONNECTIONS, is_postgres};
use crate::support::{TestApp, until};

/// Queries that hold their connections until they are released. Counts how many run at the same time.
fn occupy(running: &Arc<AtomicUsize>, end: &watch::Receiver<bool>) -> impl Fn() + Clone + Send + 'static {
    let (running, end) = (running.clone(), end.clone());
    move || {
        running.fetch_add(1, Ordering::SeqCst);
        // Also if the test fails, which drops the sender.
        while !*end.borrow() && end.has_changed().is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[tokio::test]
async fn public_calls_occupy_a_quarter_of_the_connections_and_staff_read_and_write_beside_them() {
    let test = TestApp::start().await;
    let order = test.add_order(New).await;
    let (visitor, budi) = (test.as_visitor(order).await, test.as_staff(Team, "Budi"));
    assert_eq!(budi.list("newOrder").await, [order]);
    let (running, (ending, end)) = (Arc::new(AtomicUsize::new(0)), watch::channel(false));
    let reads: Vec<_> = (0..2 * CONNECTIONS)
        .map(|_| {
            let (db, work) = (test.app.public.db.clone(), occupy(&running, &end));
            tokio::spawn(async move {
                db.read(move |_| {
                    work();
                    Ok(())
                })
                .await
                .is_ok()
            })
        })
        .collect();
    until("a read occupies the share", async || (running.load(Ordering::SeqCst) == 1).then_some(())).await;
    // On SQLite a write that waits would hold up every other write.
    let writes: Vec<_> = (0..if is_postgres() { 2 * CONNECTIONS } else { 0 })
        .map(|_| {
            let (db, work) = (test.app.public.db.clone(), occupy(&running, &end));
            tokio::spawn(async move {
                db.write(move |_| {
                    work();
                    Ok(())
                })
                .await
                .is_ok()
            })
        })
        .collect();
    let share = if is_postgres() { 2 } else { 1 };
    until("the share of writes, too", async || (running.load(Ordering::SeqCst) == share).then_some(())).await;

    let history = visitor.history(order);
    let staff = async {
        for _ in 0..3 {
            let lists = join_all((0..CONNECTIONS).map(|_| budi.list("newOrder"))).await;
            assert!(lists.iter().all(|list| *list == [order]), "staff read");
            let assigned =
                budi.put("/admin/assign-order-status", serde_json::json!({ "orderId": [order], "assignto": "" })).await;
            assert!(assigned.status < 500, "staff write: {assigned}");
        }
        assert_eq!(running.load(Ordering::SeqCst), share, "no further public call got a connection");
        ending.send_replace(true);
    };
    let (history, ()) = tokio::join!(history, staff);
    assert_eq!(history.status, 200, "the public call waited: {history}");
    for call in reads.into_iter().chain(writes) {
        assert!(call.await.expect("it ends"), "all of them were served in the end");
    }
}
