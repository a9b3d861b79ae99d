//! Second factors: authenticator apps and recovery codes as rows, and the rules that they share with passkeys.

use std::collections::HashSet;

use diesel::dsl::exists;
use diesel::prelude::*;

use super::authenticator::Authenticator;
use super::errors::StaffError;
use super::member_mails;
use super::passkeys::{self, PasskeyAnswer, PasskeyOutcome};
use super::rules::StaffType;
use super::rules::notices::AccountEvent;
use super::rules::second_factor::{
    RECOVERY_CODES, SecondFactorRule, TypedFactor, printed_recovery_code, recovery_code,
};
use super::{sessions, store};
use crate::add_rows;
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::db::schema::{authenticators, recovery_codes};
use crate::error::Result;
use crate::ids::StaffId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// An authenticator app that a member uses.
#[derive(Clone, Debug, Queryable)]
pub struct AuthenticatorApp {
    pub salt: String,
    pub added_at: Timestamp,
}

/// The member's app.
pub fn find_app(conn: &mut Conn, staff_id: StaffId) -> Result<Option<AuthenticatorApp>> {
    let found = authenticators::table.find(staff_id).select((authenticators::salt, authenticators::added_at));
    Ok(found.first(conn).optional()?)
}

fn has_app(conn: &mut Conn, staff_id: StaffId) -> Result<bool> {
    Ok(diesel::select(exists(authenticators::table.find(staff_id))).get_result(conn)?)
}

/// Returns true if the member has a second factor: an app or a passkey, even if passkeys are no longer offered.
pub fn has_any(conn: &mut Conn, staff_id: StaffId) -> Result<bool> {
    Ok(has_app(conn, staff_id)? || passkeys::has_any(conn, staff_id)?)
}

/// The members who have a second factor.
pub fn list_owners(conn: &mut Conn) -> Result<HashSet<StaffId>> {
    let mut owners: HashSet<StaffId> = passkeys::list_owners(conn)?.into_iter().collect();
    owners.extend(authenticators::table.select(authenticators::staff_id).load::<StaffId>(conn)?);
    Ok(owners)
}

/// The means by which the member can prove who they are, by their names on the wire. None without a second factor.
pub fn methods(conn: &mut Conn, staff_id: StaffId, offers_passkeys: bool) -> Result<Option<Vec<&'static str>>> {
    let (app, passkey) = (has_app(conn, staff_id)?, passkeys::has_any(conn, staff_id)?);
    let means = [(app, "app"), (true, "recovery_code"), (passkey && offers_passkeys, "passkey")];
    Ok((app || passkey).then(|| means.into_iter().filter_map(|(has, name)| has.then_some(name)).collect()))
}

/// The recovery codes that the member has not used.
pub fn count_recovery_codes(conn: &mut Conn, staff_id: StaffId) -> Result<i64> {
    let unused = recovery_codes::table.filter(recovery_codes::staff_id.eq(staff_id));
    Ok(unused.filter(recovery_codes::used_at.is_null()).count().get_result(conn)?)
}

/// Stores the member's app in place of an earlier one. Its code of `step` has just been used.
pub fn set_app(tx: &mut Conn, staff_id: StaffId, salt: &str, step: i64, now: Timestamp) -> Result<()> {
    diesel::delete(authenticators::table.find(staff_id)).execute(tx)?;
    diesel::insert_into(authenticators::table)
        .values((
            authenticators::staff_id.eq(staff_id),
            authenticators::salt.eq(salt),
            authenticators::last_step.eq(step),
            authenticators::added_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// Removes the member's app. Returns whether there was one.
pub fn remove_app(tx: &mut Conn, staff_id: StaffId) -> Result<bool> {
    Ok(diesel::delete(authenticators::table.find(staff_id)).execute(tx)? > 0)
}

/// Ends the removal of a factor by its owner: the recovery codes go with the last one.
///
/// # Errors
/// [`StaffError::SecondFactorMandatory`] if the last one is gone and the member's type must have one.
pub fn after_removal(
    tx: &mut Conn,
    (staff_id, staff_type): (StaffId, StaffType),
    rule: &SecondFactorRule,
) -> Result<()> {
    if has_any(tx, staff_id)? {
        return Ok(());
    }
    if rule.requires(staff_type) {
        return Err(StaffError::SecondFactorMandatory(staff_type.as_str()).into());
    }
    remove_codes(tx, staff_id)
}

fn remove_codes(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Removes every second factor of the member, recovery codes included. Returns whether there was one.
fn remove_all(tx: &mut Conn, staff_id: StaffId) -> Result<bool> {
    remove_codes(tx, staff_id)?;
    let had_passkeys = passkeys::remove_all(tx, staff_id)?;
    Ok(remove_app(tx, staff_id)? || had_passkeys)
}

/// Removes the second factor of a member on behalf of someone else, and ends the member's sessions.
///
/// # Errors
/// [`StaffError::MemberHasNoSecondFactor`].
pub fn take_away(
    tx: &mut Conn,
    by: &Actor,
    (staff_id, email): (StaffId, &str),
    name: String,
    now: Timestamp,
) -> Result<()> {
    store::lock_staff(tx, staff_id)?;
    if !remove_all(tx, staff_id)? {
        return Err(StaffError::MemberHasNoSecondFactor(name).into());
    }
    sessions::end_all(tx, staff_id)?;
    member_mails::report(tx, (staff_id, email), AccountEvent::SecondFactorRemoved, by, now)?;
    let change = Change::of("team.second_factor_removed").after(name);
    add(tx, by, &[change], now)
}

/// A recovery code, as a row.
#[derive(Insertable)]
#[diesel(table_name = recovery_codes, treat_none_as_default_value = false)]
struct RecoveryCodeRow<'a> {
    staff_id: StaffId,
    code_hash: &'a str,
    made_at: Timestamp,
}

/// New recovery codes of a member. They are shown once; the database has only their HMACs.
#[derive(Clone)]
pub struct RecoveryCodes(Vec<String>);

impl RecoveryCodes {
    /// Draws ten codes.
    pub fn draw() -> Self {
        Self((0..RECOVERY_CODES).map(|_| recovery_code(rand::random())).collect())
    }

    /// The codes as people see them.
    pub fn printed(&self) -> Vec<String> {
        self.0.iter().map(|code| printed_recovery_code(code)).collect()
    }

    /// Stores them in place of the member's earlier ones.
    pub fn replace(&self, tx: &mut Conn, key: &SecretKey, staff_id: StaffId, now: Timestamp) -> Result<()> {
        remove_codes(tx, staff_id)?;
        let hashes: Vec<String> = self.0.iter().map(|code| code_hash(key, staff_id, code)).collect();
        let rows = hashes.iter().map(|code_hash| RecoveryCodeRow { staff_id, code_hash, made_at: now });
        add_rows!(tx, recovery_codes::table, rows);
        Ok(())
    }
}

fn code_hash(key: &SecretKey, staff_id: StaffId, code: &str) -> String {
    hex::encode(key.sign("recovery codes", format!("{staff_id} {code}").as_bytes()))
}

/// The proof that a member sends.
#[derive(Clone)]
pub enum Proof {
    Typed(TypedFactor),
    Passkey(PasskeyAnswer),
}

/// The factor that a member proved to have, as the audit names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedFactor {
    AppCode,
    RecoveryCode,
    Passkey,
}

impl UsedFactor {
    /// Its name in the audit.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AppCode => "authenticator app",
            Self::RecoveryCode => "recovery code",
            Self::Passkey => "passkey",
        }
    }
}

