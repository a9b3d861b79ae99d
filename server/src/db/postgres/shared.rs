//! Short reads on connections that they share. Work is run once to learn its statements, these are sent without waiting for those of others,
//! and the work is run again with their rows, until it asks for nothing new. So a read needs no thread that blocks, and the server answers
//! several at each wake-up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Statement};

use super::PgConnection;
use super::address::ServerAddress;
use super::ahead::{Ahead, Question};
use super::failure::described;
use super::statements::Answer;
use crate::db::conn::Conn;
use crate::db::dialect::POSTGRES_SESSION;
use crate::db::panics::unwind_as_error;
use crate::error::Result;

/// The connections of one process.
const CONNECTIONS: usize = 4;

/// The most reads that wait on one connection: a slow one delays those behind it.
const MAX_WAITING: usize = 16;

/// The most runs of one read: each prepares a statement, or learns those that depend on rows of the run before.
const MAX_RUNS: usize = 16;

/// The pause after a connection could not be opened.
const PAUSE: Duration = Duration::from_secs(1);

/// The shared connections of a database. They are opened at the first read.
pub struct SharedReads {
    address: Arc<ServerAddress>,
    connections: Vec<Arc<ConnectionPlace>>,
}

/// The place of a connection.
#[derive(Default)]
struct ConnectionPlace {
    waiting: AtomicUsize,
    link: Mutex<Link>,
}

#[derive(Default)]
enum Link {
    #[default]
    Closed,
    Opening,
    Open(Arc<SharedConnection>),
}

/// An open connection.
struct SharedConnection {
    client: Arc<Client>,
    /// Learns and answers; it sends nothing. Work takes a [`Conn`]; this one is always of PostgreSQL.
    conn: Mutex<Conn>,
}

/// A read that waits on a connection, until this is dropped.
struct WaitingRead<'a>(&'a AtomicUsize);

impl Drop for WaitingRead<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The result of one run of a read.
enum Run<T> {
    /// It asked for nothing new.
    Done(Result<T>),
    /// A statement is to be prepared first, for values of these types.
    Unprepared(String, Vec<Type>),
    /// Its outcome means nothing without the answers to these.
    Asked(Vec<Question>),
    /// It does what a shared connection cannot do.
    Impossible,
}

impl SharedReads {
    /// For the server at a URL.
    pub fn new(url: &str) -> Result<Self, String> {
        let connections = (0..CONNECTIONS).map(|_| Arc::default()).collect();
        Ok(Self { address: Arc::new(ServerAddress::parse(url)?), connections })
    }

    /// Runs `work`, which only reads; each of its statements is a snapshot of its own. Gives it back if that cannot be done here now: no
    /// connection is open or free, or a statement fails.
    pub async fn look_up<T, W: Fn(&mut Conn) -> Result<T> + Send>(&self, work: W) -> Result<Result<T>, W> {
        let waiting = |place: &&Arc<ConnectionPlace>| place.waiting.load(Ordering::Relaxed);
        let Some(place) = self.connections.iter().min_by_key(waiting) else { return Err(work) };
        if waiting(&place) >= MAX_WAITING {
            return Err(work);
        }
        let Some(shared) = place.open(&self.address) else { return Err(work) };
        place.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = WaitingRead(&place.waiting);
        shared.look_up(work).await
    }

    /// Runs `change` on each open connection. Returns whether all are open.
    pub fn change_each(&self, mut change: impl FnMut(&mut Conn)) -> bool {
        let open = self.connections.iter().filter_map(|place| place.open(&self.address));
        let changed = open.map(|shared| change(&mut shared.conn.lock().unwrap_or_else(PoisonError::into_inner)));
        changed.count() == self.connections.len()
    }
}

impl ConnectionPlace {
    /// The connection, if it is open. Otherwise begins to open it.
    fn open(self: &Arc<Self>, address: &Arc<ServerAddress>) -> Option<Arc<SharedConnection>> {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        match &*link {
            Link::Open(shared) if !shared.client.is_closed() => return Some(shared.clone()),
            Link::Opening => return None,
            Link::Open(_) | Link::Closed => {}
        }
        *link = Link::Opening;
        tokio::spawn(connect(Arc::downgrade(self), address.clone()));
        None
    }
}

/// Opens the connection of a place that still exists afterwards.
async fn connect(place: Weak<ConnectionPlace>, address: Arc<ServerAddress>) {
    let opened = match address.connect().await {
        Ok(client) => match client.batch_execute(POSTGRES_SESSION).await {
            Ok(()) => Ok(client),
            Err(error) => Err(described(&error)),
        },
        Err(error) => Err(error),
    };
    if let Err(error) = &opened {
        tracing::debug!(error, "a shared connection to the database could not be opened");
        tokio::time::sleep(PAUSE).await;
    }
    let Some(place) = place.upgrade() else { return };
    let link = opened.map_or(Link::Closed, |client| Link::Open(Arc::new(SharedConnection::over(client))));
    *place.link.lock().unwrap_or_else(PoisonError::into_inner) = link;
}

impl SharedConnection {
    fn over(client: Client) -> Self {
        let client = Arc::new(client);
        let conn = Conn::Postgres(PgConnection::over(client.clone(), None));
        Self { client, conn: Mutex::new(conn) }
    }

    async fn look_up<T, W: Fn(&mut Conn) -> Result<T>>(&self, work: W) -> Result<Result<T>, W> {
        let mut known = Vec::new();
        for _ in 0..MAX_RUNS {
            let run = self.run(&mut known, &work);
            match run {
                Run::Done(outcome) => return Ok(outcome),
                Run::Impossible => break,
                Run::Unprepared(sql, types) => match self.client.prepare_typed(&sql, &types).await {
                    Ok(statement) => self.keep(sql, statement),
                    Err(_) => break,
                },
                Run::Asked(questions) => {
                    let answers = try_join_all(questions.iter().map(|one| one.ask(&self.client))).await;
                    let Ok(answers) = answers else { break };
                    known.extend(questions.into_iter().zip(answers));
                }
            }
        }
        Err(work)
    }

    fn run<T>(&self, known: &mut Vec<(Question, Answer)>, work: impl Fn(&mut Conn) -> Result<T>) -> Run<T> {
        let mut conn = self.conn.lock().unwrap_or_else(PoisonError::into_inner);
        postgres(&mut conn).ahead = Ahead::Gathering { known: std::mem::take(known), asked: Vec::new() };
        let outcome = unwind_as_error(|| work(&mut conn));
        let conn = postgres(&mut conn);
        let to_prepare = conn.unsent.to_prepare.take();
        let (Ahead::Gathering { known: answered, asked }, false) =
            (std::mem::take(&mut conn.ahead), std::mem::take(&mut conn.unsent.is_impossible))
        else {
            return Run::Impossible;
        };
        *known = answered;
        match to_prepare {
            Some((sql, types)) => Run::Unprepared(sql, types),
            None if asked.is_empty() => Run::Done(outcome),
            None => Run::Asked(asked),
        }
    }

    fn keep(&self, sql: String, statement: Statement) {
        let mut conn = self.conn.lock().unwrap_or_else(PoisonError::into_inner);
        // Another read may have prepared the same meanwhile; then this one is closed.
        postgres(&mut conn).unsent.prepared.entry(sql).or_insert_with(|| Arc::new(statement));
    }
}

fn postgres(conn: &mut Conn) -> &mut PgConnection {
    match conn {
        Conn::Postgres(conn) => conn,
        // `Shared::over` made it.
        Conn::Sqlite(_) => unreachable!("a shared connection is one of PostgreSQL"),
    }
}
