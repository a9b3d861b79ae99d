//! The steps of a passkey's ceremony: asks the browser, stores what it was asked, and verifies what it answers before the transaction
//! that uses it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::Identity;
use super::ceremonies::{self, Ceremony, CeremonyKind};
use super::errors::StaffError;
use super::passkeys::{self, NamedPasskey, PasskeyAnswer};
use super::relying_party::RelyingParty;
use super::rules::passkeys::{CeremonyStart, MAX_PASSKEYS, parse_name};
use super::store;
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::secret::SecretKey;

/// The relying party, where passkeys are offered.
///
/// # Errors
/// [`StaffError::PasskeysNotOffered`].
pub fn relying_party(room: &Identity) -> Result<&Arc<RelyingParty>> {
    room.relying_party.as_ref().ok_or_else(|| StaffError::PasskeysNotOffered.into())
}

/// The name under which a device knows the account. It says nothing about the member.
fn handle(key: &SecretKey, staff_id: StaffId) -> [u8; 16] {
    let mut handle = [0; 16];
    handle.copy_from_slice(&key.sign("passkey accounts", staff_id.to_string().as_bytes())[..16]);
    handle
}

fn object(fields: BTreeMap<String, Value>) -> Value {
    Value::Object(fields.into_iter().collect())
}

/// Begins to add a passkey of the member. Returns the options of `navigator.credentials.create()`.
///
/// # Errors
/// [`StaffError::PasskeysNotOffered`] and [`StaffError::TooManyPasskeys`].
pub async fn begin_registration(
    room: &Identity,
    holder_hash: String,
    staff_id: StaffId,
    (email, name): (&str, &str),
) -> Result<Value> {
    let party = relying_party(room)?;
    let credentials = room.db.read(move |conn| passkeys::list_credentials(conn, staff_id)).await?;
    if credentials.len() >= MAX_PASSKEYS {
        return Err(StaffError::TooManyPasskeys.into());
    }
    let begun = party.begin_registration(handle(&room.secret, staff_id), (email, name), &credentials)?;
    store_ceremony(room, holder_hash, CeremonyKind::Registration, staff_id, begun).await
}

/// Begins to use a passkey of the member. Returns the options of `navigator.credentials.get()`.
///
/// # Errors
/// [`StaffError::PasskeysNotOffered`] and [`StaffError::NoPasskey`].
pub async fn begin_assertion(room: &Identity, holder_hash: String, staff_id: StaffId) -> Result<Value> {
    let party = relying_party(room)?;
    let credentials = room.db.read(move |conn| passkeys::list_credentials(conn, staff_id)).await?;
    if credentials.is_empty() {
        return Err(StaffError::NoPasskey.into());
    }
    let begun = party.begin_assertion(&credentials)?;
    store_ceremony(room, holder_hash, CeremonyKind::Assertion, staff_id, begun).await
}

async fn store_ceremony(
    room: &Identity,
    holder_hash: String,
    kind: CeremonyKind,
    staff_id: StaffId,
    begun: CeremonyStart,
) -> Result<Value> {
    let (new, now) = (Ceremony { holder_hash, state: begun.state }, room.clock.now());
    room.db
        .write(move |tx| {
            store::lock_staff(tx, staff_id)?;
            ceremonies::set(tx, &new, kind, staff_id, now)
        })
        .await?;
    Ok(begun.options)
}

/// Verifies a new passkey, named by the member. Nothing is stored yet.
///
/// # Errors
/// [`StaffError::PasskeyCeremonyEnded`], [`StaffError::PasskeyUnreadable`], [`StaffError::PasskeyRefused`], and those of
/// [`parse_name`].
pub async fn register(
    room: &Identity,
    holder_hash: String,
    name: &str,
    answer: Option<BTreeMap<String, Value>>,
) -> Result<NamedPasskey> {
    let (party, name, now) = (relying_party(room)?.clone(), parse_name(name)?, room.clock.now());
    let answer = object(answer.ok_or(StaffError::PasskeyUnreadable)?);
    let find = room.db.read(move |conn| ceremonies::find(conn, &holder_hash, CeremonyKind::Registration, now));
    let ceremony = find.await?.ok_or(StaffError::PasskeyCeremonyEnded)?;
    let state = ceremony.state.clone();
    let verified = tokio::task::spawn_blocking(move || party.register(&state, answer));
    let new = verified.await.map_err(Error::internal)??.ok_or(StaffError::PasskeyRefused)?;
    Ok(NamedPasskey { ceremony, new, name })
}

/// Verifies a passkey's answer. Nothing is stored yet, so it counts once only in the transaction that uses it.
///
/// # Errors
/// [`StaffError::PasskeyCeremonyEnded`] and [`StaffError::PasskeyUnreadable`].
pub async fn verify(
    room: &Identity,
    holder_hash: String,
    staff_id: StaffId,
    answer: BTreeMap<String, Value>,
) -> Result<PasskeyAnswer> {
    let (party, now) = (relying_party(room)?.clone(), room.clock.now());
    let read = room.db.read(move |conn| {
        let ceremony = ceremonies::find(conn, &holder_hash, CeremonyKind::Assertion, now)?;
        Ok((ceremony, passkeys::list_credentials(conn, staff_id)?))
    });
    let (ceremony, credentials) = read.await?;
    let ceremony = ceremony.ok_or(StaffError::PasskeyCeremonyEnded)?;
    let (state, answer) = (ceremony.state.clone(), object(answer));
    let verified = tokio::task::spawn_blocking(move || party.verify(&state, answer, &credentials));
    Ok(PasskeyAnswer { ceremony, verdict: verified.await.map_err(Error::internal)?? })
}
