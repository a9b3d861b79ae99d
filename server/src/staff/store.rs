//! Members of staff, as rows. Password hashes never leave it but to be verified.

use std::collections::HashMap;

use chrono::NaiveDateTime;
use diesel::dsl::{Nullable, exists};
use diesel::prelude::*;
use diesel::result::Error as DieselError;

use super::passwords::StoredHash;
use super::rules::{self, Member, StaffType, Taken};
use crate::db::schema::staff;
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::text::{Email, PersonName, without_case};

/// The columns of [`member`].
const COLUMNS: (staff::staff_id, staff::name, staff::email, staff::staff_type, staff::updated_at, staff::updated_by) =
    (staff::staff_id, staff::name, staff::email, staff::staff_type, staff::updated_at, staff::updated_by);

type MemberRow = (i64, String, String, StaffType, NaiveDateTime, Option<String>);

fn member((staff_id, name, email, staff_type, updated_at, updated_by): MemberRow) -> Member {
    Member { staff_id, name, email, staff_type, updated_at, updated_by }
}

/// What a sign-in is checked against.
#[derive(Clone, Queryable)]
pub struct Credentials {
    pub staff_id: i64,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    pub password_hash: StoredHash,
}

/// What a member is, as a person fills it in.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: PersonName,
    pub email: Email,
    pub staff_type: StaffType,
}

/// The active members, by name.
pub fn list(conn: &mut Conn) -> Result<Vec<Member>> {
    let active = staff::table.filter(staff::deleted_at.is_null()).order(staff::name_key).select(COLUMNS);
    Ok(active.load::<MemberRow>(conn)?.into_iter().map(member).collect())
}

/// The active member of that id.
pub fn find(conn: &mut Conn, staff_id: i64) -> Result<Option<Member>> {
    let found = staff::table.find(staff_id).filter(staff::deleted_at.is_null()).select(COLUMNS);
    Ok(found.first::<MemberRow>(conn).optional()?.map(member))
}

/// The active member of that name, whatever its case: id and name as written.
pub fn find_active_by_name(conn: &mut Conn, name: &str) -> Result<Option<(i64, String)>> {
    let found = staff::table
        .filter(staff::name_key.eq(without_case(name)))
        .filter(staff::deleted_at.is_null())
        .select((staff::staff_id, staff::name));
    Ok(found.first(conn).optional()?)
}

/// The active member with that email address, in the form that addresses are compared by.
pub fn find_credentials(conn: &mut Conn, email_key: &str) -> Result<Option<Credentials>> {
    let found = staff::table.filter(staff::email_key.eq(email_key)).filter(staff::deleted_at.is_null()).select((
        staff::staff_id,
        staff::name,
        staff::email,
        staff::staff_type,
        staff::password_hash,
    ));
    Ok(found.first(conn).optional()?)
}

/// Whether the member is still active and has that password.
pub fn has_password(conn: &mut Conn, staff_id: i64, hash: &StoredHash) -> Result<bool> {
    let found = staff::table.find(staff_id).filter(staff::deleted_at.is_null());
    Ok(diesel::select(exists(found.filter(staff::password_hash.eq(hash)))).get_result(conn)?)
}

/// How many active Admins there are besides that member.
pub fn count_other_admins(conn: &mut Conn, staff_id: i64) -> Result<i64> {
    let admins = staff::table.filter(staff::staff_type.eq(StaffType::Admin)).filter(staff::deleted_at.is_null());
    Ok(admins.filter(staff::staff_id.ne(staff_id)).count().get_result(conn)?)
}

/// Makes transactions about the same member wait for each other, so that a sign-in with an old password and the change
/// of that password cannot both succeed.
pub fn lock_staff(tx: &mut Conn, staff_id: i64) -> Result<()> {
    advisory_lock(tx, &format!("staff {staff_id}"))
}

/// Adds a member; answers the id.
pub fn add(tx: &mut Conn, new: &Profile, hash: &StoredHash, by: &str, now: NaiveDateTime) -> Result<i64> {
    diesel::insert_into(staff::table)
        .values((
            staff::name.eq(new.name.as_str()),
            staff::name_key.eq(new.name.key()),
            staff::email.eq(new.email.as_str()),
            staff::email_key.eq(new.email.key()),
            staff::staff_type.eq(new.staff_type),
            staff::password_hash.eq(hash),
            staff::created_at.eq(now),
            staff::updated_at.eq(now),
            staff::updated_by.eq(by),
        ))
        .returning(staff::staff_id)
        .get_result(tx)
        .map_err(refuse_if_taken)
}

/// Sets what a member is.
pub fn set_profile(tx: &mut Conn, staff_id: i64, to: &Profile, by: &str, now: NaiveDateTime) -> Result<()> {
    diesel::update(staff::table.find(staff_id))
        .set((
            staff::name.eq(to.name.as_str()),
            staff::name_key.eq(to.name.key()),
            staff::email.eq(to.email.as_str()),
            staff::email_key.eq(to.email.key()),
            staff::staff_type.eq(to.staff_type),
            staff::updated_at.eq(now),
            staff::updated_by.eq(by),
        ))
        .execute(tx)
        .map_err(refuse_if_taken)?;
    Ok(())
}

/// Sets a member's password.
pub fn set_password(tx: &mut Conn, staff_id: i64, hash: &StoredHash, by: &str, now: NaiveDateTime) -> Result<()> {
    diesel::update(staff::table.find(staff_id))
        .set((staff::password_hash.eq(hash), staff::updated_at.eq(now), staff::updated_by.eq(by)))
        .execute(tx)?;
    Ok(())
}

/// Takes a member off the team. The row stays, so that history keeps the name.
pub fn delete(tx: &mut Conn, staff_id: i64, by: &str, now: NaiveDateTime) -> Result<()> {
    diesel::update(staff::table.find(staff_id))
        .set((staff::deleted_at.eq(now), staff::updated_at.eq(now), staff::updated_by.eq(by)))
        .execute(tx)?;
    Ok(())
}

/// The names of those members, active or not, by their ids.
pub fn names(conn: &mut Conn, staff_ids: &[i64]) -> Result<HashMap<i64, String>> {
    let named = staff::table.filter(staff::staff_id.eq_any(staff_ids)).select((staff::staff_id, staff::name));
    Ok(named.load::<(i64, String)>(conn)?.into_iter().collect())
}

/// Adds to a query the member that its rows refer to, if any. [`name`] and [`staff_type`] select from it.
#[macro_export]
macro_rules! with_member {
    ($query:expr) => {
        diesel::QueryDsl::left_join($query, $crate::db::schema::staff::table)
    };
}

/// The name of the member that [`with_member!`] added.
pub fn name() -> Nullable<staff::name> {
    staff::name.nullable()
}

/// The type of the member that [`with_member!`] added.
pub fn staff_type() -> Nullable<staff::staff_type> {
    staff::staff_type.nullable()
}

/// Says which of a member's words another one has already; any other error stays as it is.
fn refuse_if_taken(error: DieselError) -> Error {
    let error = Error::from(error);
    if error.is_duplicate("staff_email", "staff.email_key") {
        rules::refuse_taken(Taken::Email)
    } else if error.is_duplicate("staff_name", "staff.name_key") {
        rules::refuse_taken(Taken::Name)
    } else {
        error
    }
}
