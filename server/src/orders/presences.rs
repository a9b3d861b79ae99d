//! The orders that members have open in their browsers. A presence is a hint: it expires by the database's clock, because those of several
//! nodes differ, and ends with its session.

use chrono::TimeDelta;
use diesel::prelude::*;

use super::rules::OrderState;
use crate::add_rows;
use crate::db::schema::presences;
use crate::db::{Conn, database_now};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::staff::rules::Staff;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The activity of a member on an order that they have open, the most telling last.
    pub enum OrderActivity {
        /// The order is on the screen.
        Viewing = "viewing",
        /// The member is entering something.
        Typing = "typing",
        /// A visa was chosen to be delivered.
        Delivering = "delivering",
        /// The order is about to be marked as refunded.
        Refunding = "refunding",
    }
}

/// The time that a presence lasts unless it is renewed: a browser renews it every half minute.
const PRESENCE: TimeDelta = TimeDelta::seconds(60);

/// The most orders of one session: those of one selection, and of a few windows.
const MAX_PER_SESSION: i64 = 600;

/// A member who has an order open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presence {
    pub order: OrderState,
    pub staff_id: StaffId,
    pub activity: OrderActivity,
}

#[derive(Insertable)]
#[diesel(table_name = presences)]
struct PresenceRow<'a> {
    session_hash: &'a str,
    order_id: OrderId,
    staff_id: StaffId,
    activity: OrderActivity,
    expires_at: Timestamp,
}

/// Records what the member does with these orders, in place of what they did. The caller has locked the session.
pub fn set(tx: &mut Conn, member: &Staff, ids: &[OrderId], activity: OrderActivity) -> Result<()> {
    let now = database_now(tx)?;
    let of_session = || presences::table.filter(presences::session_hash.eq(&member.session_hash));
    let replaced = presences::order_id.eq_any(ids).or(presences::expires_at.le(now));
    diesel::delete(of_session().filter(replaced)).execute(tx)?;
    let others: i64 = of_session().count().get_result(tx)?;
    if others + ids.len() as i64 > MAX_PER_SESSION {
        diesel::delete(of_session()).execute(tx)?;
    }
    let row = |order_id: &OrderId| PresenceRow {
        session_hash: &member.session_hash,
        order_id: *order_id,
        staff_id: member.id,
        activity,
        expires_at: now + PRESENCE,
    };
    add_rows!(tx, presences::table, ids.iter().map(row));
    Ok(())
}

/// Ends the presences of a session with these orders.
pub fn end(tx: &mut Conn, session_hash: &str, ids: &[OrderId]) -> Result<()> {
    let ended = presences::table.filter(presences::session_hash.eq(session_hash));
    diesel::delete(ended.filter(presences::order_id.eq_any(ids))).execute(tx)?;
    Ok(())
}
