//! SQLite's one writer: a thread with a queue. Waiting work shares one commit, each piece in a savepoint of its own, and is
//! answered only after that commit; a piece that fails or panics undoes itself alone.

use std::sync::mpsc;

use diesel::Connection;
use diesel::connection::{AnsiTransactionManager, TransactionManager};
use tokio::sync::oneshot;

use super::{Conn, unwind_as_error};
use crate::error::{Error, Result};

/// The most pieces of work that share one commit: more would keep the first of them waiting.
const MOST_IN_ONE_COMMIT: usize = 256;

/// Runs a piece of work in the open transaction, or refuses it for want of one, and gives back how to answer it once the
/// commit is known.
type Job = Box<dyn FnOnce(Result<&mut Conn>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<()>) + Send>;

/// The queue to the writing thread, which ends when this is dropped.
pub struct Writer {
    jobs: mpsc::Sender<Job>,
}

impl Writer {
    /// Starts the thread that owns `conn`.
    pub fn start(mut conn: Conn) -> Result<Self> {
        let (jobs, queue) = mpsc::channel::<Job>();
        std::thread::Builder::new()
            .name("sqlite-writer".into())
            .spawn(move || {
                while let Ok(first) = queue.recv() {
                    commit_together(&mut conn, first, &queue);
                }
            })
            .map_err(Error::internal)?;
        Ok(Self { jobs })
    }

    /// Queues `work` and waits for its commit.
    pub async fn queue<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        self.send(work)?.await.map_err(Error::internal)?
    }

    /// [`Writer::queue`] for callers that may block.
    pub fn wait_for<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        self.send(work)?.blocking_recv().map_err(Error::internal)?
    }

    fn send<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T>>> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |conn| {
            let outcome = conn.and_then(|conn| conn.transaction(|tx| unwind_as_error(|| work(tx))));
            Box::new(move |committed| {
                // Nobody listens any more when the caller went away: the work is done all the same.
                let _ = answer.send(outcome.and_then(|value| committed.map(|()| value)));
            })
        });
        self.jobs.send(job).map_err(|_| Error::internal("the writing thread has ended"))?;
        Ok(answered)
    }
}

fn commit_together(conn: &mut Conn, first: Job, queue: &mpsc::Receiver<Job>) {
    if let Err(error) = begin(conn) {
        return first(Err(error))(Ok(()));
    }
    let mut answers = vec![first(Ok(conn))];
    while answers.len() < MOST_IN_ONE_COMMIT
        && let Ok(job) = queue.try_recv()
    {
        answers.push(job(Ok(conn)));
    }
    let committed = Conn::commit_transaction(conn).map_err(Error::from);
    if committed.is_err() {
        // After a failed commit the transaction is still open; when even this fails, the next BEGIN says so.
        let _ = Conn::rollback_transaction(conn);
    }
    for answer in answers {
        answer(match &committed {
            Ok(()) => Ok(()),
            Err(error) => Err(Error::with_status(error.status(), error.message().to_owned())),
        });
    }
}

fn begin(conn: &mut Conn) -> Result<()> {
    match conn {
        Conn::Sqlite(conn) => Ok(AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE")?),
        Conn::Postgres(_) => Err(Error::internal("the one writer is SQLite's")),
    }
}
