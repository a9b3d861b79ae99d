//! SQLite's one writer: a thread with a queue. Waiting work shares one commit, each piece in a savepoint of its own, and is
//! answered only after that commit; a piece that fails or panics undoes itself alone.

use std::sync::mpsc::{self, TrySendError};

use diesel::connection::{AnsiTransactionManager, TransactionManager};
use tokio::sync::oneshot;

use super::conn::Conn;
use super::failure::DatabaseError;
use super::panics::unwind_as_error;
use super::pool::Address;
use crate::error::{Error, Result};

/// The most pieces of work that share one commit: more would keep the first of them waiting.
const MAX_JOBS_PER_COMMIT: usize = 256;
/// The most pieces of work that wait. Further ones are refused at once: they would only time out later.
const MAX_WAITING: usize = 4 * MAX_JOBS_PER_COMMIT;

/// Runs a piece of work in the open transaction, or refuses it for want of one.
type Job = Box<dyn FnOnce(Result<&mut Conn>) -> Worked + Send>;

/// A piece of work that has run.
struct Worked {
    /// Answers it, once the commit is known.
    answer: Box<dyn FnOnce(Result<()>) + Send>,
    /// Whether the transaction still stands. On a full or failing disk SQLite takes back all of it by itself.
    transaction_stands: bool,
}

/// The queue to the writing thread, which ends when this is dropped.
pub struct Writer {
    jobs: mpsc::SyncSender<Job>,
}

impl Writer {
    /// Starts the thread that writes to the database at `address`.
    pub fn start(address: Address) -> Result<Self> {
        let mut conn = address.connect_to_write()?;
        let (jobs, queue) = mpsc::sync_channel::<Job>(MAX_WAITING);
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || {
                while let Ok(first) = queue.recv() {
                    if commit_together(&mut conn, first, &queue) == Connection::Suspect
                        && let Ok(new) = address.connect_to_write()
                    {
                        conn = new;
                    }
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

fn ended() -> Error {
    Error::internal("the writing thread has ended")
}

/// Makes a job of `work`, and where its outcome arrives.
fn job<T: Send + 'static>(
    work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
) -> (Job, oneshot::Receiver<Result<T>>) {
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move |conn| {
        let (outcome, transaction_stands) = match conn {
            Ok(conn) => in_savepoint(conn, &work),
            Err(error) => (Err(error), false),
        };
        let answer = Box::new(move |committed: Result<()>| {
            // An error says that the caller went away: the work is done all the same.
            let _ = answer.send(outcome.and_then(|value| committed.map(|()| value)));
        });
        Worked { answer, transaction_stands }
    });
    (job, answered)
}

/// Runs `work` so that its failure undoes it alone; also answers whether the transaction around it still stands.
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

/// Whether a connection can be used again as it is.
#[derive(PartialEq, Eq)]
enum Connection {
    Good,
    Suspect,
}

fn commit_together(conn: &mut Conn, first: Job, queue: &mpsc::Receiver<Job>) -> Connection {
    if let Err(error) = begin(conn) {
        // Whoever waits behind it is told as well: each would otherwise wait for the lock in turn.
        let waiting: Vec<Job> = queue.try_iter().collect();
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

/// What the others are told when one of them took the whole transaction along.
fn lost() -> Error {
    DatabaseError::NotSaved.into()
}

fn begin(conn: &mut Conn) -> Result<()> {
    match conn {
        Conn::Sqlite(conn) => Ok(AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?),
        Conn::Postgres(_) => Err(Error::internal("the one writer is SQLite's")),
    }
}
