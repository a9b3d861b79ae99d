//! Members of staff as rows. Password hashes leave it only to be verified.

use diesel::dsl::{Nullable, exists};
use diesel::prelude::*;
use diesel::query_source::AliasedField;
use diesel::result::Error as DieselError;
use diesel::sql_types::{BigInt, Text};
use std::collections::HashMap;

use super::errors::StaffError;
use super::passwords::StoredHash;
use super::rules::{Member, StaffType};
use crate::db::schema::staff;
use crate::db::{Conn, advisory_lock, advisory_lock_shared};
use crate::email::Email;
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::on_either;
use crate::text::{PersonName, without_case};
use crate::timestamp::Timestamp;

/// The columns of [`member`].
const COLUMNS: (staff::staff_id, staff::name, staff::email, staff::staff_type, staff::updated_at, staff::updated_by) =
    (staff::staff_id, staff::name, staff::email, staff::staff_type, staff::updated_at, staff::updated_by);

type MemberRow = (StaffId, String, String, StaffType, Timestamp, Option<String>);

fn member((staff_id, name, email, staff_type, updated_at, updated_by): MemberRow) -> Member {
    Member { staff_id, name, email, staff_type, updated_at, updated_by }
}

/// The credentials that a sign-in is checked against.
#[derive(Clone, Queryable)]
pub struct Credentials {
    pub staff_id: StaffId,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    pub password_hash: StoredHash,
}

/// The fields of a member that a person fills in.
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

/// The active member with that id.
pub fn find(conn: &mut Conn, staff_id: StaffId) -> Result<Option<Member>> {
    let found = staff::table.find(staff_id).filter(staff::deleted_at.is_null()).select(COLUMNS);
    Ok(found.first::<MemberRow>(conn).optional()?.map(member))
}

/// The active member with that name, compared case-insensitively: id and name as stored.
pub fn find_active_by_name(conn: &mut Conn, name: &str) -> Result<Option<(StaffId, String)>> {
    let found = staff::table
        .filter(staff::name_key.eq(without_case(name)))
        .filter(staff::deleted_at.is_null())
        .select((staff::staff_id, staff::name));
    Ok(on_either!(conn => found.first(conn).optional()?))
}

/// The credentials of the active member with that email key.
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

/// Returns true if the member is still active and has that password hash.
pub fn has_password(conn: &mut Conn, staff_id: StaffId, hash: &StoredHash) -> Result<bool> {
    let found = staff::table.find(staff_id).filter(staff::deleted_at.is_null());
    Ok(diesel::select(exists(found.filter(staff::password_hash.eq(hash)))).get_result(conn)?)
}

/// The number of active Admins other than that member.
pub fn count_other_admins(conn: &mut Conn, staff_id: StaffId) -> Result<i64> {
    let admins = staff::table.filter(staff::staff_type.eq(StaffType::Admin)).filter(staff::deleted_at.is_null());
    Ok(admins.filter(staff::staff_id.ne(staff_id)).count().get_result(conn)?)
}

/// Serialises transactions about the same member, so that a sign-in with an old password and the change of that password cannot both
/// succeed.
pub fn lock_staff(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    advisory_lock(tx, &format!("staff {staff_id}"))
}

/// Keeps a member from being changed by others until the transaction ends, without serialising those who only rely on the member: many
/// orders may be assigned to one at once.
pub fn lock_staff_shared(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    advisory_lock_shared(tx, &format!("staff {staff_id}"))
}

/// [`find_active_by_name`] that also takes the lock of [`lock_staff_shared`], whose name its statement puts together, too.
pub fn find_by_name_and_lock_shared(tx: &mut Conn, name: &str) -> Result<Option<(StaffId, String)>> {
    let Conn::Postgres(postgres) = tx else { return find_active_by_name(tx, name) };
    #[derive(QueryableByName)]
    struct LockedRow {
        #[diesel(sql_type = BigInt)]
        staff_id: StaffId,
    }
    let lock = diesel::sql_query(
        "SELECT staff_id, pg_advisory_xact_lock_shared(hashtextextended('staff ' || staff_id, 0)) FROM staff
         WHERE name_key = $1 AND deleted_at IS NULL",
    );
    let locked: Option<LockedRow> = lock.bind::<Text, _>(without_case(name)).get_result(postgres).optional()?;
    let Some(LockedRow { staff_id }) = locked else { return Ok(None) };
    // Read again: the member may have been deleted while this transaction waited for the lock.
    let found = staff::table.find(staff_id).filter(staff::deleted_at.is_null()).select((staff::staff_id, staff::name));
    Ok(found.first(postgres).optional()?)
}

