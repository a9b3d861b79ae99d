//! Sends the mails to members about their own account, one at a time: they are few. A row lasts until its mail is delivered or given
//! up, and an attempt leases it for longer than an attempt can take, so that a crash loses none and no two workers send one at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::Mail;
use super::errors::MailError;
use super::leases::AttemptResult;
use super::message::{self, Parts};
use super::outbox;
use super::rules::{self, Address, EndedAttempt, Next, Outcome, Provider};
use super::smtp::SendPermit;
use super::templates::MemberLetter;
use crate::error::Result;
use crate::staff::member_mails::{self, ClaimedMail};

/// The time after which the worker looks for mails again.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The most time that an attempt may take.
const MAX_ATTEMPT: Duration = Duration::from_secs(120);
/// The time that an attempt leases its mail: longer than it may take, with the time to record its result.
const LEASE: TimeDelta = TimeDelta::seconds(150);

/// Sends until `stop`, then finishes the attempt in progress.
pub async fn run(room: &Arc<Mail>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        match send_next(room).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => tracing::warn!(%error, "a mail to a member could not be handled and will be tried again"),
        }
        tokio::select! {
            () = sleep(POLL_INTERVAL) => {}
            // An error means that the sender is gone, which also ends the work.
            _ = stop.wait_for(|stop| *stop) => return,
        }
    }
}

/// Makes an attempt for the mail that is due longest. Returns false if none is due.
pub async fn send_next(room: &Arc<Mail>) -> Result<bool> {
    let now = room.clock.now();
    if !room.db.look_up(move |conn| member_mails::is_due(conn, now)).await? {
        return Ok(false);
    }
    let claimed = room.db.write(move |tx| member_mails::claim(tx, LEASE, now)).await?;
    let Some((mail, name)) = claimed else { return Ok(false) };
    let text_begun = AtomicBool::new(false);
    let attempt = timeout(MAX_ATTEMPT, attempt(room, &mail, name, &text_begun)).await;
    // The permit is held until the result is recorded.
    let (how, _permit) = attempt.unwrap_or_else(|_| {
        let outcome = if text_begun.load(Ordering::SeqCst) { Outcome::Unknown } else { Outcome::PutOff };
        (AttemptResult::new(outcome, "The attempt took too long"), None)
    });
    record(room, &mail, how.outcome).await?;
    Ok(true)
}

/// Records how an attempt ended: a mail that may have arrived is attempted once more, as mails about orders are.
async fn record(room: &Mail, mail: &ClaimedMail, outcome: Outcome) -> Result<()> {
    let (staff_mail_id, staff_id, attempt) = (mail.staff_mail_id, mail.staff_id, mail.attempts);
    let provider = Provider::configured(&room.config.mail);
    metrics::counter!("visadesk_mail_tries", "provider" => provider.as_str(), "outcome" => outcome.as_str())
        .increment(1);
    tracing::info!(staff_mail_id, attempt, outcome = outcome.as_str(), "an attempt to mail a member ended");
    let now = room.clock.now();
    let uncertain = mail.uncertain + i32::from(outcome == Outcome::Unknown);
    let ended = EndedAttempt {
        outcome,
        attempts: attempt.unsigned_abs(),
        unknowns: uncertain.unsigned_abs(),
        age: now - mail.created_at,
    };
    let give_up = TimeDelta::hours(room.config.mail.give_up_hours.into());
    match rules::next(ended, give_up, rand::random()) {
        Next::Again(wait) => {
            let due_at = now + wait;
            room.db.write(move |tx| member_mails::put_off(tx, staff_mail_id, attempt, uncertain, due_at)).await
        }
        Next::Sent => room.db.write(move |tx| member_mails::remove(tx, staff_mail_id)).await,
        Next::Failed | Next::Unknown => {
            tracing::warn!(staff_mail_id, %staff_id, "a mail to a member was given up");
            room.db.write(move |tx| member_mails::remove(tx, staff_mail_id)).await
        }
    }
}

async fn attempt(
    room: &Mail,
    mail: &ClaimedMail,
    name: String,
    text_begun: &AtomicBool,
) -> (AttemptResult, Option<SendPermit>) {
    let refused = |answer: String| (AttemptResult::new(Outcome::Refused, answer), None);
    // Its last attempts were cut off after the text had begun to go out.
    if mail.uncertain > 1 {
        return (AttemptResult::new(Outcome::Unknown, "It may have arrived twice"), None);
    }
    let to = match Address::parse(&mail.recipient) {
        Ok(to) => to,
        Err(error) => return refused(error.to_string()),
    };
    let letter = MemberLetter {
        name,
        event: mail.event,
        done_by: mail.done_by.clone(),
        device: mail.device.clone(),
        country: mail.country.clone(),
        at: mail.created_at,
    };
    let text = match room.templates.compose_for_member(&letter) {
        Ok(text) => text,
        Err(error) => return refused(error.message()),
    };
    let (provider, id) = (Provider::configured(&room.config.mail), unique_id(room, mail));
    let message_id = outbox::message_id(&id, &room.config.public_url);
    let message = message::build(Parts {
        mail_id: None,
        message_id: Some(&message_id),
        from: &room.transports.from,
        to: &to,
        provider,
        configuration_set: &room.config.mail.aws_configuration_set,
        created_at: mail.created_at,
        text: &text,
        attached: None,
    });
    let message = match message {
        Ok(message) => message,
        Err(error) => return refused(format!("This mail cannot be put together: {error}")),
    };
    let begin_text = || async {
        let agree = Duration::from_secs(room.config.mail.agree_seconds.into());
        let waited = timeout(agree, room.transports.send_permit(provider)).await;
        let permit = waited.map_err(|_| MailError::MailProviderBusy)??;
        let (staff_mail_id, attempt) = (mail.staff_mail_id, mail.attempts);
        let is_ours = room.db.write(move |tx| member_mails::begin_text(tx, staff_mail_id, attempt)).await?;
        text_begun.store(is_ours, Ordering::SeqCst);
        Ok(is_ours.then_some(permit))
    };
    room.transports.send(provider, format!("member-{}.eml", &id[..12]), &message, begin_text).await
}

/// The unique part of the Message-ID: the same in each attempt, and different in each installation.
fn unique_id(room: &Mail, mail: &ClaimedMail) -> String {
    let row = format!("{} {}", mail.staff_mail_id, mail.created_at.timestamp_micros());
    hex::encode(&room.secret.sign("mails to members", row.as_bytes())[..16])
}
