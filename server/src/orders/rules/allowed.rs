//! The actions that a member of staff may perform on an order, so that the web app derives no rule itself. They are the
//! actions that the checks of the calls accept and that would change something. Pure.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::changes::{check_assign, check_hand_over, check_restore, check_status, check_unassign};
use super::{Folder, OrderState, acts_for_others, may_record_chargeback, refunds};
use crate::orders::status::ProcessStatus;
use crate::staff::rules::Staff;

/// The actions that the caller may perform on an order from a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AllowedInList {
    /// Assign it to oneself.
    pub assign_to_me: bool,
    /// Assign it to any member of staff.
    pub assign_to_others: bool,
    /// Give it to another member than its owner, if it has one, with a note.
    pub reassign: bool,
    /// Hand it over to another member: it is one's own.
    pub hand_over: bool,
    /// Give it back: it has no owner afterwards.
    pub unassign: bool,
    /// Delete it: in a list, from that folder.
    pub delete: bool,
    /// Restore it to the status before its deletion.
    pub restore: bool,
    /// Mark it as refunded.
    pub refund: bool,
}

/// The actions that the caller may perform on an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Allowed {
    #[serde(flatten)]
    pub in_list: AllowedInList,
    /// The other statuses that it may be moved to; deleting is `delete`.
    pub moves: Vec<ProcessStatus>,
    /// Add a remark.
    pub remark: bool,
    /// Correct what the customer entered.
    pub correct: bool,
    /// Upload an issued visa.
    pub upload_visa: bool,
    /// Send the mail about the visa again, or the download link.
    pub send_mail: bool,
    /// Take back the mark of its refund.
    pub take_back_refund: bool,
    /// Save the transaction details.
    pub edit_transaction: bool,
    /// Save the record of the chargeback.
    pub save_chargeback: bool,
    /// Generate defence packs.
    pub make_packs: bool,
}

/// Returns the actions that `staff` may perform on an order in a list of `folder`; without a folder, on the order's own screen.
pub fn allowed_in_list(staff: &Staff, state: &OrderState, folder: Option<Folder>, today: NaiveDate) -> AllowedInList {
    let is_deleted = state.process_status == ProcessStatus::Deleted;
    AllowedInList {
        assign_to_me: state.owner_id != Some(staff.id) && check_assign(staff, staff.id, state).is_ok(),
        assign_to_others: acts_for_others(staff.staff_type) && state.owner_id.is_none(),
        reassign: acts_for_others(staff.staff_type),
        hand_over: check_hand_over(staff, state).is_ok(),
        unassign: state.owner_id.is_some() && check_unassign(staff, state).is_ok(),
        delete: !is_deleted && check_status(staff, ProcessStatus::Deleted, folder, today, state).is_ok(),
        restore: check_restore(staff, state).is_ok(),
        refund: refunds::is_due(state),
    }
}

/// The records of an order that decide about further ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderRecords {
    /// Of its chargeback.
    pub chargeback: bool,
    /// Of a refund in force.
    pub refund: bool,
}

/// Returns the actions that `staff` may perform on an order on its own screen.
pub fn allowed(staff: &Staff, state: &OrderState, has: OrderRecords, today: NaiveDate) -> Allowed {
    let status = state.process_status;
    let may_move = |to: &ProcessStatus| {
        *to != status && *to != ProcessStatus::Deleted && check_status(staff, *to, None, today, state).is_ok()
    };
    Allowed {
        in_list: allowed_in_list(staff, state, None, today),
        moves: ProcessStatus::ALL.iter().copied().filter(may_move).collect(),
        // Open to every member of staff, whatever the order's status (spec §6).
        remark: true,
        correct: status.may_be_corrected(),
        upload_visa: status.may_be_emailed_about(),
        send_mail: status.may_be_emailed_about(),
        take_back_refund: refunds::may_take_back(staff.staff_type)
            && refunds::check_take_back(state, has.refund).is_ok(),
        edit_transaction: status.may_be_defended(),
        save_chargeback: may_record_chargeback(status, has.chargeback),
        make_packs: status.may_be_defended(),
    }
}

#[cfg(test)]
mod tests;
