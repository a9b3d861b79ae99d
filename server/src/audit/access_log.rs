//! The record of what staff viewed, and what staff and API keys were denied. Notes are written in batches within a second, without delaying
//! the request, and are never dropped: when too many wait, requests wait too. Views have a table of their own; denials are rows of the audit.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, OwnedPermit};
use tokio::sync::{Notify, RwLock, Semaphore, oneshot};
use tokio::time::timeout;

use super::budgets::{self, Unwritten};
use super::denials::{Denial, Denials};
use super::errors::AuditError;
use super::row_counters;
use super::seen::SeenData;
use super::store::{self as audit, Actor, Change};
use super::views::{self, View};
use crate::clock::Clock;
use crate::config::AccessSettings;
use crate::db::{Conn, Db};
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// The most entries of one transaction.
const BATCH: usize = 500;
/// The pause between two batches that are not full.
const PAUSE: Duration = Duration::from_millis(500);
/// The longest pause before a batch that was not written is tried again.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(5);
/// The interval at which the writer checks for denials that are due.
const DENIALS_INTERVAL: Duration = Duration::from_secs(10);
/// The time that a request waits for its note to be taken before it is refused.
const PATIENCE: Duration = Duration::from_secs(5);
/// The purpose of the HMAC of search texts.
const SEARCH: &str = "search text in the access log";

/// A view, and its budget.
#[derive(Clone, Debug)]
struct Note {
    view: View,
    by: Actor,
    /// The rows that count towards the budget.
    counted: i64,
    rows_per_hour: i64,
}

#[derive(Clone, Debug)]
enum LogEntry {
    Note(Note),
    Denial(Denial),
}

enum Message {
    Entry(LogEntry),
    /// Answered once every earlier entry is written.
    Flush(oneshot::Sender<()>),
}

/// The access log. Clones write to the same log.
#[derive(Clone)]
pub struct AccessLog {
    db: Db,
    clock: Clock,
    secret: SecretKey,
    stops_at_budget: bool,
    denials: Denials,
    queue: mpsc::Sender<Message>,
    shared: SharedLog,
}

/// The state that the requests and the writer share.
#[derive(Clone, Default)]
struct SharedLog {
    /// Rows that are noted and not written.
    rows: Unwritten,
    /// Entries that are noted and not written.
    entries: Arc<AtomicUsize>,
    /// Held while a batch is written: its rows are then counted neither twice nor not at all.
    batch: Arc<RwLock<()>>,
    /// Wakes the writer when the queue is full.
    is_full: Arc<Notify>,
}

impl AccessLog {
    /// Starts the writing task, which ends when the last handle is dropped.
    pub fn start(db: Db, clock: Clock, secret: SecretKey, settings: &AccessSettings) -> Self {
        let (queue, waiting) = mpsc::channel(settings.waiting_notes.clamp(1, Semaphore::MAX_PERMITS));
        let (denials, shared) = (Denials::default(), SharedLog::default());
        let writer =
            LogWriter { db: db.clone(), clock: clock.clone(), denials: denials.clone(), shared: shared.clone() };
        tokio::spawn(writer.run(waiting));
        Self { db, clock, secret, stops_at_budget: settings.stop_at_budget, denials, queue, shared }
    }

