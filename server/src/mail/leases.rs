//! Leases on mails that are due, and a row for each attempt.
//!
//! A lease is short, runs by the database's clock, and is renewed by its holder. An attempt has three times: started, text started,
//! ended. If the lease of an open attempt has expired, the attempt was cut off; the worker that finds it decides by how far it got.

use chrono::TimeDelta;
use diesel::dsl::max;
use diesel::prelude::*;

use super::dialect;
use super::rules::{self, EndedAttempt, MailKind, MailState, Next, Outcome, Provider};
use super::templates::ComposedMail;
use crate::db::schema::{mail_attempts, mail_texts, mails};
use crate::db::{self, Conn};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The duration of a lease. Its owner renews it well before its end.
pub const LEASE: TimeDelta = TimeDelta::seconds(15);

/// The time that a mail waits after an attempt that was cut off: its worker may only have lost the database, and records the result as
/// soon as it can.
const WAIT_AFTER_CUT: TimeDelta = TimeDelta::seconds(5);

/// The time limits of sending.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// From queueing to the last attempt.
    pub give_up: TimeDelta,
}

/// A mail.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct LeasedMail {
    pub mail_id: i64,
    pub order_id: OrderId,
    pub document_id: Option<i64>,
    pub kind: MailKind,
    pub recipient: String,
    pub provider: Provider,
    pub message_id: Option<String>,
    pub created_at: Timestamp,
}

/// A mail that this process sends now.
#[derive(Clone, Debug)]
pub struct MailLease {
    pub mail: LeasedMail,
    pub text: Option<ComposedMail>,
    /// The number of the attempt, from 1.
    pub attempt: i32,
}

/// Leases at most `most` due mails of the provider, and begins an attempt of each.
///
/// An attempt that was cut off is only ended here: its mail is claimed again when it is due again.
/// `chance` is a random number from 0 to 1.
pub fn claim(
    tx: &mut Conn,
    provider: Provider,
    most: i64,
    terms: Terms,
    now: Timestamp,
    chance: f64,
) -> Result<Vec<MailLease>> {
    let leased_until = db::database_now(tx)? + LEASE;
    let mut leased = Vec::new();
    for mail_id in dialect::lock_due_mails(tx, provider.as_str(), now, most)? {
        let open = mail_attempts::table
            .filter(mail_attempts::mail_id.eq(mail_id))
            .filter(mail_attempts::ended_at.is_null())
            .select((mail_attempts::attempt, mail_attempts::text_at))
            .first::<(i32, Option<Timestamp>)>(tx)
            .optional()?;
        if let Some((attempt, text_at)) = open {
            let (outcome, answer) = match text_at {
                Some(_) => (Outcome::Unknown, "The program stopped before the provider had answered"),
                None => (Outcome::PutOff, "The program stopped before the mail went out"),
            };
            end(tx, SendAttempt { mail_id, attempt }, &AttemptResult::new(outcome, answer), terms, now, chance)?;
            let waiting = mails::table.find(mail_id).filter(mails::due_at.lt(now + WAIT_AFTER_CUT));
            diesel::update(waiting).set(mails::due_at.eq(now + WAIT_AFTER_CUT)).execute(tx)?;
            continue;
        }
        leased.push(begin(tx, mail_id, leased_until, now)?);
    }
    Ok(leased)
}

fn begin(tx: &mut Conn, mail_id: i64, leased_until: Timestamp, now: Timestamp) -> Result<MailLease> {
    diesel::update(mails::table.find(mail_id)).set(mails::leased_until.eq(leased_until)).execute(tx)?;
    let attempts = mail_attempts::table.filter(mail_attempts::mail_id.eq(mail_id)).select(max(mail_attempts::attempt));
    let attempt = attempts.first::<Option<i32>>(tx)?.unwrap_or(0) + 1;
    diesel::insert_into(mail_attempts::table)
        .values((
            mail_attempts::mail_id.eq(mail_id),
            mail_attempts::attempt.eq(attempt),
            mail_attempts::started_at.eq(now),
        ))
        .execute(tx)?;
    let mail = mails::table.find(mail_id).select(LeasedMail::as_select()).first(tx)?;
    let text = mail_texts::table
        .find(mail_id)
        .select((mail_texts::subject, mail_texts::text_body, mail_texts::html_body))
        .first::<(String, String, String)>(tx)
        .optional()?;
    Ok(MailLease { mail, text: text.map(|(subject, text, html)| ComposedMail { subject, text, html }), attempt })
}

/// An attempt to send a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendAttempt {
    pub mail_id: i64,
    pub attempt: i32,
}

