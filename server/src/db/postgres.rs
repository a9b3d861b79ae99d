//! A Diesel connection to PostgreSQL over tokio-postgres, in Rust alone. Its calls block.
//!
//! Diesel's own connection needs libpq. The wrapper of diesel-async cannot be part of a `MultiConnection`, has no COPY and
//! hides the SQLSTATE. See docs/decisions/0004-postgresql-client.md.

mod address;
mod ahead;
mod failure;
mod rows;
pub mod shared;
mod statements;
mod tls;

use std::any::Any;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::pin::pin;
use std::sync::Arc;

use bytes::BytesMut;
use diesel::QueryResult;
use diesel::connection::statement_cache::{PrepareForCache, StatementCache};
use diesel::connection::{
    AnsiTransactionManager, CacheSize, Connection, DynInstrumentation, Instrumentation, InstrumentationEvent,
    LoadConnection, SimpleConnection, StrQueryHelper, TransactionManager, TransactionManagerStatus,
};
use diesel::expression::QueryMetadata;
use diesel::internal::derives::multiconnection::{ConnectionSealed, MultiConnectionHelper};
use diesel::migration::{CREATE_MIGRATIONS_TABLE, MigrationConnection};
use diesel::pg::{GetPgMetadataCache, Pg, PgMetadataCache, PgTypeMetadata};
use diesel::query_builder::bind_collector::RawBytesBindCollector;
use diesel::query_builder::{Query, QueryFragment, QueryId};
use diesel::result::{ConnectionError, ConnectionResult, Error};
use diesel::sql_types::TypeMetadata;
use futures_util::future::join_all;
use futures_util::{SinkExt, TryStreamExt};
use tokio::runtime::Runtime;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Statement};

use self::address::ServerAddress;
use self::ahead::{Ahead, Question};
use self::failure::query_error;
pub use self::failure::sqlstate;
use self::rows::{Bind, Cursor, PgRow, type_of};
use self::statements::{Answer, CachedStatement};

/// The number of bytes of copied rows that are sent at once.
const COPY_CHUNK: usize = 64 * 1024;

/// A connection to PostgreSQL. Its calls block, so they must not run on an async thread.
pub struct PgConnection {
    client: Arc<Client>,
    /// Drives the socket of this connection on the calling thread, so that a statement needs no hop to another thread. `None` while it is
    /// dropped, and of a connection in `shared.rs`, which sends nothing by itself.
    runtime: Option<Runtime>,
    statements: StatementCache<Pg, CachedStatement>,
    /// The work that a connection without a runtime could not do by itself.
    unsent: Unsent,
    /// The rows of statements that were sent before they were run.
    ahead: Ahead,
    types: PgMetadataCache,
    transactions: AnsiTransactionManager,
    instrumentation: DynInstrumentation,
}

/// The statements of a connection without a runtime.
#[derive(Default)]
struct Unsent {
    /// Those that were prepared for it.
    prepared: HashMap<String, Arc<Statement>>,
    /// The first one that is to be prepared, and the types of its values.
    to_prepare: Option<(String, Vec<Type>)>,
    /// True if there was something that only a connection with a runtime can do.
    is_impossible: bool,
}

impl PgConnection {
    /// Validates a URL. The error names the invalid parameter.
    pub fn check(url: &str) -> Result<(), String> {
        ServerAddress::parse(url).map(drop)
    }

    /// Connects to the server at a URL.
    pub fn connect(url: &str) -> ConnectionResult<Self> {
        let address = ServerAddress::parse(url).map_err(ConnectionError::InvalidConnectionUrl)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        let client = runtime.block_on(address.connect()).map_err(ConnectionError::BadConnection)?;
        Ok(Self::over(Arc::new(client), Some(runtime)))
    }

    fn over(client: Arc<Client>, runtime: Option<Runtime>) -> Self {
        Self {
            client,
            runtime,
            statements: StatementCache::new(),
            unsent: Unsent::default(),
            ahead: Ahead::default(),
            types: PgMetadataCache::new(),
            transactions: AnsiTransactionManager::default(),
            instrumentation: DynInstrumentation::default_instrumentation(),
        }
    }

    /// Adds rows with COPY and returns how many. Each is given as an INSERT of one row; all have the same columns.
    pub fn copy_in<Q: QueryFragment<Pg>>(&mut self, inserts: impl IntoIterator<Item = Q>) -> QueryResult<u64> {
        let mut inserts = inserts.into_iter().peekable();
        let Some(first) = inserts.peek() else { return Ok(0) };
        let copy = rows::copy_statement(first)?;
        let mut chunks = vec![BytesMut::from(rows::COPY_HEADER)];
        for insert in inserts {
            let mut binds = RawBytesBindCollector::<Pg>::new();
            insert.collect_binds(&mut binds, self, &Pg)?;
            if chunks.last().is_none_or(|chunk| chunk.len() >= COPY_CHUNK) {
                chunks.push(BytesMut::with_capacity(COPY_CHUNK + COPY_CHUNK / 4));
            }
            if let Some(chunk) = chunks.last_mut() {
                rows::put_row(chunk, &binds.binds)?;
            }
        }
        self.wait(async |client| {
            let mut sink = pin!(client.copy_in(&copy).await?);
            for chunk in chunks {
                sink.send(chunk.freeze()).await?;
            }
            sink.send(rows::COPY_TRAILER).await?;
            sink.finish().await
        })
    }

