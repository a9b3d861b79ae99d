//! The inboxes of members: events of orders that they are told, in the transaction of the event.

use diesel::dsl::exists;
use diesel::prelude::*;

use super::errors::StaffError;
use crate::add_rows;
use crate::db::schema::inbox;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The reason why a member is told about an order.
    pub enum InboxKind {
        /// A remark mentions the member.
        Mention = "mention",
        /// The member got the order from somebody else.
        Given = "given",
        /// The member's order was given to somebody else.
        Taken = "taken",
        /// Somebody took over what the member was filing.
        Claim = "claim",
    }
}

/// An entry before it is stored.
#[derive(Clone, Copy, Debug)]
pub struct NewInboxEntry<'a> {
    pub staff_id: StaffId,
    pub order_id: OrderId,
    pub kind: InboxKind,
    /// The person who did it.
    pub by_name: &'a str,
    /// The remark that says more.
    pub remark_id: Option<i64>,
}

/// An entry of a member's inbox.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = inbox)]
pub struct InboxEntry {
    pub inbox_id: i64,
    pub order_id: OrderId,
    pub kind: InboxKind,
    pub by_name: String,
    pub remark_id: Option<i64>,
    pub created_at: Timestamp,
    pub read_at: Option<Timestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = inbox, treat_none_as_default_value = false)]
struct EntryRow<'a> {
    staff_id: StaffId,
    order_id: OrderId,
    kind: InboxKind,
    by_name: &'a str,
    remark_id: Option<i64>,
    created_at: Timestamp,
    read_at: Option<Timestamp>,
}

/// Adds the entries.
pub fn add(tx: &mut Conn, entries: &[NewInboxEntry<'_>], now: Timestamp) -> Result<()> {
    let rows = entries.iter().map(|new| EntryRow {
        staff_id: new.staff_id,
        order_id: new.order_id,
        kind: new.kind,
        by_name: new.by_name,
        remark_id: new.remark_id,
        created_at: now,
        read_at: None,
    });
    add_rows!(tx, inbox::table, rows);
    Ok(())
}

/// The member's newest entries, at most `max`.
pub fn list(conn: &mut Conn, staff_id: StaffId, max: i64) -> Result<Vec<InboxEntry>> {
    let entries = inbox::table.filter(inbox::staff_id.eq(staff_id)).order(inbox::inbox_id.desc()).limit(max);
    Ok(entries.select(InboxEntry::as_select()).load(conn)?)
}

/// The number of the member's entries that are not read.
pub fn count_unread(conn: &mut Conn, staff_id: StaffId) -> Result<i64> {
    let unread = inbox::table.filter(inbox::staff_id.eq(staff_id)).filter(inbox::read_at.is_null());
    Ok(unread.count().get_result(conn)?)
}

/// The newest of the member's entries that are not read.
pub fn newest_unread(conn: &mut Conn, staff_id: StaffId) -> Result<Option<InboxEntry>> {
    let unread = inbox::table.filter(inbox::staff_id.eq(staff_id)).filter(inbox::read_at.is_null());
    Ok(unread.order(inbox::inbox_id.desc()).select(InboxEntry::as_select()).first(conn).optional()?)
}

/// Marks the member's entries up to `inbox_id`, which is one of them, as read.
///
/// # Errors
/// [`StaffError::InboxEntryNotFound`]
pub fn mark_read(tx: &mut Conn, staff_id: StaffId, inbox_id: i64, now: Timestamp) -> Result<()> {
    let entry = inbox::table.find(inbox_id).filter(inbox::staff_id.eq(staff_id));
    if !diesel::select(exists(entry)).get_result::<bool>(tx)? {
        return Err(StaffError::InboxEntryNotFound.into());
    }
    let unread = inbox::table.filter(inbox::staff_id.eq(staff_id)).filter(inbox::read_at.is_null());
    diesel::update(unread.filter(inbox::inbox_id.le(inbox_id))).set(inbox::read_at.eq(now)).execute(tx)?;
    Ok(())
}

/// Removes what members were told of a change of owner at `made_at`, which is undone.
pub fn withdraw(tx: &mut Conn, order_ids: &[OrderId], made_at: Timestamp) -> Result<()> {
    let of_change = inbox::table
        .filter(inbox::order_id.eq_any(order_ids))
        .filter(inbox::created_at.eq(made_at))
        .filter(inbox::kind.eq_any([InboxKind::Given, InboxKind::Taken]));
    diesel::delete(of_change).execute(tx)?;
    Ok(())
}

/// Deletes what a member was told, who has left.
pub fn delete_of(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(inbox::table.filter(inbox::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Deletes up to [`MAX_IDS`] entries that were read before that instant. Returns how many.
pub fn delete_read_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    let old = inbox::table.filter(inbox::read_at.lt(before)).limit(MAX_IDS as i64);
    let old: Vec<i64> = old.select(inbox::inbox_id).load(tx)?;
    Ok(diesel::delete(inbox::table.filter(inbox::inbox_id.eq_any(old))).execute(tx)?)
}