/// The outcome of an attempt, and the provider's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptResult {
    pub outcome: Outcome,
    pub answer: String,
    /// The mail was written to a file. No provider accepted it.
    pub in_file: bool,
}

impl AttemptResult {
    /// The result of an attempt to send a mail through its provider.
    pub fn new(outcome: Outcome, answer: impl Into<String>) -> Self {
        Self { outcome, answer: answer.into(), in_file: false }
    }
}

/// Records that the text begins to go out. Returns false if the attempt has been ended meanwhile: then the text must not be sent.
pub fn begin_text(tx: &mut Conn, one: SendAttempt, now: Timestamp) -> Result<bool> {
    let is_open = renew(tx, one)?;
    if is_open {
        let row = mail_attempts::table.find((one.mail_id, one.attempt));
        diesel::update(row).set(mail_attempts::text_at.eq(now)).execute(tx)?;
    }
    Ok(is_open)
}

/// Extends the lease of an attempt. Returns false if the attempt has been ended meanwhile.
pub fn renew(tx: &mut Conn, one: SendAttempt) -> Result<bool> {
    // A worker that takes the mail over locks it first, so that only one of the two goes on.
    dialect::lock_mail(tx, one.mail_id)?;
    let row = mail_attempts::table.find((one.mail_id, one.attempt));
    if row.select(mail_attempts::ended_at).first::<Option<Timestamp>>(tx)?.is_some() {
        return Ok(false);
    }
    let leased_until = db::database_now(tx)? + LEASE;
    diesel::update(mails::table.find(one.mail_id)).set(mails::leased_until.eq(leased_until)).execute(tx)?;
    Ok(true)
}

/// Ends an attempt and decides what follows for its mail. If another worker has ended the attempt meanwhile, only an acceptance counts.
pub fn end(
    tx: &mut Conn,
    one: SendAttempt,
    how: &AttemptResult,
    terms: Terms,
    now: Timestamp,
    chance: f64,
) -> Result<()> {
    dialect::lock_mail(tx, one.mail_id)?;
    let row = mail_attempts::table.find((one.mail_id, one.attempt));
    let was_open = row.select(mail_attempts::ended_at).first::<Option<Timestamp>>(tx)?.is_none();
    let is_accepted = how.outcome == Outcome::Accepted;
    if !was_open && !is_accepted {
        return Ok(());
    }
    diesel::update(row)
        .set((
            mail_attempts::ended_at.eq(now),
            mail_attempts::outcome.eq(how.outcome),
            mail_attempts::answer.eq(&how.answer),
        ))
        .execute(tx)?;
    let (state, created_at) =
        mails::table.find(one.mail_id).select((mails::state, mails::created_at)).first::<(MailState, Timestamp)>(tx)?;
    if state == MailState::Queued || (is_accepted && state != MailState::Sent) {
        let ended = EndedAttempt { outcome: how.outcome, age: now - created_at, ..count_attempts(tx, one.mail_id)? };
        let next = rules::next(ended, terms.give_up, chance);
        record_outcome(tx, one.mail_id, next, how, rules::reason(how.outcome, next, terms.give_up, &how.answer), now)?;
    }
    Ok(())
}

/// Counts the attempts, and those of them that may or may not have delivered the mail.
fn count_attempts(tx: &mut Conn, mail_id: i64) -> Result<EndedAttempt> {
    let all = mail_attempts::table.filter(mail_attempts::mail_id.eq(mail_id));
    let attempts: i64 = all.count().get_result(tx)?;
    let unknowns: i64 = all.filter(mail_attempts::outcome.eq(Outcome::Unknown)).count().get_result(tx)?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(EndedAttempt {
        outcome: Outcome::PutOff,
        attempts: number(attempts),
        unknowns: number(unknowns),
        age: TimeDelta::zero(),
    })
}

fn record_outcome(
    tx: &mut Conn,
    mail_id: i64,
    next: Next,
    how: &AttemptResult,
    failure: Option<String>,
    now: Timestamp,
) -> Result<()> {
    let (state, due_at, sent_at) = match next {
        Next::Sent => (MailState::Sent, None, Some(now)),
        Next::Again(wait) => (MailState::Queued, Some(now + wait), None),
        Next::Failed => (MailState::Failed, None, None),
        Next::Unknown => (MailState::Unknown, None, None),
    };
    diesel::update(mails::table.find(mail_id))
        .set((
            mails::state.eq(state),
            mails::due_at.eq(due_at),
            mails::sent_at.eq(sent_at),
            mails::failure.eq(failure),
            mails::in_file.eq(next == Next::Sent && how.in_file),
            mails::leased_until.eq(None::<Timestamp>),
        ))
        .execute(tx)?;
    Ok(())
}
