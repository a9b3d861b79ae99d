//! The database: one set of queries for SQLite and PostgreSQL, and transactions as synchronous closures.

pub mod bulk;
pub mod conn;
mod dialect;
mod failure;
pub mod first_rows;
pub mod history;
pub mod kept;
mod wal_lock;
pub mod migrations;
pub mod minute_cache;
pub mod one_of;
mod panics;
mod pool;
mod postgres;
pub mod schema;
pub mod snapshot;
mod sqlite_schema;
mod text_enum;
mod time_limit;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use diesel::QueryResult;
use diesel::connection::{AnsiTransactionManager, SimpleConnection, TransactionManager};

pub use self::conn::Conn;
pub use self::dialect::*;
pub use self::failure::DatabaseError;
use self::panics::unwind_as_error;
pub use self::panics::{log_panics, panic_text};
use self::pool::{DatabaseAddress, Loan, Pool};
pub use self::postgres::PgConnection;
use self::postgres::shared::SharedReads;
use self::writer::Writer;
use crate::error::{Error, Kind, Result};
use crate::process;

/// The most ids that one statement may list.
pub const MAX_IDS: usize = 500;

/// The number of times that a write is tried when PostgreSQL chooses another transaction.
const WRITE_TRIES: u64 = 5;

/// Runs a query on the connection of either kind, for statements that every request waits for. Through [`Conn`] itself, Diesel
/// writes the SQL of a statement several times at each call, though it is prepared.
#[macro_export]
macro_rules! on_either {
    ($conn:ident => $run:expr) => {
        match $conn {
            $crate::db::Conn::Sqlite($conn) => $run,
            $crate::db::Conn::Postgres($conn) => $run,
        }
    };
}

/// The open database. Clones share its connections.
#[derive(Clone)]
pub struct Db {
    reads: Pool,
    writes: Writes,
    /// For look-ups on PostgreSQL.
    shared: Option<Arc<SharedReads>>,
}

#[derive(Clone)]
enum Writes {
    /// A single thread owns the only writing connection and commits waiting work together.
    Sqlite(Arc<Writer>),
    Postgres(Pool),
}

impl Db {
    /// Opens the database at `url` (`sqlite://FILE` or `postgres://…`) and checks that it answers. Blocks.
    ///
    /// # Errors
    /// [`DatabaseError`] for an invalid URL or a database that cannot be reached.
    pub fn open(url: &str, connections: u32) -> Result<Self> {
        let address = DatabaseAddress::parse(url)?;
        // The writer first: it creates a missing SQLite file, which readers may not.
        let writes = match &address {
            DatabaseAddress::Sqlite(_) => Writes::Sqlite(Arc::new(Writer::start(address.clone())?)),
            DatabaseAddress::Postgres(_) => Writes::Postgres(Pool::to_write(address.clone(), connections)?),
        };
        let shared = match &address {
            DatabaseAddress::Sqlite(_) => None,
            DatabaseAddress::Postgres(url) => {
                Some(Arc::new(SharedReads::new(url).map_err(DatabaseError::InvalidDatabaseUrl)?))
            }
        };
        let db = Self { reads: Pool::to_read(address, connections)?, writes, shared };
        db.read_now(|_| Ok(()))?;
        Ok(db)
    }

    /// The same database for callers who together use a quarter of its connections at most, so that they cannot take those of others.
    pub fn share(&self) -> Self {
        let writes = match &self.writes {
            // The one writer takes its jobs in the order of their arrival.
            Writes::Sqlite(writer) => Writes::Sqlite(writer.clone()),
            Writes::Postgres(pool) => Writes::Postgres(pool.share()),
        };
        Self { reads: self.reads.share(), writes, shared: None }
    }

    /// Runs `work` on one snapshot of the database, off the async threads.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.reads.permit().await?;
        let db = self.clone();
        off_the_async_threads(move || {
            let _permit = permit;
            db.read_now(work)
        })
        .await
    }

    /// [`Db::read`] for work that is long and lets other requests go before it.
    pub async fn read_in_background<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.reads.permit().await?;
        let db = self.clone();
        process::in_background("long-read", move || {
            let _permit = permit;
            db.read_now(work)
        })
        .await
    }

    /// [`Db::read`] for work of a fraction of a millisecond. On SQLite that is cheaper than a hop to another thread, so it runs on the calling
    /// thread if a connection is idle.
    pub async fn read_briefly<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Writes::Sqlite(_) = self.writes
            && let Some(mut conn) = self.reads.idle()
        {
            match begin_snapshot(&mut conn) {
                Ok(()) => return on_snapshot(conn, work),
                Err(_) => conn.give_up(),
            }
        }
        self.read(work).await
    }

    /// [`Db::read`] for callers that may block.
    pub fn read_now<T>(&self, work: impl FnOnce(&mut Conn) -> Result<T>) -> Result<T> {
        on_snapshot(self.reads.begin(begin_snapshot)?, work)
    }

    /// Runs `work`, which reads a few dozen rows at most, without a transaction. A statement is a snapshot by itself, so rows that must
    /// agree are read in one.
    ///
    /// A hop to another thread would cost more than the work. On SQLite it runs on the calling thread if a connection is idle; on PostgreSQL
    /// its statements are sent on a connection that look-ups share.
    pub async fn look_up<T: Send + 'static>(
        &self,
        work: impl Fn(&mut Conn) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        if let Writes::Sqlite(_) = self.writes
            && let Some(mut conn) = self.reads.idle()
        {
            return unwind_as_error(|| work(&mut conn));
        }
        let work = match &self.shared {
            None => work,
            Some(shared) => match shared.look_up(work).await {
                Ok(outcome) => return outcome,
                Err(work) => work,
            },
        };
        let permit = self.reads.permit().await?;
        let db = self.clone();
        off_the_async_threads(move || {
            let _permit = permit;
            let mut conn = db.reads.lend()?;
            match unwind_as_error(|| work(&mut conn)) {
                // The server may have dropped the connection, which only its first use shows.
                Err(error) if error.kind() == Kind::Unavailable => conn.give_up(),
                outcome => return outcome,
            }
            drop(conn);
            db.read_now(work)
        })
        .await
    }

    /// Runs `work` as one transaction. The closure is synchronous, so no network call can happen inside it. It may run more than
    /// once, so it must have no effect except on its connection.
    pub async fn write<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        match &self.writes {
            Writes::Sqlite(writer) => writer.queue(work).await,
            Writes::Postgres(pool) => {
                let permit = pool.permit().await?;
                let db = self.clone();
                off_the_async_threads(move || {
                    let _permit = permit;
                    db.write_now(work)
                })
                .await
            }
        }
    }

    /// [`Db::write`] for callers that may block.
    pub fn write_now<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> Result<T> {
        let pool = match &self.writes {
            Writes::Sqlite(writer) => return writer.wait_for(work),
            Writes::Postgres(pool) => pool,
        };
        for tries in 1.. {
            let outcome = write_to_postgres(pool, &work);
            match outcome {
                Err(error) if error.is_worth_retrying() && tries < WRITE_TRIES => {
                    std::thread::sleep(Duration::from_millis(rand::random_range(0..=10 * tries)));
                }
                outcome => return outcome,
            }
        }
        Err(DatabaseError::DatabaseBusy.into())
    }
}

