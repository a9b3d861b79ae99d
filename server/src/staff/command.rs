//! Adds members from the command line, such as the first Admin, whom no other member can add.

use super::errors::StaffError;
use super::passwords::Passwords;
use super::rules;
use super::rules::passwords::NewPassword;
use super::store;
use super::team::{describe, read_profile};
use crate::audit::store::{Actor, Change, add as add_to_audit};
use crate::clock::Clock;
use crate::db::Db;
use crate::error::Result;
use crate::ids::StaffId;

/// The actor in the audit.
const ACTOR: &str = "command line";

/// The member that the operator typed.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    pub name: &'a str,
    pub email: &'a str,
    /// One of the five types, in its exact spelling.
    pub staff_type: &'a str,
    pub password: &'a str,
}

/// Adds a member. Returns the id. Blocks: call it off the async threads.
pub fn add(db: &Db, clock: &Clock, passwords: &Passwords, typed: Typed<'_>) -> Result<StaffId> {
    if rules::StaffType::parse(typed.staff_type).is_none() {
        let types: Vec<&str> = rules::StaffType::ALL.iter().map(|one| one.as_str()).collect();
        return Err(StaffError::UnknownStaffType(types.join(", ")).into());
    }
    let profile = read_profile(Some(typed.name), Some(typed.email), Some(typed.staff_type))?;
    let (hash, now) = (passwords.hash_now(&NewPassword::of_member(typed.password)?)?, clock.now());
    db.write_now(move |tx| {
        let id = store::add(tx, &profile, &hash, ACTOR, now)?;
        let change = Change { action: "team.add", after: Some(describe(&profile)), ..Change::default() };
        add_to_audit(tx, &Actor::program(ACTOR), &[change], now)?;
        Ok(id)
    })
}
