//! Sends what waits: each provider's mails by themselves, some at once, with no transaction open while a provider is asked.

use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::TimeDelta;
use futures_util::future::join_all;
use lettre::message::header::ContentType;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Mail;
use super::leases::{self, How, Leased, Terms, Try};
use super::message::{self, Enclosure, Parts};
use super::outbox;
use super::rules::{Address, Outcome, Provider};
use super::smtp::Turn;
use super::store;
use crate::documents::store as documents;
use crate::error::{Error, Result};
use crate::ids::OrderId;

/// Mails that one process sends at once through one provider. A provider that hangs keeps only its own mails waiting.
const AT_ONCE: usize = 4;
/// How often a worker looks for mails that nobody told it of: those of other processes, and those put off.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long reading the file that a mail encloses may take.
const ENCLOSING: Duration = Duration::from_secs(30);
/// How long a worker tries to write down how a try ended.
const WRITING_DOWN: Duration = Duration::from_secs(60);
/// The largest file that a mail encloses, in bytes. Providers slow down what is larger, and mailboxes refuse it.
const LARGEST_ENCLOSURE: i64 = 10 * 1024 * 1024;

/// Sends until `stop` says so, and then waits for what is on its way.
pub async fn run(room: &Mail, stop: watch::Receiver<bool>) {
    join_all(Provider::ALL.iter().map(|provider| run_one(room, *provider, stop.clone()))).await;
}

async fn run_one(room: &Mail, provider: Provider, mut stop: watch::Receiver<bool>) {
    let mut notified = room.notify.subscribe();
    let mut sending = JoinSet::new();
    while !is_over(&mut stop) {
        while sending.try_join_next().is_some() {}
        let free = AT_ONCE.saturating_sub(sending.len());
        match claim(room, provider, free).await {
            Ok(leased) => leased.into_iter().for_each(|one| {
                sending.spawn(send(room.clone(), one));
            }),
            Err(error) => tracing::warn!(%provider, %error, "mails could not be claimed and will be tried again"),
        }
        tokio::select! {
            Some(_) = sending.join_next() => {}
            _ = notified.changed() => {}
            _ = stop.changed() => {}
            () = sleep(LOOK_EVERY) => {}
        }
    }
    while sending.join_next().await.is_some() {}
}

/// Whether somebody said stop, or nobody is left who could.
fn is_over(stop: &mut watch::Receiver<bool>) -> bool {
    *stop.borrow_and_update() || stop.has_changed().is_err()
}

/// Tries each mail that is due now; answers how many tries that were.
pub async fn send_due(room: &Mail) -> Result<usize> {
    let mut tries = 0;
    for provider in Provider::ALL {
        loop {
            let leased = claim(room, *provider, AT_ONCE).await?;
            if leased.is_empty() {
                break;
            }
            tries += leased.len();
            join_all(leased.into_iter().map(|one| send(room.clone(), one))).await;
        }
    }
    Ok(tries)
}

/// How long a provider may take to agree to a mail, and a mail to get its turn.
fn agree(room: &Mail) -> Duration {
    Duration::from_secs(room.config.mail.agree_seconds.into())
}

fn terms(room: &Mail) -> Terms {
    let mail = &room.config.mail;
    // Connecting and agreeing, waiting for the turn, announcing the text: each may take that long.
    let sending = 3 * agree(room) + Duration::from_secs(mail.answer_seconds.into());
    let lease = TimeDelta::from_std(ENCLOSING + sending + WRITING_DOWN).unwrap_or(TimeDelta::MAX);
    Terms { lease, give_up: TimeDelta::hours(mail.give_up_hours.into()) }
}

async fn claim(room: &Mail, provider: Provider, most: usize) -> Result<Vec<Leased>> {
    let (now, terms, chance) = (room.clock.now(), terms(room), rand::random::<f64>());
    let is_due = move |conn: &mut _| outbox::is_due(conn, provider, now);
    let Ok(most @ 1..) = i64::try_from(most) else { return Ok(Vec::new()) };
    if !room.db.look_up(is_due).await? {
        return Ok(Vec::new());
    }
    room.db.write(move |tx| leases::claim(tx, provider, most, terms, now, chance)).await
}

