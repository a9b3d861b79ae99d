//! The terms of a dispute: networks, reason groups, outcomes, urgency.

use crate::text_enum;

text_enum! {
    /// The network whose rules apply to the dispute.
    pub enum Network {
        Visa = "Visa",
        Mastercard = "Mastercard",
        AmericanExpress = "American Express",
        Discover = "Discover",
        PayPal = "PayPal",
        Other = "Other",
    }
}

text_enum! {
    /// The customer's reason, whatever the network's code for it.
    pub enum ReasonGroup {
        Fraud = "Fraud",
        NotReceived = "Not received",
        NotAsDescribed = "Not as described",
        CancelledOrCredit = "Cancelled or credit",
        Duplicate = "Duplicate",
        Other = "Other",
    }
}

text_enum! {
    /// The outcome of a dispute. The order of an open dispute is in ChargeBack.
    pub enum ChargebackOutcome {
        Open = "Open",
        Won = "Won",
        Lost = "Lost",
        /// The agency does not contest it.
        Accepted = "Accepted",
        /// The customer withdrew the dispute, or the order left ChargeBack.
        Withdrawn = "Withdrawn",
    }
}

impl ChargebackOutcome {
    /// The network or the agency has decided the dispute.
    pub fn is_decided(self) -> bool {
        match self {
            Self::Won | Self::Lost | Self::Accepted => true,
            Self::Open | Self::Withdrawn => false,
        }
    }
}

text_enum! {
    /// The time left, in a word; the outcome if the dispute is decided.
    pub enum Urgency {
        /// The day has passed.
        Overdue = "Overdue",
        DueToday = "Due today",
        /// Due in one or two days.
        Urgent = "Urgent",
        /// Due in three to five days.
        Soon = "Soon",
        /// Due in more than five days.
        InTime = "In time",
        Won = "Won",
        Lost = "Lost",
        Accepted = "Accepted",
        Withdrawn = "Withdrawn",
    }
}
