//! Proves once more who is behind a session, for half an hour of calls that ask for it.

use super::Identity;
use super::errors::StaffError;
use super::hashing_seats::CallerKind;
use super::rules::second_factor::{PROOF_LASTS, check_confirmed, second_factor_limit};
use super::rules::{Staff, sign_in_limit};
use super::second_factor::{self, Failure, Proof};
use super::sessions;
use super::store;
use crate::audit::store::{Actor, Change, add};
use crate::db::{Conn, advisory_lock};
use crate::error::{Permission, Result};
use crate::http::address::ClientAddress;
use crate::http::failed_attempts::{self, Attempt};
use crate::staff::errors::HashingErrors;
use crate::text::without_case;
use crate::timestamp::Timestamp;

/// Refuses a call of consequence whose caller has proved nothing for half an hour, if such calls ask them for a proof: everybody by
/// setting, and members with a second factor always.
///
/// # Errors
/// [`StaffError::ConfirmationRequired`].
pub async fn check(room: &Identity, staff: &Staff) -> Result<()> {
    let (since, id) = (room.clock.now() - staff.confirmed_at, staff.id);
    if since < PROOF_LASTS {
        return Ok(());
    }
    let asks =
        room.second_factor.confirm_actions || room.db.look_up(move |conn| second_factor::has_any(conn, id)).await?;
    if asks { check_confirmed(since) } else { Ok(()) }
}

/// Confirms the session by a code or a passkey.
///
/// # Errors
/// [`StaffError::WrongSecondFactor`], [`StaffError::WrongPasskey`] and [`StaffError::CopiedPasskey`], and `too_many_failures` after
/// several.
pub async fn by_factor(room: &Identity, staff: Staff, address: ClientAddress, proof: Proof) -> Result<()> {
    let limit = second_factor_limit(&room.config.limits);
    let attempt = Attempt::new(limit, &room.secret, address, &staff.id.to_string());
    let (now, key) = (room.clock.now(), room.secret.clone());
    let confirmed = room.db.write(move |tx| {
        begin(tx, &attempt, &staff, now)?;
        let used = second_factor::use_up(tx, &key, (staff.id, &staff.email), &proof, now)?;
        end(tx, &attempt, &staff, used.is_ok(), now)?;
        if let Some(change) = used.as_ref().err().and_then(Failure::to_change) {
            add(tx, &Actor::from(&staff), &[change], now)?;
        }
        Ok(used)
    });
    confirmed.await?.map_err(StaffError::from)?;
    Ok(())
}

/// Confirms the session by the password.
///
/// # Errors
/// [`StaffError::WrongPassword`], and `too_many_failures` after several.
pub async fn by_password(
    room: &Identity,
    staff: Staff,
    address: ClientAddress,
    typed: String,
    hashing: Permission<HashingErrors>,
) -> Result<()> {
    let email = without_case(&staff.email);
    let attempt = Attempt::new(sign_in_limit(&room.config.limits), &room.secret, address, &email);
    let (now, checked) = (room.clock.now(), attempt.clone());
    let known = room.db.read(move |conn| {
        failed_attempts::check(conn, &checked, now)?;
        store::find_credentials(conn, &email)
    });
    let hash = known.await?.map(|known| known.password_hash);
    let is_right = room.passwords.verify(hashing, CallerKind::Known, &typed, hash.clone()).await?;
    let right = room.db.write(move |tx| {
        begin(tx, &attempt, &staff, now)?;
        let unchanged = match &hash {
            Some(hash) => store::has_password(tx, staff.id, hash)?,
            None => false,
        };
        end(tx, &attempt, &staff, is_right && unchanged, now)
    });
    if right.await? { Ok(()) } else { Err(StaffError::WrongPassword.into()) }
}

/// Serialises parallel guesses, so that each is counted before the next is checked.
fn begin(tx: &mut Conn, attempt: &Attempt, staff: &Staff, now: Timestamp) -> Result<()> {
    advisory_lock(tx, &attempt.target)?;
    failed_attempts::check(tx, attempt, now)?;
    store::lock_staff(tx, staff.id)
}

/// Confirms the session, or counts the failure.
fn end(tx: &mut Conn, attempt: &Attempt, staff: &Staff, is_right: bool, now: Timestamp) -> Result<bool> {
    let action = if is_right { "staff.confirmed" } else { "staff.confirmation_failed" };
    if is_right {
        failed_attempts::add_success(tx, attempt, now)?;
        sessions::confirm(tx, &staff.session_hash, now)?;
    } else {
        failed_attempts::add_failure(tx, attempt, now)?;
    }
    add(tx, &Actor::from(staff), &[Change::of(action)], now)?;
    Ok(is_right)
}
