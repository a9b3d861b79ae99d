//! The keys that sales sites call with. A key is shown once; what is kept is its digest.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::Intake;
use crate::audit::store::{self as audit, Actor, Change};
use crate::db::schema::api_keys;
use crate::db::{Conn, Db};
use crate::error::{Error, Result};
use crate::files::sha256;

/// What a key begins with, so that people and scanners know it for what it is.
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

/// Whose key this is. A revoked key is nobody's.
pub async fn authenticate(room: &Intake, key: &str) -> Result<SalesSite> {
    let refused = || Error::unauthorized("The X-Api-Key is missing or not known");
    if !key.starts_with(PREFIX) || key.len() > 200 {
        return Err(refused());
    }
    let hash = sha256(key.as_bytes());
    let found = room.db.read(move |conn| find(conn, &hash)).await?;
    found.ok_or_else(refused)
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

/// A new key, of 256 random bits.
pub fn invent() -> String {
    format!("{PREFIX}{:032x}{:032x}", rand::random::<u128>(), rand::random::<u128>())
}

/// Adds `key` under a name that no other key has or had.
pub fn add(tx: &mut Conn, name: &str, key: &str, now: NaiveDateTime) -> Result<()> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > 100 || name.chars().any(crate::text::is_unseen) {
        return Err(Error::invalid("Please give the key a name of at most 100 letters"));
    }
    let added = diesel::insert_into(api_keys::table)
        .values((api_keys::name.eq(name), api_keys::key_hash.eq(sha256(key.as_bytes())), api_keys::created_at.eq(now)))
        .execute(tx);
    match added.map_err(Error::from) {
        Err(error) if error.is_duplicate("api_keys_name_key", "api_keys.name") => {
            Err(Error::conflict(format!("There is or was a key named {name}. Please choose another name")))
        }
        Err(error) => Err(error),
        Ok(_) => note(tx, "api-key.add", name, now),
    }
}

/// Revokes the key of that name; its next call is refused.
pub fn revoke(tx: &mut Conn, name: &str, now: NaiveDateTime) -> Result<()> {
    let open = api_keys::table.filter(api_keys::name.eq(name)).filter(api_keys::revoked_at.is_null());
    if diesel::update(open).set(api_keys::revoked_at.eq(now)).execute(tx)? == 0 {
        return Err(Error::not_found(format!("There is no key named {name} in use")));
    }
    note(tx, "api-key.revoke", name, now)
}

fn note(tx: &mut Conn, action: &'static str, name: &str, now: NaiveDateTime) -> Result<()> {
    let change = Change { action, after: Some(name.to_owned()), ..Change::default() };
    audit::add(tx, &Actor::program("command line"), &[change], now)
}

/// `visadesk api-key add NAME`: adds a key and answers it. It can never be shown again.
pub fn add_by_hand(db: &Db, name: String, now: NaiveDateTime) -> Result<String> {
    let key = invent();
    let kept = key.clone();
    db.write_now(move |tx| add(tx, &name, &kept, now))?;
    Ok(key)
}

/// `visadesk api-key revoke NAME`.
pub fn revoke_by_hand(db: &Db, name: String, now: NaiveDateTime) -> Result<()> {
    db.write_now(move |tx| revoke(tx, &name, now))
}
