//! Statuses, folders, and who may do what to which order. Pure: no database, no clock.

use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use serde_json::json;

use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::staff::rules::{Staff, StaffType};
use crate::text;
use crate::text_enum;

pub mod refunds;

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

/// What a rule needs to know of an order before it changes.
#[derive(Clone, Debug)]
pub struct OrderState {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub status_before_deletion: Option<ProcessStatus>,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    /// When the money went back.
    pub refund_date: Option<NaiveDateTime>,
    pub updated_at: NaiveDateTime,
    pub owner_id: Option<i64>,
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
    pub fn parse(name: &str) -> Result<Self> {
        let name = match name {
            "my-order" => "myOrder",
            "future-order" => "futureOrder",
            "chargeBack" => "chargeBackOrder",
            name => name,
        };
        let found = Self::ALL.iter().find(|(_, known)| *known == name).map(|(folder, _)| *folder);
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

/// The most orders that one bulk call takes.
pub const MAX_SELECTED: usize = 500;

/// Refuses an empty, repeated or overlong selection.
pub fn check_selection(ids: &[OrderId]) -> Result<Vec<i64>> {
    if ids.is_empty() {
        return Err(Error::invalid("Please select at least one order"));
    }
    if ids.len() > MAX_SELECTED {
        return Err(Error::invalid(format!("Please select at most {MAX_SELECTED} orders at a time")));
    }
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    if let Some(twice) = ids.iter().find(|id| !seen.insert(**id)) {
        return Err(Error::invalid(format!("Order {} is selected twice", twice.0)));
    }
    Ok(ids.iter().map(|id| id.0).collect())
}

/// A refusal of the whole selection, with the order that stopped it.
fn nothing_changed(order_id: i64, why: impl std::fmt::Display, refusal: fn(String) -> Error) -> Error {
    refusal(format!("Nothing was changed: {why}")).with_data(json!({ "order_id": order_id }))
}

/// Refuses a selection that names an order which is not there.
pub fn all_found(ids: &[i64], states: &[OrderState]) -> Result<()> {
    let missing = ids.iter().find(|id| states.iter().all(|state| state.order_id != **id));
    missing.map_or(Ok(()), |id| Err(nothing_changed(*id, format!("order {id} is not there"), Error::not_found)))
}

/// To whom orders are given: a member of staff, by id and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pub id: i64,
    pub name: String,
}

/// An order is given only when it is nobody's or already that person's. Who does not act for others gives only to
/// themselves.
pub fn check_giving(staff: &Staff, to: &Owner, states: &[OrderState]) -> Result<()> {
    if to.id != staff.id && !acts_for_others(staff.staff_type) {
        return Err(Error::forbidden("You can assign orders only to yourself"));
    }
    let owned = states.iter().find(|state| state.owner_id.is_some_and(|owner| owner != to.id));
    owned.map_or(Ok(()), |state| {
        let owner = state.owner_name.as_deref().unwrap_or("somebody else");
        let why = format!("{} is already assigned to {owner}", state.order_id);
        Err(nothing_changed(state.order_id, why, Error::conflict))
    })
}

/// A person gives back their own orders; Admin and Manager anybody's.
pub fn check_giving_back(staff: &Staff, states: &[OrderState]) -> Result<()> {
    if acts_for_others(staff.staff_type) {
        return Ok(());
    }
    let other = states.iter().find(|state| state.owner_id.is_some_and(|owner| owner != staff.id));
    other.map_or(Ok(()), |state| {
        let owner = state.owner_name.as_deref().unwrap_or("somebody else");
        let why = format!("{} belongs to {owner}", state.order_id);
        Err(nothing_changed(state.order_id, why, Error::forbidden))
    })
}

/// Any status can follow any other (spec §4), except that deleting is not everyone's and that waiting needs a day ahead.
pub fn check_status(
    staff: &Staff,
    to: ProcessStatus,
    folder: Option<Folder>,
    today: NaiveDate,
    states: &[OrderState],
) -> Result<()> {
    match to {
        ProcessStatus::Deleted => {
            let kept = states.iter().find(|state| {
                !may_delete(staff.staff_type, state.process_status) || !may_delete_from(staff.staff_type, folder)
            });
            kept.map_or(Ok(()), |state| {
                let why = format!("{} staff may not delete order {}", staff.staff_type, state.order_id);
                Err(nothing_changed(state.order_id, why, Error::forbidden))
            })
        }
        ProcessStatus::Future => {
            let dateless = states.iter().find(|state| state.processing_date.is_none_or(|date| date <= today));
            dateless.map_or(Ok(()), |state| {
                let why = format!("order {} has no processing date ahead", state.order_id);
                Err(nothing_changed(state.order_id, why, Error::invalid))
            })
        }
        _ => Ok(()),
    }
}

/// What a deleted order becomes when it is restored: what it was, except that a day may have come meanwhile.
pub fn restored_status(state: &OrderState, today: NaiveDate) -> ProcessStatus {
    match state.status_before_deletion {
        Some(ProcessStatus::Future) if state.processing_date.is_none_or(|date| date <= today) => ProcessStatus::New,
        Some(status) => status,
        None => ProcessStatus::New,
    }
}

/// Refuses to restore what is not deleted.
pub fn check_restoring(states: &[OrderState]) -> Result<()> {
    let alive = states.iter().find(|state| state.process_status != ProcessStatus::Deleted);
    alive.map_or(Ok(()), |state| {
        let why = format!("order {} is not deleted", state.order_id);
        Err(nothing_changed(state.order_id, why, Error::conflict))
    })
}

/// Refuses an edit of an order that somebody changed since it was shown. Times are told in `zone`.
pub fn check_fresh(state: &OrderState, shown_at: Option<NaiveDateTime>, changed_by: &str, zone: Tz) -> Result<()> {
    if shown_at.is_none_or(|shown_at| shown_at == state.updated_at) {
        return Ok(());
    }
    let changed_at = text::format_instant(state.updated_at, zone);
    let why = format!("order {} was changed by {changed_by} at {changed_at}. Please look at it again", state.order_id);
    Err(nothing_changed(state.order_id, why, Error::conflict))
}

/// The longest remark, in characters.
const MAX_REMARK_LEN: usize = 5_000;

/// What a member of staff writes about an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRemark {
    pub text: String,
    pub whatsapp: bool,
    pub telephone: bool,
    pub status_refund: bool,
    pub voided: bool,
    pub chargeback: bool,
}

