//! Sessions: rows on the server. Each request reads its member and their type again.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::TimeDelta;
use diesel::prelude::*;

use super::Identity;
use super::rules::{Staff, StaffType};
use super::tokens::NewSession;
use super::{ceremonies, challenges};
use crate::db::schema::{inbox, sessions, staff};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::http::errors::HttpError;
use crate::http::touched::TOUCH_EVERY;
use crate::ids::StaffId;
use crate::on_either;
use crate::timestamp::Timestamp;

/// From where and with what a person signs in.
#[derive(Clone, Debug, Default)]
pub struct SignInOrigin {
    pub address: Option<IpAddr>,
    /// As [`crate::devices::clean`] leaves it.
    pub user_agent: Option<String>,
}

/// Starts a session of the member, who has just proved who they are.
pub fn start(tx: &mut Conn, new: &NewSession, staff_id: StaffId, origin: &SignInOrigin) -> Result<()> {
    diesel::insert_into(sessions::table)
        .values((
            sessions::session_hash.eq(&new.session_hash),
            sessions::staff_id.eq(staff_id),
            sessions::created_at.eq(new.begins_at),
            sessions::last_seen_at.eq(new.begins_at),
            sessions::expires_at.eq(new.ends_at()),
            sessions::idle_seconds.eq(new.remember.idle_seconds()),
            sessions::confirmed_at.eq(new.begins_at),
            sessions::address.eq(origin.address.map(|address| address.to_string())),
            sessions::user_agent.eq(&origin.user_agent),
        ))
        .execute(tx)?;
    Ok(())
}

/// Locks a session until the transaction ends.
///
/// # Errors
/// `signed_out` if the session has ended.
pub fn lock(tx: &mut Conn, session_hash: &str) -> Result<()> {
    let session = sessions::table.find(session_hash).select(sessions::staff_id);
    let locked: Option<StaffId> = match tx {
        Conn::Sqlite(tx) => session.first(tx).optional()?,
        Conn::Postgres(tx) => session.for_no_key_update().first(tx).optional()?,
    };
    locked.map(drop).ok_or_else(|| HttpError::SignedOut.into())
}

/// Ends one session.
pub fn end(tx: &mut Conn, session_hash: &str) -> Result<()> {
    diesel::delete(sessions::table.find(session_hash)).execute(tx)?;
    Ok(())
}

/// Ends all sessions of a member, sign-ins that lack the second factor, and ceremonies of passkeys.
pub fn end_all(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    challenges::end_all(tx, staff_id)?;
    ceremonies::end_all(tx, staff_id)?;
    diesel::delete(sessions::table.filter(sessions::staff_id.eq(staff_id))).execute(tx)?;
    Ok(())
}

/// Records that the person behind the session has proved who they are once more.
pub fn confirm(tx: &mut Conn, session_hash: &str, now: Timestamp) -> Result<()> {
    diesel::update(sessions::table.find(session_hash)).set(sessions::confirmed_at.eq(now)).execute(tx)?;
    Ok(())
}

/// Deletes up to [`MAX_IDS`] expired sessions. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = sessions::table.filter(sessions::expires_at.le(now)).limit(MAX_IDS as i64);
    let expired: Vec<String> = expired.select(sessions::session_hash).load(tx)?;
    Ok(diesel::delete(sessions::table.filter(sessions::session_hash.eq_any(expired))).execute(tx)?)
}

/// A session of a member that has not ended.
#[derive(Clone, Debug, Queryable)]
pub struct OpenSession {
    pub session_hash: String,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    expires_at: Timestamp,
    idle_seconds: i32,
    pub address: Option<String>,
    pub user_agent: Option<String>,
}

/// The most sessions of one list. A person has a few; a program that signs in for each of its calls may have more.
const MAX_SESSIONS: i64 = 100;

/// The sessions of a member that have not ended, the last used one first.
pub fn list(conn: &mut Conn, staff_id: StaffId, now: Timestamp) -> Result<Vec<OpenSession>> {
    let of_member = sessions::table.filter(sessions::staff_id.eq(staff_id)).select((
        sessions::session_hash,
        sessions::created_at,
        sessions::last_seen_at,
        sessions::expires_at,
        sessions::idle_seconds,
        sessions::address,
        sessions::user_agent,
    ));
    let order = (sessions::last_seen_at.desc(), sessions::session_hash.asc());
    let rows: Vec<OpenSession> = of_member.order(order).limit(MAX_SESSIONS).load(conn)?;
    Ok(rows.into_iter().filter(|one| lasts(one.expires_at, one.last_seen_at, one.idle_seconds, now)).collect())
}

/// Returns true if a session has not ended: neither its time is over, nor has it been idle for too long.
fn lasts(expires_at: Timestamp, last_seen_at: Timestamp, idle_seconds: i32, now: Timestamp) -> bool {
    now < expires_at && now - last_seen_at < TimeDelta::seconds(idle_seconds.into())
}

