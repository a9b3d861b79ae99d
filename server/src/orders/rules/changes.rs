//! Checks of changes to orders: owner, status, deletion, restoring. Each looks at one order, so that [`super::allowed`] offers
//! exactly what these checks accept; a bulk call passes when each of its orders does. Pure.

use std::collections::HashSet;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::{Folder, OrderState, acts_for_others, may_delete, may_delete_from, may_restore};
use crate::ids::{OrderId, StaffId};
use crate::orders::errors::OrderError;
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;
use crate::text;
use crate::timestamp::Timestamp;

/// The most orders that one bulk call takes.
pub const MAX_SELECTED: usize = 500;

/// Refuses an empty, repeated or overlong selection.
pub fn check_selection(ids: &[OrderId]) -> Result<(), OrderError> {
    if ids.is_empty() {
        return Err(OrderError::NoOrderSelected);
    }
    if ids.len() > MAX_SELECTED {
        return Err(OrderError::TooManyOrdersSelected(MAX_SELECTED));
    }
    let mut seen = HashSet::with_capacity(ids.len());
    match ids.iter().find(|id| !seen.insert(**id)) {
        Some(twice) => Err(OrderError::OrderSelectedTwice(*twice)),
        None => Ok(()),
    }
}

/// Refuses a selection with an order that does not exist.
pub fn all_found(ids: &[OrderId], found: impl Iterator<Item = OrderId>) -> Result<(), OrderError> {
    let found: HashSet<OrderId> = found.collect();
    let missing = ids.iter().find(|id| !found.contains(id));
    missing.map_or(Ok(()), |order_id| Err(OrderError::SelectedOrderNotFound { order_id: *order_id }))
}

/// The member to whom orders are assigned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    pub id: StaffId,
    pub name: String,
}

fn owner_name(state: &OrderState) -> String {
    state.owner_name.clone().unwrap_or_else(|| "another member of staff".into())
}

/// An order is assigned only while it is unassigned or already that member's. Members who do not act for others assign only to
/// themselves.
pub fn check_assign(staff: &Staff, to: StaffId, state: &OrderState) -> Result<(), OrderError> {
    if to != staff.id && !acts_for_others(staff.staff_type) {
        return Err(OrderError::AssignOnlyToYourself);
    }
    if state.owner_id.is_some_and(|owner| owner != to) {
        return Err(OrderError::OrderAlreadyAssigned { order_id: state.order_id, owner: owner_name(state) });
    }
    Ok(())
}

/// Members give back their own orders; Admins and Managers anyone's.
pub fn check_unassign(staff: &Staff, state: &OrderState) -> Result<(), OrderError> {
    if !acts_for_others(staff.staff_type) && state.owner_id.is_some_and(|owner| owner != staff.id) {
        return Err(OrderError::OrderOfAnotherMember { order_id: state.order_id, owner: owner_name(state) });
    }
    Ok(())
}

/// Members hand over their own orders.
pub fn check_hand_over(staff: &Staff, state: &OrderState) -> Result<(), OrderError> {
    if state.owner_id != Some(staff.id) {
        return Err(OrderError::OrderNotYours { order_id: state.order_id });
    }
    Ok(())
}

/// Any status can follow any other (spec §4), except that not everyone may delete and that Future needs a processing date
/// ahead.
pub fn check_status(
    staff: &Staff,
    to: ProcessStatus,
    folder: Option<Folder>,
    today: NaiveDate,
    state: &OrderState,
) -> Result<(), OrderError> {
    let (order_id, staff_type) = (state.order_id, staff.staff_type);
    match to {
        ProcessStatus::Deleted if !may_delete(staff_type, state.process_status, state.had_visa_or_dispute) => {
            Err(match may_delete(staff_type, state.process_status, false) {
                true => OrderError::ServedOrderDeletionForbidden { order_id, staff_type },
                false => OrderError::OrderDeletionForbidden { order_id, staff_type },
            })
        }
        ProcessStatus::Deleted if !may_delete_from(staff_type, folder) => {
            Err(OrderError::OrderDeletionForbidden { order_id, staff_type })
        }
        ProcessStatus::Future if state.processing_date.is_none_or(|date| date <= today) => {
            Err(OrderError::NoProcessingDateAhead { order_id })
        }
        _ => Ok(()),
    }
}

/// The message about a change of `count` orders that all are as requested already (invariant 9).
pub fn already(count: usize, state: &str) -> String {
    match count {
        1 => format!("The order is already {state}"),
        count => format!("All {count} orders are already {state}"),
    }
}

/// Admins and Managers restore orders that are deleted.
pub fn check_restore(staff: &Staff, state: &OrderState) -> Result<(), OrderError> {
    if !may_restore(staff.staff_type) {
        return Err(OrderError::OrderRestoreForbidden(staff.staff_type));
    }
    if state.process_status != ProcessStatus::Deleted {
        return Err(OrderError::OrderNotDeleted { order_id: state.order_id });
    }
    Ok(())
}

/// The status of a deleted order once it is restored: the one before the deletion, or New if its processing date has come
/// meanwhile.
pub fn restored_status(state: &OrderState, today: NaiveDate) -> ProcessStatus {
    state.status_before_deletion.unwrap_or(ProcessStatus::New).unless_due(state.processing_date, today)
}

/// Refuses an edit of an order that was changed after the caller loaded it. The text gives the time in `zone`.
pub fn check_fresh(
    state: &OrderState,
    shown_at: Option<Timestamp>,
    changed_by: &str,
    zone: Tz,
) -> Result<(), OrderError> {
    if shown_at.is_none_or(|shown_at| shown_at == state.updated_at) {
        return Ok(());
    }
    let at = text::format_instant(state.updated_at, zone);
    Err(OrderError::OrderChangedMeanwhile { order_id: state.order_id, by: changed_by.to_owned(), at })
}
