//! Refunds: emails that can be stopped, limits, and approvals.

use serde::{Deserialize, Serialize};

/// Orders that are marked as refunded several at once.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RefundSettings {
    /// Mails wait if more orders than this are marked at once.
    pub delay_mails_above: usize,
    /// Minutes for which they wait and can be stopped; 0: they leave at once.
    pub mail_delay_minutes: u32,
    pub bulk_orders_per_day: BulkOrdersPerDay,
    /// A second person approves if a member marks more orders than this, counted over 24 hours; 0 is off.
    pub approval_orders: usize,
    /// A second person approves if the payments of these orders exceed this sum, in whole units of each currency; 0 is off.
    pub approval_amount: u32,
}

/// The most orders that one member may have marked as refunded in 24 hours for a call with several orders to be accepted, by type of
/// staff; 0 is no limit.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BulkOrdersPerDay {
    pub admin: u32,
    pub manager: u32,
    pub team: u32,
    pub telecaller: u32,
    pub night_staff: u32,
}

impl Default for RefundSettings {
    fn default() -> Self {
        Self {
            delay_mails_above: 10,
            mail_delay_minutes: 10,
            bulk_orders_per_day: BulkOrdersPerDay::default(),
            approval_orders: 0,
            approval_amount: 0,
        }
    }
}
