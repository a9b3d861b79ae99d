//! Sign-ins whose password was right, and which still lack the second factor.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::rules::second_factor::{CHALLENGE_LASTS, MAX_TRIES};
use super::tokens::Remember;
use crate::db::schema::challenges;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// A challenge about to be stored. The database has only the hash of its token.
#[derive(Clone, Debug)]
pub struct NewChallenge {
    pub token: String,
    hash: String,
}

impl NewChallenge {
    /// Creates a challenge with a random token.
    pub fn draw() -> Self {
        let token = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        Self { hash: hash(&token), token }
    }

    /// Stores it for a member whose password was right.
    pub fn add(&self, tx: &mut Conn, staff_id: StaffId, remember: Remember, now: Timestamp) -> Result<()> {
        let remember_days = match remember {
            Remember::No => 0,
            Remember::Days(days) => i32::try_from(days).unwrap_or(i32::MAX),
        };
        diesel::insert_into(challenges::table)
            .values((
                challenges::challenge_hash.eq(&self.hash),
                challenges::staff_id.eq(staff_id),
                challenges::remember_days.eq(remember_days),
                challenges::tries.eq(0),
                challenges::expires_at.eq(now + CHALLENGE_LASTS),
            ))
            .execute(tx)?;
        Ok(())
    }
}

/// The hash under which the challenge of that token is stored.
pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// A challenge that can still be met.
#[derive(Clone, Copy, Debug)]
pub struct Challenge {
    pub staff_id: StaffId,
    /// The member's choice to stay signed in or not.
    pub remember: Remember,
}

/// The challenge with that hash; none if it is over.
pub fn find(conn: &mut Conn, hash: &str, now: Timestamp) -> Result<Option<Challenge>> {
    let open = challenges::table
        .find(hash)
        .filter(challenges::expires_at.gt(now))
        .filter(challenges::tries.lt(MAX_TRIES))
        .select((challenges::staff_id, challenges::remember_days));
    let found: Option<(StaffId, i32)> = open.first(conn).optional()?;
    Ok(found.map(|(staff_id, days)| Challenge { staff_id, remember: Remember::days(days.unsigned_abs()) }))
}

/// Counts a wrong code.
pub fn add_try(tx: &mut Conn, hash: &str) -> Result<()> {
    diesel::update(challenges::table.find(hash)).set(challenges::tries.eq(challenges::tries + 1)).execute(tx)?;
    Ok(())
}

/// Ends one challenge.
pub fn end(tx: &mut Conn, hash: &str) -> Result<()> {
    diesel::delete(challenges::table.find(hash)).execute(tx)?;
    Ok(())
}

/// Ends all challenges of a member.
pub fn end_all(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(challenges::table.filter(challenges::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Deletes up to [`MAX_IDS`] challenges that are over. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = challenges::table.filter(challenges::expires_at.le(now)).limit(MAX_IDS as i64);
    let expired: Vec<String> = expired.select(challenges::challenge_hash).load(tx)?;
    Ok(diesel::delete(challenges::table.filter(challenges::challenge_hash.eq_any(expired))).execute(tx)?)
}
