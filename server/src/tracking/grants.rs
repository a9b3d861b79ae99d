//! Grants: rows on the server that let a visitor see one order for half an hour, and the tokens that name them. The database has
//! only a token's hash.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::Tracking;
use super::rules::GRANT_LIFE;
use crate::config::Config;
use crate::db::schema::visitor_grants;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The length of a token: 32 random bytes in base64. Texts of another length cause no query.
const TOKEN_LEN: usize = 43;

/// A visitor who confirmed the email of an order and may see that order.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Visitor {
    /// The key of the grant's row.
    pub grant_hash: String,
    pub order_id: OrderId,
}

/// A grant that is about to be added.
#[derive(Clone)]
pub struct NewGrant {
    /// The secret of the visitor.
    pub token: String,
    grant_hash: String,
}

impl NewGrant {
    /// Creates a grant with a random token.
    pub fn draw() -> Self {
        let token = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { grant_hash: hash(&token), token }
    }
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// The name of the cookie with a visitor's token. Over https its prefix `__Host-` prevents other hosts and paths from setting it.
pub fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-visitor" } else { "visitor" }
}

/// Adds the grant for the order.
pub fn add(tx: &mut Conn, new: &NewGrant, order_id: OrderId, now: Timestamp) -> Result<()> {
    diesel::insert_into(visitor_grants::table)
        .values((
            visitor_grants::grant_hash.eq(&new.grant_hash),
            visitor_grants::order_id.eq(order_id),
            visitor_grants::created_at.eq(now),
            visitor_grants::expires_at.eq(now + GRANT_LIFE),
        ))
        .execute(tx)?;
    Ok(())
}

/// The hash of the grant that `token` names, even if the grant has expired.
pub fn named_by(token: &str) -> Option<String> {
    (token.len() == TOKEN_LEN).then(|| hash(token))
}

/// The visitor of the first of these tokens whose grant has not expired.
pub async fn authenticate(room: &Tracking, tokens: &[String]) -> Result<Option<Visitor>> {
    let hashes: Vec<String> = tokens.iter().filter_map(|token| named_by(token)).collect();
    if hashes.is_empty() {
        return Ok(None);
    }
    let (wanted, now) = (hashes.clone(), room.clock.now());
    let found = room.db.look_up(move |conn| find(conn, &wanted, now)).await?;
    Ok(hashes.iter().find_map(|hash| found.iter().find(|visitor| visitor.grant_hash == *hash).cloned()))
}

fn find(conn: &mut Conn, hashes: &[String], now: Timestamp) -> Result<Vec<Visitor>> {
    let valid = visitor_grants::table
        .filter(visitor_grants::grant_hash.eq_any(hashes))
        .filter(visitor_grants::expires_at.gt(now));
    Ok(valid.select((visitor_grants::grant_hash, visitor_grants::order_id)).load(conn)?)
}

/// Deletes up to [`MAX_IDS`] expired grants. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = visitor_grants::table.filter(visitor_grants::expires_at.le(now)).limit(MAX_IDS as i64);
    let expired: Vec<String> = expired.select(visitor_grants::grant_hash).load(tx)?;
    Ok(diesel::delete(visitor_grants::table.filter(visitor_grants::grant_hash.eq_any(expired))).execute(tx)?)
}
