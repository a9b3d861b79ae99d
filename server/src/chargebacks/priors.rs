//! Earlier undisputed orders of the same customer, for Visa's Compelling Evidence 3.0.
//!
//! They are found by the address and the device of the checkout, each of which has an index: what this costs does not grow
//! with the number of orders, and an address that thousands share is looked at near the order alone.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::rules::priors::{Verdict, judge};
use super::store;
use crate::db::schema::{applications, chargebacks, checkouts, orders, payments};
use crate::db::{Conn, MOST_IDS};
use crate::error::Result;
use crate::orders::rules::ProcessStatus;

/// Of orders that share an address or a device, so many that came before and so many that came after are looked at.
pub const MOST_EACH_WAY: i64 = 250;

/// What is compared of an order.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Facts {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub refund_date: Option<NaiveDateTime>,
    pub email: String,
    /// Of the account that ordered.
    pub account: Option<String>,
    pub paid_at: Option<NaiveDateTime>,
    pub card_last_four: Option<String>,
    pub purchase_ip: Option<String>,
    pub device_id: Option<String>,
    /// Its own id, when it was ever disputed.
    pub disputed: Option<i64>,
}

/// Whether the order's dispute can be answered with Compelling Evidence 3.0, and by which orders.
pub fn check(conn: &mut Conn, order_id: i64) -> Result<Verdict> {
    let dispute = store::find(conn, order_id)?.map(|known| known.dispute);
    let Some(order) = facts(conn, &[order_id])?.pop() else { return Ok(judge(dispute.as_ref(), None, &[], false)) };
    let mut near = Near { order_ids: Vec::new(), more: false };
    if let Some(address) = &order.purchase_ip {
        near.add(same_address(conn, address, order_id)?);
    }
    if let Some(device) = &order.device_id {
        near.add(same_device(conn, device, order_id)?);
    }
    near.order_ids.sort_unstable();
    near.order_ids.dedup();
    let others = facts(conn, &near.order_ids)?;
    Ok(judge(dispute.as_ref(), Some(&order), &others, near.more))
}

/// Orders that share something with an order, and whether there are more of them.
struct Near {
    order_ids: Vec<i64>,
    more: bool,
}

impl Near {
    fn add(&mut self, ways: [Vec<i64>; 2]) {
        let most = usize::try_from(MOST_EACH_WAY).unwrap_or(usize::MAX);
        for way in ways {
            self.more |= way.len() > most;
            self.order_ids.extend(way.into_iter().take(most));
        }
    }
}

/// The orders before and after `$order_id` where `$column` is the same: the nearest, and one more to know that there are more.
macro_rules! nearest {
    ($conn:expr, $column:expr, $value:expr, $order_id:expr) => {{
        let same = checkouts::table.filter($column.eq($value)).select(checkouts::order_id).limit(MOST_EACH_WAY + 1);
        let before = same.filter(checkouts::order_id.lt($order_id)).order(checkouts::order_id.desc());
        let after = same.filter(checkouts::order_id.gt($order_id)).order(checkouts::order_id.asc());
        Ok([before.load($conn)?, after.load($conn)?])
    }};
}

fn same_address(conn: &mut Conn, address: &str, order_id: i64) -> Result<[Vec<i64>; 2]> {
    nearest!(conn, checkouts::purchase_ip, address, order_id)
}

fn same_device(conn: &mut Conn, device: &str, order_id: i64) -> Result<[Vec<i64>; 2]> {
    nearest!(conn, checkouts::device_id, device, order_id)
}

fn facts(conn: &mut Conn, order_ids: &[i64]) -> Result<Vec<Facts>> {
    let mut found = Vec::new();
    for ids in order_ids.chunks(MOST_IDS) {
        let rows = orders::table
            .left_join(applications::table)
            .left_join(payments::table)
            .left_join(checkouts::table)
            .left_join(chargebacks::table)
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
                chargebacks::order_id.nullable(),
            ));
        found.extend(rows.load::<Facts>(conn)?);
    }
    Ok(found)
}
