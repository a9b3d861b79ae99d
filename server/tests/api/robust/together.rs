//! Statements that are sent to the server together.

use diesel::prelude::*;
use visadesk::db::schema::{orders, remarks};
use visadesk::db::{Conn, read_together};
use visadesk::error::Result;
use visadesk::ids::OrderId;
use visadesk::orders::status::ProcessStatus::{Awaiting, New};

use crate::support::TestApp;
use crate::support::statements::Statements;

fn count(conn: &mut Conn) -> Result<i64> {
    Ok(orders::table.count().get_result(conn)?)
}

/// The newest order, and its status: the second statement depends on the first one.
fn newest(conn: &mut Conn) -> Result<Option<(OrderId, String)>> {
    let newest = orders::table.order(orders::order_id.desc()).select(orders::order_id);
    let Some(newest) = newest.first::<OrderId>(conn).optional()? else { return Ok(None) };
    let status: String = orders::table.find(newest).select(orders::process_status).first(conn)?;
    Ok(Some((newest, status)))
}

#[tokio::test]
async fn they_answer_as_one_by_one_and_each_is_sent_once() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let last = test.add_order(Awaiting).await;
    let statements = Statements::watch(&test).await;
    statements.take();
    let read = test.read(|conn| {
        read_together(conn, |conn| {
            let remarks: i64 = remarks::table.count().get_result(conn).optional()?.unwrap_or_default();
            let newest = newest(conn)?;
            Ok((remarks, newest, count(conn)?))
        })
    });
    assert_eq!(read.await, (0, Some((OrderId(last), "Awaiting".into())), 2));
    let asked = statements.take();
    let of_orders: Vec<&String> = asked.iter().filter(|text| text.contains("orders")).collect();
    assert_eq!(of_orders.len(), 3, "{asked:?}");
}

#[tokio::test]
async fn what_came_ahead_is_not_known_afterwards() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let counts = test.write(|tx| {
        let mut counts = [0; 3];
        // The statement is learnt twice and needed once.
        let is_first = std::cell::Cell::new(true);
        counts[0] = read_together(tx, |tx| {
            if is_first.replace(false) {
                count(tx).ok();
            }
            count(tx)
        })?;
        diesel::update(orders::table).set(orders::process_status.eq("Awaiting")).execute(tx)?;
        let waiting = |tx: &mut Conn| -> Result<i64> {
            Ok(orders::table.filter(orders::process_status.eq("Awaiting")).count().get_result(tx)?)
        };
        counts[1] = read_together(tx, waiting)?;
        diesel::update(orders::table).set(orders::process_status.eq("New")).execute(tx)?;
        counts[2] = waiting(tx)?;
        Ok(counts)
    });
    assert_eq!(counts.await, [1, 1, 0]);
}

#[tokio::test]
async fn work_that_panics_leaves_a_connection_that_can_be_used() {
    let test = TestApp::start().await;
    test.add_order(New).await;
    let counts = test.read(|conn| {
        let panicked = read_together(conn, |conn| {
            count(conn).ok();
            if true { panic!("in a test") } else { count(conn) }
        });
        Ok((panicked.map_err(|error| error.cause()), count(conn)?))
    });
    assert_eq!(counts.await, (Err(Some("in a test".into())), 1));
}
