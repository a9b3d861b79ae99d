//! The call that finds a few orders wherever they are, for the command palette.

use std::sync::Arc;

use axum::extract::State;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::errors::ListError;
use super::requests::begin_search;
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Query;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::find::{Hits, Search, find_few, find_number};
use crate::orders::found_in;
use crate::orders::rules::folder_of;
use crate::orders::search::{FoundIn, MAX_TERM_LEN, Term};
use crate::orders::status::ProcessStatus;
use crate::orders::store::ListedOrder;
use crate::staff::rules::Staff;

/// The most orders of a response.
const MAX_FOUND: i64 = 8;

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new().routes(call!(find_orders))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FindOrders {
    /// An order number (`100234`, `#100234` or `VD-100234`), or a part of what a search of a list matches: name, emails, phone digits,
    /// order id, passport number and comments. Empty: no order.
    q: Option<String>,
}

/// An order that was found.
#[derive(Serialize, ToSchema)]
pub struct FoundOrder {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// The applicant's full name.
    #[schema(value_type = String)]
    pub full_name: CompactString,
    /// The applicant's email address.
    #[schema(value_type = String)]
    pub contact_email_address: CompactString,
    /// The folder in which the caller finds it, such as `newOrder`; `allOrder` for the New order of another member.
    pub folder: &'static str,
    /// Where the text is; null: the order has changed meanwhile.
    pub found_in: Option<FoundIn>,
    /// The part of a comment around the text, if a comment alone has it: the newest.
    pub excerpt: Option<String>,
}

impl FoundOrder {
    fn new((row, _): ListedOrder, staff: &Staff, found_in: Option<FoundIn>, excerpt: Option<String>) -> Self {
        let folder = folder_of(&row.state(None), staff.id).as_str();
        Self {
            order_id: row.order_id,
            order_number: row.order_id.printed(),
            process_status: row.process_status,
            full_name: row.full_name,
            contact_email_address: row.contact_email_address,
            folder,
            found_in,
            excerpt,
        }
    }
}

/// The orders that contain a term, and where.
fn find_places(conn: &mut Conn, staff: &Staff, search: &Search) -> Result<Vec<FoundOrder>> {
    let Hits { rows, in_remarks, .. } = find_few(conn, staff, search, MAX_FOUND)?;
    let ids: Vec<OrderId> = rows.iter().map(|(row, _)| row.order_id).collect();
    let places = found_in::places(conn, &search.term, &ids, &in_remarks)?;
    let in_comments = in_remarks.into_iter().filter(|(id, _)| places.get(id) == Some(&FoundIn::Comment));
    let mut excerpts = found_in::excerpts(conn, &search.term, &in_comments.collect::<Vec<_>>())?;
    let found = rows.into_iter().map(|row| {
        let order_id = row.0.order_id;
        FoundOrder::new(row, staff, places.get(&order_id).copied(), excerpts.remove(&order_id))
    });
    Ok(found.collect())
}

/// Find at most eight orders in all folders that the caller may list, the newest first. An exact order number finds that order alone.
#[utoipa::path(get, path = "/admin/find-orders", params(FindOrders),
    responses((status = 200, body = Found<Vec<FoundOrder>>)))]
pub async fn find_orders(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    reader: Reader,
    Query(query): Query<FindOrders>,
) -> Result<Found<Vec<FoundOrder>>> {
    let typed = query.q.unwrap_or_default();
    if typed.chars().count() > MAX_TERM_LEN {
        return Err(ListError::SearchTermTooLong(MAX_TERM_LEN).into());
    }
    let Some(term) = Term::parse(&typed) else { return Ok(found(Vec::new())) };
    let (searched, caller) = (term.text.clone(), staff.clone());
    let exact = match OrderId::parse(&typed) {
        Some(order_id) => room.db.look_up(move |conn| find_number(conn, &caller, order_id)).await?,
        None => None,
    };
    let orders = match exact {
        Some(order) => vec![FoundOrder::new(order, &staff, Some(FoundIn::OrderNumber), None)],
        None => {
            let (search, caller) = (begin_search(&room, term).await?, staff.clone());
            room.db.read(move |conn| find_places(conn, &caller, &search)).await?
        }
    };
    reader.note(SeenData { search: Some(searched), ..SeenData::orders("order.find", orders.len()) }).await?;
    Ok(found(orders))
}
