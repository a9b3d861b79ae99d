//! Finds earlier undisputed orders of the same customer by the IP address and device of the checkout, for Visa's Compelling Evidence
//! 3.0.

use super::rules::priors::{OtherOrders, PriorCheck, evaluate};
use super::store;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::purchases::{self, MAX_EACH_DIRECTION};

/// Checks whether Compelling Evidence 3.0 applies to the order's dispute, and with which orders.
pub fn check(conn: &mut Conn, order_id: OrderId) -> Result<PriorCheck> {
    let dispute = store::find(conn, order_id)?.map(|known| known.dispute);
    let Some(order) = purchases::list(conn, &[order_id])?.pop() else {
        return Ok(evaluate(dispute.as_ref(), None, &OtherOrders::default()));
    };
    let mut near = Near { order_ids: Vec::new(), more: false };
    if let Some(address) = &order.purchase_ip {
        near.add(purchases::same_address(conn, address, order_id)?);
    }
    if let Some(device) = &order.device_id {
        near.add(purchases::same_device(conn, device, order_id)?);
    }
    near.order_ids.sort_unstable();
    near.order_ids.dedup();
    let others = OtherOrders {
        purchases: purchases::list(conn, &near.order_ids)?,
        disputed: store::list(conn, &near.order_ids)?.into_iter().map(|(order_id, _)| order_id).collect(),
        more: near.more,
    };
    Ok(evaluate(dispute.as_ref(), Some(&order), &others))
}

/// Orders that share the address or the device, and whether there are more.
struct Near {
    order_ids: Vec<OrderId>,
    more: bool,
}

impl Near {
    fn add(&mut self, ways: [Vec<OrderId>; 2]) {
        let most = usize::try_from(MAX_EACH_DIRECTION).unwrap_or(usize::MAX);
        for way in ways {
            self.more |= way.len() > most;
            self.order_ids.extend(way.into_iter().take(most));
        }
    }
}
