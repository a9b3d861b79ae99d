//! The check of issued visas.

use serde::{Deserialize, Serialize};

/// The settings for an issued visa that differs from its order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeliverySettings {
    pub check: DeliveryCheck,
    /// True if a held visa must be delivered by another member than the one from whom it was held.
    pub second_person: bool,
    /// The time in seconds that the email of a visa that differs waits, so that its delivery can be undone. 0: it is sent at once.
    pub undo_seconds: u32,
}

impl Default for DeliverySettings {
    fn default() -> Self {
        Self { check: DeliveryCheck::Refuse, second_person: false, undo_seconds: 20 }
    }
}

/// The comparison of issued visas with their orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryCheck {
    /// Visas are not compared.
    Off,
    /// A visa that differs is delivered, and staff are notified.
    Warn,
    /// A visa that is another order's, or has another passport number, is delivered only with a reason. Of others staff are notified.
    Refuse,
    /// A visa that differs is delivered only with a reason.
    Hold,
}
