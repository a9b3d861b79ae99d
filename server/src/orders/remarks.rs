//! What staff write about an order: read as they typed it, kept, never changed.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::id::OrderId;
use super::rules::NewRemark;
use crate::db::Conn;
use crate::db::schema::{orders, remarks, staff};
use crate::error::{Error, Result};

/// A remark as it is kept.
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
    pub created_at: NaiveDateTime,
}

/// Adds what the member `staff_id` wrote about the order; answers its row.
pub fn add(tx: &mut Conn, id: OrderId, staff_id: i64, new: &NewRemark, now: NaiveDateTime) -> Result<Remark> {
    let there = orders::table.find(id.0).select(orders::order_id).first::<i64>(tx).optional()?;
    there.ok_or_else(|| Error::not_found("There is no such order"))?;
    let row = (
        remarks::order_id.eq(id.0),
        remarks::staff_id.eq(staff_id),
        remarks::remark.eq(&new.text),
        remarks::whatsapp.eq(new.whatsapp),
        remarks::telephone.eq(new.telephone),
        remarks::status_refund.eq(new.status_refund),
        remarks::voided.eq(new.voided),
        remarks::chargeback.eq(new.chargeback),
        remarks::report_error.eq(false),
        remarks::created_at.eq(now),
    );
    let remark_id: i64 =
        diesel::insert_into(remarks::table).values(row).returning(remarks::remark_id).get_result(tx)?;
    Ok(remarks::table.find(remark_id).select(Remark::as_select()).first(tx)?)
}

/// The remarks about an order, the oldest first, each with its author's name.
pub fn list(conn: &mut Conn, order_id: i64) -> Result<Vec<(Remark, String)>> {
    let written = remarks::table.inner_join(staff::table).filter(remarks::order_id.eq(order_id));
    Ok(written.order(remarks::remark_id).select((Remark::as_select(), staff::name)).load(conn)?)
}
