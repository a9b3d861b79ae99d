//! The rows of documents that applicants sent without being asked, because their page said that they were missing. One ends as soon as a
//! member says something about that document. Callers hold the lock of the order.

use diesel::prelude::*;

use super::rules::{ItemState, PaperFault};
use crate::db::Conn;
use crate::db::schema::unasked_papers;
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;
use crate::orders::new_orders;
use crate::timestamp::Timestamp;

/// A document that was sent without being asked for.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = unasked_papers)]
pub struct UnaskedDocument {
    /// The document of the catalogue.
    pub kind: String,
    pub state: ItemState,
    faults: String,
    /// The number of files that the applicant has sent.
    pub uploads: i32,
}

impl UnaskedDocument {
    /// The faults that the check of the newest file found.
    pub fn faults(&self) -> Vec<PaperFault> {
        self.faults.split(',').filter_map(PaperFault::parse).collect()
    }
}

/// Lists the documents that were sent for an order without being asked for.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<UnaskedDocument>> {
    let sent = unasked_papers::table.filter(unasked_papers::order_id.eq(order_id));
    Ok(on_either!(conn => sent.select(UnaskedDocument::as_select()).load(conn)?))
}

/// Notes that a file was sent: it is being checked, or received already if its kind is not checked.
pub fn note_upload(
    tx: &mut Conn,
    order_id: OrderId,
    kind: &str,
    document_id: i64,
    is_checked: bool,
    now: Timestamp,
) -> Result<()> {
    let columns = (
        unasked_papers::document_id.eq(document_id),
        unasked_papers::state.eq(if is_checked { ItemState::Checking } else { ItemState::In }),
        unasked_papers::faults.eq(""),
        unasked_papers::sent_at.eq(now),
    );
    let more = unasked_papers::uploads.eq(unasked_papers::uploads + 1);
    let row = unasked_papers::table.find((order_id, kind));
    if diesel::update(row).set((columns, more)).execute(tx)? == 0 {
        let key = (unasked_papers::order_id.eq(order_id), unasked_papers::kind.eq(kind));
        let row = (key, columns, unasked_papers::uploads.eq(1));
        diesel::insert_into(unasked_papers::table).values(row).execute(tx)?;
    }
    new_orders::note_documents(tx, order_id)
}

/// Notes what the check of a file found, if it was sent without being asked for.
pub fn note_check(tx: &mut Conn, document_id: i64, faults: &[PaperFault]) -> Result<()> {
    let named: Vec<&str> = faults.iter().map(|fault| fault.as_str()).collect();
    let checked = unasked_papers::table
        .filter(unasked_papers::document_id.eq(document_id))
        .filter(unasked_papers::state.eq(ItemState::Checking));
    let columns = (
        unasked_papers::state.eq(if faults.is_empty() { ItemState::In } else { ItemState::Look }),
        unasked_papers::faults.eq(named.join(",")),
    );
    diesel::update(checked).set(columns).execute(tx)?;
    Ok(())
}

/// Takes a document as it was sent, whatever its check says.
pub fn accept(tx: &mut Conn, order_id: OrderId, kind: &str) -> Result<()> {
    let row = unasked_papers::table.find((order_id, kind));
    diesel::update(row).set(unasked_papers::state.eq(ItemState::In)).execute(tx)?;
    Ok(())
}

/// Ends the rows of those documents: a member has asked for them, or said what they are like.
pub fn end(tx: &mut Conn, order_id: OrderId, kinds: &[&str]) -> Result<()> {
    for kind in kinds {
        diesel::delete(unasked_papers::table.find((order_id, kind))).execute(tx)?;
    }
    Ok(())
}

/// The orders of the documents that were sent since `since`, and when, the latest first.
pub fn list_sent(conn: &mut Conn, since: Timestamp, limit: i64) -> Result<Vec<(OrderId, Timestamp)>> {
    let sent = unasked_papers::table
        .filter(unasked_papers::sent_at.ge(since))
        .order(unasked_papers::sent_at.desc())
        .limit(limit)
        .select((unasked_papers::order_id, unasked_papers::sent_at));
    Ok(on_either!(conn => sent.load(conn)?))
}