    /// Writes what a `COPY … TO STDOUT` sends.
    pub fn copy_out(&mut self, copy: &str, out: &mut dyn Write) -> crate::error::Result<()> {
        let written = self.wait(async |client| {
            let mut rows = pin!(client.copy_out(copy).await?);
            while let Some(chunk) = rows.try_next().await? {
                if let Err(error) = out.write_all(&chunk) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        })?;
        written.map_err(crate::error::Error::internal)
    }

    /// Sends what `rows` has to a `COPY … FROM STDIN`. Nothing of it stays if it cannot be read to its end.
    pub fn copy_from(&mut self, copy: &str, rows: &mut dyn Read) -> crate::error::Result<()> {
        let sent = self.wait(async |client| {
            let mut sink = pin!(client.copy_in(copy).await?);
            loop {
                let mut chunk = BytesMut::zeroed(COPY_CHUNK);
                match rows.read(&mut chunk) {
                    Ok(0) => return sink.finish().await.map(|_| Ok(())),
                    Ok(length) => sink.send(chunk.split_to(length).freeze()).await?,
                    Err(error) => return Ok(Err(error)),
                }
            }
        })?;
        sent.map_err(crate::error::Error::internal)
    }

    /// From now on, statements are learnt and have no rows.
    pub fn learn(&mut self) {
        self.ahead = Ahead::Learning(Vec::new());
    }

    /// Sends the learnt statements together. From now on, each of them is answered once by what it found now.
    pub fn send_learnt(&mut self) -> QueryResult<()> {
        let Ahead::Learning(questions) = std::mem::take(&mut self.ahead) else { return Ok(()) };
        let answers = self.wait(async |client| Ok(join_all(questions.iter().map(|one| one.ask(client))).await))?;
        let answers: Vec<QueryResult<Answer>> =
            answers.into_iter().map(|answer| answer.map_err(|error| query_error(&error))).collect();
        self.note(answers.iter().all(Result::is_ok));
        self.ahead = Ahead::Sent(questions.into_iter().zip(answers).collect());
        Ok(())
    }

    /// Drops what was learnt: rows of one moment must not answer a later question.
    pub fn forget(&mut self) {
        self.ahead = Ahead::No;
    }

    /// Returns true if rows may seem to be missing because their statement is only learnt.
    pub fn is_guessing(&self) -> bool {
        self.ahead.asked() > 0
    }

    /// Returns true if a statement of the open transaction has failed. PostgreSQL would answer COMMIT with a ROLLBACK that looks
    /// like success.
    pub fn has_failed(&mut self) -> bool {
        match AnsiTransactionManager::transaction_manager_status_mut(self) {
            TransactionManagerStatus::InError => true,
            TransactionManagerStatus::Valid(status) => {
                status.in_transaction.as_ref().is_some_and(|open| open.requires_rollback_maybe_up_to_top_level)
            }
        }
    }

    /// Runs one exchange with the server on the calling thread.
    fn wait<T>(&mut self, ask: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>) -> QueryResult<T> {
        let Some(runtime) = &self.runtime else {
            self.unsent.is_impossible = true;
            return Err(Error::NotInTransaction);
        };
        let answer = runtime.block_on(ask(&self.client)).map_err(|error| query_error(&error));
        self.note(answer.is_ok());
        answer
    }

    /// Records the outcome of a statement. A success means that the transaction is usable (again, after a savepoint).
    fn note(&mut self, is_ok: bool) {
        let is_closed = self.client.is_closed();
        let status = AnsiTransactionManager::transaction_manager_status_mut(self);
        if is_closed {
            status.set_in_error();
        } else {
            status.set_requires_rollback_maybe_up_to_top_level(!is_ok);
        }
    }

    fn query<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<Answer> {
        if self.ahead.is_learning() {
            return self.answer_to(source);
        }
        if self.runtime.is_none() {
            let asked = self.ahead.asked();
            let answer = self.answer_to(source);
            if self.ahead.asked() > asked {
                let text = diesel::debug_query(source);
                self.instrumentation.on_connection_event(InstrumentationEvent::start_query(&text));
            }
            return answer;
        }
        let text = diesel::debug_query(source);
        self.instrumentation.on_connection_event(InstrumentationEvent::start_query(&text));
        let answer = self.answer_to(source);
        self.instrumentation.on_connection_event(InstrumentationEvent::finish_query(&text, answer.as_ref().err()));
        answer
    }

    /// The rows of a statement: those that came ahead, or the server's.
    fn answer_to<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<Answer> {
        let (statement, binds) = self.prepare(source).inspect_err(|_| self.note(false))?;
        match self.ahead.answer(Question::new(statement, binds)) {
            Ok(known) => known,
            Err(question) => self.wait(async |client| question.ask(client).await),
        }
    }

    fn prepare<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<(CachedStatement, Vec<Bind>)> {
        let mut binds = RawBytesBindCollector::<Pg>::new();
        source.collect_binds(&mut binds, self, &Pg)?;
        let prepared = self.statements.cached_statement(
            source,
            &Pg,
            &binds.metadata,
            (&*self.client, self.runtime.as_ref(), &mut self.unsent),
            prepare,
            &mut *self.instrumentation,
        )?;
        let prepared = prepared.clone();
        let binds = binds.metadata.iter().zip(binds.binds).map(|(metadata, bytes)| Bind::new(metadata, bytes));
        Ok((prepared, binds.collect::<QueryResult<_>>()?))
    }
}

fn prepare(
    (client, runtime, unsent): (&Client, Option<&Runtime>, &mut Unsent),
    sql: &str,
    keep: PrepareForCache,
    binds: &[PgTypeMetadata],
) -> QueryResult<CachedStatement> {
    if let PrepareForCache::No = keep {
        return Ok(CachedStatement::Once(sql.to_owned()));
    }
    let types = binds.iter().map(type_of).collect::<QueryResult<Vec<_>>>()?;
    let Some(runtime) = runtime else {
        if let Some(statement) = unsent.prepared.get(sql) {
            return Ok(CachedStatement::Named(statement.clone()));
        }
        unsent.to_prepare.get_or_insert((sql.to_owned(), types));
        return Err(Error::NotInTransaction);
    };
    let statement = runtime.block_on(client.prepare_typed(sql, &types)).map_err(|error| query_error(&error))?;
    Ok(CachedStatement::Named(Arc::new(statement)))
}

impl Drop for PgConnection {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, which is not allowed on an async thread.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl ConnectionSealed for PgConnection {}

impl SimpleConnection for PgConnection {
    fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
        self.forget();
        let text = StrQueryHelper::new(query);
        self.instrumentation.on_connection_event(InstrumentationEvent::start_query(&text));
        let answer = self.wait(async |client| client.batch_execute(query).await);
        self.instrumentation.on_connection_event(InstrumentationEvent::finish_query(&text, answer.as_ref().err()));
        answer
    }
}

impl Connection for PgConnection {
    type Backend = Pg;
    type TransactionManager = AnsiTransactionManager;

