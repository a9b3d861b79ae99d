//! The rows of requests and of their items. Callers hold the lock of the order.

use diesel::prelude::*;

use super::rules::{ItemState, Language, PaperFault, RequestEnd};
use crate::add_rows;
use crate::db::one_of::one_of;
use crate::db::schema::{paper_request_items, paper_requests};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::orders::status::ProcessStatus;
use crate::timestamp::Timestamp;

/// An open request.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_requests)]
pub struct PaperRequest {
    pub request_id: i64,
    pub order_id: OrderId,
    pub language: Language,
    pub asked_by: StaffId,
    pub asked_at: Timestamp,
    /// The status to which the order goes back.
    pub former_status: ProcessStatus,
    /// The number of reminders that were sent.
    pub reminders: i32,
    /// When the next reminder, or the call, is due.
    pub remind_at: Option<Timestamp>,
}

/// A paper that an applicant is asked for.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_request_items)]
pub struct Item {
    pub request_id: i64,
    /// The document of the catalogue.
    pub kind: String,
    /// The code of the reason.
    pub reason: String,
    /// The reason in the language of the request.
    pub text: String,
    pub state: ItemState,
    /// The newest file that the applicant sent.
    pub document_id: Option<i64>,
    faults: String,
    /// The number of files that the applicant has sent.
    pub uploads: i32,
}

impl Item {
    /// Returns the faults that the check of the newest file found.
    pub fn faults(&self) -> Vec<PaperFault> {
        self.faults.split(',').filter_map(PaperFault::parse).collect()
    }
}

/// The open request of an order, and its items by kind.
pub fn find_open(conn: &mut Conn, order_id: OrderId) -> Result<Option<(PaperRequest, Vec<Item>)>> {
    let open =
        paper_requests::table.filter(paper_requests::order_id.eq(order_id)).filter(paper_requests::ended.is_null());
    let open = on_either!(conn => open.select(PaperRequest::as_select()).first(conn).optional()?);
    let Some(request) = open else { return Ok(None) };
    let items = items(conn, request.request_id)?;
    Ok(Some((request, items)))
}

/// Returns true if the newest request of an order ended with everything received.
pub fn is_complete(conn: &mut Conn, order_id: OrderId) -> Result<bool> {
    let newest = paper_requests::table
        .filter(paper_requests::order_id.eq(order_id))
        .order(paper_requests::request_id.desc())
        .select(paper_requests::ended);
    let ended: Option<Option<RequestEnd>> = on_either!(conn => newest.first(conn).optional()?);
    Ok(ended.flatten() == Some(RequestEnd::Complete))
}

fn items(conn: &mut Conn, request_id: i64) -> Result<Vec<Item>> {
    let items = paper_request_items::table
        .filter(paper_request_items::request_id.eq(request_id))
        .order(paper_request_items::kind);
    Ok(on_either!(conn => items.select(Item::as_select()).load(conn)?))
}

/// A paper to ask for.
#[derive(Clone, Debug)]
pub struct NewItem {
    pub kind: String,
    pub reason: String,
    pub text: String,
}

/// A new request to an applicant for papers.
#[derive(Clone, Debug)]
pub struct NewRequest {
    pub order_id: OrderId,
    pub language: Language,
    pub asked_by: StaffId,
    pub former_status: ProcessStatus,
    /// When the first reminder is due.
    pub remind_at: Timestamp,
    pub items: Vec<NewItem>,
}

#[derive(Insertable)]
#[diesel(table_name = paper_request_items, treat_none_as_default_value = false)]
struct ItemRow<'a> {
    request_id: i64,
    kind: &'a str,
    reason: &'a str,
    text: &'a str,
    state: ItemState,
    document_id: Option<i64>,
    faults: &'a str,
    uploads: i32,
    in_at: Option<Timestamp>,
}

/// Adds a request. Its order must have no open one.
pub fn add(tx: &mut Conn, new: &NewRequest, now: Timestamp) -> Result<()> {
    let request_id: i64 = diesel::insert_into(paper_requests::table)
        .values((
            paper_requests::order_id.eq(new.order_id),
            paper_requests::language.eq(new.language),
            paper_requests::asked_by.eq(new.asked_by),
            paper_requests::asked_at.eq(now),
            paper_requests::former_status.eq(new.former_status),
            paper_requests::reminders.eq(0),
            paper_requests::remind_at.eq(Some(new.remind_at)),
        ))
        .returning(paper_requests::request_id)
        .get_result(tx)?;
    add_rows!(
        tx,
        paper_request_items::table,
        new.items.iter().map(|item| ItemRow {
            request_id,
            kind: &item.kind,
            reason: &item.reason,
            text: &item.text,
            state: ItemState::Asked,
            document_id: None,
            faults: "",
            uploads: 0,
            in_at: None,
        })
    );
    Ok(())
}

/// Ends requests.
pub fn end(tx: &mut Conn, request_ids: &[i64], how: RequestEnd, now: Timestamp) -> Result<()> {
    let columns = (
        paper_requests::ended.eq(Some(how)),
        paper_requests::ended_at.eq(Some(now)),
        paper_requests::remind_at.eq(None::<Timestamp>),
    );
    diesel::update(paper_requests::table.filter(paper_requests::request_id.eq_any(request_ids)))
        .set(columns)
        .execute(tx)?;
    Ok(())
}

