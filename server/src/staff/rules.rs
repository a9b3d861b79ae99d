//! The types of staff, and the rules about members, sessions and signing in. Pure.

use chrono::{NaiveDateTime, TimeDelta};
use chrono_tz::Tz;
use serde::Serialize;
use utoipa::ToSchema;

use crate::audit::store::Actor;
use crate::config::Limits;
use crate::error::{Error, Result};
use crate::http::failed_attempts::RateLimit;
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

impl From<&Staff> for Actor {
    fn from(staff: &Staff) -> Self {
        Self { staff_id: Some(staff.id), name: staff.name.clone(), address: Some(staff.address.clone()) }
    }
}

/// What a person may do, sent to the web app so that it derives no rule itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Abilities {
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

/// The types that a person may give to others, and whose members they may change.
pub fn types_managed_by(who: StaffType) -> Vec<StaffType> {
    let managed = |one: &StaffType| who == StaffType::Admin || who == StaffType::Manager && *one != StaffType::Admin;
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

/// What another active member has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    Email,
    Name,
}

/// Refuses what another member has already.
pub fn refuse_taken(taken: Taken) -> Error {
    match taken {
        Taken::Email => Error::conflict("A team member with this email already exists"),
        Taken::Name => Error::conflict("A team member with this name already exists"),
    }
}

/// An active member.
#[derive(Clone, Debug)]
pub struct Member {
    pub staff_id: i64,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    pub updated_at: NaiveDateTime,
    /// The name of the person who changed the member last.
    pub updated_by: Option<String>,
}

/// Refuses a change of a member whom somebody else changed since the form was opened. Times are told in `zone`.
pub fn check_fresh(seen_at: Option<NaiveDateTime>, member: &Member, zone: Tz) -> Result<()> {
    if seen_at.is_none_or(|seen_at| seen_at == member.updated_at) {
        return Ok(());
    }
    let changed_at = text::format_instant(member.updated_at, zone);
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
const MAX_WAIT: TimeDelta = TimeDelta::minutes(15);

/// How long an account waits after that many failures in a row: from the `free`th on 2, 4, 8 … seconds, at most 15 minutes.
pub fn wait_after(failures: u32, free: u32) -> Option<TimeDelta> {
    let over = failures.checked_sub(free)?;
    let seconds = 2_i64.checked_pow(over.saturating_add(1)).unwrap_or(i64::MAX);
    Some(TimeDelta::seconds(seconds.min(MAX_WAIT.num_seconds())))
}

/// How guessing at passwords is slowed down. Failures count for a day, unless a good sign-in forgets them.
pub fn sign_in_limit(limits: &Limits) -> RateLimit {
    RateLimit {
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
    use super::StaffType::{Admin, Manager, NightStaff, Team, Telecaller};
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
