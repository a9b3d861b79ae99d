//! Which key makes a call, and whether it may.

use super::Intake;
use super::errors::IntakeError;
use super::keys::{self, Key};
use super::rules::keys::{KeyLimits, KeyRefusal, KeyRight};
use crate::audit::store::Actor;
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::touched::TOUCH_EVERY;
use crate::ids::SourceId;
use crate::timestamp::Timestamp;

/// The key that a request was made with.
#[derive(Clone, Debug)]
pub struct SalesSite {
    pub key_id: i64,
    /// The key's name.
    pub name: String,
    /// The source whose orders it may see. None: those of all.
    pub source_id: Option<SourceId>,
    /// The client's address, for the audit.
    pub address: String,
    limits: KeyLimits,
}

impl SalesSite {
    /// Returns true if an order is refused of which a field is not in its normal form.
    pub fn is_strict(&self) -> bool {
        self.limits.is_strict
    }
}

impl From<&SalesSite> for Actor {
    fn from(site: &SalesSite) -> Self {
        Self { address: Some(site.address.clone()), ..Self::program(format!("sales site {}", site.name)) }
    }
}

/// The sales site of a key that may make a call with `right`, from `address`. Refusals of a known key are logged with their reason.
///
/// # Errors
/// [`IntakeError::UnknownApiKey`], also for a key that is revoked, expired or used from another network;
/// [`IntakeError::TooManyApiKeyCalls`]; [`IntakeError::ApiKeyRightMissing`].
pub async fn authenticate(room: &Intake, key: &str, right: KeyRight, address: ClientAddress) -> Result<SalesSite> {
    let (hash, now) = (keys::digest(key).ok_or(IntakeError::UnknownApiKey)?, room.clock.now());
    let key = room.db.look_up(move |conn| keys::find(conn, &hash)).await?.ok_or(IntakeError::UnknownApiKey)?;
    let site = SalesSite {
        key_id: key.id,
        name: key.name.clone(),
        source_id: key.source.as_ref().map(|(id, _)| *id),
        address: address.to_string(),
        limits: key.limits.clone(),
    };
    if let Err(refusal) = check_use(&key, address, now) {
        note_refusal(room, &site, refusal.into()).await?;
        return Err(IntakeError::UnknownApiKey.into());
    }
    if let Some(most) = key.limits.calls_per_minute {
        noted(room, &site, "too many calls", room.key_calls.admit(key.id, most, now)).await?;
    }
    if key.last_used_at.is_none_or(|last_used_at| now - last_used_at >= TOUCH_EVERY) {
        touch(room, key.id, now);
    }
    require_right(room, &site, right).await?;
    Ok(site)
}

/// Refuses a call, or a part of it, for which the key lacks the right.
///
/// # Errors
/// [`IntakeError::ApiKeyRightMissing`].
pub async fn require_right(room: &Intake, site: &SalesSite, right: KeyRight) -> Result<()> {
    noted(room, site, "missing right", site.limits.check_right(right)).await
}

fn check_use(key: &Key, address: ClientAddress, now: Timestamp) -> Result<(), KeyRefusal> {
    if key.revoked_at.is_some() {
        return Err(KeyRefusal::Revoked);
    }
    key.limits.check_use(address.0, now)
}

/// Returns the refusal of a known key once it has been noted.
async fn noted(room: &Intake, site: &SalesSite, reason: &'static str, checked: Result<(), IntakeError>) -> Result<()> {
    if let Err(refusal) = checked {
        note_refusal(room, site, reason).await?;
        return Err(refusal.into());
    }
    Ok(())
}

async fn note_refusal(room: &Intake, site: &SalesSite, reason: &'static str) -> Result<()> {
    tracing::warn!(api_key_id = site.key_id, reason, "an API key was refused");
    room.access_log.note_refused_key(&Actor::from(site), reason).await
}

/// Stores the last use of the key in the background: the request neither waits for it nor fails with it.
fn touch(room: &Intake, key_id: i64, now: Timestamp) {
    let Some(writing) = room.touched.begin(&key_id.to_string(), now) else { return };
    let db = room.db.clone();
    tokio::spawn(async move {
        let written = db.write(move |tx| keys::set_last_used(tx, key_id, now)).await;
        drop(writing);
        if let Err(error) = written {
            tracing::warn!(%error, "the last use of an API key was not stored");
        }
    });
}
