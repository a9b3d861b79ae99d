//! Purchases with the same address or the same device at checkout.
//!
//! Both columns are indexed and only the nearest orders are read, so the cost grows neither with the number of orders nor with the
//! number that share an address.

use diesel::prelude::*;

use super::status::ProcessStatus;
use crate::db::schema::{applications, checkouts, orders, payments};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The number of orders with the same address or device that are read before the order, and the number after it.
pub const MAX_EACH_DIRECTION: i64 = 250;

/// The facts of a purchase that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Purchase {
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub refund_date: Option<Timestamp>,
    pub email: String,
    /// Of the account that ordered.
    pub account: Option<String>,
    pub paid_at: Option<Timestamp>,
    pub card_last_four: Option<String>,
    pub purchase_ip: Option<String>,
    pub device_id: Option<String>,
}

/// The nearest orders before and after `$order_id` with the same `$column`, plus one that shows whether there are more.
macro_rules! nearest {
    ($conn:expr, $column:expr, $value:expr, $order_id:expr) => {{
        let same =
            checkouts::table.filter($column.eq($value)).select(checkouts::order_id).limit(MAX_EACH_DIRECTION + 1);
        let before = same.filter(checkouts::order_id.lt($order_id)).order(checkouts::order_id.desc());
        let after = same.filter(checkouts::order_id.gt($order_id)).order(checkouts::order_id.asc());
        Ok([before.load($conn)?, after.load($conn)?])
    }};
}

/// Lists the nearest orders before, and those after, bought from the same address.
pub fn same_address(conn: &mut Conn, address: &str, order_id: OrderId) -> Result<[Vec<OrderId>; 2]> {
    nearest!(conn, checkouts::purchase_ip, address, order_id)
}

/// Lists the nearest orders before, and those after, bought with the same device.
pub fn same_device(conn: &mut Conn, device: &str, order_id: OrderId) -> Result<[Vec<OrderId>; 2]> {
    nearest!(conn, checkouts::device_id, device, order_id)
}

/// Lists the newest orders bought with the device, at most `max`.
pub fn newest_of_device(conn: &mut Conn, device: &str, max: i64) -> Result<Vec<OrderId>> {
    let same = checkouts::table.filter(checkouts::device_id.eq(device)).order(checkouts::order_id.desc());
    Ok(same.select(checkouts::order_id).limit(max).load(conn)?)
}

/// Lists the purchases of the orders that exist, ascending.
pub fn list(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<Purchase>> {
    let mut found = Vec::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = orders::table
            .left_join(applications::table)
            .left_join(payments::table)
            .left_join(checkouts::table)
            .filter(orders::order_id.eq_any(ids))
            .order(orders::order_id)
            .select((
                orders::order_id,
                orders::process_status,
                orders::refund_date,
                orders::contact_email_address,
                applications::account_email.nullable(),
                payments::paid_at.nullable(),
                payments::card_last_four.nullable(),
                checkouts::purchase_ip.nullable(),
                checkouts::device_id.nullable(),
            ));
        found.extend(rows.load::<Purchase>(conn)?);
    }
    Ok(found)
}
