//! Stops mails that wait, and sends them after all.

use diesel::prelude::*;

use super::dialect;
use super::rules::{MailKind, MailState, Outcome, Provider};
use crate::db::Conn;
use crate::db::schema::{mail_attempts, mails};
use crate::error::Result;
use crate::timestamp::Timestamp;

/// Locks those mails until the transaction ends and returns the ones that can still be stopped: they are queued, and no attempt is in
/// progress or may have delivered them.
pub fn lock_unsent(tx: &mut Conn, mail_ids: &[i64]) -> Result<Vec<i64>> {
    // A worker locks a mail before it begins an attempt, so that it cannot begin one now.
    dialect::lock_mails(tx, mail_ids)?;
    let begun = mail_attempts::table
        .filter(mail_attempts::mail_id.eq_any(mail_ids))
        .filter(mail_attempts::ended_at.is_null().or(mail_attempts::outcome.eq(Outcome::Unknown)));
    let begun: Vec<i64> = begun.select(mail_attempts::mail_id).load(tx)?;
    let queued = mails::table.filter(mails::mail_id.eq_any(mail_ids)).filter(mails::state.eq(MailState::Queued));
    let queued: Vec<i64> = queued.order(mails::mail_id).select(mails::mail_id).load(tx)?;
    Ok(queued.into_iter().filter(|mail_id| !begun.contains(mail_id)).collect())
}

/// Stops mails that [`lock_unsent`] returned. Email History shows `why`.
pub fn stop(tx: &mut Conn, mail_ids: &[i64], why: &str, now: Timestamp) -> Result<()> {
    diesel::update(mails::table.filter(mails::mail_id.eq_any(mail_ids)))
        .set((
            mails::state.eq(MailState::Failed),
            mails::failure.eq(why),
            mails::stopped_at.eq(now),
            mails::due_at.eq(None::<Timestamp>),
            mails::leased_until.eq(None::<Timestamp>),
        ))
        .execute(tx)?;
    Ok(())
}

/// Locks those mails until the transaction ends and returns the ones that were stopped.
pub fn lock_stopped(tx: &mut Conn, mail_ids: &[i64]) -> Result<Vec<i64>> {
    dialect::lock_mails(tx, mail_ids)?;
    let stopped = mails::table
        .filter(mails::mail_id.eq_any(mail_ids))
        .filter(mails::state.eq(MailState::Failed))
        .filter(mails::stopped_at.is_not_null());
    Ok(stopped.order(mails::mail_id).select(mails::mail_id).load(tx)?)
}

/// Queues stopped mails again, due at once. After the commit, wake the workers.
pub fn queue_again(tx: &mut Conn, mail_ids: &[i64], now: Timestamp) -> Result<()> {
    diesel::update(mails::table.filter(mails::mail_id.eq_any(mail_ids)))
        .set((
            mails::state.eq(MailState::Queued),
            mails::failure.eq(None::<String>),
            mails::stopped_at.eq(None::<Timestamp>),
            mails::due_at.eq(now),
            // The time in which its provider may be unavailable begins now.
            mails::created_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// The queued mails of that kind that are due later, the first due first, at most `most`: id and time.
pub fn list_waiting(conn: &mut Conn, kind: MailKind, now: Timestamp, most: i64) -> Result<Vec<(i64, Timestamp)>> {
    let waiting = mails::table
        .filter(mails::provider.eq_any(Provider::ALL.iter().copied()))
        .filter(mails::due_at.gt(now))
        .filter(mails::kind.eq(kind))
        .filter(mails::state.eq(MailState::Queued))
        .order((mails::due_at, mails::mail_id))
        .limit(most);
    Ok(waiting.select((mails::mail_id, mails::due_at.assume_not_null())).load(conn)?)
}

/// The mail that told the applicant of an issued visa, as the visa was uploaded.
pub fn find_approval(conn: &mut Conn, document_id: i64) -> Result<Option<i64>> {
    let told = mails::table.filter(mails::document_id.eq(document_id)).filter(mails::kind.eq(MailKind::Approval));
    Ok(told.select(mails::mail_id).first(conn).optional()?)
}

/// The state of a mail, and its recipient.
pub fn find(conn: &mut Conn, mail_id: i64) -> Result<(MailState, String)> {
    Ok(mails::table.find(mail_id).select((mails::state, mails::recipient)).first(conn)?)
}
