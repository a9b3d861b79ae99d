//! The types of staff, and the rules about members, sessions and signing in. Pure.

pub mod notices;
pub mod passkeys;
pub mod passwords;
pub mod second_factor;

use chrono::TimeDelta;
use chrono_tz::Tz;
use serde::Serialize;
use utoipa::ToSchema;

use super::errors::StaffError;
use crate::audit::store::Actor;
use crate::config::{Limits, RowsPerHour};
use crate::error::Result;
use crate::http::address::ClientNetwork;
use crate::http::failed_attempts::RateLimit;
use crate::ids::StaffId;
use crate::text;
use crate::text_enum;
use crate::timestamp::Timestamp;

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
    pub id: StaffId,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    /// Names the session in the store.
    pub session_hash: String,
    /// When the session began (UTC).
    pub signed_in_at: Timestamp,
    /// When the person last proved who they are (UTC): at the sign-in or later.
    pub confirmed_at: Timestamp,
    /// The client's address, for the audit.
    pub address: String,
}

impl StaffType {
    /// The type of that exact name.
    ///
    /// # Errors
    /// [`StaffError::UnknownStaffType`], which names all types.
    pub fn named(name: &str) -> Result<Self> {
        let all = || Self::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ");
        Self::parse(name).ok_or_else(|| StaffError::UnknownStaffType(all()).into())
    }
}

impl From<&Staff> for Actor {
    fn from(staff: &Staff) -> Self {
        Self { staff_id: Some(staff.id), name: staff.name.clone(), address: Some(staff.address.clone()) }
    }
}

/// A person's permissions, sent to the web app so that it derives no rule itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Abilities {
    /// See every order in the folder All Orders.
    pub see_order_history: bool,
    /// List, add, change and delete team members.
    pub manage_team: bool,
    /// Choose the active payment gateway.
    pub set_gateway: bool,
    /// See how many orders each member completed.
    pub see_processed: bool,
    /// Read the audit.
    pub see_audit: bool,
    /// Read the access log, and see who reached a row budget.
    pub see_access_log: bool,
    /// See the state of the backups.
    pub see_backups: bool,
    /// List, create and revoke the API keys of sales sites.
    pub manage_api_keys: bool,
    /// Restore deleted orders.
    pub restore_orders: bool,
    /// Export reports as CSV.
    pub export_csv: bool,
    /// Add orders that customers make by phone.
    pub add_phone_orders: bool,
    /// Change the reasons with which applicants are asked for papers.
    pub edit_paper_reasons: bool,
}

/// The rows about customers that members of that type may read in an hour before the Admins are warned; 0: no limit.
pub fn rows_per_hour(who: StaffType, budgets: &RowsPerHour) -> u32 {
    match who {
        StaffType::Admin => budgets.admin,
        StaffType::Manager => budgets.manager,
        StaffType::Team => budgets.team,
        StaffType::Telecaller => budgets.telecaller,
        StaffType::NightStaff => budgets.night_staff,
    }
}

/// The types that a person may assign, and whose members they may change.
pub fn types_managed_by(who: StaffType) -> Vec<StaffType> {
    let managed = |one: &StaffType| who == StaffType::Admin || who == StaffType::Manager && *one != StaffType::Admin;
    StaffType::ALL.iter().copied().filter(managed).collect()
}

/// Admins and Managers see from which networks strangers tried to open an order: the addresses are personal data.
pub fn may_see_failed_tries(who: StaffType) -> bool {
    matches!(who, StaffType::Admin | StaffType::Manager)
}

/// A Manager manages all members except Admins: they may not add, change or delete an Admin, nor change a member into one.
pub fn check_manages(who: StaffType, whom: StaffType) -> Result<()> {
    if types_managed_by(who).contains(&whom) {
        return Ok(());
    }
    Err(StaffError::AdminRequired.into())
}

