//! Which orders a list holds.

use chrono::NaiveDate;

use super::rules::Holds;
use super::status::ProcessStatus;
use crate::ids::StaffId;

/// Which orders a list holds: the definition of a folder, with its member or months.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    Queue(&'static str),
    /// The open orders of a member of staff.
    OpenOrdersOf(StaffId),
    /// Orders with a processing date ahead, in this half-open range.
    FutureDates(Option<(NaiveDate, NaiveDate)>),
    Everything,
    /// The orders that are in another folder of this member than Order History: all but the New orders of other members.
    /// [`folder_of`](super::rules::folder_of) says the same of one order.
    InFoldersOf(StaffId),
}

/// The queue of New orders that have an owner.
pub const TAKEN: &str = "Taken";

impl Selection {
    /// The selection of a folder for the member `staff_id`.
    pub fn of(holds: Holds, staff_id: StaffId) -> Self {
        match holds {
            Holds::Queue(queue) => Self::Queue(queue),
            Holds::OpenOrdersOfPerson => Self::OpenOrdersOf(staff_id),
            Holds::FutureDates => Self::FutureDates(None),
            Holds::Everything => Self::Everything,
        }
    }

    /// The folder counters that add up to the list: their kind, and the range of their keys, without which all count. None: it takes
    /// more than counters.
    pub fn counters(&self) -> Option<(&'static str, Option<(String, String)>)> {
        let one = |key: &str| Some((key.to_owned(), key.to_owned()));
        let month = |day: NaiveDate| day.format("%Y-%m").to_string();
        match self {
            Self::Queue(queue) => Some(("queue", one(queue))),
            Self::OpenOrdersOf(staff_id) => Some(("owner", one(&staff_id.to_string()))),
            Self::FutureDates(None) => Some(("queue", one(ProcessStatus::Future.as_str()))),
            Self::FutureDates(Some((from, until))) => {
                Some(("month", Some((month(*from), month(until.pred_opt().unwrap_or(*until))))))
            }
            Self::Everything => Some(("queue", None)),
            Self::InFoldersOf(_) => None,
        }
    }

    /// The list's name in the counters of each month and day of creation, if its orders are counted by them: lists that grow for ever.
    pub fn list_counted_by_day(&self) -> Option<&'static str> {
        match self {
            Self::Everything => Some("everything"),
            Self::Queue(queue) => ProcessStatus::parse(queue).is_some_and(ProcessStatus::accumulates).then_some(*queue),
            _ => None,
        }
    }
}
