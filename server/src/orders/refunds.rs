//! Refunds, as rows. The database takes one for each order and never deletes it.

use diesel::prelude::*;

use crate::add_rows;
use crate::db::schema::{orders, refunds};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// The refund of an order.
#[derive(Clone, Copy, Debug)]
pub struct Refund {
    pub order_id: OrderId,
    /// The member who recorded it.
    pub staff_id: StaffId,
    /// The mail to the applicant.
    pub mail_id: i64,
}

#[derive(Insertable)]
#[diesel(table_name = refunds, treat_none_as_default_value = false)]
struct RefundRow {
    order_id: OrderId,
    refunded_at: Timestamp,
    staff_id: StaffId,
    mail_id: i64,
}

/// Records refunds of locked orders, and the refund date of each order. The database refuses a second refund of an order.
pub fn add_all(tx: &mut Conn, refunds: &[Refund], refunded_at: Timestamp) -> Result<()> {
    let row = |&Refund { order_id, staff_id, mail_id }: &Refund| RefundRow { order_id, refunded_at, staff_id, mail_id };
    add_rows!(tx, refunds::table, refunds.iter().map(row));
    let order_ids: Vec<OrderId> = refunds.iter().map(|refund| refund.order_id).collect();
    for ids in order_ids.chunks(MAX_IDS) {
        diesel::update(orders::table.filter(orders::order_id.eq_any(ids)))
            .set((orders::refund_date.eq(refunded_at), orders::updated_at.eq(refunded_at)))
            .execute(tx)?;
    }
    Ok(())
}
