//! Refunds, as rows. The database takes one in force for each order, and changes nothing of it but that it is taken back.

use diesel::prelude::*;

use crate::add_rows;
use crate::db::schema::{orders, refunds};
use crate::db::{Conn, MAX_IDS, advisory_lock};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

/// The refund of an order.
#[derive(Clone, Copy, Debug)]
pub struct Refund {
    pub order_id: OrderId,
    /// The member who recorded it.
    pub staff_id: StaffId,
    /// The mail to the applicant.
    pub mail_id: i64,
    /// The request that a second person approved.
    pub approval_id: Option<i64>,
}

#[derive(Insertable)]
#[diesel(table_name = refunds, treat_none_as_default_value = false)]
struct RefundRow {
    order_id: OrderId,
    refunded_at: Timestamp,
    staff_id: StaffId,
    mail_id: i64,
    approval_id: Option<i64>,
}

/// Records refunds of locked orders, and the refund date of each order. The database refuses a second refund in force.
pub fn add_all(tx: &mut Conn, refunds: &[Refund], refunded_at: Timestamp) -> Result<()> {
    let row = |&Refund { order_id, staff_id, mail_id, approval_id }: &Refund| RefundRow {
        order_id,
        refunded_at,
        staff_id,
        mail_id,
        approval_id,
    };
    add_rows!(tx, refunds::table, refunds.iter().map(row));
    let order_ids: Vec<OrderId> = refunds.iter().map(|refund| refund.order_id).collect();
    for ids in order_ids.chunks(MAX_IDS) {
        diesel::update(orders::table.filter(orders::order_id.eq_any(ids)))
            .set((orders::refund_date.eq(refunded_at), orders::updated_at.eq(refunded_at)))
            .execute(tx)?;
    }
    Ok(())
}

/// A recorded refund.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = refunds)]
pub struct RecordedRefund {
    pub refund_id: i64,
    pub order_id: OrderId,
    pub refunded_at: Timestamp,
    /// The member who recorded it.
    pub staff_id: StaffId,
    /// The mail to the applicant.
    pub mail_id: i64,
    pub taken_back_at: Option<Timestamp>,
    pub taken_back_by: Option<StaffId>,
    pub taken_back_reason: Option<String>,
    /// The request that a second person approved.
    pub approval_id: Option<i64>,
}

/// The refunds of an order, the newest first.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<RecordedRefund>> {
    let recorded = refunds::table.filter(refunds::order_id.eq(order_id)).order(refunds::refund_id.desc());
    Ok(on_either!(conn => recorded.select(RecordedRefund::as_select()).load(conn))?)
}

/// The refunds in force of those orders, by order. Orders that were refunded in an older system have none.
pub fn list_in_force(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<RecordedRefund>> {
    let in_force = refunds::table.filter(refunds::order_id.eq_any(order_ids)).filter(refunds::taken_back_at.is_null());
    Ok(in_force.order(refunds::order_id).select(RecordedRefund::as_select()).load(conn)?)
}

/// The refunds in force that report by those mails, by order.
pub fn list_by_mail(conn: &mut Conn, mail_ids: &[i64]) -> Result<Vec<RecordedRefund>> {
    let in_force = refunds::table.filter(refunds::mail_id.eq_any(mail_ids)).filter(refunds::taken_back_at.is_null());
    Ok(in_force.order(refunds::order_id).select(RecordedRefund::as_select()).load(conn)?)
}

/// Serialises the calls by which a member marks orders as refunded, so that [`list_times`] sees each.
pub fn lock_marks_of(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    advisory_lock(tx, &format!("refunds of member {staff_id}"))
}

/// When the member's last `most` orders were marked as refunded, the newest first, those taken back included.
pub fn list_times(conn: &mut Conn, staff_id: StaffId, most: u32) -> Result<Vec<Timestamp>> {
    let marked = refunds::table.filter(refunds::staff_id.eq(staff_id));
    let newest = marked.order((refunds::refunded_at.desc(), refunds::refund_id.desc())).limit(most.into());
    Ok(newest.select(refunds::refunded_at).load(conn)?)
}

/// The member who takes a refund back, and the reason.
#[derive(Clone, Debug)]
pub struct TakenBack {
    pub by: StaffId,
    pub reason: String,
    /// The mail that corrects the one about the refund.
    pub correction_mail_id: Option<i64>,
}

/// Takes the refund of a locked order back and empties its refund date: one new refund becomes possible.
pub fn take_back(tx: &mut Conn, refund: &RecordedRefund, how: &TakenBack, now: Timestamp) -> Result<()> {
    diesel::update(refunds::table.find(refund.refund_id))
        .set((
            refunds::taken_back_at.eq(now),
            refunds::taken_back_by.eq(how.by),
            refunds::taken_back_reason.eq(&how.reason),
            refunds::correction_mail_id.eq(how.correction_mail_id),
        ))
        .execute(tx)?;
    diesel::update(orders::table.find(refund.order_id))
        .set((orders::refund_date.eq(None::<Timestamp>), orders::updated_at.eq(now)))
        .execute(tx)?;
    Ok(())
}
