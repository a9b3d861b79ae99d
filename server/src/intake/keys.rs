//! The API keys of the sales sites, as rows. A key is shown once; the database stores its digest, and its start to recognise it by.

use diesel::prelude::*;

use super::errors::IntakeError;
use super::rules::keys::{KeyLimits, NewKey, read_stored_rights};
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::schema::{api_keys, sources};
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::files::sha256;
use crate::ids::SourceId;
use crate::networks::{InvalidNetwork, Networks};
use crate::text::PersonName;
use crate::timestamp::Timestamp;

/// The prefix of a key, by which people and secret scanners recognise it.
const PREFIX: &str = "visadesk_";
/// The prefix of the keys of version 0.1.
const OLD_PREFIX: &str = "vdk_";
/// The longest text that is looked up as a key.
const MAX_LEN: usize = 200;
/// The number of characters of a key that are stored and shown.
const START_LEN: usize = PREFIX.len() + 6;
/// The most keys that are listed.
const LISTED: i64 = 500;

/// A key, without its secret.
#[derive(Clone, Debug)]
pub struct Key {
    pub id: i64,
    pub name: String,
    /// The sales site, with its name. None: the key may see the orders of all.
    pub source: Option<(SourceId, String)>,
    pub limits: KeyLimits,
    /// The first characters; none for a key of version 0.1.
    pub start: Option<String>,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
}

