//! The API keys of the sales sites. A key is shown once; the database stores its digest.

use diesel::prelude::*;

use super::Intake;
use super::errors::IntakeError;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::schema::api_keys;
use crate::db::{Conn, Db};
use crate::error::{Error, Result};
use crate::files::sha256;
use crate::timestamp::Timestamp;

/// The prefix of a key, by which people and secret scanners recognise it.
const PREFIX: &str = "vdk_";

/// The sales site that a request comes from.
#[derive(Clone, Debug)]
pub struct SalesSite {
    pub id: i64,
    pub name: String,
}

impl From<&SalesSite> for Actor {
    fn from(site: &SalesSite) -> Self {
        Self::program(format!("sales site {}", site.name))
    }
}

/// The sales site of a key.
///
/// # Errors
/// [`IntakeError::UnknownApiKey`], also for a revoked key.
pub async fn authenticate(room: &Intake, key: &str) -> Result<SalesSite> {
    if !key.starts_with(PREFIX) || key.len() > 200 {
        return Err(IntakeError::UnknownApiKey.into());
    }
    let hash = sha256(key.as_bytes());
    let found = room.db.read(move |conn| find(conn, &hash)).await?;
    found.ok_or_else(|| IntakeError::UnknownApiKey.into())
}

fn find(conn: &mut Conn, hash: &str) -> Result<Option<SalesSite>> {
    let found = api_keys::table
        .filter(api_keys::key_hash.eq(hash))
        .filter(api_keys::revoked_at.is_null())
        .select((api_keys::api_key_id, api_keys::name))
        .first::<(i64, String)>(conn)
        .optional()?;
    Ok(found.map(|(id, name)| SalesSite { id, name }))
}

/// Creates a key of 256 random bits.
pub fn generate() -> String {
    format!("{PREFIX}{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>())
}

/// Adds `key` under a name that no other key has or had.
pub fn add(tx: &mut Conn, name: &str, key: &str, now: Timestamp) -> Result<()> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(crate::text::is_unseen) {
        return Err(IntakeError::InvalidApiKeyName.into());
    }
    let added = diesel::insert_into(api_keys::table)
        .values((api_keys::name.eq(name), api_keys::key_hash.eq(sha256(key.as_bytes())), api_keys::created_at.eq(now)))
        .execute(tx);
    match added.map_err(Error::from) {
        Err(error) if error.is_duplicate("api_keys_name_key", "api_keys.name") => {
            Err(IntakeError::ApiKeyNameTaken(name.to_owned()).into())
        }
        Err(error) => Err(error),
        Ok(_) => note(tx, "api-key.add", name, now),
    }
}

/// Revokes the key with that name. Its next call is refused.
pub fn revoke(tx: &mut Conn, name: &str, now: Timestamp) -> Result<()> {
    let open = api_keys::table.filter(api_keys::name.eq(name)).filter(api_keys::revoked_at.is_null());
    if diesel::update(open).set(api_keys::revoked_at.eq(now)).execute(tx)? == 0 {
        return Err(IntakeError::ApiKeyNotFound(name.to_owned()).into());
    }
    note(tx, "api-key.revoke", name, now)
}

fn note(tx: &mut Conn, action: &'static str, name: &str, now: Timestamp) -> Result<()> {
    let change = Change { action, after: Some(name.to_owned()), ..Change::default() };
    audit::add(tx, &Actor::program("command line"), &[change], now)
}

/// `visadesk api-key add NAME`: adds a key and returns it. It cannot be shown again.
pub fn add_from_command(db: &Db, name: String, now: Timestamp) -> Result<String> {
    let key = generate();
    let added = key.clone();
    db.write_now(move |tx| add(tx, &name, &added, now))?;
    Ok(key)
}

/// `visadesk api-key revoke NAME`.
pub fn revoke_from_command(db: &Db, name: String, now: Timestamp) -> Result<()> {
    db.write_now(move |tx| revoke(tx, &name, now))
}
