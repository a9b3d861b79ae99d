//! Money that went back, as rows. The database takes one for each order and never gives it up.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::{orders, refunds};
use crate::error::Result;

/// That an order's money went back.
#[derive(Clone, Copy, Debug, Insertable)]
#[diesel(table_name = refunds)]
pub struct Refund {
    pub order_id: i64,
    pub refunded_at: NaiveDateTime,
    /// Who said so.
    pub staff_id: i64,
    /// The mail that tells the applicant.
    pub mail_id: i64,
}

/// Notes a refund, with its date in the order. The order must be locked; a second refund of it is refused by the database.
pub fn add(tx: &mut Conn, refund: Refund) -> Result<()> {
    diesel::insert_into(refunds::table).values(refund).execute(tx)?;
    let at = refund.refunded_at;
    diesel::update(orders::table.find(refund.order_id))
        .set((orders::refund_date.eq(at), orders::updated_at.eq(at)))
        .execute(tx)?;
    Ok(())
}
