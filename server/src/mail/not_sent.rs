//! Mails that failed or may not have arrived, and after which no other mail about their order was queued.

use std::collections::HashMap;

use diesel::dsl::{max, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::rules::{MailKind, MailState};
use crate::db::schema::mails;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The condition of the index `mails_not_sent`, as it is spelled there: SQLite uses the index for nothing else.
const NOT_SENT: &str = "state IN ('failed', 'unknown')";

/// The order of a mail, and the mail's state.
pub type NotSent = (OrderId, MailState);

/// Lists the orders whose newest mail failed or may not have arrived, of mails queued since `since`, the newest first; and whether there
/// may be more, because at most `limit` mails are read. Mails that a member stopped, and codes, which applicants request again, do not
/// count.
pub fn list(conn: &mut Conn, since: Timestamp, limit: i64) -> Result<(Vec<NotSent>, bool)> {
    let rows: Vec<(i64, OrderId, MailState)> = mails::table
        .filter(sql::<Bool>(NOT_SENT))
        .filter(mails::created_at.ge(since))
        .filter(mails::stopped_at.is_null())
        .filter(mails::kind.ne(MailKind::TrackingCode))
        .order((mails::created_at.desc(), mails::mail_id.desc()))
        .select((mails::mail_id, mails::order_id, mails::state))
        .limit(limit)
        .load(conn)?;
    let order_ids: Vec<OrderId> = rows.iter().map(|(_, order_id, _)| *order_id).collect();
    let newest = newest_of(conn, &order_ids)?;
    let is_newest = |(mail_id, order_id, _): &(i64, OrderId, MailState)| newest.get(order_id) == Some(mail_id);
    let more = rows.len() as i64 == limit;
    Ok((rows.into_iter().filter(is_newest).map(|(_, order_id, state)| (order_id, state)).collect(), more))
}

/// The newest mail of each order, without codes.
fn newest_of(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashMap<OrderId, i64>> {
    let mut newest = HashMap::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = mails::table
            .filter(mails::order_id.eq_any(ids))
            .filter(mails::kind.ne(MailKind::TrackingCode))
            .group_by(mails::order_id)
            .select((mails::order_id, max(mails::mail_id)));
        let rows = rows.load::<(OrderId, Option<i64>)>(conn)?;
        newest.extend(rows.into_iter().filter_map(|(order_id, mail_id)| Some((order_id, mail_id?))));
    }
    Ok(newest)
}
