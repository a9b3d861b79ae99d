//! Adds members from the command line, such as the first Admin, whom no other member can add.

use super::errors::StaffError;
use super::passwords::{Passwords, StoredHash};
use super::rules::StaffType;
use super::rules::passwords::NewPassword;
use super::second_factor;
use super::store::{self, Profile};
use super::team::{describe, read_profile};
use crate::audit::store::{Actor, Change, add as add_to_audit};
use crate::clock::Clock;
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::ids::StaffId;
use crate::text::without_case;
use crate::timestamp::Timestamp;

/// The actor in the audit.
const ACTOR: &str = "command line";

/// The member that the operator typed.
#[derive(Clone, Copy, Debug)]
pub struct TypedMember<'a> {
    pub name: &'a str,
    pub email: &'a str,
    /// The member's type: one of the five, in its exact spelling.
    pub staff_type: &'a str,
    pub password: &'a str,
}

/// A validated member, with the password hashed.
#[derive(Clone)]
pub struct NewMember {
    profile: Profile,
    hash: StoredHash,
}

impl NewMember {
    /// Validates what was typed and hashes the password. Blocks: call it off the async threads.
    ///
    /// # Errors
    /// [`StaffError`] for an unknown type, an invalid field or a refused password.
    pub fn of(passwords: &Passwords, typed: TypedMember<'_>) -> Result<Self> {
        StaffType::named(typed.staff_type)?;
        let profile = read_profile(Some(typed.name), Some(typed.email), Some(typed.staff_type))?;
        let password = NewPassword::of_member(typed.password, passwords.rule)?;
        let password = password.about(profile.name.as_str(), profile.email.as_str());
        Ok(Self { profile, hash: passwords.hash_now(&password)? })
    }

    /// Adds the member. Returns the id.
    pub fn add(&self, tx: &mut Conn, now: Timestamp) -> Result<StaffId> {
        let id = store::add(tx, &self.profile, &self.hash, ACTOR, now)?;
        let change = Change::of("team.add").after(describe(&self.profile));
        add_to_audit(tx, &Actor::program(ACTOR), &[change], now)?;
        Ok(id)
    }
}

/// Adds a member. Returns the id. Blocks: call it off the async threads.
///
/// # Errors
/// Those of [`NewMember::of`], and [`StaffError`] for a name or an email address that is taken.
pub fn add(db: &Db, clock: &Clock, passwords: &Passwords, typed: TypedMember<'_>) -> Result<StaffId> {
    let (new, now) = (NewMember::of(passwords, typed)?, clock.now());
    db.write_now(move |tx| new.add(tx, now))
}

/// Removes the second factor of the member with that email address, and ends their sessions: the way back for an Admin whom no other
/// Admin can help.
///
/// # Errors
/// [`StaffError::MemberNotFound`], and [`StaffError::MemberHasNoSecondFactor`].
pub fn remove_second_factor(db: &Db, clock: &Clock, email: &str) -> Result<()> {
    let (key, now) = (without_case(email.trim()), clock.now());
    db.write_now(move |tx| {
        let member = store::find_credentials(tx, &key)?.ok_or(StaffError::MemberNotFound)?;
        let (by, whom) = (Actor::program(ACTOR), (member.staff_id, &*member.email));
        second_factor::take_away(tx, &by, whom, member.name.clone(), now)
    })
}
