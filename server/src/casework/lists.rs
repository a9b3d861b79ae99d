//! The calls that list and search orders.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use chrono::{Datelike, Months, NaiveDate};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Casework;
use super::errors::CaseworkError;
use crate::audit::reader::Reader;
use crate::audit::seen::Seen;
use crate::chargebacks::store::{self as chargebacks, Chargeback};
use crate::chargebacks::wire::ChargebackDue;
use crate::error::Result;
use crate::http::json::{Json, Path, Query};
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::find::{self, Hits};
use crate::orders::rules::allowed::{AllowedInList, allowed_in_list};
use crate::orders::rules::{self, Folder, ProcessStatus, ProcessingMode};
use crate::orders::search::{MAX_TERM_LEN, Term};
use crate::orders::store::{Listed, Selection, Window};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The most rows of one response. The app loads "All" in several.
const MAX_ROWS: i64 = 1_000;

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(routes!(list_orders)).routes(routes!(search_orders))
}

/// An order in a list (spec §3, list form). Dates are YYYY-MM-DD, instants ISO 8601 UTC.
#[derive(Serialize, ToSchema)]
pub struct OrderSummary {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// Regular or priority processing.
    pub processing_mode: ProcessingMode,
    /// The applicant's full name.
    pub full_name: String,
    /// The applicant's email address.
    pub contact_email_address: String,
    /// Digits of the country's prefix, without the plus sign.
    pub country_code: Option<String>,
    /// Null in Contact Customer.
    pub phone_number: Option<String>,
    /// The nationality, as a country's name; null: not given.
    pub nationality: Option<String>,
    /// When the order was received.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the order was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// When the order was marked as refunded; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub refund_date: Option<Timestamp>,
    /// The day on which to process the order; null: at once.
    #[schema(value_type = Option<String>, format = Date)]
    pub processing_date: Option<NaiveDate>,
    /// `January` … `December`, of the processing date.
    pub process_month: Option<String>,
    /// The owner's name; null: unassigned.
    pub assign_to: Option<String>,
    /// How long there is to respond to the chargeback; only in the folder chargeBackOrder.
    pub chargeback: Option<ChargebackDue>,
    /// What the caller may do with the order from this list.
    pub allowed: AllowedInList,
}

impl OrderSummary {
    fn new((row, owner): Listed, folder: Folder, chargeback: Option<ChargebackDue>, allowed: AllowedInList) -> Self {
        let telephone = folder.shows_telephone();
        Self {
            order_id: row.order_id,
            order_number: row.order_id.printed(),
            process_status: row.process_status,
            processing_mode: row.processing_mode,
            full_name: row.full_name,
            contact_email_address: row.contact_email_address,
            country_code: row.country_code.filter(|_| telephone),
            phone_number: row.phone_number.filter(|_| telephone),
            nationality: row.nationality,
            created_at: row.created_at,
            updated_at: row.updated_at,
            refund_date: row.refund_date,
            process_month: row.processing_date.map(|date| date.format("%B").to_string()),
            processing_date: row.processing_date,
            assign_to: owner,
            chargeback,
            allowed,
        }
    }
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub struct OrderPage {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// The orders of the page.
    pub data: Vec<OrderSummary>,
    /// How many orders the whole list holds; of a search for a common term, how many are known so far.
    pub total: i64,
    /// Whether there are more than `total`.
    pub more: bool,
    /// Counted from 1.
    pub page: i64,
    /// The largest number of rows of the page.
    pub limit: i64,
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
}

/// List a page of a folder, newest first; of the future folder, the soonest processing date first.
#[utoipa::path(get, path = "/admin/get-orders-list/{orderName}",
    params(("orderName" = String, Path, description = "The folder, such as `newOrder`"), ListOrders),
    responses((status = 200, body = OrderPage)))]
pub async fn list_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    reader: Reader,
    Path(folder): Path<String>,
    Query(query): Query<ListOrders>,
) -> Result<axum::Json<OrderPage>> {
    let folder = Folder::parse(&folder)?;
    let (page, limit) = (query.page.unwrap_or(1), query.limit.unwrap_or(10));
    if !(1..=MAX_ROWS).contains(&limit) {
        return Err(CaseworkError::InvalidPageLimit(MAX_ROWS).into());
    }
    let start = page.checked_sub(1).filter(|before| *before >= 0).and_then(|before| before.checked_mul(limit));
    let start = start.ok_or(CaseworkError::InvalidPageNumber)?;
    let months = months(folder, query.year, query.month.as_deref(), room.clock.today(room.config.time_zone))?;
    let request =
        Request { folder, months, user_name: query.user_name, term: None, window: Window { start, length: limit } };
    let page = find_page(&room, staff, request).await?;
    reader.note(Seen::folder("order.list", folder.as_str(), None, page.data.len())).await?;
    Ok(axum::Json(page))
}

