//! The calls that list and search orders.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::errors::ListError;
use super::filters::SentFilter;
use super::requests::{ListRequest, Needs, SentValues, Sort};
use super::rows::{OrderPage, OrderSummary, RowFacts, ShownComments};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::LongJson;
use crate::http::json::{Json, Path, Query};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::find::Hits;
use crate::orders::rules::Folder;
use crate::orders::rules::allowed::allowed_in_list;
use crate::orders::store::{ListedOrder, RowWindow};
use crate::staff::rules::Staff;

/// The most rows of one response. The app loads "All" in several.
const MAX_ROWS: i64 = 1_000;

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new().routes(call!(list_orders)).routes(call!(search_orders))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListOrders {
    /// Counted from 1, which is the default.
    page: Option<i64>,
    /// Rows a page, 1 to 1,000; 10 by default.
    limit: Option<i64>,
    /// Always 1; ignored.
    #[expect(dead_code, reason = "the wire carries it")]
    delay: Option<String>,
    /// Whose own list; respected for Admin and Manager.
    #[serde(rename = "userName")]
    user_name: Option<String>,
    /// Of the future folder: the year of processing.
    year: Option<i32>,
    /// Of the future folder: the month of processing, `January` … `December` or 1 … 12; of this year unless `year` is given.
    month: Option<String>,
    /// The order of the rows, if not the list's own.
    #[param(inline)]
    sort: Option<Sort>,
    /// Only orders that need a member of staff.
    #[param(inline)]
    needs: Option<Needs>,
    /// Comments to show. Each reading of comments is noted.
    #[param(inline)]
    comments: Option<ShownComments>,
}

/// List a page of a folder, newest first; of the future folder, the soonest processing date first.
#[utoipa::path(get, path = "/admin/get-orders-list/{orderName}",
    params(("orderName" = String, Path, description = "The folder, such as `newOrder`"), ListOrders, SentFilter),
    responses((status = 200, body = OrderPage)))]
pub async fn list_orders(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    reader: Reader,
    Path(folder): Path<String>,
    Query(query): Query<ListOrders>,
    Query(filter): Query<SentFilter>,
) -> Result<LongJson<OrderPage>> {
    let (page, limit) = (query.page.unwrap_or(1), query.limit.unwrap_or(10));
    if !(1..=MAX_ROWS).contains(&limit) {
        return Err(ListError::InvalidPageLimit(MAX_ROWS).into());
    }
    let start = page.checked_sub(1).filter(|before| *before >= 0).and_then(|before| before.checked_mul(limit));
    let start = start.ok_or(ListError::InvalidPageNumber)?;
    let ListOrders { user_name, year, month, sort, needs, comments, .. } = query;
    let typed = SentValues { folder, user_name, year, month, search: None, sort, needs, filter };
    let request = ListRequest::check(typed, &staff, &room).await?;
    let folder = request.folder.as_str();
    let page = find_page(&room, staff, request, RowWindow { start, length: limit }, comments).await?;
    reader.note(SeenData::folder("order.list", folder, None, page.data.len())).await?;
    note_comments(&reader, folder, comments, &page.data).await?;
    Ok(page.into_json())
}

/// A term, and where to search it.
#[derive(Deserialize, ToSchema)]
pub struct SearchOrders {
    /// The first row, counted from 0, which is the default.
    start: Option<i64>,
    /// The row after the last; 10 after `start` by default.
    end: Option<i64>,
    /// Matched anywhere in name, emails, phone digits, order id, passport number and comments, ignoring case. Comments are left out if
    /// thousands of orders match without them, and for one or two characters. Empty: every order.
    #[serde(rename = "searchVal")]
    search_val: Option<String>,
    /// The folder, such as `newOrder`.
    #[serde(rename = "folderName")]
    folder_name: String,
    /// Whose own list; respected for Admin and Manager.
    #[serde(rename = "userName")]
    user_name: Option<String>,
    /// Of the future folder: the year of processing, as in its list.
    year: Option<i32>,
    /// Of the future folder: the month of processing, as in its list.
    month: Option<String>,
    /// The order of the rows, if not the list's own.
    sort: Option<Sort>,
    /// Only orders that need a member of staff.
    needs: Option<Needs>,
    /// Only orders with these values.
    filter: Option<SentFilter>,
    /// Comments to show. Each reading of comments is noted.
    comments: Option<ShownComments>,
}

