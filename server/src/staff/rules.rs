//! What each type of staff may do. Deny by default: a call that the table does not name cannot be served.

use chrono::{NaiveDateTime, TimeDelta};
use chrono_tz::Tz;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{Member, Taken, taken};
use crate::attempts::Guard;
use crate::config::Limits;
use crate::error::{Error, Result};
use crate::orders::rules as order_rules;
use crate::orders::rules::{Folder, ProcessStatus};
use crate::text;
use crate::text_enum;

text_enum! {
    /// The five types of staff (spec §6).
    pub enum StaffType {
        Admin = "Admin",
        Manager = "Manager",
        Team = "Team",
        Telecaller = "Telecaller",
        NightStaff = "Night Staff",
    }
}

/// The signed-in person who makes a request.
#[derive(Clone, Debug)]
pub struct Staff {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    /// Names the session in the store.
    pub session_hash: String,
    /// When the session began (UTC).
    pub signed_in_at: chrono::NaiveDateTime,
    /// Where the request comes from, for the audit.
    pub address: String,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Public,
    /// Anybody, as often as the public pages bear it.
    Stranger,
    /// Who confirmed the email of an order, by their grant, and only for that order.
    Visitor,
    /// The sales site, by its API key.
    SalesSite,
    /// Signed-in staff of these types.
    Staff(&'static [StaffType]),
}

use Access::{Public, SalesSite, Staff as Only, Stranger, Visitor};
use StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

const EVERYONE: Access = Only(&[Admin, Manager, Team, Telecaller, NightStaff]);
const LEADERS: Access = Only(&[Admin, Manager]);
const ADMIN: Access = Only(&[Admin]);

/// Every call by its operation id, and who may make it (spec §6). Finer rules, such as whose order it is, stand beside what
/// they decide.
pub const ACCESS: &[(&str, Access)] = &[
    ("sign_in", Public),
    ("sign_out", EVERYONE),
    ("user_info", EVERYONE),
    ("change_password", EVERYONE),
    ("list_team_members", LEADERS),
    ("list_team_member_types", LEADERS),
    ("find_team_member", LEADERS),
    ("add_team_member", LEADERS),
    ("update_team_member", LEADERS),
    ("delete_team_member", LEADERS),
    ("folder_counts", EVERYONE),
    ("list_orders", EVERYONE),
    ("search_orders", EVERYONE),
    ("future_order_counts", EVERYONE),
    ("future_orders_csv", LEADERS),
    ("country_orders", EVERYONE),
    ("country_orders_csv", LEADERS),
    ("processed_by_counts", ADMIN),
    ("processed_by_csv", ADMIN),
    ("list_audit", ADMIN),
    ("order_details", EVERYONE),
    ("assign_orders", EVERYONE),
    ("change_order_status", EVERYONE),
    ("move_order_status", EVERYONE),
    ("restore_orders", LEADERS),
    ("refund_orders", EVERYONE),
    ("upload_visa_document", EVERYONE),
    ("add_remark", EVERYONE),
    ("resend_mail", EVERYONE),
    ("send_download_mail", EVERYONE),
    ("email_content", EVERYONE),
    ("defence_pack_details", EVERYONE),
    ("get_defence_pack_pdf", EVERYONE),
    ("list_payment_gateways", LEADERS),
    ("set_payment_gateway", LEADERS),
    ("save_transaction_details", EVERYONE),
    ("chargeback_terms", EVERYONE),
    ("save_chargeback", EVERYONE),
    ("visa_catalogue", EVERYONE),
    ("take_in_order", SalesSite),
    ("take_in_document", SalesSite),
    ("take_in_payment", SalesSite),
    ("find_active_gateway", SalesSite),
    ("track_order", Stranger),
    ("download_history", Visitor),
    ("download_visa", Visitor),
];

/// The row of the call, if it is in the table.
pub fn row_of(operation_id: &str) -> Option<(&'static str, Access)> {
    ACCESS.iter().find(|(id, _)| *id == operation_id).copied()
}

/// Who may make the call, if it is in the table.
pub fn access_to(operation_id: &str) -> Option<Access> {
    row_of(operation_id).map(|(_, access)| access)
}

/// Whether the table lets that type make the call.
fn may_call(who: StaffType, operation_id: &str) -> bool {
    matches!(access_to(operation_id), Some(Only(types)) if types.contains(&who))
}

/// What a person may do, told to the web app so that it never works out roles itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct May {
    pub see_order_history: bool,
    pub manage_team: bool,
    pub set_gateway: bool,
    pub see_processed: bool,
    pub see_audit: bool,
    pub delete_orders: bool,
    pub delete_my_orders: bool,
    pub restore_orders: bool,
    pub assign_to_others: bool,
    pub export_csv: bool,
}