/// One try, from its claim to its end.
async fn send(room: Mail, leased: Leased) {
    let one = Try { mail_id: leased.mail.mail_id, attempt: leased.attempt };
    let provider = leased.mail.provider;
    let (how, turn) = hand_over(&room, leased).await.unwrap_or_else(|how| (how, None));
    let (mail_id, attempt, outcome) = (one.mail_id, one.attempt, how.outcome.as_str());
    metrics::counter!("visadesk_mail_tries", "provider" => provider.as_str(), "outcome" => outcome).increment(1);
    tracing::info!(mail_id, attempt, %provider, outcome, "a mail was tried");
    write_down(&room, one, how).await;
    drop(turn);
}

/// Writes down how a try ended, also over a short outage of the database: what is not known to be sent is sent again.
async fn write_down(room: &Mail, one: Try, how: How) {
    let (since, terms, chance) = (Instant::now(), terms(room), rand::random::<f64>());
    loop {
        let (how, now) = (how.clone(), room.clock.now());
        match room.db.write(move |tx| leases::end(tx, one, &how, terms, now, chance)).await {
            Ok(()) => return,
            Err(error) if since.elapsed() < WRITING_DOWN => {
                tracing::warn!(mail_id = one.mail_id, %error, "how a mail was tried could not be written down yet");
            }
            Err(error) => {
                tracing::error!(mail_id = one.mail_id, %error, "how a mail was tried could not be written down");
                return;
            }
        }
        sleep(Duration::from_secs(1)).await;
    }
}

async fn hand_over(room: &Mail, leased: Leased) -> Result<(How, Option<Turn>), How> {
    let Leased { mail, text, attempt } = leased;
    let refused = |answer: &str| How { outcome: Outcome::Refused, answer: answer.to_owned() };
    let text = text.ok_or_else(|| refused("This mail has no text"))?;
    let to = Address::parse(&mail.recipient).map_err(|error| refused(&error.message()))?;
    let enclosure = match enclosure(room, &mail, &to).await {
        Ok(enclosure) => enclosure,
        Err(error) if error.is_failure() => return Err(How::put_off(&error.message())),
        Err(error) => {
            tracing::warn!(mail_id = mail.mail_id, %error, "a visa was left out of its mail");
            None
        }
    };
    let message = message::build(Parts {
        mail_id: mail.mail_id,
        message_id: mail.message_id.as_deref(),
        from: &room.transports.from,
        to: &to,
        provider: mail.provider,
        configuration_set: &room.config.mail.aws_configuration_set,
        created_at: mail.created_at,
        text: &text,
        enclosure,
    });
    let message = message.map_err(|error| refused(&format!("This mail cannot be put together: {error}")))?;
    let name = file_name(mail.mail_id, mail.message_id.as_deref());
    let one = Try { mail_id: mail.mail_id, attempt };
    let begin_text = || async {
        let waited = timeout(agree(room), room.transports.turn(mail.provider)).await;
        let turn = waited.map_err(|_| Error::unavailable("The provider was still busy with another mail"))??;
        let now = room.clock.now();
        let is_ours = room.db.write(move |tx| leases::begin_text(tx, one, now)).await?;
        Ok(is_ours.then_some(turn))
    };
    Ok(room.transports.send(mail.provider, name, &message, begin_text).await)
}

/// The visa, where the installation wants it in the mail and the mail goes to the applicant.
async fn enclosure(room: &Mail, mail: &leases::Mail, to: &Address) -> Result<Option<Enclosure>> {
    let (true, true, Some(document_id)) = (room.config.mail.attach_visa, mail.kind.tells_of_visa(), mail.document_id)
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
    let Some((stored, media_type)) = visa.filter(|(stored, _)| is_own && stored.size_bytes <= LARGEST_ENCLOSURE) else {
        return Ok(None);
    };
    let read = timeout(ENCLOSING, room.files.get(&stored)).await;
    let content: Bytes = read.map_err(|_| Error::unavailable("The file storage does not answer"))??;
    let content_type = ContentType::parse(media_type.as_str()).map_err(Error::internal)?;
    let name = format!("{}.{}", OrderId(order_id).printed(), media_type.extension());
    Ok(Some(Enclosure { name, content_type, content }))
}

/// What a mail is called in the folder of mails: its number, and the part of its message id that no other has.
fn file_name(mail_id: i64, message_id: Option<&str>) -> String {
    let own: String = message_id.unwrap_or_default().chars().filter(char::is_ascii_hexdigit).take(12).collect();
    format!("{mail_id:06}-{own}.eml")
}