/// A term, and where to search it.
#[derive(Deserialize, ToSchema)]
pub struct SearchOrders {
    /// The first row, counted from 0, which is the default.
    start: Option<i64>,
    /// The row after the last; 10 after `start` by default.
    end: Option<i64>,
    /// Matched anywhere in name, emails, phone digits, order id and passport number, ignoring case. Empty: every order.
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
}

/// Search the orders of a folder, or of a month of the future folder.
#[utoipa::path(post, path = "/admin/search-order", request_body = SearchOrders,
    responses((status = 200, body = OrderPage)))]
pub async fn search_orders(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    reader: Reader,
    Json(body): Json<SearchOrders>,
) -> Result<axum::Json<OrderPage>> {
    let folder = Folder::parse(&body.folder_name)?;
    let start = body.start.unwrap_or(0);
    let length = body.end.map_or(Some(10), |end| end.checked_sub(start));
    let window = match length {
        Some(length) if start >= 0 && (1..=MAX_ROWS).contains(&length) => Window { start, length },
        _ => return Err(CaseworkError::InvalidRowRange(MAX_ROWS).into()),
    };
    let typed = body.search_val.unwrap_or_default();
    if typed.chars().count() > MAX_TERM_LEN {
        return Err(CaseworkError::SearchTermTooLong(MAX_TERM_LEN).into());
    }
    let months = months(folder, body.year, body.month.as_deref(), room.clock.today(room.config.time_zone))?;
    let term = Term::parse(&typed);
    let searched = term.as_ref().map(|term| term.text.clone());
    let page = find_page(&room, staff, Request { folder, months, user_name: body.user_name, term, window }).await?;
    reader.note(Seen::folder("order.search", folder.as_str(), searched, page.data.len())).await?;
    Ok(axum::Json(page))
}

/// A request for a list or a search.
struct Request {
    folder: Folder,
    months: Option<(NaiveDate, NaiveDate)>,
    user_name: Option<String>,
    term: Option<Term>,
    window: Window,
}

async fn find_page(room: &Casework, staff: Staff, request: Request) -> Result<OrderPage> {
    if !rules::may_list(staff.staff_type, request.folder) {
        return Err(OrderError::OrderHistoryClosed.into());
    }
    let Request { folder, window, .. } = request;
    let caller = staff.clone();
    let (hits, disputes) = room
        .db
        .read(move |conn| {
            let person = find::person(conn, &caller, request.user_name.as_deref())?;
            let selection = match request.months {
                Some(months) => Selection::FutureDates(Some(months)),
                None => Selection::of(folder.holds(), person),
            };
            let hits = find::find(conn, &selection, request.term.as_ref(), window)?;
            let ids: Vec<OrderId> = hits.rows.iter().map(|(row, _)| row.order_id).collect();
            let disputes = if folder == Folder::ChargeBack { chargebacks::list(conn, &ids)? } else { Vec::new() };
            Ok((hits, disputes))
        })
        .await?;
    let (today, terms) = (room.clock.today(room.config.time_zone), &room.config.chargebacks);
    let due = |known: Chargeback| ChargebackDue::new(&known.dispute, today, terms);
    let mut dues: HashMap<OrderId, ChargebackDue> =
        disputes.into_iter().map(|(order_id, known)| (order_id, due(known))).collect();
    let row = |row: Listed| {
        let chargeback = dues.remove(&row.0.order_id);
        // The owner's name is for the words of a refusal.
        let allowed = allowed_in_list(&staff, &row.0.state(None), Some(folder), today);
        OrderSummary::new(row, folder, chargeback, allowed)
    };
    let Hits { rows, total, more } = hits;
    let data = rows.into_iter().map(row).collect();
    let page = window.start / window.length + 1;
    Ok(OrderPage { status: 1, message: String::new(), data, total, more, page, limit: window.length })
}

/// The days of `year` and `month` of the future folder, as a half-open range.
fn months(
    folder: Folder,
    year: Option<i32>,
    month: Option<&str>,
    today: NaiveDate,
) -> Result<Option<(NaiveDate, NaiveDate)>> {
    if folder != Folder::Future || (year.is_none() && month.is_none()) {
        return Ok(None);
    }
    let number = match month {
        None => None,
        Some(name) => Some(month_number(name).ok_or(CaseworkError::InvalidProcessingMonth)?),
    };
    let from = NaiveDate::from_ymd_opt(year.unwrap_or(today.year()), number.unwrap_or(1), 1);
    let from = from.filter(|from| (1970..=9999).contains(&from.year())).ok_or(CaseworkError::InvalidProcessingYear)?;
    let length = Months::new(if number.is_some() { 1 } else { 12 });
    Ok(Some((from, from + length)))
}

fn month_number(name: &str) -> Option<u32> {
    match name.parse::<u32>() {
        Ok(number) => (1..=12).contains(&number).then_some(number),
        Err(_) => name.parse::<chrono::Month>().ok().map(|month| month.number_from_month()),
    }
}
