//! The check of issued visas.

use serde::{Deserialize, Serialize};

/// What happens to an issued visa that differs from its order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Delivery {
    pub check: DeliveryCheck,
    /// Whether another member than the one from whom it was held must deliver a held visa.
    pub second_person: bool,
    /// How long the mail of a visa that differs waits, in seconds, so that its delivery can be undone. 0: it is sent at once.
    pub undo_seconds: u32,
}

impl Default for Delivery {
    fn default() -> Self {
        Self { check: DeliveryCheck::Warn, second_person: false, undo_seconds: 20 }
    }
}

/// Whether issued visas are compared with their orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryCheck {
    /// They are not.
    Off,
    /// One that differs is delivered, and staff are told.
    Warn,
    /// One that differs is delivered only with a reason.
    Hold,
}
