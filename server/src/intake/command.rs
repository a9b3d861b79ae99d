//! The API keys from the command line.

use chrono_tz::Tz;

use super::errors::IntakeError;
use super::keys::{self, Key};
use super::rules::keys::{NewKey, TypedKey, describe};
use crate::audit::store::Actor;
use crate::db::Db;
use crate::error::Result;
use crate::text::format_instant;
use crate::timestamp::Timestamp;

/// The actor in the audit.
const ACTOR: &str = "command line";

/// `visadesk api-key add NAME`: adds a key and returns it. It cannot be shown again. Blocks.
///
/// # Errors
/// Those of [`NewKey::check`] and [`keys::add`].
pub fn add(db: &Db, typed: &TypedKey, now: Timestamp, zone: Tz) -> Result<String> {
    let (new, key) = (NewKey::check(typed, now, zone)?, keys::generate());
    let added = key.clone();
    db.write_now(move |tx| keys::add(tx, &new, &added, &Actor::program(ACTOR), now))?;
    Ok(key)
}

/// `visadesk api-key revoke NAME`. Blocks.
///
/// # Errors
/// [`IntakeError::ApiKeyNotFound`].
pub fn revoke(db: &Db, name: String, now: Timestamp) -> Result<()> {
    db.write_now(move |tx| {
        let id = keys::find_by_name(tx, &name)?.ok_or_else(|| IntakeError::ApiKeyNotFound(name.clone()))?;
        keys::revoke(tx, id, &Actor::program(ACTOR), now).map(drop)
    })
}

/// `visadesk api-key list`: one line for each key. Blocks.
pub fn list(db: &Db, now: Timestamp, zone: Tz) -> Result<String> {
    let keys = db.read_now(keys::list)?;
    Ok(keys.iter().map(|key| line(key, now, zone)).collect::<Vec<_>>().join("\n"))
}

fn line(key: &Key, now: Timestamp, zone: Tz) -> String {
    let start = key.start.as_ref().map_or_else(String::new, |start| format!(" ({start}…)"));
    let source = key.source.as_ref().map(|(_, name)| format!("source {name}"));
    let used =
        key.last_used_at.map_or_else(|| "never used".into(), |at| format!("last used {}", format_instant(at, zone)));
    let ended = match (key.revoked_at, key.limits.expires_at) {
        (Some(at), _) => Some(format!("revoked {}", format_instant(at, zone))),
        (None, Some(at)) if at <= now => Some("expired".to_owned()),
        _ => None,
    };
    let parts = source.into_iter().chain(describe(&key.limits, zone)).chain([used]).chain(ended);
    format!("{}{start}: {}", key.name, parts.collect::<Vec<_>>().join("; "))
}