/// The columns of a key, in the order of the query.
#[derive(Queryable)]
struct KeyRow {
    id: i64,
    name: String,
    source_id: Option<SourceId>,
    source_name: Option<String>,
    rights: Option<String>,
    expires_at: Option<Timestamp>,
    networks: Option<String>,
    calls_per_minute: Option<i32>,
    is_strict: bool,
    start: Option<String>,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl KeyRow {
    /// # Errors
    /// If a limit cannot be read: the key must not be used without it.
    fn key(self) -> Result<Key> {
        let networks = self.networks.as_deref().unwrap_or_default().parse::<Networks>();
        let networks =
            networks.map_err(|InvalidNetwork(part)| Error::internal(format!("{part} is no network of an API key")))?;
        let calls_per_minute = self.calls_per_minute.map(u32::try_from).transpose().map_err(Error::internal)?;
        Ok(Key {
            id: self.id,
            name: self.name,
            source: self.source_id.zip(self.source_name),
            limits: KeyLimits {
                rights: read_stored_rights(self.rights.as_deref()),
                expires_at: self.expires_at,
                networks,
                calls_per_minute,
                is_strict: self.is_strict,
            },
            start: self.start,
            created_at: self.created_at,
            last_used_at: self.last_used_at,
            revoked_at: self.revoked_at,
        })
    }
}

macro_rules! keys {
    () => {
        api_keys::table.left_join(sources::table).select((
            api_keys::api_key_id,
            api_keys::name,
            api_keys::source_id,
            sources::name.nullable(),
            api_keys::rights,
            api_keys::expires_at,
            api_keys::networks,
            api_keys::calls_per_minute,
            api_keys::is_strict,
            api_keys::key_start,
            api_keys::created_at,
            api_keys::last_used_at,
            api_keys::revoked_at,
        ))
    };
}

/// The digest under which `key` is stored; none if it cannot be a key.
pub fn digest(key: &str) -> Option<String> {
    let may_be_key = (key.starts_with(PREFIX) || key.starts_with(OLD_PREFIX)) && key.len() <= MAX_LEN;
    may_be_key.then(|| sha256(key.as_bytes()))
}

/// Finds the key with that digest, also a revoked or expired one.
pub fn find(conn: &mut Conn, hash: &str) -> Result<Option<Key>> {
    keys!().filter(api_keys::key_hash.eq(hash)).first::<KeyRow>(conn).optional()?.map(KeyRow::key).transpose()
}

/// Lists at most 500 keys: those in use before the revoked ones, the newest first.
pub fn list(conn: &mut Conn) -> Result<Vec<Key>> {
    let rows = keys!().order((api_keys::revoked_at.is_not_null(), api_keys::api_key_id.desc())).limit(LISTED);
    rows.load::<KeyRow>(conn)?.into_iter().map(KeyRow::key).collect()
}

/// Creates a key of 256 random bits.
pub fn generate() -> String {
    format!("{PREFIX}{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>())
}

/// Adds `key` under a name that no other key has or had, and its source if that is new. Returns its id.
///
/// # Errors
/// [`IntakeError::ApiKeyNameTaken`].
pub fn add(tx: &mut Conn, new: &NewKey, key: &str, by: &Actor, now: Timestamp) -> Result<i64> {
    let source = new.source.as_ref().map(|source| find_or_add_source(tx, source, now)).transpose()?;
    let NewKey { name, limits, .. } = new;
    let networks = (!limits.networks.is_empty()).then(|| limits.networks.to_string());
    let calls_per_minute = limits.calls_per_minute.map(i32::try_from).transpose().map_err(Error::internal)?;
    let added = diesel::insert_into(api_keys::table)
        .values((
            api_keys::name.eq(name),
            api_keys::key_hash.eq(sha256(key.as_bytes())),
            api_keys::created_at.eq(now),
            api_keys::source_id.eq(source),
            api_keys::rights.eq(limits.stored_rights()),
            api_keys::expires_at.eq(limits.expires_at),
            api_keys::networks.eq(networks),
            api_keys::calls_per_minute.eq(calls_per_minute),
            api_keys::is_strict.eq(limits.is_strict),
            api_keys::key_start.eq(key.get(..START_LEN)),
        ))
        .returning(api_keys::api_key_id)
        .get_result(tx);
    match added.map_err(Error::from) {
        Err(error) if error.is_duplicate("api_keys_name_key", "api_keys.name") => {
            Err(IntakeError::ApiKeyNameTaken(name.clone()).into())
        }
        Err(error) => Err(error),
        Ok(id) => {
            let change = Change::of("api-key.add").after(new.describe());
            audit::add(tx, by, &[change], now)?;
            Ok(id)
        }
    }
}

fn find_or_add_source(tx: &mut Conn, name: &PersonName, now: Timestamp) -> Result<SourceId> {
    advisory_lock(tx, "sources")?;
    let known = sources::table.filter(sources::name_key.eq(name.key())).select(sources::source_id);
    if let Some(known) = known.first(tx).optional()? {
        return Ok(known);
    }
    let columns = (sources::name.eq(name.as_str()), sources::name_key.eq(name.key()), sources::created_at.eq(now));
    Ok(diesel::insert_into(sources::table).values(columns).returning(sources::source_id).get_result(tx)?)
}

/// Revokes the key with that id. Its next call is refused. Returns its name.
///
/// # Errors
/// [`IntakeError::ApiKeyRevoked`], also if there is no such key.
pub fn revoke(tx: &mut Conn, id: i64, by: &Actor, now: Timestamp) -> Result<String> {
    let open = api_keys::table.find(id).filter(api_keys::revoked_at.is_null());
    let revoked = diesel::update(open).set(api_keys::revoked_at.eq(now)).returning(api_keys::name);
    let name: String = revoked.get_result(tx).optional()?.ok_or(IntakeError::ApiKeyRevoked)?;
    let change = Change::of("api-key.revoke").after(name.clone());
    audit::add(tx, by, &[change], now)?;
    Ok(name)
}

/// Finds the id of the key with that name, unless it is revoked.
pub fn find_by_name(conn: &mut Conn, name: &str) -> Result<Option<i64>> {
    let open = api_keys::table.filter(api_keys::name.eq(name)).filter(api_keys::revoked_at.is_null());
    Ok(open.select(api_keys::api_key_id).first(conn).optional()?)
}

/// Stores the last use of a key.
pub fn set_last_used(tx: &mut Conn, id: i64, now: Timestamp) -> Result<()> {
    let earlier = api_keys::last_used_at.is_null().or(api_keys::last_used_at.lt(now));
    diesel::update(api_keys::table.find(id)).filter(earlier).set(api_keys::last_used_at.eq(now)).execute(tx)?;
    Ok(())
}
