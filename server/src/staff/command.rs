//! Members from the command line: the first Admin has nobody to let them in.

use super::passwords::Passwords;
use super::rules;
use super::store;
use super::team::{describe, read_password, read_profile};
use crate::audit::store::{Actor, Change, add as add_to_audit};
use crate::clock::Clock;
use crate::db::Db;
use crate::error::{Error, Result};

/// Who the audit names for what the command line does.
const ACTOR: &str = "command line";

/// A member, as the operator typed it.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'a> {
    pub name: &'a str,
    pub email: &'a str,
    /// One of the five types, in its exact spelling.
    pub staff_type: &'a str,
    pub password: &'a str,
}

/// Adds a member; answers the id. Blocks, so call it off the async threads.
pub fn add(db: &Db, clock: &Clock, passwords: &Passwords, typed: Typed<'_>) -> Result<i64> {
    if rules::StaffType::parse(typed.staff_type).is_none() {
        let types: Vec<&str> = rules::StaffType::ALL.iter().map(|one| one.as_str()).collect();
        return Err(Error::invalid(format!("The type must be one of: {}", types.join(", "))));
    }
    let profile = read_profile(Some(typed.name), Some(typed.email), Some(typed.staff_type))?;
    let (hash, now) = (passwords.hash_now(&read_password(typed.password)?)?, clock.now());
    db.write_now(move |tx| {
        let id = store::add(tx, &profile, &hash, ACTOR, now)?;
        let change = Change { action: "team.add", after: Some(describe(&profile)), ..Change::default() };
        add_to_audit(tx, &Actor::program(ACTOR), &[change], now)?;
        Ok(id)
    })
}
