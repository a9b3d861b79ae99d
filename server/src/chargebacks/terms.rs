//! The words of a dispute: networks, reason groups, outcomes, urgency.

use crate::text_enum;

text_enum! {
    /// Whose rules the dispute follows.
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
    /// What the customer says, whatever code the network has for it.
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
    /// How the dispute stands. An open one belongs to an order in ChargeBack.
    pub enum ChargebackOutcome {
        Open = "Open",
        Won = "Won",
        Lost = "Lost",
        /// The agency does not contest it.
        Accepted = "Accepted",
        /// It is no dispute any more: the customer took it back, or the order left ChargeBack.
        Withdrawn = "Withdrawn",
    }
}

text_enum! {
    /// How much time is left, in a word; of a decided dispute its outcome.
    pub enum Urgency {
        /// The day has passed.
        Overdue = "Overdue",
        DueToday = "Due today",
        /// One or two days.
        Urgent = "Urgent",
        /// Three to five days.
        Soon = "Soon",
        /// More than five days.
        InTime = "In time",
        Won = "Won",
        Lost = "Lost",
        Accepted = "Accepted",
        Withdrawn = "Withdrawn",
    }
}
