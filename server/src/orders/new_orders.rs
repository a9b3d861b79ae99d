//! The New orders, which triggers keep in a table of their own: an order without an owner is free to be taken.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};

use super::dialect::{self, FreeOrders};
use super::rules::next_order::TakeRank;
use crate::db::Conn;
use crate::db::one_of::one_of;
use crate::db::schema::new_orders;
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;
use crate::timestamp::Timestamp;

/// Finds the free order that is taken next that is not in `without` and no other transaction has locked, and locks it until the transaction
/// ends. Orders that have been New since `overdue_since` are overdue. Reads the first row of one index or two, and those that are passed over.
pub fn lock_next(tx: &mut Conn, overdue_since: Timestamp, without: &[OrderId]) -> Result<Option<TakeRank>> {
    for free in [FreeOrders::NewSince(overdue_since), FreeOrders::Ranked] {
        if let Some(order) = dialect::lock_first_free(tx, free, without)? {
            return Ok(Some(TakeRank::of(order, overdue_since)));
        }
    }
    Ok(None)
}

/// Notes that the applicant of an order has sent documents. Without effect unless it is New. The caller has locked it.
pub fn note_documents(tx: &mut Conn, order_id: OrderId) -> Result<()> {
    diesel::update(new_orders::table.find(order_id)).set(new_orders::has_no_papers.eq(false)).execute(tx)?;
    Ok(())
}

/// The values by which a New order waits, which an undo restores.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct WaitingSince {
    new_since: Timestamp,
    has_no_papers: bool,
}

/// Lists since when those of the orders wait that are New.
pub fn list_waiting(tx: &mut Conn, ids: &[OrderId]) -> Result<Vec<(OrderId, WaitingSince)>> {
    let columns = (new_orders::order_id, new_orders::new_since, new_orders::has_no_papers);
    let rows = new_orders::table.filter(one_of(new_orders::order_id, ids)).select(columns);
    let rows: Vec<(OrderId, Timestamp, bool)> = on_either!(tx => rows.load(tx)?);
    let waiting = |(order_id, new_since, has_no_papers)| (order_id, WaitingSince { new_since, has_no_papers });
    Ok(rows.into_iter().map(waiting).collect())
}

/// Lets an order that is New again wait as it did before. The caller has locked it.
pub fn restore_waiting(tx: &mut Conn, order_id: OrderId, since: WaitingSince) -> Result<()> {
    let WaitingSince { new_since, has_no_papers } = since;
    let set = (new_orders::new_since.eq(new_since), new_orders::has_no_papers.eq(has_no_papers));
    diesel::update(new_orders::table.find(order_id)).set(set).execute(tx)?;
    Ok(())
}
