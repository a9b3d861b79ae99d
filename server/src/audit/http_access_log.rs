//! The access log for Admins, as a list and as a file, and the members who reached their row budget.

use std::sync::Arc;

use axum::extract::State;
use chrono::TimeDelta;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::errors::AuditError;
use super::filters::{ExportQuery, PageQuery};
use super::members::MemberNames;
use super::reader::Reader;
use super::seen::SeenData;
use super::store::{self, Actor, Change, Filter};
use super::views::{self, StoredView};
use super::{Audit, budgets, row_counters};
use crate::csv;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{CsvFile, Found, found};
use crate::http::json::Query;
use crate::http::routes::call;
use crate::ids::{OrderId, StaffId};
use crate::text::format_instant;
use crate::timestamp::Timestamp;

/// The most entries of one file.
const MAX_EXPORT: i64 = 50_000;
/// The time that a reached budget is shown.
const SHOWN_FOR: TimeDelta = TimeDelta::days(1);

/// The calls of the access log.
pub fn endpoints() -> OpenApiRouter<Arc<Audit>> {
    OpenApiRouter::new().routes(call!(list_access_log)).routes(call!(access_log_csv)).routes(call!(list_row_budgets))
}

/// An entry of the access log: what a member of staff has seen.
#[derive(Serialize, ToSchema)]
pub struct AccessEntry {
    /// The entry's id.
    id: i64,
    /// When it was seen.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The member's name.
    person: String,
    /// A noun and a verb: `order.list`, `file.view`.
    action: String,
    /// The folder, such as `newOrder`; null: none.
    folder: Option<String>,
    /// The order's id; null: the entry is not about one order.
    order_id: Option<OrderId>,
    /// The printed form of the id, `VD-100001`.
    order_number: Option<String>,
    /// The HMAC of the normalized search text, in hexadecimal digits: the same for equal texts. Null: nothing was searched.
    search: Option<String>,
    /// The number of rows that were shown; null in entries of versions that did not count.
    rows: Option<i64>,
    /// The address of the caller.
    ip: Option<String>,
}

impl AccessEntry {
    fn new(view: StoredView, names: &MemberNames) -> Self {
        Self {
            id: view.access_id,
            at: view.at,
            person: names.get(&view.staff_id).cloned().unwrap_or_default(),
            action: view.action,
            folder: view.folder,
            order_id: view.order_id,
            order_number: view.order_id.map(OrderId::printed),
            search: view.search_hash,
            rows: view.row_count,
            ip: view.ip,
        }
    }
}

/// A page of the access log.
#[derive(Serialize, ToSchema)]
pub struct AccessLogPage {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// The entries of the page.
    pub data: Vec<AccessEntry>,
    /// Send it as `olderThan` to get the next page; null on the last page.
    pub next: Option<i64>,
}

/// At most `max` entries that pass the filter, with the names of their members.
async fn read(audit: &Audit, filter: Filter, max: i64) -> Result<Vec<AccessEntry>> {
    let members = audit.members;
    let read = move |conn: &mut Conn| {
        let by = filter.actor.as_deref().map(|name| (members.ids_named)(conn, name)).transpose()?;
        let views = views::list(conn, &filter, by.as_deref(), max)?;
        let names = (members.names)(conn, &distinct(views.iter().map(|view| view.staff_id)))?;
        Ok((views, names))
    };
    let (views, names) = audit.db.read(read).await?;
    Ok(views.into_iter().map(|view| AccessEntry::new(view, &names)).collect())
}

fn distinct(ids: impl Iterator<Item = StaffId>) -> Vec<StaffId> {
    let mut ids: Vec<StaffId> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// List what staff have seen, the newest first. Each call is recorded in the access log.
#[utoipa::path(get, path = "/admin/access-log", params(PageQuery),
    responses((status = 200, body = AccessLogPage)))]