impl Db {
    /// Returns true if this is PostgreSQL.
    pub fn is_postgres(&self) -> bool {
        matches!(self.writes, Writes::Postgres(_))
    }

    /// Runs `change` on each connection that look-ups share, such as one that listens to its statements. Returns whether all of them are open:
    /// they are opened from the first call or look-up on. On SQLite there are none.
    pub fn change_shared_connections(&self, change: impl FnMut(&mut Conn)) -> bool {
        self.shared.as_ref().is_none_or(|shared| shared.change_each(change))
    }

    /// Updates the planner's statistics, after many rows were added.
    pub async fn tidy_up(&self) -> Result<()> {
        let db = self.clone();
        off_the_async_threads(move || match &db.writes {
            Writes::Sqlite(writer) => writer.wait_for(|tx| Ok(tx.batch_execute("ANALYZE")?)),
            Writes::Postgres(pool) => {
                // VACUUM cannot run in a transaction and may take long.
                let mut conn = pool.begin(|conn| conn.batch_execute("SET statement_timeout = 0"))?;
                let done = conn.batch_execute("VACUUM (ANALYZE)");
                conn.give_up();
                Ok(done?)
            }
        })
        .await
    }
}

fn begin_snapshot(conn: &mut Conn) -> QueryResult<()> {
    match conn {
        Conn::Sqlite(conn) => conn.batch_execute("BEGIN"),
        Conn::Postgres(conn) => conn.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
    }
}

/// Runs `work` in the transaction of [`begin_snapshot`], and ends it.
fn on_snapshot<T>(mut conn: Loan, work: impl FnOnce(&mut Conn) -> Result<T>) -> Result<T> {
    let outcome = unwind_as_error(|| work(&mut conn));
    // Nothing was written. A rollback also ends a failed transaction.
    if conn.batch_execute("ROLLBACK").is_err() {
        conn.give_up();
    }
    outcome
}

fn write_to_postgres<T>(pool: &Pool, work: &impl Fn(&mut Conn) -> Result<T>) -> Result<T> {
    let mut conn = pool.begin(|conn| match conn {
        Conn::Sqlite(_) => Ok(()),
        Conn::Postgres(conn) => {
            AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN ISOLATION LEVEL READ COMMITTED")
        }
    })?;
    let outcome = unwind_as_error(|| work(&mut conn)).and_then(|value| {
        let has_failed = match &mut *conn {
            Conn::Sqlite(_) => false,
            Conn::Postgres(conn) => conn.has_failed(),
        };
        if has_failed { Err(Error::internal("the error of a statement was dropped")) } else { Ok(value) }
    });
    if outcome.is_ok() {
        // A failed COMMIT has ended the transaction.
        return match Conn::commit_transaction(&mut conn) {
            Ok(()) => outcome,
            Err(error) => {
                conn.give_up();
                Err(failure::commit_failed(error))
            }
        };
    }
    if Conn::rollback_transaction(&mut conn).is_err() {
        conn.give_up();
    }
    outcome
}

/// Runs `work`, which only reads. On PostgreSQL its statements are sent in one round trip, but for those that depend on rows of others: it
/// runs once before on empty tables, to learn them.
pub fn read_together<T>(conn: &mut Conn, work: impl Fn(&mut Conn) -> Result<T>) -> Result<T> {
    let Conn::Postgres(postgres) = conn else { return unwind_as_error(|| work(conn)) };
    postgres.learn();
    // The connection must not stay as it is now, whatever happens.
    drop(unwind_as_error(|| work(conn)));
    if let Conn::Postgres(postgres) = conn {
        postgres.send_learnt()?;
    }
    let outcome = unwind_as_error(|| work(conn));
    if let Conn::Postgres(postgres) = conn {
        postgres.forget();
    }
    outcome
}

/// Returns true if rows that `conn` did not find may exist all the same: the work is run to learn its statements, and will be run again.
/// A query that is only needed because there are no rows can be left out then.
pub fn is_guessing(conn: &Conn) -> bool {
    matches!(conn, Conn::Postgres(conn) if conn.is_guessing())
}

async fn off_the_async_threads<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?
}
