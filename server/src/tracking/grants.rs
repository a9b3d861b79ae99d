//! Grants: rows on the server that let a visitor see one order for half an hour, and the tokens that name them. The store
//! has only a token's hash.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::Tracking;
use super::rules::GRANT_LASTS;
use crate::db::Conn;
use crate::db::schema::visitor_grants;
use crate::error::Result;

/// The length of a token: 32 random bytes in base64. Nothing else is looked up.
const TOKEN_LENGTH: usize = 43;

/// Who named an order and its email, and may see that order.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Visitor {
    /// Names the grant in the store.
    pub grant_hash: String,
    pub order_id: i64,
}

/// A grant about to be given.
#[derive(Clone)]
pub struct NewGrant {
    /// What the visitor keeps.
    pub token: String,
    grant_hash: String,
}

impl NewGrant {
    /// Draws the grant's secret name.
    pub fn draw() -> Self {
        let token = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { grant_hash: hash(&token), token }
    }
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// The name of the cookie that holds a visitor's token: over https one that no other host or path can set.
pub fn cookie_name(public_url: &str) -> &'static str {
    if public_url.starts_with("https://") { "__Host-visitor" } else { "visitor" }
}

/// Gives the grant for the order.
pub fn add(tx: &mut Conn, new: &NewGrant, order_id: i64, now: NaiveDateTime) -> Result<()> {
    diesel::insert_into(visitor_grants::table)
        .values((
            visitor_grants::grant_hash.eq(&new.grant_hash),
            visitor_grants::order_id.eq(order_id),
            visitor_grants::created_at.eq(now),
            visitor_grants::expires_at.eq(now + GRANT_LASTS),
        ))
        .execute(tx)?;
    Ok(())
}

/// The hash of the grant that `token` names, whether it lasts or not.
pub fn named_by(token: &str) -> Option<String> {
    (token.len() == TOKEN_LENGTH).then(|| hash(token))
}

/// Who makes a request that carries these tokens: the holder of the first grant among them that still lasts.
pub async fn authenticate(room: &Tracking, tokens: &[String]) -> Result<Option<Visitor>> {
    let hashes: Vec<String> = tokens.iter().filter_map(|token| named_by(token)).collect();
    if hashes.is_empty() {
        return Ok(None);
    }
    let (wanted, now) = (hashes.clone(), room.clock.now());
    let found = room.db.look_up(move |conn| find(conn, &wanted, now)).await?;
    Ok(hashes.iter().find_map(|hash| found.iter().find(|visitor| visitor.grant_hash == *hash).cloned()))
}

fn find(conn: &mut Conn, hashes: &[String], now: NaiveDateTime) -> Result<Vec<Visitor>> {
    let lasting = visitor_grants::table
        .filter(visitor_grants::grant_hash.eq_any(hashes))
        .filter(visitor_grants::expires_at.gt(now));
    Ok(lasting.select((visitor_grants::grant_hash, visitor_grants::order_id)).load(conn)?)
}

/// Forgets grants that have ended; answers how many.
pub fn forget_ended(tx: &mut Conn, now: NaiveDateTime) -> Result<usize> {
    Ok(diesel::delete(visitor_grants::table.filter(visitor_grants::expires_at.le(now))).execute(tx)?)
}
