//! Connection pools. The scheme of the URL decides the database; the derived `establish` would try one after the other.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::{Connection, ConnectionError, QueryResult, SqliteConnection};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use super::conn::Conn;
use super::failure::DatabaseError;
use super::postgres::PgConnection;
use super::{dialect, time_limit};
use crate::error::{Error, Result};

/// The time that a request waits for a free connection before it gets 503.
const WAIT: Duration = Duration::from_secs(5);
/// The time that it waits when the database is down: no connection could become free.
const WAIT_FOR_RETURN: Duration = Duration::from_millis(800);
/// Limits the pauses between attempts to reconnect to half of it.
const RECONNECT: Duration = Duration::from_secs(2);

/// Where the database is.
#[derive(Clone, Debug)]
pub enum DatabaseAddress {
    Sqlite(PathBuf),
    Postgres(String),
}

impl DatabaseAddress {
    pub fn parse(url: &str) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            Ok(Self::Sqlite(path.into()))
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            PgConnection::check(url).map_err(DatabaseError::InvalidDatabaseUrl)?;
            Ok(Self::Postgres(url.into()))
        } else {
            Err(DatabaseError::UnknownDatabase.into())
        }
    }

    /// Opens a writing connection. On SQLite it creates a missing file.
    pub fn connect_to_write(&self) -> Result<Conn> {
        if let Self::Sqlite(path) = self
            && let Some(folder) = path.parent()
        {
            std::fs::create_dir_all(folder).map_err(Error::internal)?;
        }
        self.connect(ConnectionPurpose::Write).map_err(not_opened)
    }

    /// Opens a connection that cannot change anything, outside the pools.
    pub fn connect_to_read(&self) -> Result<Conn> {
        self.connect(ConnectionPurpose::Read).map_err(not_opened)
    }

    fn connect(&self, purpose: ConnectionPurpose) -> Result<Conn, ConnectionError> {
        match self {
            Self::Sqlite(path) => {
                time_limit::install();
                let mut conn = SqliteConnection::establish(&path.to_string_lossy())?;
                conn.batch_execute(match purpose {
                    ConnectionPurpose::Read => dialect::SQLITE_READER,
                    ConnectionPurpose::Write => dialect::SQLITE_WRITER,
                })
                .map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(Conn::Sqlite(conn))
            }
            Self::Postgres(url) => {
                let mut conn = PgConnection::establish(url)?;
                conn.batch_execute(dialect::POSTGRES_SESSION).map_err(ConnectionError::CouldntSetupConfiguration)?;
                Ok(Conn::Postgres(conn))
            }
        }
    }
}

/// A database that is there and refuses the settings may be locked: SQLite's log needs it alone for a moment when the file is new.
fn not_opened(error: ConnectionError) -> Error {
    match error {
        ConnectionError::CouldntSetupConfiguration(error) => error.into(),
        error => Error::internal(error),
    }
}

#[derive(Clone, Copy, Debug)]
enum ConnectionPurpose {
    Read,
    Write,
}

/// Opens connections for one purpose.
#[derive(Debug)]
struct Connector {
    address: DatabaseAddress,
    purpose: ConnectionPurpose,
}

/// A pooled connection, and whether the next caller can use it.
struct PooledConn {
    conn: Conn,
    broken: bool,
}

impl r2d2::ManageConnection for Connector {
    type Connection = PooledConn;
    type Error = ConnectionError;

    fn connect(&self) -> Result<PooledConn, ConnectionError> {
        let mut conn = self.address.connect(self.purpose)?;
        if let (ConnectionPurpose::Read, Conn::Sqlite(conn)) = (self.purpose, &mut conn) {
            time_limit::limit(conn, time_limit::STATEMENT_LIMIT);
        }
        Ok(PooledConn { conn, broken: false })
    }

    fn is_valid(&self, _: &mut PooledConn) -> Result<(), ConnectionError> {
        Ok(())
    }

    fn has_broken(&self, pooled: &mut PooledConn) -> bool {
        pooled.broken || std::thread::panicking()
    }
}

/// A fixed number of connections for one purpose.
#[derive(Clone)]
pub struct Pool {
    connections: r2d2::Pool<Connector>,
    permits: Arc<Permits>,
}

/// Async callers take a permit before they occupy a blocking thread.
struct Permits {
    /// A permit for each connection.
    all: Arc<Semaphore>,
    /// Those of a share, which are needed as well.
    of_share: Option<Arc<Semaphore>>,
}

/// A share has one in so many connections.
const SHARE: usize = 4;

