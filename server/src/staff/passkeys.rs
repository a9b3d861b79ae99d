//! Passkeys as rows.

use diesel::dsl::exists;
use diesel::prelude::*;

use super::ceremonies::{self, Ceremony, CeremonyKind};
use super::errors::StaffError;
use super::rules::passkeys::{AssertionOutcome, CreatedPasskey, MAX_PASSKEYS, counter_grows};
use crate::db::Conn;
use crate::db::schema::passkeys;
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// A passkey of a member.
#[derive(Clone, Debug, Queryable)]
pub struct Passkey {
    pub passkey_id: i64,
    pub name: String,
    pub added_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}

/// The member's passkeys, the oldest first.
pub fn list(conn: &mut Conn, staff_id: StaffId) -> Result<Vec<Passkey>> {
    let of_member = passkeys::table.filter(passkeys::staff_id.eq(staff_id)).order(passkeys::passkey_id);
    let columns = (passkeys::passkey_id, passkeys::name, passkeys::added_at, passkeys::last_used_at);
    Ok(of_member.select(columns).load(conn)?)
}

/// Lists the credentials that the member's passkeys are verified with.
pub fn list_credentials(conn: &mut Conn, staff_id: StaffId) -> Result<Vec<String>> {
    let of_member = passkeys::table.filter(passkeys::staff_id.eq(staff_id)).order(passkeys::passkey_id);
    Ok(of_member.select(passkeys::credential).load(conn)?)
}

/// Returns true if the member has a passkey.
pub fn has_any(conn: &mut Conn, staff_id: StaffId) -> Result<bool> {
    let of_member = passkeys::table.filter(passkeys::staff_id.eq(staff_id));
    Ok(diesel::select(exists(of_member)).get_result(conn)?)
}

/// The members who have passkeys.
pub fn list_owners(conn: &mut Conn) -> Result<Vec<StaffId>> {
    Ok(passkeys::table.select(passkeys::staff_id).distinct().load(conn)?)
}

/// A passkey that answers a ceremony, with the name that the member gave it.
#[derive(Clone, Debug)]
pub struct NamedPasskey {
    pub ceremony: Ceremony,
    pub new: CreatedPasskey,
    pub name: String,
}

/// Adds a passkey of the member and ends its ceremony. The caller holds the member's lock.
///
/// # Errors
/// [`StaffError::PasskeyCeremonyEnded`], [`StaffError::TooManyPasskeys`] and [`StaffError::PasskeyKnown`].
pub fn add(tx: &mut Conn, staff_id: StaffId, registered: &NamedPasskey, now: Timestamp) -> Result<()> {
    if !ceremonies::end(tx, &registered.ceremony, CeremonyKind::Registration)? {
        return Err(StaffError::PasskeyCeremonyEnded.into());
    }
    if list(tx, staff_id)?.len() >= MAX_PASSKEYS {
        return Err(StaffError::TooManyPasskeys.into());
    }
    let added = diesel::insert_into(passkeys::table)
        .values((
            passkeys::staff_id.eq(staff_id),
            passkeys::name.eq(&registered.name),
            passkeys::credential_id.eq(&registered.new.credential_id),
            passkeys::credential.eq(&registered.new.credential),
            passkeys::sign_count.eq(0_i64),
            passkeys::added_at.eq(now),
        ))
        .execute(tx);
    match added.map_err(Error::from) {
        Err(error) if error.is_duplicate("passkeys_credential_id_key", "passkeys.credential_id") => {
            Err(StaffError::PasskeyKnown.into())
        }
        Err(error) => Err(error),
        Ok(_) => Ok(()),
    }
}

/// Removes a passkey of the member. Returns its name.
///
/// # Errors
/// [`StaffError::PasskeyNotFound`].
pub fn remove(tx: &mut Conn, staff_id: StaffId, passkey_id: i64) -> Result<String> {
    let known = passkeys::table.find(passkey_id).filter(passkeys::staff_id.eq(staff_id));
    let removed = diesel::delete(known).returning(passkeys::name).get_result(tx).optional()?;
    removed.ok_or_else(|| StaffError::PasskeyNotFound.into())
}

/// Removes all passkeys of the member. Returns whether there was one.
pub fn remove_all(tx: &mut Conn, staff_id: StaffId) -> Result<bool> {
    Ok(diesel::delete(passkeys::table.filter(passkeys::staff_id.eq(staff_id))).execute(tx)? > 0)
}

/// A passkey's answer to a ceremony.
#[derive(Clone, Debug)]
pub struct PasskeyAnswer {
    pub ceremony: Ceremony,
    pub verdict: AssertionOutcome,
}

/// The outcome of a passkey's answer.
pub enum PasskeyOutcome {
    Used,
    Wrong,
    /// The counter of the passkey with that name did not grow.
    Copied(String),
}

/// Ends the ceremony, and stores the use of the passkey if its answer counts. The caller holds the member's lock.
///
/// # Errors
/// [`StaffError::PasskeyCeremonyEnded`] if the ceremony was answered before.
pub fn use_up(tx: &mut Conn, staff_id: StaffId, asserted: &PasskeyAnswer, now: Timestamp) -> Result<PasskeyOutcome> {
    if !ceremonies::end(tx, &asserted.ceremony, CeremonyKind::Assertion)? {
        return Err(StaffError::PasskeyCeremonyEnded.into());
    }
    let (credential_id, verified) = match &asserted.verdict {
        AssertionOutcome::Right(verified) => (&verified.credential_id, Some(verified)),
        AssertionOutcome::Copied { credential_id } => (credential_id, None),
        AssertionOutcome::Wrong => return Ok(PasskeyOutcome::Wrong),
    };
    let known = passkeys::table.filter(passkeys::credential_id.eq(credential_id));
    let known = known.filter(passkeys::staff_id.eq(staff_id));
    let known = known.select((passkeys::passkey_id, passkeys::name, passkeys::sign_count));
    let Some((id, name, sign_count)) = known.first::<(i64, String, i64)>(tx).optional()? else {
        return Ok(PasskeyOutcome::Wrong);
    };
    // Once more under the lock: another answer may have counted since this one was verified.
    let Some(verified) = verified.filter(|it| counter_grows(sign_count, it.sign_count)) else {
        return Ok(PasskeyOutcome::Copied(name));
    };
    diesel::update(passkeys::table.find(id))
        .set((
            passkeys::credential.eq(&verified.credential),
            passkeys::sign_count.eq(verified.sign_count),
            passkeys::last_used_at.eq(now),
        ))
        .execute(tx)?;
    Ok(PasskeyOutcome::Used)
}