pub async fn list_access_log(
    State(audit): State<Arc<Audit>>,
    reader: Reader,
    Query(query): Query<PageQuery>,
) -> Result<axum::Json<AccessLogPage>> {
    let (filter, limit) = query.check(audit.config.time_zone)?;
    // One more row shows whether a page follows.
    let mut data = read(&audit, filter, limit + 1).await?;
    let follows = data.len() as i64 > limit;
    if follows {
        data.pop();
    }
    reader.note(SeenData::report("access_log.view", data.len())).await?;
    let next = data.last().filter(|_| follows).map(|entry| entry.id);
    Ok(axum::Json(AccessLogPage { status: 1, message: String::new(), data, next }))
}

/// Export what staff have seen, the newest first, up to 50,000 entries. Each export is recorded in the audit and in the access log.
#[utoipa::path(get, path = "/admin/access-log-csv", params(ExportQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub async fn access_log_csv(
    State(audit): State<Arc<Audit>>,
    by: Actor,
    reader: Reader,
    Query(query): Query<ExportQuery>,
) -> Result<CsvFile> {
    const NAME: &str = "access-log.csv";
    let zone = audit.config.time_zone;
    let entries = read(&audit, query.check(zone)?, MAX_EXPORT + 1).await?;
    if entries.len() as i64 > MAX_EXPORT {
        return Err(AuditError::AccessExportTooLong { max: MAX_EXPORT }.into());
    }
    reader.note(SeenData::report("access_log.export", entries.len())).await?;
    let (now, after) = (audit.clock.now(), Some(NAME.to_owned()));
    let change = Change::of("report.export").after(after);
    audit.db.write(move |tx| store::add(tx, &by, std::slice::from_ref(&change), now)).await?;
    let head = ["Date & Time", "Person", "Action", "Folder", "Order", "Search", "Rows", "IP Address"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(entries.into_iter().map(|entry| {
        vec![
            format_instant(entry.at, zone),
            entry.person,
            entry.action,
            entry.folder.unwrap_or_default(),
            entry.order_id.map(|id| id.to_string()).unwrap_or_default(),
            entry.search.unwrap_or_default(),
            entry.rows.map(|rows| rows.to_string()).unwrap_or_default(),
            entry.ip.unwrap_or_default(),
        ]
    }));
    Ok(CsvFile { name: NAME, bytes: csv::write(&rows)? })
}

/// A member who reached the budget of rows about customers in an hour.
#[derive(Serialize, ToSchema)]
pub struct RowBudgetReached {
    /// The member's name.
    person: String,
    /// When the hour began.
    #[schema(value_type = String, format = DateTime)]
    hour: Timestamp,
    /// The number of rows that the member has seen in the hour so far.
    rows: i64,
    /// The budget of the member's type.
    rows_per_hour: i64,
    /// True if the member is refused until the hour is over.
    is_stopped: bool,
}

/// List the members who reached their row budget in the last day, the newest first.
#[utoipa::path(get, path = "/admin/row-budgets", responses((status = 200, body = Found<Vec<RowBudgetReached>>)))]
pub async fn list_row_budgets(State(audit): State<Arc<Audit>>) -> Result<Found<Vec<RowBudgetReached>>> {
    let (now, members) = (audit.clock.now(), audit.members);
    let read = move |conn: &mut Conn| {
        let reached = row_counters::list_reached(conn, now - SHOWN_FOR)?;
        let names = (members.names)(conn, &distinct(reached.iter().map(|one| one.staff_id)))?;
        Ok((reached, names))
    };
    let (reached, names) = audit.db.look_up(read).await?;
    let stops = |hour: Timestamp| audit.config.access.stop_at_budget && hour == budgets::hour_of(now);
    let wire = reached.into_iter().map(|one| RowBudgetReached {
        person: names.get(&one.staff_id).cloned().unwrap_or_default(),
        hour: one.hour,
        rows: one.row_count,
        rows_per_hour: one.rows_per_hour,
        is_stopped: stops(one.hour),
    });
    Ok(found(wire.collect()))
}