/// The right to occupy a connection.
pub struct Permit {
    _connection: OwnedSemaphorePermit,
    _of_share: Option<OwnedSemaphorePermit>,
}

/// A borrowed connection.
pub struct Loan {
    connection: r2d2::PooledConnection<Connector>,
    _of_share: Option<OwnedSemaphorePermit>,
}

impl Pool {
    pub fn to_read(address: DatabaseAddress, size: u32) -> Result<Self> {
        Self::open(Connector { address, purpose: ConnectionPurpose::Read }, size)
    }

    pub fn to_write(address: DatabaseAddress, size: u32) -> Result<Self> {
        Self::open(Connector { address, purpose: ConnectionPurpose::Write }, size)
    }

    fn open(connector: Connector, size: u32) -> Result<Self> {
        let pool = r2d2::Pool::builder()
            .max_size(size)
            .min_idle(Some(1))
            .test_on_check_out(false)
            .connection_timeout(RECONNECT)
            .error_handler(Box::new(r2d2::NopErrorHandler))
            .build_unchecked(connector);
        pool.get_timeout(WAIT).map_err(|error| Error::from(DatabaseError::DatabaseUnreachable).caused_by(error))?;
        let all = Arc::new(Semaphore::new(size as usize));
        Ok(Self { connections: pool, permits: Arc::new(Permits { all, of_share: None }) })
    }

    /// The same connections, for callers who may occupy a part of them.
    pub fn share(&self) -> Self {
        let most = (self.connections.max_size() as usize / SHARE).max(1);
        let permits = Permits { all: self.permits.all.clone(), of_share: Some(Arc::new(Semaphore::new(most))) };
        Self { connections: self.connections.clone(), permits: Arc::new(permits) }
    }

    /// Waits for a free connection without occupying a thread. The caller keeps the permit while it uses the connection.
    pub async fn permit(&self) -> Result<Permit> {
        let both = async {
            // The share first: callers who wait for it are not in the queue of the others.
            let of_share = match &self.permits.of_share {
                Some(share) => Some(share.clone().acquire_owned().await?),
                None => None,
            };
            Ok(Permit { _connection: self.permits.all.clone().acquire_owned().await?, _of_share: of_share })
        };
        match tokio::time::timeout(WAIT, both).await {
            Ok(permit) => permit.map_err(|_: AcquireError| busy()),
            Err(_) => Err(busy()),
        }
    }

    /// Lends a connection with the transaction that `begin` opens. If the server has dropped the connection, `begin` fails before
    /// any work is done; the next one is tried, so callers do not notice a restart of the database.
    pub fn begin(&self, begin: impl Fn(&mut Conn) -> QueryResult<()>) -> Result<Loan> {
        let mut last = None;
        for _ in 0..=self.connections.max_size() {
            let mut loan = if last.is_some() { self.lend_within(WAIT_FOR_RETURN)? } else { self.lend()? };
            match begin(&mut loan) {
                Ok(()) => return Ok(loan),
                Err(error) => {
                    loan.give_up();
                    last = Some(Error::from(error));
                }
            }
        }
        Err(last.unwrap_or_else(|| DatabaseError::DatabaseUnreachable.into()))
    }

    /// Lends a connection, waiting for one if necessary.
    pub fn lend(&self) -> Result<Loan> {
        self.lend_within(if self.connections.state().connections == 0 { WAIT_FOR_RETURN } else { WAIT })
    }

    fn lend_within(&self, wait: Duration) -> Result<Loan> {
        let lent = self.connections.get_timeout(wait);
        let connection = lent.map_err(|_| match self.connections.state().connections {
            0 => DatabaseError::DatabaseUnreachable.into(),
            _ => busy(),
        })?;
        Ok(Loan { connection, _of_share: None })
    }

    /// Lends an idle connection, if there is one. Never waits.
    pub fn idle(&self) -> Option<Loan> {
        let of_share = match &self.permits.of_share {
            Some(share) => Some(share.clone().try_acquire_owned().ok()?),
            None => None,
        };
        Some(Loan { connection: self.connections.try_get()?, _of_share: of_share })
    }
}

fn busy() -> Error {
    DatabaseError::DatabaseBusy.into()
}

impl Loan {
    /// Removes this connection from the pool.
    pub fn give_up(&mut self) {
        self.connection.broken = true;
    }
}

impl std::ops::Deref for Loan {
    type Target = Conn;
    fn deref(&self) -> &Conn {
        &self.connection.conn
    }
}

impl std::ops::DerefMut for Loan {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.connection.conn
    }
}
