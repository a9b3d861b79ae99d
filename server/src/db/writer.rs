//! SQLite's single writer: a thread with a queue. Jobs that wait share one commit, each in its own savepoint, and get their result
//! only after that commit. A job that fails or panics rolls back alone.

use std::sync::mpsc::{self, RecvTimeoutError, TrySendError};

use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};
use tokio::sync::oneshot;

use super::conn::Conn;
use super::failure::DatabaseError;
use super::panics::unwind_as_error;
use super::pool::DatabaseAddress;
use super::wal_lock::WalLock;
use crate::error::{Error, Result};

/// The most jobs that share one commit: with more, the first would wait too long.
const MAX_JOBS_PER_COMMIT: usize = 256;
/// The most waiting jobs. Further ones are refused at once, because they would time out anyway.
const MAX_WAITING: usize = 4 * MAX_JOBS_PER_COMMIT;

/// A job: runs in the open transaction, or gets the error why there is none.
type WriteJob = Box<dyn FnOnce(Result<&mut Conn>) -> FinishedJob + Send>;

/// A job that has run.
struct FinishedJob {
    /// Sends its result, once the outcome of the commit is known.
    answer: Box<dyn FnOnce(Result<()>) + Send>,
    /// True while the transaction is open. On a full or failing disk SQLite rolls back all of it by itself.
    transaction_stands: bool,
}

/// The queue of the writing thread, which ends when this is dropped.
pub struct Writer {
    jobs: mpsc::SyncSender<WriteJob>,
}

impl Writer {
    /// Starts the thread that writes to the database at `address`.
    pub fn start(address: DatabaseAddress) -> Result<Self> {
        let mut conn = connect(&address)?;
        let mut lock = WalLock::open(&address)?;
        let (jobs, queue) = mpsc::sync_channel::<WriteJob>(MAX_WAITING);
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || {
                loop {
                    let first = match queue.recv_timeout(lock.patience()) {
                        Ok(first) => first,
                        Err(RecvTimeoutError::Timeout) => {
                            lock.renew(&mut conn);
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return,
                    };
                    if commit_together(&mut conn, first, &queue) == Connection::Suspect
                        && let Ok(new) = connect(&address)
                    {
                        conn = new;
                    }
                    lock.follow_commit(&mut conn);
                }
            })
            .map_err(Error::internal)?;
        Ok(Self { jobs })
    }

    /// Queues `work` and waits for its commit.
    pub async fn queue<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        let (job, answered) = job(work);
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => DatabaseError::DatabaseBusy.into(),
            TrySendError::Disconnected(_) => ended(),
        })?;
        answered.await.map_err(Error::internal)?
    }

    /// [`Writer::queue`] for callers that may block.
    pub fn wait_for<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        let (job, answered) = job(work);
        self.jobs.send(job).map_err(|_| ended())?;
        answered.blocking_recv().map_err(Error::internal)?
    }
}

/// Opens the writing connection. Its commits copy nothing from the log: the caller's [`WalLock`] does, after the answers are sent.
fn connect(address: &DatabaseAddress) -> Result<Conn> {
    let mut conn = address.connect_to_write()?;
    conn.batch_execute("PRAGMA wal_autocheckpoint = 0")?;
    Ok(conn)
}

fn ended() -> Error {
    Error::internal("the writing thread has ended")
}

/// A job for `work`, and the receiver of its result.
fn job<T: Send + 'static>(
    work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
) -> (WriteJob, oneshot::Receiver<Result<T>>) {
    let (answer, answered) = oneshot::channel();
    let job: WriteJob = Box::new(move |conn| {
        let (outcome, transaction_stands) = match conn {
            Ok(conn) => in_savepoint(conn, &work),
            Err(error) => (Err(error), false),
        };
        let answer = Box::new(move |committed: Result<()>| {
            // An error means that the caller has gone; the work is committed all the same.
            let _ = answer.send(outcome.and_then(|value| committed.map(|()| value)));
        });
        FinishedJob { answer, transaction_stands }
    });
    (job, answered)
}

/// Runs `work` in a savepoint. Also returns whether the transaction around it is still open.
fn in_savepoint<T>(conn: &mut Conn, work: &impl Fn(&mut Conn) -> Result<T>) -> (Result<T>, bool) {
    if let Err(error) = Conn::begin_transaction(conn) {
        return (Err(error.into()), false);
    }
    match unwind_as_error(|| work(conn)) {
        Ok(value) => match Conn::commit_transaction(conn) {
            Ok(()) => (Ok(value), true),
            Err(error) => (Err(error.into()), false),
        },
        Err(error) => (Err(error), Conn::rollback_transaction(conn).is_ok()),
    }
}

/// The condition of a connection: a good one can be used again as it is.
#[derive(PartialEq, Eq)]
enum Connection {
    Good,
    Suspect,
}

fn commit_together(conn: &mut Conn, first: WriteJob, queue: &mpsc::Receiver<WriteJob>) -> Connection {
    if let Err(error) = begin(conn) {
        // The jobs behind it fail too: otherwise each would wait for the lock in turn.
        let waiting: Vec<WriteJob> = queue.try_iter().collect();
        for job in std::iter::once(first).chain(waiting) {
            (job(Err(error.for_another())).answer)(Ok(()));
        }
        return Connection::Suspect;
    }
    let mut answers = Vec::new();
    let mut next = Some(first);
    let mut stands = true;
    while let Some(job) = next.take() {
        let worked = job(Ok(conn));
        answers.push(worked.answer);
        stands = worked.transaction_stands;
        if stands && answers.len() < MAX_JOBS_PER_COMMIT {
            next = queue.try_recv().ok();
        }
    }
    let committed = if stands { Conn::commit_transaction(conn).map_err(Error::from) } else { Err(lost()) };
    let connection = if committed.is_ok() { Connection::Good } else { Connection::Suspect };
    for answer in answers {
        answer(match &committed {
            Ok(()) => Ok(()),
            Err(error) => Err(error.for_another()),
        });
    }
    connection
}

/// The error of the other jobs when one of them ended the whole transaction.
fn lost() -> Error {
    DatabaseError::NotSaved.into()
}

fn begin(conn: &mut Conn) -> Result<()> {
    match conn {
        Conn::Sqlite(conn) => Ok(AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?),
        Conn::Postgres(_) => Err(Error::internal("the one writer is SQLite's")),
    }
}
