//! Who sends what: a lease on a mail that is due, and a row for each try.
//!
//! A lease runs by the database's clock. A try has three rows of time: begun, its text begins to go out, ended. One that a
//! lease outlived was cut off; the worker who finds it judges it by how far it had come.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::max;
use diesel::prelude::*;

use super::dialect;
use super::rules::{self, Ended, MailKind, MailState, Next, Outcome, Provider};
use super::templates::Composed;
use crate::db::schema::{mail_attempts, mail_texts, mails};
use crate::db::{self, Conn};
use crate::error::Result;

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// A try, from its claim to its end. Sending must give up well before.
    pub lease: TimeDelta,
    /// All tries of a mail.
    pub give_up: TimeDelta,
}

/// A mail.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct Mail {
    pub mail_id: i64,
    pub order_id: i64,
    pub document_id: Option<i64>,
    pub kind: MailKind,
    pub recipient: String,
    pub provider: Provider,
    pub message_id: Option<String>,
    pub created_at: NaiveDateTime,
}

/// A mail that this process is to send now.
#[derive(Clone, Debug)]
pub struct Leased {
    pub mail: Mail,
    pub text: Option<Composed>,
    /// Which try it is, from 1.
    pub attempt: i32,
}

/// Leases at most `most` due mails of the provider, and begins a try of each.
///
/// Of those that are due, tries that were cut off are only ended here: those mails come again when they are due again.
/// `chance` is a random number from 0 to 1.
pub fn claim(
    tx: &mut Conn,
    provider: Provider,
    most: i64,
    terms: Terms,
    now: NaiveDateTime,
    chance: f64,
) -> Result<Vec<Leased>> {
    let leased_until = db::database_now(tx)? + terms.lease;
    let mut leased = Vec::new();
    for mail_id in dialect::lock_due_mails(tx, provider.as_str(), now, most)? {
        let open = mail_attempts::table
            .filter(mail_attempts::mail_id.eq(mail_id))
            .filter(mail_attempts::ended_at.is_null())
            .select((mail_attempts::attempt, mail_attempts::text_at))
            .first::<(i32, Option<NaiveDateTime>)>(tx)
            .optional()?;
        if let Some((attempt, text_at)) = open {
            let (outcome, answer) = match text_at {
                Some(_) => (Outcome::Unknown, "The program stopped before the provider had answered"),
                None => (Outcome::PutOff, "The program stopped before the mail went out"),
            };
            end(tx, Try { mail_id, attempt }, &How { outcome, answer: answer.to_owned() }, terms, now, chance)?;
            continue;
        }
        leased.push(begin(tx, mail_id, leased_until, now)?);
    }
    Ok(leased)
}

fn begin(tx: &mut Conn, mail_id: i64, leased_until: NaiveDateTime, now: NaiveDateTime) -> Result<Leased> {
    diesel::update(mails::table.find(mail_id)).set(mails::leased_until.eq(leased_until)).execute(tx)?;
    let tries = mail_attempts::table.filter(mail_attempts::mail_id.eq(mail_id)).select(max(mail_attempts::attempt));
    let attempt = tries.first::<Option<i32>>(tx)?.unwrap_or(0) + 1;
    diesel::insert_into(mail_attempts::table)
        .values((
            mail_attempts::mail_id.eq(mail_id),
            mail_attempts::attempt.eq(attempt),
            mail_attempts::started_at.eq(now),
        ))
        .execute(tx)?;
    let mail = mails::table.find(mail_id).select(Mail::as_select()).first(tx)?;
    let text = mail_texts::table
        .find(mail_id)
        .select((mail_texts::subject, mail_texts::text_body, mail_texts::html_body))
        .first::<(String, String, String)>(tx)
        .optional()?;
    Ok(Leased { mail, text: text.map(|(subject, text, html)| Composed { subject, text, html }), attempt })
}

/// One try of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    pub mail_id: i64,
    pub attempt: i32,
}

/// How it ended, and what the provider said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct How {
    pub outcome: Outcome,
    pub answer: String,
}

/// Writes down that the text begins to go out. False when the try has been ended meanwhile: then it must not.
pub fn begin_text(tx: &mut Conn, one: Try, now: NaiveDateTime) -> Result<bool> {
    let open = mail_attempts::table.find((one.mail_id, one.attempt)).filter(mail_attempts::ended_at.is_null());
    Ok(diesel::update(open).set(mail_attempts::text_at.eq(now)).execute(tx)? == 1)
}

/// Ends a try and says what becomes of its mail. Of a try that somebody else has ended meanwhile only good news counts.
pub fn end(tx: &mut Conn, one: Try, how: &How, terms: Terms, now: NaiveDateTime, chance: f64) -> Result<()> {
    dialect::lock_mail(tx, one.mail_id)?;
    let row = mail_attempts::table.find((one.mail_id, one.attempt));
    let was_open = row.select(mail_attempts::ended_at).first::<Option<NaiveDateTime>>(tx)?.is_none();
    let is_good_news = how.outcome == Outcome::Accepted;
    if !was_open && !is_good_news {
        return Ok(());
    }
    diesel::update(row)
        .set((
            mail_attempts::ended_at.eq(now),
            mail_attempts::outcome.eq(how.outcome),
            mail_attempts::answer.eq(&how.answer),
        ))
        .execute(tx)?;
    let (state, created_at) = mails::table
        .find(one.mail_id)
        .select((mails::state, mails::created_at))
        .first::<(MailState, NaiveDateTime)>(tx)?;
    if state == MailState::Queued || (is_good_news && state != MailState::Sent) {
        let ended = Ended { outcome: how.outcome, age: now - created_at, ..tries(tx, one.mail_id)? };
        let next = rules::next(ended, terms.give_up, chance);
        settle(tx, one.mail_id, next, rules::reason(how.outcome, next, terms.give_up, &how.answer), now)?;
    }
    Ok(())
}

/// How often the mail was tried, and how often without anybody knowing what came of it.
fn tries(tx: &mut Conn, mail_id: i64) -> Result<Ended> {
    let all = mail_attempts::table.filter(mail_attempts::mail_id.eq(mail_id));
    let tries: i64 = all.count().get_result(tx)?;
    let unknowns: i64 = all.filter(mail_attempts::outcome.eq(Outcome::Unknown)).count().get_result(tx)?;
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    Ok(Ended { outcome: Outcome::PutOff, tries: number(tries), unknowns: number(unknowns), age: TimeDelta::zero() })
}

fn settle(tx: &mut Conn, mail_id: i64, next: Next, failure: Option<String>, now: NaiveDateTime) -> Result<()> {
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
            mails::leased_until.eq(None::<NaiveDateTime>),
        ))
        .execute(tx)?;
    Ok(())
}
