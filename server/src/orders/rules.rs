//! Folders, and who may do what to which order. Pure: no database, no clock.

use chrono::NaiveDate;

use super::errors::OrderError;
use super::status::ProcessStatus;
use crate::ids::{OrderId, StaffId};
use crate::staff::rules::{Staff, StaffType};
use crate::text_enum;
use crate::timestamp::Timestamp;

pub mod allowed;
pub mod changes;
pub mod columns;
pub mod comparison;
pub mod country;
pub mod corrections;
pub mod dates;
pub mod duplicates;
pub mod entered;
pub mod fields;
pub mod filling;
pub mod filter;
pub mod known_words;
pub mod next_order;
pub mod personal_name;
pub mod phone;
pub mod refund_approvals;
pub mod refunds;
pub mod remarks;
pub mod sex;
pub mod spelling;
pub mod undo;

text_enum! {
    /// The speed of processing that the customer paid for.
    pub enum ProcessingMode {
        Regular = "Regular Processing",
        Priority = "Priority Processing",
    }
}

/// The values of an order that the rules need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderState {
    pub order_id: OrderId,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    /// When the order was refunded.
    pub refund_date: Option<Timestamp>,
    pub updated_at: Timestamp,
    /// It had an issued visa, the status Completed or a dispute, by a change that was not undone.
    pub had_visa_or_dispute: bool,
    pub owner_id: Option<StaffId>,
    pub owner_name: Option<String>,
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

/// The definition of a folder. Lists and counts both read it here, so they cannot disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The orders whose column `queue` is this.
    Queue(&'static str),
    /// The orders whose column `open_owner` is the member.
    OpenOrdersOfPerson,
    /// The orders with a processing date ahead: the column `future_date` is set.
    FutureDates,
    Everything,
}

impl Folder {
    /// All folders, with the name of each on the wire.
    pub const ALL: [(Self, &'static str); 14] = [
        (Self::New, "newOrder"),
        (Self::Priority, "priorityOrder"),
        (Self::My, "myOrder"),
        (Self::Pending, "pendingOrder"),
        (Self::Completed, "completedOrder"),
        (Self::Deleted, "deletedOrder"),
        (Self::Awaiting, "awaitingOrder"),
        (Self::AwaitingGovt, "awaitingGovtOrder"),
        (Self::CustomerCalled, "customerCalledOrder"),
        (Self::ContactCustomer, "contactCustomerOrder"),
        (Self::Refund, "refundOrder"),
        (Self::ChargeBack, "chargeBackOrder"),
        (Self::Future, "futureOrder"),
        (Self::All, "allOrder"),
    ];

    /// The folder of that name; three have a second name.
    ///
    /// # Errors
    /// [`OrderError::UnknownFolder`].
    pub fn parse(name: &str) -> Result<Self, OrderError> {
        let name = match name {
            "my-order" => "myOrder",
            "future-order" => "futureOrder",
            "chargeBack" => "chargeBackOrder",
            name => name,
        };
        let found = Self::ALL.iter().find(|(_, known)| *known == name).map(|(folder, _)| *folder);
        found.ok_or(OrderError::UnknownFolder)
    }

    /// The folder's name on the wire.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(folder, _)| *folder == self).map_or("", |(_, name)| name)
    }