/// Why a proof does not count. It is a failed attempt, which the caller stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    WrongCode,
    WrongPasskey,
    /// The counter of the passkey with that name did not grow, so two devices may hold its key.
    CopiedPasskey(String),
}

impl Failure {
    /// Its name in the audit.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::WrongCode => "wrong code",
            Self::WrongPasskey => "wrong passkey",
            Self::CopiedPasskey(_) => "passkey that may have been copied",
        }
    }

    /// The entry about a passkey that may have been copied.
    pub fn to_change(&self) -> Option<Change> {
        let Self::CopiedPasskey(name) = self else { return None };
        Some(Change::of("staff.passkey_copied").after(name.clone()))
    }
}

impl From<Failure> for StaffError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::WrongCode => Self::WrongSecondFactor,
            Failure::WrongPasskey => Self::WrongPasskey,
            Failure::CopiedPasskey(name) => Self::CopiedPasskey(name),
        }
    }
}

/// Uses up a proof: a code of the app counts once, and so do a recovery code and a passkey's answer.
///
/// The caller holds the member's lock, so that two requests cannot use one code.
pub fn use_up(
    tx: &mut Conn,
    key: &SecretKey,
    (staff_id, email): (StaffId, &str),
    proof: &Proof,
    now: Timestamp,
) -> Result<Result<UsedFactor, Failure>> {
    let typed = match proof {
        Proof::Typed(typed) => typed,
        Proof::Passkey(asserted) => {
            return Ok(match passkeys::use_up(tx, staff_id, asserted, now)? {
                PasskeyOutcome::Used => Ok(UsedFactor::Passkey),
                PasskeyOutcome::Wrong => Err(Failure::WrongPasskey),
                PasskeyOutcome::Copied(name) => Err(Failure::CopiedPasskey(name)),
            });
        }
    };
    Ok(use_up_code(tx, key, (staff_id, email), typed, now)?.ok_or(Failure::WrongCode))
}

/// Uses up what was typed. None if it is wrong or used up.
fn use_up_code(
    tx: &mut Conn,
    key: &SecretKey,
    (staff_id, email): (StaffId, &str),
    typed: &TypedFactor,
    now: Timestamp,
) -> Result<Option<UsedFactor>> {
    match typed {
        TypedFactor::AppCode(code) => {
            let Some(app) = find_app(tx, staff_id)? else { return Ok(None) };
            let step = Authenticator::of(key, staff_id, &app.salt, email)?.step_of(code, now);
            let Some(step) = step else { return Ok(None) };
            let newer = authenticators::table.find(staff_id).filter(authenticators::last_step.lt(step));
            let used = diesel::update(newer).set(authenticators::last_step.eq(step)).execute(tx)?;
            Ok((used > 0).then_some(UsedFactor::AppCode))
        }
        TypedFactor::RecoveryCode(code) => {
            let known = recovery_codes::table.find((staff_id, code_hash(key, staff_id, code)));
            let unused = known.filter(recovery_codes::used_at.is_null());
            let used = diesel::update(unused).set(recovery_codes::used_at.eq(now)).execute(tx)?;
            if used == 0 {
                return Ok(None);
            }
            member_mails::report_own(tx, (staff_id, email), AccountEvent::RecoveryCodeUsed, now)?;
            Ok(Some(UsedFactor::RecoveryCode))
        }
    }
}
