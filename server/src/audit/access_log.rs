//! Who looked at what: noted without making anybody wait, written in batches within a second.

use std::time::Duration;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use tokio::sync::{mpsc, oneshot};

use crate::clock::Clock;
use crate::db::Db;
use crate::db::schema::access_log;
use crate::error::{Error, Result};

/// How many looks may wait to be written.
const QUEUE: usize = 10_000;
/// How many are written at once.
const BATCH: usize = 500;
/// How long one waits for others to be written with.
const PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = access_log)]
struct Look {
    at: NaiveDateTime,
    staff_id: i64,
    action: &'static str,
    order_id: Option<i64>,
    ip: String,
}

enum Message {
    Look(Look),
    /// Answered once everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// Takes notes. Clones write to the same log.
#[derive(Clone)]
pub struct AccessLog {
    clock: Clock,
    queue: mpsc::Sender<Message>,
}

impl AccessLog {
    /// Starts the task that writes; it ends when the last handle is gone.
    pub fn start(db: Db, clock: Clock) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(write_all(db, waiting));
        Self { clock, queue }
    }

    /// Notes that a member of staff looked at something.
    pub fn note(&self, staff_id: i64, action: &'static str, order_id: Option<i64>, ip: &str) {
        let look = Look { at: self.clock.now(), staff_id, action, order_id, ip: ip.to_owned() };
        if self.queue.try_send(Message::Look(look)).is_err() {
            metrics::counter!("visadesk_access_log_lost").increment(1);
            tracing::error!(staff_id, action, order_id, "a look could not be written to the access log");
        }
    }

    /// Waits until everything noted so far is written.
    pub async fn flush(&self) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.queue.send(Message::Flush(answer)).await.map_err(|_| Error::internal("the access log has ended"))?;
        answered.await.map_err(Error::internal)
    }
}

async fn write_all(db: Db, mut waiting: mpsc::Receiver<Message>) {
    let mut messages = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut messages, BATCH).await > 0 {
        let (mut looks, mut flushes) = (Vec::new(), Vec::new());
        for message in messages.drain(..) {
            match message {
                Message::Look(look) => looks.push(look),
                Message::Flush(answer) => flushes.push(answer),
            }
        }
        let hurry = !flushes.is_empty();
        write(&db, looks).await;
        for answer in flushes {
            // Whoever asked may have stopped waiting.
            let _ = answer.send(());
        }
        if !hurry {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Writes the looks, trying again while the database is away.
async fn write(db: &Db, looks: Vec<Look>) {
    for tries in 1..=10 {
        let batch = looks.clone();
        let written = db
            .write(move |tx| {
                for look in &batch {
                    diesel::insert_into(access_log::table).values(look).execute(tx)?;
                }
                Ok(())
            })
            .await;
        match written {
            Ok(()) => return,
            Err(error) => tracing::warn!(%error, tries, "the access log could not be written"),
        }
        tokio::time::sleep(PAUSE * tries).await;
    }
    metrics::counter!("visadesk_access_log_lost").increment(looks.len() as u64);
    tracing::error!(looks = looks.len(), "looks could not be written to the access log");
}