/// Replaces a member's hash by another one of the same password.
pub fn renew_hash(tx: &mut Conn, staff_id: StaffId, hash: &StoredHash) -> Result<()> {
    diesel::update(staff::table.find(staff_id)).set(staff::password_hash.eq(hash)).execute(tx)?;
    Ok(())
}

/// Adds a member. Returns the id.
pub fn add(tx: &mut Conn, new: &Profile, hash: &StoredHash, by: &str, now: Timestamp) -> Result<StaffId> {
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
        .map_err(name_duplicate)
}

/// Sets what a member is.
pub fn set_profile(tx: &mut Conn, staff_id: StaffId, to: &Profile, by: &str, now: Timestamp) -> Result<()> {
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
        .map_err(name_duplicate)?;
    Ok(())
}

/// Sets a member's password.
pub fn set_password(tx: &mut Conn, staff_id: StaffId, hash: &StoredHash, by: &str, now: Timestamp) -> Result<()> {
    diesel::update(staff::table.find(staff_id))
        .set((staff::password_hash.eq(hash), staff::updated_at.eq(now), staff::updated_by.eq(by)))
        .execute(tx)?;
    Ok(())
}

/// Marks a member as deleted. The row remains, because the history refers to its name.
pub fn delete(tx: &mut Conn, staff_id: StaffId, by: &str, now: Timestamp) -> Result<()> {
    diesel::update(staff::table.find(staff_id))
        .set((staff::deleted_at.eq(now), staff::updated_at.eq(now), staff::updated_by.eq(by)))
        .execute(tx)?;
    Ok(())
}

/// The names of members by id, including deleted ones.
pub fn names(conn: &mut Conn, staff_ids: &[StaffId]) -> Result<HashMap<StaffId, String>> {
    if staff_ids.is_empty() {
        return Ok(HashMap::new());
    }
    let named = staff::table.filter(staff::staff_id.eq_any(staff_ids)).select((staff::staff_id, staff::name));
    Ok(named.load::<(StaffId, String)>(conn)?.into_iter().collect())
}

/// The ids of the members with exactly this name, including deleted ones.
pub fn ids_named(conn: &mut Conn, name: &str) -> Result<Vec<StaffId>> {
    Ok(staff::table.filter(staff::name.eq(name)).select(staff::staff_id).load(conn)?)
}

/// Joins the member that the rows of a query refer to, if any. [`name`] and [`staff_type`] select from it.
#[macro_export]
macro_rules! with_member {
    ($query:expr) => {
        diesel::QueryDsl::left_join($query, $crate::db::schema::staff::table)
    };
}

/// The name of the member that a column of a query's rows refers to, from a query of its own instead of a join.
#[macro_export]
macro_rules! member_name {
    ($column:expr) => {{
        use diesel::prelude::*;
        use $crate::db::schema::staff;
        staff::table.filter(staff::staff_id.nullable().eq($column)).select(staff::name).single_value()
    }};
}

/// The name of the member that [`with_member!`] joined.
pub fn name() -> Nullable<staff::name> {
    staff::name.nullable()
}

/// The type of the member that [`with_member!`] joined.
pub fn staff_type() -> Nullable<staff::staff_type> {
    staff::staff_type.nullable()
}

// The member who completed an order, beside its owner.
diesel::alias! {
    pub const PROCESSORS: Alias<Processors> = staff as processors;
}

/// Joins the member who is named by a column of the query, if any, beside the one that [`with_member!`] joined. [`processor_name`]
/// selects from it.
#[macro_export]
macro_rules! with_processor {
    ($query:expr, $column:expr) => {
        diesel::QueryDsl::left_join(
            $query,
            diesel::JoinOnDsl::on(
                $crate::staff::store::PROCESSORS,
                diesel::ExpressionMethods::eq(
                    diesel::NullableExpressionMethods::nullable($crate::staff::store::processor_id()),
                    $column,
                ),
            ),
        )
    };
}

/// The id of the member that [`with_processor!`] joins.
pub fn processor_id() -> AliasedField<Processors, staff::staff_id> {
    PROCESSORS.field(staff::staff_id)
}

/// The name of the member that [`with_processor!`] joined.
pub fn processor_name() -> Nullable<AliasedField<Processors, staff::name>> {
    PROCESSORS.field(staff::name).nullable()
}

/// Names the field that another member already has. Returns any other error unchanged.
fn name_duplicate(error: DieselError) -> Error {
    let error = Error::from(error);
    if error.is_duplicate("staff_email", "staff.email_key") {
        Error::from(StaffError::MemberEmailTaken).caused_by(error)
    } else if error.is_duplicate("staff_name", "staff.name_key") {
        Error::from(StaffError::MemberNameTaken).caused_by(error)
    } else {
        error
    }
}
