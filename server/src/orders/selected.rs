//! The selected orders of a call: one id or a list, found and locked.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::db::Conn;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::moves::{self, LockedOrder};
use crate::orders::rules::changes as rules;

/// An order id or a list of them.
#[derive(Deserialize, ToSchema)]
#[serde(untagged, expecting = "orderId takes an order id, such as 100001 or VD-100001, or a list of order ids")]
pub enum Selected {
    Many(Vec<OrderId>),
    One(OrderId),
}

impl Selected {
    /// Returns the ids if there is at least one, none twice, and not too many.
    pub fn ids(self) -> Result<Vec<OrderId>> {
        let ids = match self {
            Self::Many(ids) => ids,
            Self::One(id) => vec![id],
        };
        rules::check_selection(&ids)?;
        Ok(ids)
    }
}

/// Locks the orders until the transaction ends and returns them.
///
/// # Errors
/// [`OrderError::SelectedOrderNotFound`](crate::orders::errors::OrderError::SelectedOrderNotFound).
pub fn find_all(tx: &mut Conn, ids: &[OrderId]) -> Result<Vec<LockedOrder>> {
    let orders = moves::lock(tx, ids)?;
    rules::all_found(ids, orders.iter().map(|state| state.order_id))?;
    Ok(orders)
}