/// A remark's text as it was typed: its lines stay, and what could reorder or break what stands beside it goes.
pub fn remark_text(typed: &str) -> Result<String> {
    let is_kept = |one: &char| match one {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' => false,
        one => !one.is_control(),
    };
    let text: String = typed.replace("\r\n", "\n").replace('\r', "\n").chars().filter(is_kept).collect();
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::invalid("Please enter your remark"));
    }
    if text.chars().count() > MAX_REMARK_LEN {
        return Err(Error::invalid(format!("Please write at most {MAX_REMARK_LEN} characters in one remark")));
    }
    Ok(text.to_owned())
}

/// A checkbox of the remark's form: `Y`, or empty when it is not ticked.
pub fn remark_flag(name: &'static str, given: &str) -> Result<bool> {
    match given {
        "Y" => Ok(true),
        "" => Ok(false),
        _ => Err(Error::invalid(format!("{name} is Y or empty"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_keeps_its_lines_and_its_letters() {
        let read = |typed: &str| remark_text(typed).map_err(|error| error.message().to_owned());
        assert_eq!(read("  called,\r\nno answer\r\tagain \n"), Ok("called,\nno answer\n\tagain".into()));
        assert_eq!(read("客户 \u{202e}اتصل\u{7}"), Ok("客户 اتصل".into()));
        for empty in ["", " \r\n\t ", "\u{202e}"] {
            assert_eq!(read(empty), Err("Please enter your remark".into()));
        }
        assert!(read(&"é".repeat(5_000)).is_ok() && read(&"x".repeat(5_001)).is_err());
    }

    #[test]
    fn each_status_is_spelled_as_the_wire_has_it() {
        let spelled: Vec<&str> = ProcessStatus::ALL.iter().map(|status| status.as_str()).collect();
        assert_eq!(
            spelled,
            [
                "New",
                "Pending",
                "Future",
                "Awaiting",
                "AwaitingGovt",
                "Contact Customer",
                "Customer Called",
                "Completed",
                "Refunds",
                "ChargeBack",
                "Deleted"
            ]
        );
    }

    #[test]
    fn a_checkbox_is_y_or_empty() {
        assert_eq!(remark_flag("voided", "Y").ok(), Some(true));
        assert_eq!(remark_flag("voided", "").ok(), Some(false));
        for other in ["y", "N", "1", "true", " Y"] {
            assert!(remark_flag("voided", other).is_err(), "{other}");
        }
    }
}
