//! Statuses, folders, and who may do what to which order. Pure: no database, no clock.

use crate::error::{Error, Result};
use crate::staff::rules::{Staff, StaffType};
use crate::text_enum;

text_enum! {
    /// Where an order stands: `process_status` on the wire (spec §4).
    pub enum ProcessStatus {
        New = "New",
        /// The payment is not confirmed yet.
        Pending = "Pending",
        /// Paid, and its processing date lies ahead.
        Future = "Future",
        Awaiting = "Awaiting",
        AwaitingGovt = "AwaitingGovt",
        ContactCustomer = "Contact Customer",
        CustomerCalled = "Customer Called",
        Completed = "Completed",
        Refunds = "Refunds",
        ChargeBack = "ChargeBack",
        Deleted = "Deleted",
    }
}

text_enum! {
    /// How fast the customer paid for.
    pub enum ProcessingMode {
        Regular = "Regular Processing",
        Priority = "Priority Processing",
    }
}

/// A list of orders (spec §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Folder {
    New,
    Priority,
    My,
    Pending,
    Completed,
    Deleted,
    Awaiting,
    AwaitingGovt,
    CustomerCalled,
    ContactCustomer,
    Refund,
    ChargeBack,
    Future,
    All,
}

/// What puts an order into a folder. Lists and counts both read it here, so they cannot disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The orders whose column `queue` is this.
    Queue(&'static str),
    /// The orders whose column `open_owner` is the person.
    OpenOrdersOfPerson,
    /// Orders waiting for their day: the column `future_date` is set.
    FutureDates,
    Everything,
}

impl Folder {
    /// All folders, with the name of each on the wire and the key of its count.
    pub const ALL: [(Self, &'static str, &'static str); 14] = [
        (Self::New, "newOrder", "newOrdersCount"),
        (Self::Priority, "priorityOrder", "priorityOrdersCount"),
        (Self::My, "myOrder", "myOrdersCount"),
        (Self::Pending, "pendingOrder", "pendingOrdersCount"),
        (Self::Completed, "completedOrder", "completedOrdersCount"),
        (Self::Deleted, "deletedOrder", "deletedOrdersCount"),
        (Self::Awaiting, "awaitingOrder", "awaitingOrdersCount"),
        (Self::AwaitingGovt, "awaitingGovtOrder", "awaitingGovtCount"),
        (Self::CustomerCalled, "customerCalledOrder", "customerCalledCount"),
        (Self::ContactCustomer, "contactCustomerOrder", "contactCustomerOrdersCount"),
        (Self::Refund, "refundOrder", "refundOrdersCount"),
        (Self::ChargeBack, "chargeBackOrder", "chargeBackCount"),
        (Self::Future, "futureOrder", "futureOrdersCount"),
        (Self::All, "allOrder", "allOrdersCount"),
    ];

    /// The folder of that name; three have a second name.
    pub fn parse(name: &str) -> Result<Self> {
        let name = match name {
            "my-order" => "myOrder",
            "future-order" => "futureOrder",
            "chargeBack" => "chargeBackOrder",
            name => name,
        };
        let found = Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(folder, ..)| *folder);
        found.ok_or_else(|| Error::invalid("There is no folder of that name"))
    }

    /// Which orders it holds.
    pub fn holds(self) -> Holds {
        match self {
            Self::My => Holds::OpenOrdersOfPerson,
            Self::Future => Holds::FutureDates,
            Self::All => Holds::Everything,
            // The queue of a New order also tells its mode, and that somebody took it.
            Self::New => Holds::Queue("New"),
            Self::Priority => Holds::Queue("Priority"),
            Self::Pending => Holds::Queue(ProcessStatus::Pending.as_str()),
            Self::Completed => Holds::Queue(ProcessStatus::Completed.as_str()),
            Self::Deleted => Holds::Queue(ProcessStatus::Deleted.as_str()),
            Self::Awaiting => Holds::Queue(ProcessStatus::Awaiting.as_str()),
            Self::AwaitingGovt => Holds::Queue(ProcessStatus::AwaitingGovt.as_str()),
            Self::CustomerCalled => Holds::Queue(ProcessStatus::CustomerCalled.as_str()),
            Self::ContactCustomer => Holds::Queue(ProcessStatus::ContactCustomer.as_str()),
            Self::Refund => Holds::Queue(ProcessStatus::Refunds.as_str()),
            Self::ChargeBack => Holds::Queue(ProcessStatus::ChargeBack.as_str()),
        }
    }

    /// Contact Customer never shows a telephone (spec §2).
    pub fn shows_telephone(self) -> bool {
        self != Self::ContactCustomer
    }
}

/// Order History is closed to telecallers, in the sidebar and by its address (spec §6).
pub fn may_list(who: StaffType, folder: Folder) -> bool {
    folder != Folder::All || who != StaffType::Telecaller
}

/// Deleting belongs to Admin and Manager, except that an order waiting for its day is everyone's to delete (spec §6).
pub fn may_delete(who: StaffType, status: ProcessStatus) -> bool {
    status == ProcessStatus::Future || matches!(who, StaffType::Admin | StaffType::Manager)
}

/// From their own list only an Admin deletes (spec §6). The folder can tighten what a person may do, never widen it.
pub fn may_delete_from(who: StaffType, folder: Option<Folder>) -> bool {
    folder != Some(Folder::My) || who == StaffType::Admin
}

/// Admin and Manager also act for others: they hand orders to people, and look at a person's list and counts.
pub fn acts_for_others(who: StaffType) -> bool {
    matches!(who, StaffType::Admin | StaffType::Manager)
}

/// The status as the lists and buttons call it.
pub fn shown(status: ProcessStatus) -> &'static str {
    match status {
        ProcessStatus::Awaiting => "Awaiting Customer",
        ProcessStatus::AwaitingGovt => "Awaiting Govt",
        status => status.as_str(),
    }
}

/// Whose list and counts a request is about: the signed-in person's, or, for Admin and Manager, the person they name.
pub fn asks_about<'a>(staff: &Staff, user_name: Option<&'a str>) -> Option<&'a str> {
    user_name.filter(|name| acts_for_others(staff.staff_type) && !name.is_empty() && *name != staff.name)
}
