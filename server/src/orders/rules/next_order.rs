//! The order that a member takes next, and why. Pure.

use chrono::NaiveDate;

use crate::ids::OrderId;
use crate::text::counted;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The reason why an order is taken before the others.
    pub enum TakeReason {
        /// It has waited longer than the limit.
        Overdue = "overdue",
        /// It is a priority order.
        Priority = "priority",
        /// Its applicant has sent documents since it became New.
        Documents = "documents",
        /// Its applicant arrives first.
        Arrival = "arrival",
        /// It has waited longest.
        Age = "age",
    }
}

impl TakeReason {
    /// The reason as the end of a sentence about the order. `limit_hours`: after which an order is overdue.
    pub fn text(self, limit_hours: u32) -> String {
        match self {
            Self::Overdue if limit_hours == 0 => Self::Age.text(limit_hours),
            Self::Overdue => format!("it has waited for more than {}", counted(limit_hours, "hour")),
            Self::Priority => "it is a priority order".to_owned(),
            Self::Documents => "its applicant has sent documents".to_owned(),
            Self::Arrival => "its arrival date is the earliest".to_owned(),
            Self::Age => "it has waited longest".to_owned(),
        }
    }
}

/// The arrival date of an order without one: the last of all.
pub const UNKNOWN_ARRIVAL: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

/// A New order without an owner. The fields are in the sequence in which they rank orders that are not overdue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FreeOrder {
    pub is_regular: bool,
    /// False: the applicant has sent documents since it became New.
    pub has_no_papers: bool,
    /// [`UNKNOWN_ARRIVAL`] if it is not known.
    pub arrives_on: NaiveDate,
    pub new_since: Timestamp,
    pub order_id: OrderId,
}

/// The place of an order among those that can be taken. The smallest is taken first.
///
/// Overdue orders come before all others, the oldest first, so that none is overtaken by an order that came after its limit had passed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TakeRank {
    Overdue { new_since: Timestamp, order_id: OrderId },
    InTime(FreeOrder),
}

impl TakeRank {
    /// The rank of an order while those are overdue that have been New since `overdue_since`.
    pub fn of(order: FreeOrder, overdue_since: Timestamp) -> Self {
        let FreeOrder { new_since, order_id, .. } = order;
        if new_since <= overdue_since { Self::Overdue { new_since, order_id } } else { Self::InTime(order) }
    }

    /// The order.
    pub fn order_id(&self) -> OrderId {
        match self {
            Self::Overdue { order_id, .. } | Self::InTime(FreeOrder { order_id, .. }) => *order_id,
        }
    }

    /// The reason why it is taken if it is the first.
    pub fn reason(&self) -> TakeReason {
        match self {
            Self::Overdue { .. } => TakeReason::Overdue,
            Self::InTime(order) if !order.is_regular => TakeReason::Priority,
            Self::InTime(order) if !order.has_no_papers => TakeReason::Documents,
            Self::InTime(order) if order.arrives_on < UNKNOWN_ARRIVAL => TakeReason::Arrival,
            Self::InTime(_) => TakeReason::Age,
        }
    }
}

#[cfg(test)]
mod tests;