impl May {
    /// What staff of that type may do (spec §6).
    pub fn of(who: StaffType) -> Self {
        let delete_orders = order_rules::may_delete(who, ProcessStatus::New);
        Self {
            see_order_history: order_rules::may_list(who, Folder::All),
            manage_team: may_call(who, "add_team_member"),
            set_gateway: may_call(who, "set_payment_gateway"),
            see_processed: may_call(who, "processed_by_counts"),
            see_audit: may_call(who, "list_audit"),
            delete_orders,
            delete_my_orders: delete_orders && order_rules::may_delete_from(who, Some(Folder::My)),
            restore_orders: may_call(who, "restore_orders"),
            assign_to_others: order_rules::acts_for_others(who),
            export_csv: may_call(who, "country_orders_csv"),
        }
    }
}

/// The types that a person may give to others, and whose members they may change.
pub fn types_managed_by(who: StaffType) -> Vec<StaffType> {
    let managed = |one: &StaffType| who == Admin || who == Manager && *one != Admin;
    StaffType::ALL.iter().copied().filter(managed).collect()
}

/// A Manager manages everybody but Admins: they neither make, nor change, nor remove one, nor make one of somebody else.
pub fn check_manages(who: StaffType, whom: StaffType) -> Result<()> {
    if types_managed_by(who).contains(&whom) {
        return Ok(());
    }
    Err(Error::forbidden("Only an Admin may add, change or delete an Admin"))
}

/// Somebody must be left who can let others in.
pub fn check_admin_remains(other_admins: i64) -> Result<()> {
    if other_admins > 0 { Ok(()) } else { Err(Error::conflict("At least one Admin must remain")) }
}

/// Nobody removes themselves.
pub fn check_not_self(who: i64, whom: i64) -> Result<()> {
    if who == whom { Err(Error::forbidden("You cannot delete yourself")) } else { Ok(()) }
}

/// Says which of a member's words another one has already; any other error stays as it is.
pub fn refuse_taken(error: Error) -> Error {
    match taken(&error) {
        Some(Taken::Email) => Error::conflict("A team member with this email already exists"),
        Some(Taken::Name) => Error::conflict("A team member with this name already exists"),
        None => error,
    }
}

/// Refuses a change of a member whom somebody else changed since the form was opened. Times are told in `zone`.
pub fn check_fresh(seen_at: Option<NaiveDateTime>, member: &Member, zone: Tz) -> Result<()> {
    if seen_at.is_none_or(|seen_at| seen_at == member.updated_at) {
        return Ok(());
    }
    let changed_at = text::told(member.updated_at, zone);
    let changed_by = member.updated_by.as_deref().unwrap_or("somebody");
    Err(Error::conflict(format!(
        "{} was changed by {changed_by} at {changed_at}. Please open the form again",
        member.name
    )))
}

/// How long a session is young enough to change the password without the old one.
const YOUNG: TimeDelta = TimeDelta::minutes(30);

/// Update Password has one field, so it asks for a session that began just now.
pub fn check_young(session_age: TimeDelta) -> Result<()> {
    if session_age < YOUNG {
        return Ok(());
    }
    Err(Error::unauthorized("To change your password, please sign in again and do it within 30 minutes"))
}

/// The longest that a try has to wait.
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(15);

/// How long an account waits after that many failures in a row: from the `free`th on 2, 4, 8 … seconds, at most 15 minutes.
pub fn wait_after(failures: u32, free: u32) -> Option<TimeDelta> {
    let over = failures.checked_sub(free)?;
    let seconds = 2_i64.checked_pow(over.saturating_add(1)).unwrap_or(i64::MAX);
    Some(TimeDelta::seconds(seconds.min(LONGEST_WAIT.num_seconds())))
}

/// How guessing at passwords is slowed down. Failures count for a day, unless a good sign-in forgets them.
pub fn sign_in_guard(limits: &Limits) -> Guard {
    Guard {
        name: "sign-in",
        refusal: "Too many failed sign-ins",
        failures_per_address: limits.sign_in_failures_per_address,
        free_failures: limits.sign_in_failures_per_account,
        window: TimeDelta::days(1),
        wait_after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_in_a_row_makes_the_next_try_wait_and_each_further_one_twice_as_long() {
        let waits = |failures| wait_after(failures, 5).map(|wait| wait.num_seconds());
        assert_eq!(
            [1, 4, 5, 6, 7, 13, 14, 1_000].map(waits),
            [None, None, Some(2), Some(4), Some(8), Some(512), Some(900), Some(900)]
        );
    }

    #[test]
    fn a_manager_manages_everybody_but_admins() {
        assert_eq!(types_managed_by(Admin), StaffType::ALL);
        assert_eq!(types_managed_by(Manager), [Manager, Team, Telecaller, NightStaff]);
        for nobody in [Team, Telecaller, NightStaff] {
            assert_eq!(types_managed_by(nobody), []);
        }
    }
}
