//! Ceremonies of passkeys as rows: what a browser was asked to sign, until it answers. They are rows so that any node can verify the
//! answer, and so that each answer counts once.

use diesel::prelude::*;

use super::rules::second_factor::CHALLENGE_LASTS;
use crate::db::schema::passkey_ceremonies as ceremonies;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::StaffId;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The request that the browser answers in a ceremony.
    pub enum CeremonyKind {
        Registration = "registration",
        Assertion = "assertion",
    }
}

/// A ceremony by its holder, the hash of a challenge or of a session, and its state.
#[derive(Clone, Debug)]
pub struct Ceremony {
    pub holder_hash: String,
    pub state: String,
}

/// Stores a ceremony in place of the holder's earlier one of that kind. The caller holds the member's lock.
pub fn set(tx: &mut Conn, new: &Ceremony, kind: CeremonyKind, staff_id: StaffId, now: Timestamp) -> Result<()> {
    diesel::delete(ceremonies::table.find((&new.holder_hash, kind))).execute(tx)?;
    diesel::insert_into(ceremonies::table)
        .values((
            ceremonies::holder_hash.eq(&new.holder_hash),
            ceremonies::kind.eq(kind),
            ceremonies::staff_id.eq(staff_id),
            ceremonies::state.eq(&new.state),
            ceremonies::expires_at.eq(now + CHALLENGE_LASTS),
        ))
        .execute(tx)?;
    Ok(())
}

/// The holder's open ceremony of that kind.
pub fn find(conn: &mut Conn, holder_hash: &str, kind: CeremonyKind, now: Timestamp) -> Result<Option<Ceremony>> {
    let open = ceremonies::table.find((holder_hash, kind)).filter(ceremonies::expires_at.gt(now));
    let state: Option<String> = open.select(ceremonies::state).first(conn).optional()?;
    Ok(state.map(|state| Ceremony { holder_hash: holder_hash.to_owned(), state }))
}

/// Ends exactly that ceremony. Returns false if it was answered or replaced already.
pub fn end(tx: &mut Conn, ended: &Ceremony, kind: CeremonyKind) -> Result<bool> {
    let open = ceremonies::table.find((&ended.holder_hash, kind)).filter(ceremonies::state.eq(&ended.state));
    Ok(diesel::delete(open).execute(tx)? > 0)
}

/// Ends all ceremonies of a member.
pub fn end_all(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(ceremonies::table.filter(ceremonies::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Deletes ceremonies that are over, of up to [`MAX_IDS`] holders. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let over = ceremonies::table.filter(ceremonies::expires_at.le(now));
    let holders: Vec<String> = over.select(ceremonies::holder_hash).limit(MAX_IDS as i64).load(tx)?;
    Ok(diesel::delete(over.filter(ceremonies::holder_hash.eq_any(holders))).execute(tx)?)
}
