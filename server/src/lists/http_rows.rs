//! The call that reads single rows of a folder again, after they changed.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::errors::ListError;
use super::filters::SentFilter;
use super::http::{note_comments, summaries};
use super::returned::{begins_with_returned, returned};
use super::rows::{OrderSummary, RowFacts, ShownComments};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::{Path, Query};
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::rules::{Folder, is_listed, may_list};
use crate::orders::{filtered, find, store};
use crate::staff::rules::Staff;

/// The most rows of one response.
const MAX_ROWS: usize = 100;

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new().routes(call!(order_rows))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadRows {
    /// Whose own list; respected for Admin and Manager.
    #[serde(rename = "userName")]
    user_name: Option<String>,
    /// Comments to show. Each reading of comments is noted.
    #[param(inline)]
    comments: Option<ShownComments>,
}

/// Read some orders of a folder as they are now. Those that the folder does not list any more, or its filter does not admit, are absent.
#[utoipa::path(get, path = "/admin/order-rows/{orderName}/{orderIds}",
    params(
        ("orderName" = String, Path, description = "The folder, such as `newOrder`"),
        ("orderIds" = String, Path, description = "Order ids, separated by commas; at most 100"),
        ReadRows,
        SentFilter
    ),
    responses((status = 200, body = Found<Vec<OrderSummary>>)))]
pub async fn order_rows(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    reader: Reader,
    Path((folder, ids)): Path<(String, String)>,
    Query(query): Query<ReadRows>,
    Query(filter): Query<SentFilter>,
) -> Result<Found<Vec<OrderSummary>>> {
    let folder = Folder::parse(&folder)?;
    if !may_list(staff.staff_type, folder) {
        return Err(OrderError::OrderHistoryClosed.into());
    }
    let ids: Option<Vec<OrderId>> = ids.split(',').map(OrderId::parse).collect();
    let ids = ids.filter(|ids| ids.len() <= MAX_ROWS).ok_or(ListError::InvalidRowIds(MAX_ROWS))?;
    let filter = filter.read(&staff, &room).await?;
    let (caller, comments) = (staff.clone(), query.comments);
    let read = move |conn: &mut Conn| {
        let person = find::person(conn, &caller, query.user_name.as_deref())?;
        let ids = match &filter {
            Some(filter) => filtered::pick(conn, filter, &ids)?,
            None => ids,
        };
        let mut rows = store::rows(conn, &ids)?;
        rows.retain(|(row, _)| is_listed(folder, &row.state(None), person));
        let facts = RowFacts::read(conn, &rows, comments.filter(|_| folder.shows_telephone()))?;
        Ok((rows, facts))
    };
    let (rows, facts) = room.db.read_briefly(read).await?;
    let first = if begins_with_returned(folder) { returned(&room).await? } else { Arc::default() };
    let rows = summaries(&room, &staff, folder, rows, facts, |order_id| first.contains(&order_id));
    reader.note(SeenData::folder("order.list", folder.as_str(), None, rows.len())).await?;
    note_comments(&reader, folder.as_str(), comments, &rows).await?;
    Ok(found(rows))
}
