//! The orders that wait for a member of staff.

use serde::{Deserialize, Serialize};

/// Orders that wait for a member who takes the next one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderSettings {
    /// Hours after which an order that is still New is taken before all others. 0: the oldest order is always the next one.
    pub overdue_hours: u32,
}

impl Default for OrderSettings {
    fn default() -> Self {
        Self { overdue_hours: 24 }
    }
}