/// At least one Admin must remain, because only an Admin can add one.
pub fn check_admin_remains(other_admins: i64) -> Result<()> {
    if other_admins > 0 { Ok(()) } else { Err(StaffError::LastAdmin.into()) }
}

/// Members may not delete themselves.
pub fn check_not_self(who: StaffId, whom: StaffId) -> Result<()> {
    if who == whom { Err(StaffError::CannotDeleteSelf.into()) } else { Ok(()) }
}

/// An active member.
#[derive(Clone, Debug)]
pub struct Member {
    pub staff_id: StaffId,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    pub updated_at: Timestamp,
    /// The name of the person who changed the member last.
    pub updated_by: Option<String>,
}

/// The end of the addresses of the people of the demo, whose password everybody knows. No real address ends so (RFC 2606).
const DEMO: &str = "@demo.visadesk.example";

impl Member {
    /// Returns true for one of the people of the demo.
    pub fn is_of_demo(&self) -> bool {
        text::without_case(&self.email).ends_with(DEMO)
    }
}

/// Refuses an update of a member who was changed since the form was opened. The message has the time in `zone`.
pub fn check_fresh(seen_at: Option<Timestamp>, member: &Member, zone: Tz) -> Result<()> {
    if seen_at.is_none_or(|seen_at| seen_at == member.updated_at) {
        return Ok(());
    }
    let changed_at = text::format_instant(member.updated_at, zone);
    let changed_by = member.updated_by.as_deref().unwrap_or("another person").to_owned();
    Err(StaffError::MemberChanged { name: member.name.clone(), changed_by, changed_at }.into())
}

/// The longest age of a session that may change the password without the old one.
const RECENT_SIGN_IN: TimeDelta = TimeDelta::minutes(30);

/// Requires a recent sign-in, because Update Password does not ask for the old password (spec §5).
pub fn check_recent_sign_in(session_age: TimeDelta) -> Result<()> {
    if session_age < RECENT_SIGN_IN {
        return Ok(());
    }
    Err(StaffError::SignInTooOld.into())
}

/// The longest wait before the next attempt.
const MAX_WAIT: TimeDelta = TimeDelta::minutes(15);

/// The wait of an account after that many failures in a row: from the `free`th on 2, 4, 8 … seconds, at most 15 minutes.
pub fn wait_after(failures: u32, free: u32) -> Option<TimeDelta> {
    let over = failures.checked_sub(free)?;
    let seconds = 2_i64.checked_pow(over.saturating_add(1)).unwrap_or(i64::MAX);
    Some(TimeDelta::seconds(seconds.min(MAX_WAIT.num_seconds())))
}

/// The rate limit of sign-ins. Failures count for a day, unless a successful sign-in resets them.
pub fn sign_in_limit(limits: &Limits) -> RateLimit {
    RateLimit {
        name: "sign-in",
        refusal: "Too many failed sign-ins",
        failures_per_address: limits.sign_in_failures_per_address,
        network: ClientNetwork::Subscriber,
        free_failures: limits.sign_in_failures_per_account,
        window: TimeDelta::days(1),
        wait_after,
    }
}

#[cfg(test)]
mod tests {
    use super::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
    use super::*;

    #[test]
    fn from_the_fifth_failure_in_a_row_each_wait_is_twice_as_long_as_the_last() {
        let waits = |failures| wait_after(failures, 5).map(|wait| wait.num_seconds());
        assert_eq!(
            [1, 4, 5, 6, 7, 13, 14, 1_000].map(waits),
            [None, None, Some(2), Some(4), Some(8), Some(512), Some(900), Some(900)]
        );
    }

    #[test]
    fn a_manager_manages_all_types_but_admins() {
        assert_eq!(types_managed_by(Admin), StaffType::ALL);
        assert_eq!(types_managed_by(Manager), [Manager, Team, Telecaller, NightStaff]);
        for staff_type in [Team, Telecaller, NightStaff] {
            assert_eq!(types_managed_by(staff_type), []);
        }
    }
}
