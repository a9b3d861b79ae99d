//! Issued visas that are not delivered yet, as rows: their scan is being read, or a member has to decide about them.

use chrono::TimeDelta;
use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::waiting_visas;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::mail::rules::Provider;
use crate::timestamp::Timestamp;

/// The longest time that a visa waits for the reading of its scan.
pub const LONGEST: TimeDelta = TimeDelta::minutes(2);

/// A visa that is not delivered yet, and where it goes.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = waiting_visas, treat_none_as_default_value = false)]
pub struct WaitingVisa {
    pub document_id: i64,
    pub order_id: OrderId,
    /// The member who uploaded it.
    pub staff_id: StaffId,
    pub recipient: String,
    /// The recipient was an address of the order, so that the email follows a correction of it.
    pub is_own: bool,
    pub provider: Provider,
    /// When it is delivered; none: a member decides.
    pub due_at: Option<Timestamp>,
}

/// Adds a visa, in the transaction that adds its document.
pub fn add(tx: &mut Conn, waiting: &WaitingVisa) -> Result<()> {
    diesel::insert_into(waiting_visas::table).values(waiting).execute(tx)?;
    Ok(())
}

/// Finds a visa of an order.
pub fn find(conn: &mut Conn, order_id: OrderId, document_id: i64) -> Result<Option<WaitingVisa>> {
    let visa = waiting_visas::table.find(document_id).filter(waiting_visas::order_id.eq(order_id));
    Ok(visa.select(WaitingVisa::as_select()).first(conn).optional()?)
}

/// Returns true if a visa is due.
pub fn is_due(conn: &mut Conn, now: Timestamp) -> Result<bool> {
    let due = waiting_visas::table.filter(waiting_visas::due_at.le(now));
    Ok(diesel::select(diesel::dsl::exists(due)).get_result(conn)?)
}

/// Lists up to `limit` visas that are due, the first to become so first.
pub fn list_due(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<Vec<WaitingVisa>> {
    let due = waiting_visas::table
        .filter(waiting_visas::due_at.le(now))
        .order((waiting_visas::due_at, waiting_visas::document_id));
    Ok(due.select(WaitingVisa::as_select()).limit(limit).load(conn)?)
}

/// Sets when a visa is delivered; none: a member decides. Does nothing if it does not wait.
pub fn set_due(tx: &mut Conn, document_id: i64, due_at: Option<Timestamp>) -> Result<()> {
    let visa = waiting_visas::table.find(document_id).filter(waiting_visas::due_at.is_not_null());
    diesel::update(visa).set(waiting_visas::due_at.eq(due_at)).execute(tx)?;
    Ok(())
}

/// Ends the wait of a visa. Returns false if it has ended already.
pub fn remove(tx: &mut Conn, document_id: i64) -> Result<bool> {
    Ok(diesel::delete(waiting_visas::table.find(document_id)).execute(tx)? == 1)
}
