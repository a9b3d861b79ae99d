//! `allowed` and the checks that refuse agree, over all types of staff, statuses, owners and folders.

use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;
use chrono::{Days, NaiveDate};

use super::*;
use crate::orders::rules::{ProcessingMode, changes, may_delete, may_restore};
use crate::staff::rules::StaffType;

const ME: StaffId = StaffId(7);
const OTHER: StaffId = StaffId(8);

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day")
}

fn staff(staff_type: StaffType) -> Staff {
    Staff {
        id: ME,
        name: "Budi".into(),
        email: String::new(),
        staff_type,
        session_hash: String::new(),
        signed_in_at: Timestamp::EPOCH,
        confirmed_at: Timestamp::EPOCH,
        address: String::new(),
    }
}

/// Every combination of what the rules look at.
fn states() -> impl Iterator<Item = OrderState> {
    let dates = [None, Some(today()), today().checked_add_days(Days::new(1))];
    ProcessStatus::ALL.iter().flat_map(move |status| {
        dates.into_iter().flat_map(move |processing_date| {
            [None, Some(Timestamp::EPOCH)].into_iter().flat_map(move |refund_date| {
                [None, Some(ME), Some(OTHER)].into_iter().flat_map(move |owner_id| {
                    [false, true].into_iter().map(move |had_visa_or_dispute| OrderState {
                        order_id: OrderId(100_001),
                        process_status: *status,
                        status_before_deletion: None,
                        processing_mode: ProcessingMode::Regular,
                        processing_date,
                        refund_date,
                        updated_at: Timestamp::EPOCH,
                        had_visa_or_dispute,
                        owner_id,
                        owner_name: None,
                    })
                })
            })
        })
    })
}

/// Every type of staff with every state.
fn cases() -> impl Iterator<Item = (Staff, OrderState)> {
    StaffType::ALL.iter().flat_map(|staff_type| states().map(|state| (staff(*staff_type), state)))
}

fn folders() -> impl Iterator<Item = Option<Folder>> {
    [None].into_iter().chain(Folder::ALL.into_iter().map(|(folder, _)| Some(folder)))
}

#[test]
fn owner_actions_are_allowed_exactly_where_the_checks_accept_a_change_of_owner() {
    for (staff, state) in cases() {
        let allowed = allowed_in_list(&staff, &state, None, today());
        let accepts = |to| changes::check_assign(&staff, to, &state).is_ok() && state.owner_id != Some(to);
        assert_eq!(allowed.assign_to_me, accepts(ME), "{staff:?} {state:?}");
        // To any other member: one who has the order already, and one who has not.
        assert_eq!(allowed.assign_to_others, accepts(OTHER) || accepts(StaffId(OTHER.0 + 1)), "{staff:?} {state:?}");
        let unassigns = changes::check_unassign(&staff, &state).is_ok() && state.owner_id.is_some();
        assert_eq!(allowed.unassign, unassigns, "{staff:?} {state:?}");
    }
}

#[test]
fn moves_and_deletion_are_allowed_exactly_where_the_check_accepts_a_change_of_status() {
    for (staff, state) in cases() {
        let on_screen = allowed(&staff, &state, OrderRecords::default(), today());
        for to in ProcessStatus::ALL {
            let accepts = |folder| {
                let is_accepted = changes::check_status(&staff, *to, folder, today(), &state).is_ok();
                is_accepted && *to != state.process_status
            };
            if *to != ProcessStatus::Deleted {
                assert_eq!(on_screen.moves.contains(to), accepts(None), "{to} {staff:?} {state:?}");
                continue;
            }
            assert!(!on_screen.moves.contains(to));
            assert_eq!(on_screen.in_list.delete, accepts(None), "{staff:?} {state:?}");
            for folder in folders() {
                let in_list = allowed_in_list(&staff, &state, folder, today());
                assert_eq!(in_list.delete, accepts(folder), "{folder:?} {staff:?} {state:?}");
            }
        }
    }
}

#[test]
fn restoring_and_refunds_are_allowed_exactly_where_the_checks_accept_them() {
    for (staff, state) in cases() {
        let allowed = allowed_in_list(&staff, &state, None, today());
        assert_eq!(allowed.restore, changes::check_restore(&staff, &state).is_ok(), "{staff:?} {state:?}");
        let due = refunds::due(std::slice::from_ref(&state), chrono_tz::UTC);
        assert_eq!(allowed.refund, due.is_ok_and(|due| !due.is_empty()), "{staff:?} {state:?}");
    }
}

#[test]
fn only_an_admin_takes_back_a_refund_that_was_recorded_here() {
    for (staff, state) in cases() {
        for refund in [false, true] {
            let offered = allowed(&staff, &state, OrderRecords { chargeback: false, refund }, today()).take_back_refund;
            let is_recorded = refund && state.refund_date.is_some();
            assert_eq!(offered, is_recorded && staff.staff_type == StaffType::Admin, "{staff:?} {state:?}");
        }
    }
}

#[test]
fn each_type_of_staff_may_what_the_specification_says() {
    use StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
    let types = |holds: &dyn Fn(StaffType) -> bool| -> Vec<StaffType> {
        StaffType::ALL.iter().copied().filter(|staff_type| holds(*staff_type)).collect()
    };
    let leaders = vec![Admin, Manager];
    let everyone = vec![Admin, Manager, Team, Telecaller, NightStaff];
    assert_eq!(types(&|who| may_delete(who, ProcessStatus::New, false)), leaders);
    assert_eq!(types(&|who| may_delete(who, ProcessStatus::Future, false)), everyone);
    assert_eq!(types(&|who| may_delete(who, ProcessStatus::Future, true)), leaders);
    assert_eq!(types(&may_restore), leaders);

    let new = states().find(|state| state.process_status == ProcessStatus::New).expect("a new order");
    let from = |folder| types(&|who| allowed_in_list(&staff(who), &new, folder, today()).delete);
    assert_eq!((from(Some(Folder::My)), from(Some(Folder::New)), from(None)), (vec![Admin], leaders.clone(), leaders));
}

#[test]
fn chargebacks_packs_and_mails_depend_on_the_status_alone() {
    let statuses = |holds: &dyn Fn(&Allowed) -> bool, has_chargeback: bool| -> Vec<ProcessStatus> {
        let team = staff(StaffType::Team);
        let of = |status: &ProcessStatus| {
            let state = states().find(|state| state.process_status == *status).expect("an order of each status");
            allowed(&team, &state, OrderRecords { chargeback: has_chargeback, refund: false }, today())
        };
        ProcessStatus::ALL.iter().copied().filter(|status| holds(&of(status))).collect()
    };
    let defended = [ProcessStatus::CustomerCalled, ProcessStatus::Completed, ProcessStatus::ChargeBack];
    assert_eq!(statuses(&|allowed| allowed.make_packs, false), defended);
    assert_eq!(statuses(&|allowed| allowed.edit_transaction, false), defended);
    assert_eq!(statuses(&|allowed| allowed.save_chargeback, false), [ProcessStatus::ChargeBack]);
    assert_eq!(statuses(&|allowed| allowed.save_chargeback, true), ProcessStatus::ALL);
    assert_eq!(statuses(&|allowed| !allowed.send_mail, false), [ProcessStatus::Deleted]);
    assert_eq!(statuses(&|allowed| !allowed.upload_visa, false), [ProcessStatus::Deleted]);
    assert_eq!(statuses(&|allowed| allowed.remark, false), ProcessStatus::ALL);
}
