//! Remarks of staff about orders. They are never changed.

use diesel::dsl::{exists, min, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::errors::OrderError;
use super::rules::remarks::NewRemark;
use super::search::plain_text;
use super::store;
use crate::add_rows;
use crate::db::Conn;
use crate::db::history::{Before, HistoryPart};
use crate::db::one_of::one_of;
use crate::db::schema::remarks;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::staff::rules::StaffType;
use crate::staff::store as staff;
use crate::timestamp::Timestamp;
use crate::with_member;

/// A stored remark.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = remarks)]
pub struct Remark {
    pub remark_id: i64,
    pub remark: String,
    pub whatsapp: bool,
    pub telephone: bool,
    pub status_refund: bool,
    pub voided: bool,
    pub chargeback: bool,
    pub report_error: bool,
    pub created_at: Timestamp,
}

/// Adds a remark by the member `staff_id` and returns its row.
///
/// # Errors
/// [`OrderError::OrderNotFound`].
pub fn add(tx: &mut Conn, id: OrderId, staff_id: StaffId, new: &NewRemark, now: Timestamp) -> Result<Remark> {
    if !store::exists(tx, id)? {
        return Err(OrderError::OrderNotFound.into());
    }
    let row = (
        remarks::order_id.eq(id),
        remarks::staff_id.eq(staff_id),
        remarks::remark.eq(&new.text),
        remarks::whatsapp.eq(new.whatsapp),
        remarks::telephone.eq(new.telephone),
        remarks::status_refund.eq(new.status_refund),
        remarks::voided.eq(new.voided),
        remarks::chargeback.eq(new.chargeback),
        remarks::report_error.eq(false),
        remarks::created_at.eq(now),
        remarks::search_text.eq(plain_text(&new.text)),
    );
    let remark_id: i64 =
        diesel::insert_into(remarks::table).values(row).returning(remarks::remark_id).get_result(tx)?;
    Ok(remarks::table.find(remark_id).select(Remark::as_select()).first(tx)?)
}

/// Returns true if the member added a remark to the order at that instant.
pub fn is_added_at(conn: &mut Conn, order_id: OrderId, staff_id: StaffId, at: Timestamp) -> Result<bool> {
    let of_member = remarks::table.filter(remarks::order_id.eq(order_id)).filter(remarks::staff_id.eq(staff_id));
    Ok(diesel::select(exists(of_member.filter(remarks::created_at.eq(at)))).get_result(conn)?)
}

/// The texts of remarks, by id.
pub fn texts(conn: &mut Conn, remark_ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let texts = remarks::table.filter(remarks::remark_id.eq_any(remark_ids));
    Ok(texts.select((remarks::remark_id, remarks::remark)).load(conn)?)
}

/// The newest remark about an order.
#[derive(Debug, Queryable)]
pub struct NewestRemark {
    pub order_id: OrderId,
    pub text: String,
    pub at: Timestamp,
    /// The author's name.
    pub by: Option<String>,
}

/// The newest remarks about those of the orders that have any.
pub fn list_newest(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<NewestRemark>> {
    if order_ids.is_empty() {
        return Ok(Vec::new());
    }
    let newest = "remarks.remark_id = (SELECT max(newer.remark_id) FROM remarks AS newer WHERE newer.order_id = remarks.order_id)";
    let rows = with_member!(remarks::table)
        .filter(one_of(remarks::order_id, order_ids))
        .filter(sql::<Bool>(newest))
        .select((remarks::order_id, remarks::remark, remarks::created_at, staff::name()));
    Ok(on_either!(conn => rows.load(conn))?)
}

/// Lists the texts of the newest remarks.
pub fn newest_texts(conn: &mut Conn, how_many: i64) -> Result<Vec<String>> {
    let newest = remarks::table.select(remarks::search_text).order(remarks::remark_id.desc()).limit(how_many);
    let texts: Vec<Option<String>> = newest.load(conn)?;
    Ok(texts.into_iter().flatten().collect())
}

/// A part of the remarks about an order, each with its author's name.
pub fn list(conn: &mut Conn, order_id: OrderId, before: Before) -> Result<HistoryPart<(Remark, String)>> {
    let rows = with_member!(remarks::table).filter(remarks::order_id.eq(order_id));
    let rows = rows.filter(remarks::remark_id.lt(before.id)).order(remarks::remark_id.desc()).limit(before.limit());
    let rows: Vec<(Remark, Option<String>)> =
        on_either!(conn => rows.select((Remark::as_select(), staff::name())).load(conn))?;
    let rows = rows.into_iter().map(|(remark, author)| (remark, author.unwrap_or_default()));
    HistoryPart::of(rows.collect(), before.max, || {
        let all = remarks::table.filter(remarks::order_id.eq(order_id)).filter(remarks::remark_id.lt(before.id));
        Ok(all.count().get_result(conn)?)
    })
}

/// A contact with the applicant, recorded in a remark.
#[derive(Clone, Debug, Queryable)]
pub struct Contact {
    pub at: Timestamp,
    /// The type of the author.
    pub by: Option<StaffType>,
    pub whatsapp: bool,
    pub telephone: bool,
    pub text: String,
}

/// Lists the contacts by WhatsApp and telephone in the remarks, the oldest first.
pub fn list_contacts(conn: &mut Conn, order_id: OrderId) -> Result<Vec<Contact>> {
    let noted = with_member!(remarks::table)
        .filter(remarks::order_id.eq(order_id))
        .filter(remarks::whatsapp.eq(true).or(remarks::telephone.eq(true)));
    let columns = (remarks::created_at, staff::staff_type(), remarks::whatsapp, remarks::telephone, remarks::remark);
    Ok(noted.order(remarks::remark_id).select(columns).load(conn)?)
}

/// When a remark first recorded that the customer wants a refund.
pub fn refund_asked_at(conn: &mut Conn, order_id: OrderId) -> Result<Option<Timestamp>> {
    let asked = remarks::table
        .filter(remarks::order_id.eq(order_id))
        .filter(remarks::status_refund.eq(true).or(remarks::voided.eq(true)));
    Ok(asked.select(min(remarks::created_at)).first(conn)?)
}

/// A remark to be loaded in bulk.
#[derive(Insertable)]
#[diesel(table_name = remarks, treat_none_as_default_value = false)]
pub struct RemarkRow {
    pub order_id: OrderId,
    pub staff_id: StaffId,
    pub remark: &'static str,
    pub whatsapp: bool,
    pub telephone: bool,
    pub status_refund: bool,
    pub voided: bool,
    pub chargeback: bool,
    pub report_error: bool,
    pub created_at: Timestamp,
    pub search_text: String,
}

/// Loads remarks into an empty database.
pub fn load(tx: &mut Conn, rows: impl Iterator<Item = RemarkRow>) -> Result<()> {
    add_rows!(tx, remarks::table, rows);
    Ok(())
}
