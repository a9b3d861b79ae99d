//! Finds earlier undisputed orders of the same customer by the IP address and device of the checkout, for Visa's Compelling Evidence
//! 3.0.

use std::collections::HashSet;

use super::rules::priors::{PriorCheck, PriorFacts, evaluate};
use super::store;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::purchases::{self, MAX_EACH_DIRECTION};

/// Checks whether Compelling Evidence 3.0 applies to the order's dispute, and with which orders.
pub fn check(conn: &mut Conn, order_id: OrderId) -> Result<PriorCheck> {
    let dispute = store::find(conn, order_id)?.map(|known| known.dispute);
    let Some(order) = facts(conn, &[order_id])?.pop() else { return Ok(evaluate(dispute.as_ref(), None, &[], false)) };
    let mut near = Near { order_ids: Vec::new(), more: false };
    if let Some(address) = &order.purchase_ip {
        near.add(purchases::same_address(conn, address, order_id)?);
    }
    if let Some(device) = &order.device_id {
        near.add(purchases::same_device(conn, device, order_id)?);
    }
    near.order_ids.sort_unstable();
    near.order_ids.dedup();
    let others = facts(conn, &near.order_ids)?;
    Ok(evaluate(dispute.as_ref(), Some(&order), &others, near.more))
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

fn facts(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<PriorFacts>> {
    let disputed: HashSet<OrderId> = store::list(conn, order_ids)?.into_iter().map(|(order_id, _)| order_id).collect();
    let facts = purchases::list(conn, order_ids)?.into_iter().map(|purchase| PriorFacts {
        disputed: disputed.contains(&purchase.order_id),
        order_id: purchase.order_id,
        process_status: purchase.process_status,
        refund_date: purchase.refund_date,
        email: purchase.email,
        account: purchase.account,
        paid_at: purchase.paid_at,
        card_last_four: purchase.card_last_four,
        purchase_ip: purchase.purchase_ip,
        device_id: purchase.device_id,
    });
    Ok(facts.collect())
}