    /// Records what a member of staff views. Returns when the note is in the queue.
    ///
    /// # Errors
    /// [`AuditError::RowBudgetReached`], [`AuditError::AccessLogBusy`].
    pub async fn note(&self, by: &Actor, rows_per_hour: u32, seen: SeenData) -> Result<()> {
        let Some(staff_id) = by.staff_id else { return Ok(()) };
        let (now, rows) = (self.clock.now(), i64::try_from(seen.rows).unwrap_or(i64::MAX));
        let (counted, rows_per_hour) = (if seen.is_about_customers { rows } else { 0 }, i64::from(rows_per_hour));
        let is_limited = self.stops_at_budget && counted > 0;
        let place = self.place().await?;
        if is_limited {
            let between_batches = self.shared.batch.read().await;
            let hour = budgets::hour_of(now);
            let written = self.db.look_up(move |conn| row_counters::find(conn, hour, staff_id)).await?;
            // Nothing is awaited from here on: rows that are counted are also queued.
            self.shared.rows.admit(staff_id, counted, written, rows_per_hour, now)?;
            drop(between_batches);
        }
        let view = View {
            at: now,
            staff_id,
            action: seen.action,
            order_id: seen.order_id,
            ip: by.address.clone().unwrap_or_default(),
            folder: seen.folder,
            search_hash: seen.search.map(|text| hex::encode(self.secret.sign(SEARCH, text.as_bytes()))),
            row_count: rows,
        };
        self.send(place, LogEntry::Note(Note { view, by: by.clone(), counted, rows_per_hour }));
        Ok(())
    }

    /// Records that a member of staff was denied the call with that operation id.
    ///
    /// # Errors
    /// [`AuditError::AccessLogBusy`].
    pub async fn note_denial(&self, by: &Actor, operation: &'static str) -> Result<()> {
        self.deny("staff.denied", by, operation).await
    }

    /// Records that a known API key was refused, and why.
    ///
    /// # Errors
    /// [`AuditError::AccessLogBusy`].
    pub async fn note_refused_key(&self, by: &Actor, reason: &'static str) -> Result<()> {
        self.deny("api-key.refused", by, reason).await
    }

    async fn deny(&self, action: &'static str, by: &Actor, what: &'static str) -> Result<()> {
        let place = self.place().await?;
        let denial = Denial { action, by: by.clone(), what, times: 1, at: self.clock.now() };
        if let Some(denial) = self.denials.count(denial) {
            self.send(place, LogEntry::Denial(denial));
        }
        Ok(())
    }

    /// Waits for a place in the queue.
    async fn place(&self) -> Result<OwnedPermit<Message>> {
        let queue = match self.queue.clone().try_reserve_owned() {
            Ok(place) => return Ok(place),
            Err(TrySendError::Full(queue)) => queue,
            Err(TrySendError::Closed(_)) => return Err(Error::internal("the access log has ended")),
        };
        metrics::counter!("visadesk_access_notes_delayed").increment(1);
        self.shared.is_full.notify_one();
        let reserved = timeout(PATIENCE, queue.reserve_owned()).await.map_err(|_| AuditError::AccessLogBusy)?;
        reserved.map_err(Error::internal)
    }

    fn send(&self, place: OwnedPermit<Message>, entry: LogEntry) {
        self.shared.entries.fetch_add(1, Ordering::Relaxed);
        place.send(Message::Entry(entry));
    }

    /// Waits until every entry so far is written.
    pub async fn flush(&self) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.shared.is_full.notify_one();
        self.queue.send(Message::Flush(answer)).await.map_err(|_| Error::internal("the access log has ended"))?;
        answered.await.map_err(Error::internal)
    }

    /// Writes what waits before the process ends, for at most `most`. Logs how many entries could not be written.
    pub async fn end(&self, most: Duration) {
        if !matches!(timeout(most, self.flush()).await, Ok(Ok(()))) {
            let entries = self.shared.entries.load(Ordering::Relaxed);
            tracing::error!(entries, "the process ends, and entries of the access log could not be written");
        }
    }
}

/// The state of the writing task.
struct LogWriter {
    db: Db,
    clock: Clock,
    denials: Denials,
    shared: SharedLog,
}