    fn establish(url: &str) -> ConnectionResult<Self> {
        Self::connect(url)
    }

    fn execute_returning_count<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<usize> {
        let answer = self.query(source)?;
        usize::try_from(answer.affected).map_err(|error| Error::DeserializationError(error.into()))
    }

    fn transaction_state(&mut self) -> &mut AnsiTransactionManager {
        &mut self.transactions
    }

    fn instrumentation(&mut self) -> &mut dyn Instrumentation {
        &mut *self.instrumentation
    }

    fn set_instrumentation(&mut self, instrumentation: impl Instrumentation) {
        self.instrumentation = instrumentation.into();
    }

    fn set_prepared_statement_cache_size(&mut self, size: CacheSize) {
        self.statements.set_cache_size(size);
    }
}

impl LoadConnection for PgConnection {
    type Cursor<'conn, 'query> = Cursor;
    type Row<'conn, 'query> = PgRow;

    fn load<'conn, 'query, T>(&'conn mut self, source: T) -> QueryResult<Cursor>
    where
        T: Query + QueryFragment<Pg> + QueryId + 'query,
        Pg: QueryMetadata<T::SqlType>,
    {
        Ok(Cursor::new(self.query(&source)?.rows))
    }
}

impl MigrationConnection for PgConnection {
    fn setup(&mut self) -> QueryResult<usize> {
        self.batch_execute(CREATE_MIGRATIONS_TABLE).map(|()| 0)
    }
}

impl GetPgMetadataCache for PgConnection {
    fn get_metadata_cache(&mut self) -> &mut PgMetadataCache {
        &mut self.types
    }
}

impl MultiConnectionHelper for PgConnection {
    fn to_any<'a>(lookup: &mut <Pg as TypeMetadata>::MetadataLookup) -> &mut (dyn Any + 'a) {
        lookup.as_any()
    }

    fn from_any(lookup: &mut dyn Any) -> Option<&mut <Pg as TypeMetadata>::MetadataLookup> {
        lookup.downcast_mut::<Self>().map(|conn| conn as _)
    }
}