    /// The definition of the folder.
    pub fn holds(self) -> Holds {
        match self {
            Self::My => Holds::OpenOrdersOfPerson,
            Self::Future => Holds::FutureDates,
            Self::All => Holds::Everything,
            // The queue of a New order also depends on its mode and on whether it is assigned.
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

    /// Rows of the folder show a telephone number. Contact Customer never does (spec §2).
    pub fn shows_telephone(self) -> bool {
        self != Self::ContactCustomer
    }
}

/// Members of that type may list the folder. Order History is closed to telecallers, in the sidebar and by its address (spec §6).
pub fn may_list(who: StaffType, folder: Folder) -> bool {
    folder != Folder::All || who != StaffType::Telecaller
}

/// The folder in which the member `staff_id` finds an order: that of its status, and for a New order that of its owner. The New order
/// of another member is only in Order History.
pub fn folder_of(state: &OrderState, staff_id: StaffId) -> Folder {
    match state.process_status {
        ProcessStatus::New => match (state.owner_id, state.processing_mode) {
            (Some(owner), _) if owner == staff_id => Folder::My,
            (Some(_), _) => Folder::All,
            (None, ProcessingMode::Priority) => Folder::Priority,
            (None, ProcessingMode::Regular) => Folder::New,
        },
        ProcessStatus::Pending => Folder::Pending,
        ProcessStatus::Future => Folder::Future,
        ProcessStatus::Awaiting => Folder::Awaiting,
        ProcessStatus::AwaitingGovt => Folder::AwaitingGovt,
        ProcessStatus::ContactCustomer => Folder::ContactCustomer,
        ProcessStatus::CustomerCalled => Folder::CustomerCalled,
        ProcessStatus::Completed => Folder::Completed,
        ProcessStatus::Refunds => Folder::Refund,
        ProcessStatus::ChargeBack => Folder::ChargeBack,
        ProcessStatus::Deleted => Folder::Deleted,
    }
}

/// The list of the folder shows the order to the member `staff_id`. The result is that of the generated columns that [`Folder::holds`]
/// names.
pub fn is_listed(folder: Folder, state: &OrderState, staff_id: StaffId) -> bool {
    use ProcessStatus::{Future, New};
    let status = state.process_status;
    match folder.holds() {
        Holds::Queue(queue) => match (status, state.owner_id, state.processing_mode) {
            (New, Some(_), _) => false,
            (New, None, ProcessingMode::Priority) => folder == Folder::Priority,
            (status, ..) => status.as_str() == queue,
        },
        Holds::OpenOrdersOfPerson => state.owner_id == Some(staff_id) && !status.is_final(),
        Holds::FutureDates => status == Future,
        Holds::Everything => true,
    }
}

/// The member may find the order: it is in a folder that they may list. So a telecaller does not find the New order of another
/// member, which only Order History lists (spec §6).
pub fn may_find(staff: &Staff, state: &OrderState) -> bool {
    may_list(staff.staff_type, folder_of(state, staff.id))
}

/// Members of that type may delete an order in that status: Admins and Managers any order, everyone a Future order
/// (spec §6) that never had a visa or a dispute. Otherwise everyone could delete any order by way of Future.
pub fn may_delete(who: StaffType, status: ProcessStatus, had_visa_or_dispute: bool) -> bool {
    let is_open = status == ProcessStatus::Future && !had_visa_or_dispute;
    is_open || matches!(who, StaffType::Admin | StaffType::Manager)
}

/// Members of that type may delete from that folder. Only Admins delete from My Orders (spec §6). The folder can
/// restrict what a member may do, never extend it.
pub fn may_delete_from(who: StaffType, folder: Option<Folder>) -> bool {
    folder != Some(Folder::My) || who == StaffType::Admin
}

/// Members of that type act for others: Admins and Managers assign orders to others and see their lists and counts.
pub fn acts_for_others(who: StaffType) -> bool {
    matches!(who, StaffType::Admin | StaffType::Manager)
}

/// Members of that type may restore deleted orders. The table in `access.rs` admits the same types.
pub fn may_restore(who: StaffType) -> bool {
    matches!(who, StaffType::Admin | StaffType::Manager)
}

/// The chargeback of an order in that status may be recorded: it is in ChargeBack, or it was and has a record.
pub fn may_record_chargeback(status: ProcessStatus, has_record: bool) -> bool {
    status == ProcessStatus::ChargeBack || has_record
}

/// Whose list and counts a request is about: the member whom an Admin or a Manager names, otherwise the caller (none).
pub fn asks_about<'a>(staff: &Staff, user_name: Option<&'a str>) -> Option<&'a str> {
    user_name.filter(|name| acts_for_others(staff.staff_type) && !name.is_empty() && *name != staff.name)
}