impl LogWriter {
    async fn run(self, mut waiting: mpsc::Receiver<Message>) {
        let mut messages = Vec::with_capacity(BATCH);
        loop {
            // After a timeout there may still be denials to write.
            if let Ok(0) = timeout(DENIALS_INTERVAL, waiting.recv_many(&mut messages, BATCH)).await {
                return;
            }
            let is_full = messages.len() >= BATCH;
            let (mut entries, mut flushes) = (Vec::new(), Vec::new());
            for message in messages.drain(..) {
                match message {
                    Message::Entry(entry) => entries.push(entry),
                    Message::Flush(answer) => flushes.push(answer),
                }
            }
            let (is_flush, now) = (!flushes.is_empty(), self.clock.now());
            let denials = if is_flush { self.denials.all(now) } else { self.denials.due(now) };
            let taken = entries.len();
            entries.extend(denials.into_iter().map(LogEntry::Denial));
            self.write(entries).await;
            self.shared.entries.fetch_sub(taken, Ordering::Relaxed);
            for answer in flushes {
                // The caller may have stopped waiting.
                let _ = answer.send(());
            }
            // Fewer and larger transactions, unless requests already wait for a place.
            if !is_flush && !is_full && waiting.capacity() > 0 {
                let _ = timeout(PAUSE, self.shared.is_full.notified()).await;
            }
        }
    }

    /// Writes the entries. Tries again until the database has taken them.
    async fn write(&self, entries: Vec<LogEntry>) {
        if entries.is_empty() {
            return;
        }
        let entries = Arc::new(entries);
        let mut pause = PAUSE;
        let reached = loop {
            let batch = entries.clone();
            let writing = self.shared.batch.write().await;
            match self.db.write(move |tx| write(tx, &batch)).await {
                Ok(reached) => {
                    for ((hour, staff_id), sum) in sums(&entries) {
                        self.shared.rows.remove(hour, staff_id, sum.rows);
                    }
                    break reached;
                }
                Err(error) => tracing::error!(%error, entries = entries.len(), "the access log could not be written"),
            }
            drop(writing);
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_RETRY_PAUSE);
        };
        for (staff_id, rows) in reached {
            tracing::warn!(%staff_id, rows, "a member has reached the row budget of the hour");
        }
    }
}

/// The counted rows of one member and hour in a batch, and the last note of them.
struct Sum<'a> {
    rows: i64,
    last: &'a Note,
}

/// The counted rows by hour and member: every transaction locks the counters in this order, so no two of them deadlock.
fn sums(entries: &[LogEntry]) -> BTreeMap<(Timestamp, StaffId), Sum<'_>> {
    let mut sums = BTreeMap::new();
    for entry in entries {
        if let LogEntry::Note(note) = entry
            && note.counted > 0
        {
            let key = (budgets::hour_of(note.view.at), note.view.staff_id);
            let sum = sums.entry(key).or_insert(Sum { rows: 0, last: note });
            *sum = Sum { rows: sum.rows + note.counted, last: note };
        }
    }
    sums
}

/// Writes the entries. Returns the members who reached their budget with them, and their rows in the hour.
fn write(tx: &mut Conn, entries: &[LogEntry]) -> Result<Vec<(StaffId, i64)>> {
    let notes = entries.iter().filter_map(|entry| match entry {
        LogEntry::Note(note) => Some(&note.view),
        LogEntry::Denial(_) => None,
    });
    views::add(tx, notes)?;
    let mut reached = Vec::new();
    for ((hour, staff_id), Sum { rows, last }) in sums(entries) {
        let rows = row_counters::add(tx, hour, staff_id, rows)?;
        let (budget, at) = (last.rows_per_hour, last.view.at);
        if budgets::is_reached(rows, budget) && row_counters::set_reached(tx, hour, staff_id, budget, at)? {
            let after = Some(budgets::summary(rows, budget));
            let change = Change::of("staff.row_budget").after(after);
            audit::add(tx, &last.by, &[change], at)?;
            reached.push((staff_id, rows));
        }
    }
    // At most one a minute for each actor and kind of denial, so not many.
    for entry in entries {
        if let LogEntry::Denial(denial) = entry {
            let change = Change::of(denial.action).after(denial.summary());
            audit::add(tx, &denial.by, &[change], denial.at)?;
        }
    }
    Ok(reached)
}
