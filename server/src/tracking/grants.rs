//! Grants: rows on the server that let a visitor see one order for half an hour. The database has only the hash of a grant's token.

use diesel::prelude::*;

use super::Tracking;
use super::errors::TrackingError;
use super::limits::Call;
use super::rules::GRANT_LIFE;
use super::tokens::{self, Claims};
use crate::config::Config;
use crate::db::schema::visitor_grants;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::ids::OrderId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

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
    order_id: OrderId,
    created_at: Timestamp,
    expires_at: Timestamp,
}

impl NewGrant {
    /// Draws a grant for the order.
    pub fn draw(secret: &SecretKey, order_id: OrderId, now: Timestamp) -> Self {
        let expires_at = now + GRANT_LIFE;
        Self { token: tokens::draw(secret, order_id, expires_at), order_id, created_at: now, expires_at }
    }
}

/// The name of the cookie with a visitor's token. Over https its prefix `__Host-` prevents other hosts and paths from setting it.
pub fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-visitor" } else { "visitor" }
}

/// Adds the grant.
pub fn add(tx: &mut Conn, new: &NewGrant) -> Result<()> {
    diesel::insert_into(visitor_grants::table)
        .values((
            visitor_grants::grant_hash.eq(tokens::hash(&new.token)),
            visitor_grants::order_id.eq(new.order_id),
            visitor_grants::created_at.eq(new.created_at),
            visitor_grants::expires_at.eq(new.expires_at),
        ))
        .execute(tx)?;
    Ok(())
}

/// Authenticates a visitor by the first of these tokens with a grant. Grant holders have a rate limit of their own: a token that is
/// missing, forged or expired is refused before it is counted or looked up.
///
/// # Errors
/// [`TrackingError`].
pub async fn authenticate(room: &Tracking, tokens: &[String], address: ClientAddress) -> Result<Visitor> {
    let now = room.clock.now();
    let claims: Vec<Claims> = tokens.iter().filter_map(|token| tokens::verify(&room.secret, token, now)).collect();
    let first = claims.first().ok_or(TrackingError::EmailNotConfirmed)?;
    room.calls.admit(address, Call::View(first.order_id), &room.config.limits, now)?;
    let hashes: Vec<String> = claims.into_iter().map(|claims| claims.grant_hash).collect();
    Ok(look_up(room, hashes).await?.ok_or(TrackingError::EmailNotConfirmed)?)
}

/// The visitor of the first of these grants that exists and has not expired.
pub async fn look_up(room: &Tracking, hashes: Vec<String>) -> Result<Option<Visitor>> {
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

/// Deletes the grants for the order: its visitors have to confirm it again.
pub fn delete_of(tx: &mut Conn, order_id: OrderId) -> Result<()> {
    diesel::delete(visitor_grants::table.filter(visitor_grants::order_id.eq(order_id))).execute(tx)?;
    Ok(())
}
