//! Sends queued mails: each provider's independently, several at once, with no transaction open while a provider is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use chrono::TimeDelta;
use futures_util::future::join_all;
use lettre::message::header::ContentType;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use super::Mail;
use super::errors::MailError;
use super::leases::{self, AttemptResult, MailLease, SendAttempt, Terms};
use super::message::{self, AttachedFile, Parts};
use super::outbox;
use super::rules::{Address, MailKind, Outcome, Provider};
use super::smtp::SendPermit;
use super::templates::{ComposedMail, Letter};
use super::{secrets, store, to_members};
use crate::documents::store as documents;
use crate::error::{Error, Permission, Result};
use crate::files::errors::FileError;

/// Mails that one process sends at once through one provider. A provider that hangs delays only its own mails.
const MAX_CONCURRENT: usize = 4;
/// The time after which a worker polls for mails without a notification: those of other processes, and postponed ones.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The most time that reading an attached file may take.
const MAX_FILE_READ: Duration = Duration::from_secs(30);
/// The time after which a worker renews the lease of a mail that it sends.
const RENEW_EVERY: Duration = Duration::from_secs(4);
/// The time after the last renewal when a worker gives a mail up: before its lease ends and another worker may take it.
const HOLD: Duration = Duration::from_secs(12);
/// The time that a worker keeps trying to record the result of an attempt.
const MAX_RECORD_TIME: Duration = Duration::from_secs(60);
/// The largest attachment, in bytes. Providers delay larger mails, and mailboxes refuse them.
const MAX_ATTACHED_BYTES: i64 = 10 * 1024 * 1024;

/// Sends until `stop`, then waits for the attempts in progress.
pub async fn run(room: &Arc<Mail>, stop: watch::Receiver<bool>) {
    let about_orders = join_all(Provider::ALL.iter().map(|provider| run_one(room, *provider, stop.clone())));
    tokio::join!(about_orders, to_members::run(room, stop.clone()));
}

async fn run_one(room: &Arc<Mail>, provider: Provider, mut stop: watch::Receiver<bool>) {
    let mut notified = room.notify.subscribe();
    let mut sending = JoinSet::new();
    while !is_over(&mut stop) {
        while sending.try_join_next().is_some() {}
        let free = MAX_CONCURRENT.saturating_sub(sending.len());
        let claimed_at = Instant::now();
        match claim(room, provider, free).await {
            Ok(leased) => leased.into_iter().for_each(|one| {
                sending.spawn(send(room.clone(), one, claimed_at));
            }),
            Err(error) => tracing::warn!(%provider, %error, "mails could not be claimed and will be tried again"),
        }
        tokio::select! {
            Some(_) = sending.join_next() => {}
            _ = notified.changed() => {}
            _ = stop.changed() => {}
            () = sleep(POLL_INTERVAL) => {}
        }
    }
    while sending.join_next().await.is_some() {}
}

/// Returns true if a stop was requested, or its sender is gone.
fn is_over(stop: &mut watch::Receiver<bool>) -> bool {
    *stop.borrow_and_update() || stop.has_changed().is_err()
}

/// Makes an attempt for each mail about an order that is due now. Returns how many.
pub async fn send_due(room: &Arc<Mail>) -> Result<usize> {
    let mut attempts = 0;
    for provider in Provider::ALL {
        loop {
            let claimed_at = Instant::now();
            let leased = claim(room, *provider, MAX_CONCURRENT).await?;
            if leased.is_empty() {
                break;
            }
            attempts += leased.len();
            join_all(leased.into_iter().map(|one| send(room.clone(), one, claimed_at))).await;
        }
    }
    Ok(attempts)
}

/// The most time that a provider may take to accept a mail's envelope, and a mail to get the permit.
fn agree(room: &Mail) -> Duration {
    Duration::from_secs(room.config.mail.agree_seconds.into())
}

fn terms(room: &Mail) -> Terms {
    Terms { give_up: TimeDelta::hours(room.config.mail.give_up_hours.into()) }
}

async fn claim(room: &Mail, provider: Provider, most: usize) -> Result<Vec<MailLease>> {
    let (now, terms, chance) = (room.clock.now(), terms(room), rand::random::<f64>());
    let is_due = move |conn: &mut _| outbox::is_due(conn, provider, now);
    let Ok(most @ 1..) = i64::try_from(most) else { return Ok(Vec::new()) };
    if !room.db.look_up(is_due).await? {
        return Ok(Vec::new());
    }
    room.db.write(move |tx| leases::claim(tx, provider, most, terms, now, chance)).await
}

