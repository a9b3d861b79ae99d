//! Mails that failed or may not have arrived, and after which no other mail about their order was queued.

use compact_str::CompactString;
use diesel::dsl::{exists, not, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::rules::{MailKind, MailState};
use crate::db::Conn;
use crate::db::schema::mails;
use crate::error::Result;
use crate::orders::store::OrderRow;
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::{on_either, with_order};

/// The condition of the index `mails_not_sent`, as it is spelled there: SQLite uses the index for nothing else.
const NOT_SENT: &str = "state IN ('failed', 'unknown')";

// The mails that were queued after another one about the same order.
diesel::alias! {
    const LATER: Alias<Later> = mails as later;
}

/// An order, its owner's name, and the state of its newest mail.
pub type NotSent = (OrderRow, Option<CompactString>, MailState);

/// Lists the orders whose newest mail failed or may not have arrived, of mails queued since `since`, the newest first, at most `max`.
/// Mails that a member stopped, and codes, which applicants request again, do not count.
pub fn list(conn: &mut Conn, since: Timestamp, max: i64) -> Result<Vec<NotSent>> {
    let later = LATER
        .filter(LATER.field(mails::order_id).eq(mails::order_id))
        .filter(LATER.field(mails::kind).ne(MailKind::TrackingCode))
        .filter(LATER.field(mails::mail_id).gt(mails::mail_id));
    let rows = with_order!(mails::table)
        .filter(sql::<Bool>(NOT_SENT))
        .filter(mails::created_at.ge(since))
        .filter(mails::stopped_at.is_null())
        .filter(mails::kind.ne(MailKind::TrackingCode))
        .filter(not(exists(later)))
        .order((mails::created_at.desc(), mails::mail_id.desc()))
        .limit(max);
    Ok(on_either!(conn => rows.select((OrderRow::as_select(), staff::name(), mails::state)).load(conn)?))
}