/// A session that has not ended, as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastingSession {
    /// The type of its active member.
    pub staff_type: StaffType,
    /// The entries of the member's inbox that are not read.
    pub unread: i64,
}

/// The sessions among `hashes` that have not ended, by hash.
pub fn list_lasting(conn: &mut Conn, hashes: &[String], now: Timestamp) -> Result<HashMap<String, LastingSession>> {
    let mut lasting = HashMap::with_capacity(hashes.len());
    for hashes in hashes.chunks(MAX_IDS) {
        let found = sessions::table.inner_join(staff::table).filter(sessions::session_hash.eq_any(hashes));
        let found = found.filter(staff::deleted_at.is_null()).select((
            sessions::session_hash,
            staff::staff_type,
            sessions::expires_at,
            sessions::last_seen_at,
            sessions::idle_seconds,
            inbox::table
                .filter(inbox::staff_id.eq(staff::staff_id))
                .filter(inbox::read_at.is_null())
                .count()
                .single_value(),
        ));
        let rows: Vec<(String, StaffType, Timestamp, Timestamp, i32, Option<i64>)> = found.load(conn)?;
        let rows = rows.into_iter().filter(|(_, _, expires_at, seen, idle, _)| lasts(*expires_at, *seen, *idle, now));
        lasting.extend(rows.map(|(hash, staff_type, _, _, _, unread)| {
            (hash, LastingSession { staff_type, unread: unread.unwrap_or_default() })
        }));
    }
    Ok(lasting)
}

/// A session and its member, in the order of the query's columns.
#[derive(Queryable)]
struct SessionRow {
    staff_id: StaffId,
    name: String,
    email: String,
    staff_type: StaffType,
    created_at: Timestamp,
    confirmed_at: Option<Timestamp>,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    idle_seconds: i32,
}

/// The session with that hash, if it belongs to an active member.
fn find(conn: &mut Conn, session_hash: &str) -> Result<Option<SessionRow>> {
    let found = sessions::table.inner_join(staff::table).filter(sessions::session_hash.eq(session_hash));
    let found = found.filter(staff::deleted_at.is_null()).select((
        staff::staff_id,
        staff::name,
        staff::email,
        staff::staff_type,
        sessions::created_at,
        sessions::confirmed_at,
        sessions::last_seen_at,
        sessions::expires_at,
        sessions::idle_seconds,
    ));
    Ok(on_either!(conn => found.first(conn)).optional()?)
}

/// The kind of activity that a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    OfPerson,
    /// The browser makes the request by itself, which leaves the session as idle as it is (invariant 17).
    InBackground,
}

/// The member whose session `token` names, as the database has them now.
///
/// # Errors
/// `signed_out` if the token is invalid or the session has ended.
pub async fn authenticate(room: &Identity, token: &str, address: ClientAddress, activity: Activity) -> Result<Staff> {
    let session_hash = named_by(room, token)?;
    find_staff(room, session_hash, address, activity).await
}

/// The hash of the session that `token` names, even if the session has ended.
pub fn named_by(room: &Identity, token: &str) -> Result<String> {
    room.tokens.verify(token, room.clock.now())
}

/// The member whose session has that hash.
///
/// # Errors
/// `signed_out` if the session has ended.
pub async fn find_staff(
    room: &Identity,
    session_hash: String,
    address: ClientAddress,
    activity: Activity,
) -> Result<Staff> {
    let (now, wanted) = (room.clock.now(), session_hash.clone());
    let found = room.db.look_up(move |conn| find(conn, &wanted)).await?;
    let session = found
        .filter(|one| lasts(one.expires_at, one.last_seen_at, one.idle_seconds, now))
        .ok_or(HttpError::SignedOut)?;
    if activity == Activity::OfPerson && now - session.last_seen_at >= TOUCH_EVERY {
        touch(room, &session_hash, now);
    }
    Ok(Staff {
        id: session.staff_id,
        name: session.name,
        email: session.email,
        staff_type: session.staff_type,
        session_hash,
        signed_in_at: session.created_at,
        // A session of an earlier version has proved who it is at its start only.
        confirmed_at: session.confirmed_at.unwrap_or(session.created_at),
        address: address.to_string(),
    })
}

/// Stores the last use of the session in the background: the request neither waits for it nor fails with it.
fn touch(room: &Identity, session_hash: &str, now: Timestamp) {
    let (db, session_hash) = (room.db.clone(), session_hash.to_owned());
    let Some(writing) = room.touched.begin(&session_hash, now) else { return };
    tokio::spawn(async move {
        let written = db.write(move |tx| set_last_seen(tx, &session_hash, now)).await;
        drop(writing);
        if let Err(error) = written {
            tracing::warn!(%error, "the last use of a session was not stored");
        }
    });
}

fn set_last_seen(tx: &mut Conn, session_hash: &str, now: Timestamp) -> Result<()> {
    diesel::update(sessions::table.find(session_hash))
        .filter(sessions::last_seen_at.lt(now))
        .set(sessions::last_seen_at.eq(now))
        .execute(tx)?;
    Ok(())
}