/// Makes an attempt, from its claim to its end.
async fn send(room: Arc<Mail>, leased: MailLease, claimed_at: Instant) {
    let one = SendAttempt { mail_id: leased.mail.mail_id, attempt: leased.attempt };
    let provider = leased.mail.provider;
    let text_begun = AtomicBool::new(false);
    let mut holding = std::pin::pin!(hold(&room, one, claimed_at));
    let (how, permit, is_lost) = tokio::select! {
        sent = hand_over(&room, leased, &text_begun) => {
            let (how, permit) = sent.unwrap_or_else(|how| (how, None));
            (how, permit, false)
        }
        () = &mut holding => (cut_off(text_begun.load(Ordering::SeqCst)), None, true),
    };
    let (mail_id, attempt, outcome) = (one.mail_id, one.attempt, how.outcome.as_str());
    metrics::counter!("visadesk_mail_tries", "provider" => provider.as_str(), "outcome" => outcome).increment(1);
    tracing::info!(mail_id, attempt, %provider, outcome, "a mail attempt ended");
    let recording = record_result(&room, one, how);
    if is_lost {
        recording.await;
    } else {
        let hold_on = async {
            holding.await;
            // The provider has answered: its answer is worth recording even if another worker has taken the mail over.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = recording => {}
            () = hold_on => {}
        }
    }
    drop(permit);
}

/// Renews the lease of a mail for as long as it is polled. Returns when the lease is lost, before another worker may hold it.
async fn hold(room: &Mail, one: SendAttempt, claimed_at: Instant) {
    let mut held_until = claimed_at + HOLD;
    loop {
        sleep_until((Instant::now() + RENEW_EVERY).min(held_until)).await;
        let renewed_at = Instant::now();
        if renewed_at >= held_until {
            return;
        }
        match timeout_at(held_until, room.db.write(move |tx| leases::renew(tx, one))).await {
            Ok(Ok(true)) => held_until = renewed_at + HOLD,
            Ok(Ok(false)) | Err(_) => return,
            Ok(Err(error)) => {
                tracing::warn!(mail_id = one.mail_id, %error, "the lease of a mail could not be renewed yet");
            }
        }
    }
}

/// The result of an attempt that this worker gives up because its lease is lost.
fn cut_off(text_begun: bool) -> AttemptResult {
    let outcome = if text_begun { Outcome::Unknown } else { Outcome::PutOff };
    AttemptResult::new(outcome, "The database could not be reached while the mail was being sent")
}

