//! Who looked at what, and who was denied what: noted without making anybody wait, written in batches within a second.
//! Looks have a table of their own; denials are rows of the audit.

use std::time::Duration;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::denials::{Denial, Denials};
use super::store::{self as audit, Actor, Change};
use crate::add_rows;
use crate::clock::Clock;
use crate::db::schema::access_log;
use crate::db::{Conn, Db};
use crate::error::{Error, Result};

/// How many notes may wait to be written.
const QUEUE: usize = 10_000;
/// How many are written at once.
const BATCH: usize = 500;
/// How long one waits for others to be written with.
const PAUSE: Duration = Duration::from_millis(500);
/// How often it is looked whether denials were gathered long enough.
const LOOK: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
struct Look {
    at: NaiveDateTime,
    staff_id: i64,
    action: &'static str,
    order_id: Option<i64>,
    ip: String,
}

#[derive(Insertable)]
#[diesel(table_name = access_log, treat_none_as_default_value = false)]
struct LookRow<'a> {
    at: NaiveDateTime,
    staff_id: i64,
    action: &'static str,
    order_id: Option<i64>,
    ip: &'a str,
}

impl<'a> LookRow<'a> {
    fn of(look: &'a Look) -> Self {
        Self { at: look.at, staff_id: look.staff_id, action: look.action, order_id: look.order_id, ip: &look.ip }
    }
}

#[derive(Clone, Debug)]
enum Note {
    Look(Look),
    Denial(Denial),
}

enum Message {
    Note(Note),
    /// Answered once everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// Takes notes. Clones write to the same log.
#[derive(Clone)]
pub struct AccessLog {
    clock: Clock,
    denials: Denials,
    queue: mpsc::Sender<Message>,
}

impl AccessLog {
    /// Starts the task that writes; it ends when the last handle is gone.
    pub fn start(db: Db, clock: Clock) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let denials = Denials::default();
        let writer = Writer { db, clock: clock.clone(), denials: denials.clone() };
        tokio::spawn(writer.run(waiting));
        Self { clock, denials, queue }
    }

    /// Notes that a member of staff looked at something.
    pub fn note(&self, by: &Actor, action: &'static str, order_id: Option<i64>) {
        let Some(staff_id) = by.staff_id else { return };
        let ip = by.address.clone().unwrap_or_default();
        self.send(Note::Look(Look { at: self.clock.now(), staff_id, action, order_id, ip }));
    }

    /// Notes that a member of staff was denied the call of that operation id.
    pub fn note_denial(&self, by: &Actor, operation: &'static str) {
        if let Some(denial) = self.denials.count(by, operation, self.clock.now()) {
            self.send(Note::Denial(denial));
        }
    }

    fn send(&self, note: Note) {
        if self.queue.try_send(Message::Note(note)).is_err() {
            metrics::counter!("visadesk_access_log_lost").increment(1);
            tracing::error!("a note could not be written to the access log");
        }
    }

    /// Waits until everything noted so far is written.
    pub async fn flush(&self) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Message::Flush(answer)).await.map_err(|_| Error::internal("the access log has ended"))?;
        answered.await.map_err(Error::internal)
    }
}

/// What writes the notes.
struct Writer {
    db: Db,
    clock: Clock,
    denials: Denials,
}

impl Writer {
    async fn run(self, mut waiting: mpsc::Receiver<Message>) {
        let mut messages = Vec::with_capacity(BATCH);
        loop {
            // Nothing within that time: there may yet be what was gathered.
            if let Ok(0) = timeout(LOOK, waiting.recv_many(&mut messages, BATCH)).await {
                return;
            }
            let (mut notes, mut flushes) = (Vec::new(), Vec::new());
            for message in messages.drain(..) {
                match message {
                    Message::Note(note) => notes.push(note),
                    Message::Flush(answer) => flushes.push(answer),
                }
            }
            let (hurry, now) = (!flushes.is_empty(), self.clock.now());
            let denials = if hurry { self.denials.all(now) } else { self.denials.gathered(now) };
            notes.extend(denials.into_iter().map(Note::Denial));
            self.write(notes).await;
            for answer in flushes {
                // Whoever asked may have stopped waiting.
                let _ = answer.send(());
            }
            if !hurry {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Writes the notes, trying again while the database is away.
    async fn write(&self, notes: Vec<Note>) {
        if notes.is_empty() {
            return;
        }
        for tries in 1..=10 {
            let batch = notes.clone();
            let written = self.db.write(move |tx| write(tx, &batch)).await;
            match written {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, tries, "the access log could not be written"),
            }
            tokio::time::sleep(PAUSE * tries).await;
        }
        metrics::counter!("visadesk_access_log_lost").increment(notes.len() as u64);
        tracing::error!(notes = notes.len(), "notes could not be written to the access log");
    }
}

fn write(tx: &mut Conn, notes: &[Note]) -> Result<()> {
    let looks = notes.iter().filter_map(|note| match note {
        Note::Look(look) => Some(LookRow::of(look)),
        Note::Denial(_) => None,
    });
    add_rows!(tx, access_log::table, looks);
    for note in notes {
        if let Note::Denial(denial) = note {
            let change = Change { action: "staff.denied", after: Some(denial.summary()), ..Change::default() };
            audit::add(tx, &denial.by, &[change], denial.at)?;
        }
    }
    Ok(())
}
