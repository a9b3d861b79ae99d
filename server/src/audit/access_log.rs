//! What staff viewed, and what staff and API keys were denied, recorded without delaying the request and written in batches within a second.
//! Views have a table of their own; denials are rows of the audit.

use diesel::prelude::*;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::denials::{Denial, Denials};
use super::store::{self as audit, Actor, Change};
use crate::add_rows;
use crate::clock::Clock;
use crate::db::schema::access_log;
use crate::db::{Conn, Db, MAX_IDS};
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;

/// The most entries that wait to be written.
const QUEUE: usize = 10_000;
/// The most entries of one transaction.
const BATCH: usize = 500;
/// The pause between two batches.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the writer checks for denials that are due.
const DENIALS_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
struct View {
    at: Timestamp,
    staff_id: StaffId,
    action: &'static str,
    order_id: Option<OrderId>,
    ip: String,
}

#[derive(Insertable)]
#[diesel(table_name = access_log, treat_none_as_default_value = false)]
struct ViewRow<'a> {
    at: Timestamp,
    staff_id: StaffId,
    action: &'static str,
    order_id: Option<OrderId>,
    ip: &'a str,
}

impl<'a> ViewRow<'a> {
    fn of(view: &'a View) -> Self {
        Self { at: view.at, staff_id: view.staff_id, action: view.action, order_id: view.order_id, ip: &view.ip }
    }
}

#[derive(Clone, Debug)]
enum Entry {
    View(View),
    Denial(Denial),
}

enum Message {
    Entry(Entry),
    /// Answered once every earlier entry is written.
    Flush(oneshot::Sender<()>),
}

/// The access log. Clones write to the same log.
#[derive(Clone)]
pub struct AccessLog {
    clock: Clock,
    denials: Denials,
    queue: mpsc::Sender<Message>,
}

impl AccessLog {
    /// Starts the writing task, which ends when the last handle is dropped.
    pub fn start(db: Db, clock: Clock) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let denials = Denials::default();
        let writer = Writer { db, clock: clock.clone(), denials: denials.clone() };
        tokio::spawn(writer.run(waiting));
        Self { clock, denials, queue }
    }

    /// Records that a member of staff viewed something.
    pub fn note(&self, by: &Actor, action: &'static str, order_id: Option<OrderId>) {
        let Some(staff_id) = by.staff_id else { return };
        let ip = by.address.clone().unwrap_or_default();
        self.send(Entry::View(View { at: self.clock.now(), staff_id, action, order_id, ip }));
    }

    /// Records that a member of staff was denied the call with that operation id.
    pub fn note_denial(&self, by: &Actor, operation: &'static str) {
        self.deny("staff.denied", by, operation);
    }

    /// Records that a known API key was refused, and why.
    pub fn note_refused_key(&self, by: &Actor, reason: &'static str) {
        self.deny("api-key.refused", by, reason);
    }

    fn deny(&self, action: &'static str, by: &Actor, what: &'static str) {
        let denial = Denial { action, by: by.clone(), what, times: 1, at: self.clock.now() };
        if let Some(denial) = self.denials.count(denial) {
            self.send(Entry::Denial(denial));
        }
    }

    fn send(&self, entry: Entry) {
        if self.queue.try_send(Message::Entry(entry)).is_err() {
            metrics::counter!("visadesk_access_log_lost").increment(1);
            tracing::error!("an access log entry was lost: the queue is full");
        }
    }

    /// Waits until every entry so far is written.
    pub async fn flush(&self) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Message::Flush(answer)).await.map_err(|_| Error::internal("the access log has ended"))?;
        answered.await.map_err(Error::internal)
    }
}

/// The state of the writing task.
struct Writer {
    db: Db,
    clock: Clock,
    denials: Denials,
}

impl Writer {
    async fn run(self, mut waiting: mpsc::Receiver<Message>) {
        let mut messages = Vec::with_capacity(BATCH);
        loop {
            // After a timeout there may still be denials to write.
            if let Ok(0) = timeout(DENIALS_INTERVAL, waiting.recv_many(&mut messages, BATCH)).await {
                return;
            }
            let (mut entries, mut flushes) = (Vec::new(), Vec::new());
            for message in messages.drain(..) {
                match message {
                    Message::Entry(entry) => entries.push(entry),
                    Message::Flush(answer) => flushes.push(answer),
                }
            }
            let (is_flush, now) = (!flushes.is_empty(), self.clock.now());
            let denials = if is_flush { self.denials.all(now) } else { self.denials.due(now) };
            entries.extend(denials.into_iter().map(Entry::Denial));
            self.write(entries).await;
            for answer in flushes {
                // The caller may have stopped waiting.
                let _ = answer.send(());
            }
            if !is_flush {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Writes the entries. Retries while the database is unavailable.
    async fn write(&self, entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        for attempt in 1..=10 {
            let batch = entries.clone();
            let written = self.db.write(move |tx| write(tx, &batch)).await;
            match written {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, attempt, "the access log could not be written"),
            }
            tokio::time::sleep(PAUSE * attempt).await;
        }
        metrics::counter!("visadesk_access_log_lost").increment(entries.len() as u64);
        tracing::error!(entries = entries.len(), "access log entries were lost");
    }
}

/// Deletes up to [`MAX_IDS`] of the oldest views, if they are older than `before`. Returns how many.
pub fn delete_before(tx: &mut Conn, before: Timestamp) -> Result<usize> {
    // By the primary key: the instants have no index, and rise with it.
    let oldest = access_log::table.order(access_log::access_id).limit(MAX_IDS as i64);
    let oldest: Vec<(i64, Timestamp)> = oldest.select((access_log::access_id, access_log::at)).load(tx)?;
    let ids: Vec<i64> = oldest.into_iter().filter(|(_, at)| *at < before).map(|(id, _)| id).collect();
    Ok(diesel::delete(access_log::table.filter(access_log::access_id.eq_any(ids))).execute(tx)?)
}

fn write(tx: &mut Conn, entries: &[Entry]) -> Result<()> {
    let views = entries.iter().filter_map(|entry| match entry {
        Entry::View(view) => Some(ViewRow::of(view)),
        Entry::Denial(_) => None,
    });
    add_rows!(tx, access_log::table, views);
    // At most one a minute for each actor and kind of denial, so not many.
    for entry in entries {
        if let Entry::Denial(denial) = entry {
            let change = Change { action: denial.action, after: Some(denial.summary()), ..Change::default() };
            audit::add(tx, &denial.by, &[change], denial.at)?;
        }
    }
    Ok(())
}
