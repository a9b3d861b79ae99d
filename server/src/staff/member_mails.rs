//! Mails to members about their own account. They are queued in the transaction of the change that they report, and sent by the room
//! of mails after its commit: a row is what remains to be sent, and says who did what, never a password or a code.

use chrono::TimeDelta;
use diesel::dsl::exists;
use diesel::prelude::*;

use super::rules::notices::{AccountEvent, may_have_mailbox};
use crate::audit::store::Actor;
use crate::db::schema::{staff, staff_mails};
use crate::db::{Conn, database_now};
use crate::error::Result;
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// The device of a reported sign-in.
#[derive(Clone, Copy, Debug)]
pub struct ReportedDevice<'a> {
    pub device: &'a str,
    pub country: &'a str,
}

/// Mails a member that `by` has changed how they sign in.
pub fn report(
    tx: &mut Conn,
    (staff_id, email): (StaffId, &str),
    event: AccountEvent,
    by: &Actor,
    now: Timestamp,
) -> Result<()> {
    let is_own = by.staff_id == Some(staff_id);
    add(tx, (staff_id, email), event, (!is_own).then_some(&*by.name), None, now)
}

/// Mails a member what they have done themselves.
pub fn report_own(tx: &mut Conn, member: (StaffId, &str), event: AccountEvent, now: Timestamp) -> Result<()> {
    add(tx, member, event, None, None, now)
}

/// Mails a member that a new device has signed in.
pub fn report_device(tx: &mut Conn, member: (StaffId, &str), device: ReportedDevice<'_>, now: Timestamp) -> Result<()> {
    add(tx, member, AccountEvent::NewDevice, None, Some(device), now)
}

fn add(
    tx: &mut Conn,
    (staff_id, email): (StaffId, &str),
    event: AccountEvent,
    done_by: Option<&str>,
    seen: Option<ReportedDevice<'_>>,
    now: Timestamp,
) -> Result<()> {
    if !may_have_mailbox(email) {
        return Ok(());
    }
    diesel::insert_into(staff_mails::table)
        .values((
            staff_mails::staff_id.eq(staff_id),
            staff_mails::event.eq(event),
            staff_mails::recipient.eq(email),
            staff_mails::done_by.eq(done_by),
            staff_mails::device.eq(seen.map(|seen| seen.device)),
            staff_mails::country.eq(seen.map(|seen| seen.country)),
            staff_mails::created_at.eq(now),
            staff_mails::due_at.eq(now),
            staff_mails::attempts.eq(0),
            staff_mails::uncertain.eq(0),
        ))
        .execute(tx)?;
    Ok(())
}

/// A mail that this process sends now.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = staff_mails)]
pub struct ClaimedMail {
    pub staff_mail_id: i64,
    pub staff_id: StaffId,
    pub event: AccountEvent,
    pub recipient: String,
    /// The name of the person who did it; none: the member.
    pub done_by: Option<String>,
    pub device: Option<String>,
    pub country: Option<String>,
    pub created_at: Timestamp,
    /// This attempt included. It names the attempt: another worker that takes the mail over begins the next one.
    pub attempts: i32,
    /// Earlier attempts after which the provider may or may not have taken the mail.
    pub uncertain: i32,
}

/// Returns true if a mail is due. Only the claim decides: this check avoids most claims that would find nothing.
pub fn is_due(conn: &mut Conn, now: Timestamp) -> Result<bool> {
    let leases_end_by = database_now(conn)?;
    let due = staff_mails::table
        .filter(staff_mails::due_at.le(now))
        .filter(staff_mails::leased_until.is_null().or(staff_mails::leased_until.lt(leases_end_by)));
    Ok(diesel::select(exists(due)).get_result(conn)?)
}

/// Leases the mail that is due longest for `lease`, by the database's clock, and returns it with the member's name. None if none is
/// due, or another worker was faster.
pub fn claim(tx: &mut Conn, lease: TimeDelta, now: Timestamp) -> Result<Option<(ClaimedMail, String)>> {
    let leases_end_by = database_now(tx)?;
    let is_free = || staff_mails::leased_until.is_null().or(staff_mails::leased_until.lt(leases_end_by));
    let due = staff_mails::table
        .filter(staff_mails::due_at.le(now))
        .filter(is_free())
        .order((staff_mails::due_at, staff_mails::staff_mail_id))
        .select(staff_mails::staff_mail_id);
    let Some(id) = due.first::<i64>(tx).optional()? else { return Ok(None) };
    let leased = diesel::update(staff_mails::table.find(id).filter(is_free()))
        .set((staff_mails::leased_until.eq(leases_end_by + lease), staff_mails::attempts.eq(staff_mails::attempts + 1)))
        .execute(tx)?;
    if leased == 0 {
        return Ok(None);
    }
    let claimed = staff_mails::table.find(id).select(ClaimedMail::as_select()).first(tx)?;
    let name = staff::table.find(claimed.staff_id).select(staff::name).first(tx)?;
    Ok(Some((claimed, name)))
}

/// Records that the text begins to go out. Returns false if another worker has taken the mail over: then it must not be sent.
pub fn begin_text(tx: &mut Conn, staff_mail_id: i64, attempt: i32) -> Result<bool> {
    let own = staff_mails::table.find(staff_mail_id).filter(staff_mails::attempts.eq(attempt));
    let begun = diesel::update(own).set(staff_mails::uncertain.eq(staff_mails::uncertain + 1)).execute(tx)?;
    Ok(begun > 0)
}

/// Makes the mail due again at `due_at`, unless another worker has taken it over. `uncertain` counts this attempt as well.
pub fn put_off(tx: &mut Conn, staff_mail_id: i64, attempt: i32, uncertain: i32, due_at: Timestamp) -> Result<()> {
    let own = staff_mails::table.find(staff_mail_id).filter(staff_mails::attempts.eq(attempt));
    diesel::update(own)
        .set((
            staff_mails::due_at.eq(due_at),
            staff_mails::uncertain.eq(uncertain),
            staff_mails::leased_until.eq(None::<Timestamp>),
        ))
        .execute(tx)?;
    Ok(())
}

/// Removes a mail that was delivered or given up.
pub fn remove(tx: &mut Conn, staff_mail_id: i64) -> Result<()> {
    diesel::delete(staff_mails::table.find(staff_mail_id)).execute(tx)?;
    Ok(())
}
