//! Reads a member from a form, and describes a member for the audit.

use super::errors::StaffError;
use super::rules::{Member, Staff, StaffType};
use super::store::{self, Profile};
use crate::db::{Conn, advisory_lock};
use crate::email::Email;
use crate::error::Result;
use crate::http::errors::HttpError;
use crate::ids::StaffId;
use crate::text::PersonName;

/// Validates the fields of the form (spec §5).
pub fn read_profile(name: Option<&str>, email: Option<&str>, staff_type: Option<&str>) -> Result<Profile> {
    Ok(Profile {
        name: PersonName::parse(name.unwrap_or_default(), "Please enter your name")?,
        email: Email::parse(email.unwrap_or_default()).ok_or(StaffError::InvalidMemberEmail)?,
        staff_type: staff_type.and_then(StaffType::parse).ok_or(StaffError::InvalidStaffType)?,
    })
}

/// The text of a member in the audit.
pub fn describe(profile: &Profile) -> String {
    format!("{}, {}", profile.name.as_str(), profile.staff_type)
}

/// Serialises transactions that change the team, so that the number of Admins cannot change after it was checked.
pub fn lock(tx: &mut Conn) -> Result<()> {
    advisory_lock(tx, "admins")
}

/// The active member with that id.
///
/// # Errors
/// [`StaffError::MemberNotFound`].
pub fn get(conn: &mut Conn, id: StaffId) -> Result<Member> {
    store::find(conn, id)?.ok_or_else(|| StaffError::MemberNotFound.into())
}

/// The signed-in person as the database has them now.
///
/// # Errors
/// `signed_out` if they were deleted in the meantime.
pub fn present(tx: &mut Conn, staff: &Staff) -> Result<Member> {
    store::find(tx, staff.id)?.ok_or_else(|| HttpError::SignedOut.into())
}
