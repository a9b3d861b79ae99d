//! The data that a response shows to a member of staff.

use crate::ids::OrderId;

/// The data that a response shows: one note in the access log.
#[derive(Clone, Debug)]
pub struct SeenData {
    /// A noun and a verb: `order.list`, `file.view`.
    pub action: &'static str,
    pub order_id: Option<OrderId>,
    /// The folder's name on the wire.
    pub folder: Option<&'static str>,
    /// The normalized search text. Only its HMAC is stored.
    pub search: Option<String>,
    pub rows: usize,
    /// True if the rows are about customers: only these count towards the budget.
    pub is_about_customers: bool,
}

impl SeenData {
    /// A view of one order, or of a file or mail of it.
    pub fn order(action: &'static str, order_id: OrderId) -> Self {
        let order_id = Some(order_id);
        Self { action, order_id, folder: None, search: None, rows: 1, is_about_customers: true }
    }

    /// Rows of a folder; with the normalized search text, if it was searched.
    pub fn folder(action: &'static str, folder: &'static str, search: Option<String>, rows: usize) -> Self {
        Self { action, order_id: None, folder: Some(folder), search, rows, is_about_customers: true }
    }

    /// Orders of any folder.
    pub fn orders(action: &'static str, rows: usize) -> Self {
        Self { action, order_id: None, folder: None, search: None, rows, is_about_customers: true }
    }

    /// Rows of a report or a log, which are not about single customers.
    pub fn report(action: &'static str, rows: usize) -> Self {
        Self { action, order_id: None, folder: None, search: None, rows, is_about_customers: false }
    }
}