/// Records the result of an attempt, also over a short outage of the database: a mail without a result is sent again.
async fn record_result(room: &Mail, one: SendAttempt, how: AttemptResult) {
    let (since, terms, chance) = (Instant::now(), terms(room), rand::random::<f64>());
    loop {
        let (how, now) = (how.clone(), room.clock.now());
        match room.db.write(move |tx| leases::end(tx, one, &how, terms, now, chance)).await {
            Ok(()) => return,
            Err(error) if since.elapsed() < MAX_RECORD_TIME => {
                tracing::warn!(mail_id = one.mail_id, %error, "the result of a mail attempt could not be recorded yet");
            }
            Err(error) => {
                tracing::error!(mail_id = one.mail_id, %error, "the result of a mail attempt could not be recorded");
                return;
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
}

async fn hand_over(
    room: &Mail,
    leased: MailLease,
    text_begun: &AtomicBool,
) -> Result<(AttemptResult, Option<SendPermit>), AttemptResult> {
    let MailLease { mail, text, attempt } = leased;
    let refused = |answer: &str| AttemptResult::new(Outcome::Refused, answer);
    let text = text.ok_or_else(|| refused("This mail has no text"))?;
    let to = Address::parse(&mail.recipient).map_err(|error| refused(&error.to_string()))?;
    let text = match with_secret(room, &mail, &to, text).await {
        Ok(text) => text,
        Err(error) if error.is_failure() => return Err(AttemptResult::put_off(error.message())),
        Err(error) => return Err(refused(&error.message())),
    };
    let attached = match attached(room, &mail, &to).await {
        Ok(attached) => attached,
        Err(error) if error.is_failure() => return Err(AttemptResult::put_off(error.message())),
        Err(error) => {
            tracing::warn!(mail_id = mail.mail_id, %error, "a visa was left out of its mail");
            None
        }
    };
    let message = message::build(Parts {
        mail_id: Some(mail.mail_id),
        message_id: mail.message_id.as_deref(),
        from: &room.transports.from,
        to: &to,
        provider: mail.provider,
        configuration_set: &room.config.mail.aws_configuration_set,
        created_at: mail.created_at,
        text: &text,
        attached,
    });
    let message = message.map_err(|error| refused(&format!("This mail cannot be put together: {error}")))?;
    let name = file_name(mail.mail_id, mail.message_id.as_deref());
    let one = SendAttempt { mail_id: mail.mail_id, attempt };
    let begin_text = || async {
        let waited = timeout(agree(room), room.transports.send_permit(mail.provider)).await;
        let permit = waited.map_err(|_| MailError::MailProviderBusy)??;
        let now = room.clock.now();
        let is_ours = room.db.write(move |tx| leases::begin_text(tx, one, now)).await?;
        text_begun.store(is_ours, Ordering::SeqCst);
        Ok(is_ours.then_some(permit))
    };
    Ok(room.transports.send(mail.provider, name, &message, begin_text).await)
}

/// The text as it is sent: with its code, or with the key in its link if the recipient is one of the order's own addresses.
async fn with_secret(room: &Mail, mail: &leases::LeasedMail, to: &Address, text: ComposedMail) -> Result<ComposedMail> {
    let (mail_id, order_id) = (mail.mail_id, mail.order_id);
    let read = move |conn: &mut _| Ok((secrets::find(conn, mail_id)?, store::find_facts(conn, order_id)?));
    let (found, facts) = room.db.read(read).await?;
    let track_url = room.templates.track_url(order_id);
    let text = match &facts {
        Some(facts) if !facts.letter(order_id).has_page && text.text.contains(&track_url) => {
            without_link(room, mail, facts.letter(order_id)).await?
        }
        Some(_) | None => text,
    };
    let is_own = facts.is_some_and(|facts| to.is_one_of(facts.addresses()));
    let valid = found.filter(|found| is_own && found.is_valid(room.clock.now()));
    let Some(valid) = valid else {
        let needs_one = mail.kind == MailKind::TrackingCode;
        return if needs_one { Err(MailError::MailedCodeExpired.into()) } else { Ok(text) };
    };
    Ok(secrets::fill_in(&text, mail.kind, &track_url, &room.secret, &valid.secret_id, order_id))
}

/// The text of a mail whose order was deleted since the mail was queued, without a link to its page (invariant 16). What is kept is what is
/// sent.
async fn without_link(room: &Mail, mail: &leases::LeasedMail, letter: Letter) -> Result<ComposedMail> {
    let (mail_id, text) = (mail.mail_id, room.templates.compose(mail.kind, &letter)?);
    let kept = text.clone();
    room.db.write(move |tx| outbox::reword(tx, mail_id, &kept)).await?;
    Ok(text)
}

/// The visa, if `mail.attach_visa` is set and the mail goes to one of the order's own addresses.
async fn attached(room: &Mail, mail: &leases::LeasedMail, to: &Address) -> Result<Option<AttachedFile>> {
    let (true, true, Some(document_id)) = (room.config.mail.attach_visa, mail.kind.is_about_visa(), mail.document_id)
    else {
        return Ok(None);
    };
    let order_id = mail.order_id;
    let (facts, visa) = room
        .db
        .read(move |conn| {
            Ok((store::find_facts(conn, order_id)?, documents::find_stored_visa(conn, order_id, document_id)?))
        })
        .await?;
    let is_own = facts.is_some_and(|facts| to.is_one_of(facts.addresses()));
    let Some((stored, media_type)) = visa.filter(|(stored, _)| is_own && stored.size_bytes <= MAX_ATTACHED_BYTES)
    else {
        return Ok(None);
    };
    let read = timeout(MAX_FILE_READ, room.files.get(&stored, Permission::in_background())).await;
    let content: Bytes = read.map_err(|_| FileError::FileStorageUnreachable)??;
    let content_type = ContentType::parse(media_type.as_str()).map_err(Error::internal)?;
    let name = format!("{}.{}", order_id.printed(), media_type.extension());
    Ok(Some(AttachedFile { name, content_type, content }))
}

/// The file name in the folder of mails: the mail's id, and the unique part of its message id.
fn file_name(mail_id: i64, message_id: Option<&str>) -> String {
    let own: String = message_id.unwrap_or_default().chars().filter(char::is_ascii_hexdigit).take(12).collect();
    format!("{mail_id:06}-{own}.eml")
}
