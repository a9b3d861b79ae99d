//! The part of the presences that a member is told. Pure.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::ids::{OrderId, StaffId};
use crate::orders::presences::{OrderActivity, Presence};
use crate::orders::rules::may_find;
use crate::staff::rules::Staff;

/// A colleague who has an order open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ColleagueAtOrder {
    /// The order's id.
    pub order_id: OrderId,
    /// The colleague's id.
    pub staff_id: StaffId,
    /// The colleague's activity on the order.
    pub activity: OrderActivity,
}

/// The colleagues of `staff` at orders that `staff` may find, each once for each order.
pub fn colleagues_of(staff: &Staff, presences: &[Presence]) -> Vec<ColleagueAtOrder> {
    let mut told: BTreeMap<(OrderId, StaffId), OrderActivity> = BTreeMap::new();
    for Presence { order, staff_id, activity } in presences {
        if *staff_id != staff.id && may_find(staff, order) {
            let strongest = told.entry((order.order_id, *staff_id)).or_insert(*activity);
            *strongest = (*strongest).max(*activity);
        }
    }
    let told = told.into_iter();
    told.map(|((order_id, staff_id), activity)| ColleagueAtOrder { order_id, staff_id, activity }).collect()
}
