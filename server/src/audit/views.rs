//! The entries of the access log. The database refuses to update them, and to delete them before their retention is over.

use diesel::prelude::*;

use super::store::Filter;
use crate::add_rows;
use crate::db::schema::{access_log, access_log_retention};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// The only row of the retention.
const RETENTION_ID: i64 = 1;

/// A new entry.
#[derive(Clone, Debug)]
pub struct View {
    pub at: Timestamp,
    pub staff_id: StaffId,
    pub action: &'static str,
    pub order_id: Option<OrderId>,
    pub ip: String,
    pub folder: Option<&'static str>,
    pub search_hash: Option<String>,
    pub row_count: i64,
}

#[derive(Insertable)]
#[diesel(table_name = access_log, treat_none_as_default_value = false)]
struct NewViewRow<'a> {
    at: Timestamp,
    staff_id: StaffId,
    action: &'static str,
    order_id: Option<OrderId>,
    ip: &'a str,
    folder: Option<&'static str>,
    search_hash: Option<&'a str>,
    row_count: i64,
}

impl<'a> NewViewRow<'a> {
    fn new(view: &'a View) -> Self {
        Self {
            at: view.at,
            staff_id: view.staff_id,
            action: view.action,
            order_id: view.order_id,
            ip: &view.ip,
            folder: view.folder,
            search_hash: view.search_hash.as_deref(),
            row_count: view.row_count,
        }
    }
}

/// A stored entry.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = access_log)]
pub struct StoredView {
    pub access_id: i64,
    pub at: Timestamp,
    pub staff_id: StaffId,
    pub action: String,
    pub order_id: Option<OrderId>,
    pub ip: Option<String>,
    pub folder: Option<String>,
    pub search_hash: Option<String>,
    /// Null in entries of versions that did not count.
    pub row_count: Option<i64>,
}

/// Adds entries.
pub fn add<'a>(tx: &mut Conn, views: impl Iterator<Item = &'a View>) -> Result<()> {
    add_rows!(tx, access_log::table, views.map(NewViewRow::new));
    Ok(())
}

/// At most `max` entries that pass the filter, the newest first. `by` are the members whom the filter's actor names. Each filter has an
/// index in this order, except that the entries of one order are few.
pub fn list(conn: &mut Conn, filter: &Filter, by: Option<&[StaffId]>, max: i64) -> Result<Vec<StoredView>> {
    let mut rows = access_log::table.select(StoredView::as_select()).into_boxed();
    if let Some(access_id) = filter.older_than {
        let at = access_log::table.find(access_id).select(access_log::at).first::<Timestamp>(conn).optional()?;
        let Some(at) = at else { return Ok(Vec::new()) };
        let is_older = access_log::at.lt(at).or(access_log::access_id.lt(access_id));
        rows = rows.filter(access_log::at.le(at)).filter(is_older);
    }
    if let Some(by) = by {
        rows = rows.filter(access_log::staff_id.eq_any(by.to_vec()));
    }
    if let Some(order_id) = filter.order_id {
        rows = rows.filter(access_log::order_id.eq(order_id));
    }
    if let Some(action) = &filter.action {
        rows = rows.filter(access_log::action.eq(action.clone()));
    }
    if let Some(from) = filter.from {
        rows = rows.filter(access_log::at.ge(from));
    }
    if let Some(until) = filter.until {
        rows = rows.filter(access_log::at.lt(until));
    }
    Ok(rows.order((access_log::at.desc(), access_log::access_id.desc())).limit(max).load(conn)?)
}

/// Deletes up to [`MAX_IDS`] of the oldest entries, if they are older than `before`. Returns how many.
///
/// The instant is recorded in the same transaction, because the trigger allows the deletion of nothing newer.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(access_log_retention::table)
                .values((
                    access_log_retention::retention_id.eq(RETENTION_ID),
                    access_log_retention::delete_before.eq(before),
                ))
                .on_conflict(access_log_retention::retention_id)
                .do_update()
                .set(access_log_retention::delete_before.eq(before))
                .execute($tx)?
        };
    }
    match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    };
    let oldest = access_log::table.order((access_log::at, access_log::access_id)).filter(access_log::at.lt(before));
    let ids: Vec<i64> = oldest.select(access_log::access_id).limit(MAX_IDS as i64).load(tx)?;
    Ok(diesel::delete(access_log::table.filter(access_log::access_id.eq_any(ids))).execute(tx)?)
}