/// Search the orders of a folder, or of a month of the future folder.
#[utoipa::path(post, path = "/admin/search-order", request_body = SearchOrders,
    responses((status = 200, body = OrderPage)))]
pub async fn search_orders(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    reader: Reader,
    Json(body): Json<SearchOrders>,
) -> Result<LongJson<OrderPage>> {
    let start = body.start.unwrap_or(0);
    let length = body.end.map_or(Some(10), |end| end.checked_sub(start));
    let window = match length {
        Some(length) if start >= 0 && (1..=MAX_ROWS).contains(&length) => RowWindow { start, length },
        _ => return Err(ListError::InvalidRowRange(MAX_ROWS).into()),
    };
    let SearchOrders { folder_name: folder, search_val: search, user_name, year, month, .. } = body;
    let SearchOrders { sort, needs, filter, comments, .. } = body;
    let typed = SentValues { folder, user_name, year, month, search, sort, needs, filter: filter.unwrap_or_default() };
    let request = ListRequest::check(typed, &staff, &room).await?;
    let (folder, searched) = (request.folder.as_str(), request.searched());
    let page = find_page(&room, staff, request, window, comments).await?;
    reader.note(SeenData::folder("order.search", folder, searched, page.data.len())).await?;
    note_comments(&reader, folder, comments, &page.data).await?;
    Ok(page.into_json())
}

/// Notes the comments that a list shows. They count towards no budget, because the rows do.
pub async fn note_comments(
    reader: &Reader,
    folder: &'static str,
    comments: Option<ShownComments>,
    rows: &[OrderSummary],
) -> Result<()> {
    if comments.is_none() {
        return Ok(());
    }
    let shown = rows.iter().filter(|row| row.newest_comment.is_some()).count();
    let seen = SeenData { is_about_customers: false, ..SeenData::folder("comment.list", folder, None, shown) };
    reader.note(seen).await
}

async fn find_page(
    room: &Arc<Lists>,
    staff: Staff,
    request: ListRequest,
    window: RowWindow,
    comments: Option<ShownComments>,
) -> Result<OrderPage> {
    let (folder, caller, work) = (request.folder, staff.clone(), Arc::clone(room));
    let (is_one_statement, is_brief) = (request.is_one_statement(window), request.is_brief(window));
    let asked = request.clone();
    let find = move |conn: &mut Conn| {
        let hits = asked.find(conn, &work, &caller, window)?;
        let facts = RowFacts::read(conn, &hits.rows, comments.filter(|_| folder.shows_telephone()))?;
        Ok((facts.with_places(asked.places(conn, &hits)?), hits))
    };
    let (facts, hits) = match (is_one_statement, is_brief) {
        (true, _) => room.db.look_up(find).await?,
        (false, true) => room.db.read_briefly(find).await?,
        (false, false) => room.db.read(find).await?,
    };
    let Hits { rows, total, more, limited, .. } = hits;
    let is_returned = |order_id| request.is_returned(order_id);
    let data = summaries(room, &staff, folder, rows, facts, is_returned);
    let page = window.start / window.length + 1;
    let message = String::new();
    Ok(OrderPage { status: 1, message, data, total, more, limited, page, limit: window.length })
}

/// The rows of a folder on the wire.
pub fn summaries(
    room: &Lists,
    staff: &Staff,
    folder: Folder,
    rows: Vec<ListedOrder>,
    mut facts: RowFacts,
    is_returned: impl Fn(OrderId) -> bool,
) -> Vec<OrderSummary> {
    let (today, terms) = (room.clock.today(room.config.time_zone), &room.config.chargebacks);
    let row = |row: ListedOrder| {
        let problems = facts.problems(&row, today, terms);
        // The owner's name is for the words of a refusal.
        let allowed = allowed_in_list(staff, &row.0.state(None), Some(folder), today);
        let papers_returned = is_returned(row.0.order_id);
        let (found_in, newest_comment) = facts.take_extras(row.0.order_id);
        let summary = OrderSummary::new(row, folder, problems, papers_returned, allowed);
        OrderSummary { found_in, newest_comment, ..summary }
    };
    rows.into_iter().map(row).collect()
}
