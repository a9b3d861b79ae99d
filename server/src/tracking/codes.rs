//! Codes by mail, for applicants whom the counters of wrong emails stop.
//!
//! A request only adds a row, the same for every number, whether there is such an order or not: neither the response nor its time says
//! more. A job (`public/codes.rs`) reads the rows and queues the mails. The code itself is in no table: `mail/secrets.rs` derives it
//! from the row's name.
//!
//! A code is valid only together with the ticket of its request, which the browser keeps in a cookie: strangers cannot use up the tries
//! of an applicant's code, nor replace it.

use diesel::dsl::count_star;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::rules::{CODE_LIFE, CODE_TRIES, CODES_COUNT_FOR, RecentCodes, STRANGERS_WINDOW};
use crate::config::Config;
use crate::db::schema::tracking_codes;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// A requested code. Its ticket is the secret of the requester's browser.
#[derive(Clone, Debug)]
pub struct NewCode {
    pub ticket: String,
    pub order_id: OrderId,
    /// The HMAC of the email that the requester named; empty if none.
    pub email_hash: String,
    pub created_at: Timestamp,
}

impl NewCode {
    /// Draws a ticket for the order.
    pub fn draw(order_id: OrderId, email_hash: String, now: Timestamp) -> Self {
        Self { ticket: hex::encode(rand::random::<[u8; 16]>()), order_id, email_hash, created_at: now }
    }
}

/// The name of the code with this ticket. The database has no tickets.
pub fn id_of(ticket: &str) -> String {
    hex::encode(Sha256::digest(ticket))
}

/// The name of the cookie with the ticket.
pub fn cookie_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-visitor-code" } else { "visitor-code" }
}

/// Adds the request.
pub fn add(tx: &mut Conn, new: &NewCode) -> Result<()> {
    diesel::insert_into(tracking_codes::table)
        .values((
            tracking_codes::code_id.eq(id_of(&new.ticket)),
            tracking_codes::order_id.eq(new.order_id),
            tracking_codes::email_hash.eq(&new.email_hash),
            tracking_codes::created_at.eq(new.created_at),
            tracking_codes::by_owner.eq(false),
            tracking_codes::tries.eq(0),
        ))
        .execute(tx)?;
    Ok(())
}

/// A request that no mail was decided for yet.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = tracking_codes)]
pub struct WaitingCode {
    pub code_id: String,
    pub order_id: OrderId,
    pub email_hash: String,
    pub created_at: Timestamp,
}

/// The oldest waiting requests, at most `most`.
pub fn list_waiting(conn: &mut Conn, most: i64) -> Result<Vec<WaitingCode>> {
    let waiting = tracking_codes::table.filter(tracking_codes::settled_at.is_null()).order(tracking_codes::created_at);
    Ok(waiting.limit(most).select(WaitingCode::as_select()).load(conn)?)
}

/// Takes a request out of those that wait. Returns false if another node has done so. The caller holds the advisory lock of the job.
pub fn settle(tx: &mut Conn, code_id: &str, now: Timestamp) -> Result<bool> {
    let waiting = tracking_codes::table.find(code_id).filter(tracking_codes::settled_at.is_null());
    Ok(diesel::update(waiting).set(tracking_codes::settled_at.eq(now)).execute(tx)? > 0)
}

/// Records the mail of a code, and whether its requester named an address of the order.
pub fn set_mailed(tx: &mut Conn, code_id: &str, mail_id: i64, by_owner: bool) -> Result<()> {
    diesel::update(tracking_codes::table.find(code_id))
        .set((tracking_codes::mail_id.eq(mail_id), tracking_codes::by_owner.eq(by_owner)))
        .execute(tx)?;
    Ok(())
}

/// The codes mailed before `now` that count against the limits.
pub fn recent(tx: &mut Conn, order_id: OrderId, now: Timestamp) -> Result<RecentCodes> {
    let mailed = |window| {
        tracking_codes::table
            .filter(tracking_codes::mail_id.is_not_null())
            .filter(tracking_codes::created_at.gt(now - window))
    };
    let of_order = || mailed(CODES_COUNT_FOR).filter(tracking_codes::order_id.eq(order_id));
    let by_strangers = tracking_codes::by_owner.eq(false);
    Ok(RecentCodes {
        of_order: of_order().select(count_star()).first(tx)?,
        of_order_by_strangers: of_order().filter(by_strangers).select(count_star()).first(tx)?,
        by_strangers: mailed(STRANGERS_WINDOW).filter(by_strangers).select(count_star()).first(tx)?,
    })
}

/// Counts a try of the code. Returns whether a right one is admitted: the code was mailed for this order, has not expired, and has
/// tries left. Runs the same statements for every code and order. The caller holds an advisory lock on the code.
pub fn count_try(tx: &mut Conn, code_id: &str, order_id: OrderId, now: Timestamp) -> Result<bool> {
    let row = tracking_codes::table.find(code_id);
    diesel::update(row).set(tracking_codes::tries.eq(tracking_codes::tries + 1)).execute(tx)?;
    let open = row
        .filter(tracking_codes::order_id.eq(order_id))
        .filter(tracking_codes::mail_id.is_not_null())
        .filter(tracking_codes::created_at.gt(now - CODE_LIFE))
        .filter(tracking_codes::tries.le(CODE_TRIES));
    Ok(open.select(tracking_codes::code_id).load::<String>(tx)?.len() == 1)
}

/// Ends a code that was entered rightly: it admits once.
pub fn use_up(tx: &mut Conn, code_id: &str) -> Result<()> {
    diesel::update(tracking_codes::table.find(code_id)).set(tracking_codes::tries.eq(CODE_TRIES + 1)).execute(tx)?;
    Ok(())
}

/// Deletes up to [`MAX_IDS`] codes that no longer count. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = tracking_codes::table.filter(tracking_codes::created_at.le(now - CODES_COUNT_FOR));
    let expired: Vec<String> = expired.limit(MAX_IDS as i64).select(tracking_codes::code_id).load(tx)?;
    Ok(diesel::delete(tracking_codes::table.filter(tracking_codes::code_id.eq_any(expired))).execute(tx)?)
}
