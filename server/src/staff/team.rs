//! What a member is, read from a form, and described for the audit.

use super::passwords::NewPassword;
use super::rules::{Member, Staff, StaffType};
use super::store::{self, Profile};
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::http::errors::HttpError;
use crate::text::{Email, PersonName};

/// Reads what a member is, in the words of the form (spec §5).
pub fn read_profile(name: Option<&str>, email: Option<&str>, staff_type: Option<&str>) -> Result<Profile> {
    Ok(Profile {
        name: PersonName::parse(name.unwrap_or_default(), "Please enter your name")?,
        email: Email::parse(email.unwrap_or_default()).ok_or_else(|| Error::invalid("Please enter your email"))?,
        staff_type: staff_type.and_then(StaffType::parse).ok_or_else(|| Error::invalid("Please select type"))?,
    })
}

/// Reads the password of a new member, or a new one of a member.
pub fn read_password(typed: &str) -> Result<NewPassword> {
    NewPassword::parse(typed, "Please enter your password", "Password must be at least 6 characters")
}

/// A member, as the audit has them.
pub fn describe(profile: &Profile) -> String {
    format!("{}, {}", profile.name.as_str(), profile.staff_type)
}

/// Makes transactions that change the team wait for each other: one that counts the Admins sees them as they stay.
pub fn lock(tx: &mut Conn) -> Result<()> {
    advisory_lock(tx, "admins")
}

/// The member of that id.
pub fn get(conn: &mut Conn, id: i64) -> Result<Member> {
    store::find(conn, id)?.ok_or_else(|| Error::not_found("There is no such team member"))
}

/// The signed-in person as the database has them now: they may have been taken off the team a moment ago.
pub fn present(tx: &mut Conn, staff: &Staff) -> Result<Member> {
    store::find(tx, staff.id)?.ok_or_else(|| HttpError::SignedOut.into())
}