/// Opens a request again. The next reminder is due at `remind_at`.
pub fn reopen(tx: &mut Conn, request_id: i64, remind_at: Option<Timestamp>) -> Result<()> {
    let columns = (
        paper_requests::ended.eq(None::<RequestEnd>),
        paper_requests::ended_at.eq(None::<Timestamp>),
        paper_requests::remind_at.eq(remind_at),
    );
    diesel::update(paper_requests::table.find(request_id)).set(columns).execute(tx)?;
    Ok(())
}

/// A request by its id.
pub fn find(conn: &mut Conn, request_id: i64) -> Result<Option<PaperRequest>> {
    let request = paper_requests::table.find(request_id);
    Ok(on_either!(conn => request.select(PaperRequest::as_select()).first(conn).optional()?))
}

/// The open requests of those orders.
pub fn list_open(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<PaperRequest>> {
    let mut open = Vec::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = paper_requests::table
            .filter(one_of(paper_requests::order_id, ids))
            .filter(paper_requests::ended.is_null())
            .order(paper_requests::request_id);
        open.extend(on_either!(conn => rows.select(PaperRequest::as_select()).load::<PaperRequest>(conn)?));
    }
    Ok(open)
}

/// The orders with an open request, the newest first, at most `max`.
pub fn list_waiting(conn: &mut Conn, max: i64) -> Result<Vec<OrderId>> {
    let waiting = paper_requests::table
        .filter(paper_requests::ended.is_null())
        .order(paper_requests::order_id.desc())
        .limit(max)
        .select(paper_requests::order_id);
    Ok(on_either!(conn => waiting.load(conn)?))
}

/// Notes that a file was sent for an item: it is being checked, or received already if its kind is not checked.
pub fn note_upload(tx: &mut Conn, item: &Item, document_id: i64, is_checked: bool, now: Timestamp) -> Result<()> {
    let columns = (
        paper_request_items::state.eq(if is_checked { ItemState::Checking } else { ItemState::In }),
        paper_request_items::document_id.eq(Some(document_id)),
        paper_request_items::faults.eq(""),
        paper_request_items::uploads.eq(item.uploads + 1),
        paper_request_items::in_at.eq((!is_checked).then_some(now)),
    );
    diesel::update(paper_request_items::table.find((item.request_id, &item.kind))).set(columns).execute(tx)?;
    Ok(())
}

/// Notes what the check of a file found, if an item waits for it. Returns whether one did.
pub fn note_check(tx: &mut Conn, document_id: i64, faults: &[PaperFault], now: Timestamp) -> Result<bool> {
    let named: Vec<&str> = faults.iter().map(|fault| fault.as_str()).collect();
    let waiting = paper_request_items::table
        .filter(paper_request_items::document_id.eq(document_id))
        .filter(paper_request_items::state.eq(ItemState::Checking));
    let columns = (
        paper_request_items::state.eq(if faults.is_empty() { ItemState::In } else { ItemState::Look }),
        paper_request_items::faults.eq(named.join(",")),
        paper_request_items::in_at.eq(faults.is_empty().then_some(now)),
    );
    Ok(diesel::update(waiting).set(columns).execute(tx)? > 0)
}

/// Takes an item as it was sent, whatever its check says.
pub fn accept(tx: &mut Conn, item: &Item, now: Timestamp) -> Result<()> {
    let columns = (paper_request_items::state.eq(ItemState::In), paper_request_items::in_at.eq(Some(now)));
    diesel::update(paper_request_items::table.find((item.request_id, &item.kind))).set(columns).execute(tx)?;
    Ok(())
}

/// The orders of the requests whose next step is due, the longest waiting first.
pub fn list_due(conn: &mut Conn, now: Timestamp, most: i64) -> Result<Vec<OrderId>> {
    let due = paper_requests::table
        .filter(paper_requests::remind_at.le(now))
        .order(paper_requests::remind_at)
        .limit(most)
        .select(paper_requests::order_id);
    Ok(on_either!(conn => due.load(conn)?))
}

/// Sets how many reminders were sent, and when the next step is due; none: nothing more follows.
pub fn set_next(tx: &mut Conn, request_id: i64, reminders: i32, remind_at: Option<Timestamp>) -> Result<()> {
    let columns = (paper_requests::reminders.eq(reminders), paper_requests::remind_at.eq(remind_at));
    diesel::update(paper_requests::table.find(request_id)).set(columns).execute(tx)?;
    Ok(())
}

/// The orders whose papers are complete since `since`, and when they were, the latest first.
pub fn list_complete(conn: &mut Conn, since: Timestamp, most: i64) -> Result<Vec<(OrderId, Timestamp)>> {
    let complete = paper_requests::table
        .filter(paper_requests::ended.eq(Some(RequestEnd::Complete)))
        .filter(paper_requests::ended_at.ge(since))
        .order(paper_requests::ended_at.desc())
        .limit(most)
        .select((paper_requests::order_id, paper_requests::ended_at.assume_not_null()));
    Ok(on_either!(conn => complete.load(conn)?))
}
