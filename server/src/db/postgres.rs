//! A Diesel connection to PostgreSQL over tokio-postgres. It is Rust throughout, and its calls block.
//!
//! Diesel's own connection needs libpq. The wrapper of diesel-async cannot be part of a `MultiConnection`, has no COPY and
//! hides the SQLSTATE. See docs/decisions/0004-postgresql-client.md.

mod address;
mod rows;
mod tls;

use std::any::Any;
use std::pin::pin;

use bytes::BytesMut;
use diesel::QueryResult;
use diesel::connection::statement_cache::{PrepareForCache, StatementCache};
use diesel::connection::{
    AnsiTransactionManager, CacheSize, Connection, DynInstrumentation, Instrumentation, InstrumentationEvent,
    LoadConnection, SimpleConnection, StrQueryHelper, TransactionManager,
};
use diesel::expression::QueryMetadata;
use diesel::internal::derives::multiconnection::{ConnectionSealed, MultiConnectionHelper};
use diesel::migration::{CREATE_MIGRATIONS_TABLE, MigrationConnection};
use diesel::pg::{GetPgMetadataCache, Pg, PgMetadataCache, PgTypeMetadata};
use diesel::query_builder::bind_collector::RawBytesBindCollector;
use diesel::query_builder::{Query, QueryFragment, QueryId};
use diesel::result::{ConnectionError, ConnectionResult, DatabaseErrorInformation, DatabaseErrorKind, Error};
use diesel::sql_types::TypeMetadata;
use futures_util::{SinkExt, TryStreamExt};
use tokio::runtime::Runtime;
use tokio_postgres::error::{DbError, ErrorPosition, SqlState};
use tokio_postgres::{Client, Statement};

use self::address::Address;
use self::rows::{Bind, Cursor, PgRow, type_of};

/// How many bytes of copied rows are sent at once.
const COPY_CHUNK: usize = 64 * 1024;

/// A connection to PostgreSQL. Its calls block, so they must not run on an async thread.
pub struct PgConnection {
    client: Client,
    /// Drives the socket of this one connection on the calling thread, so that a statement takes no hop to another thread.
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    statements: StatementCache<Pg, Prepared>,
    types: PgMetadataCache,
    transactions: AnsiTransactionManager,
    instrumentation: DynInstrumentation,
}

/// A statement that the server keeps prepared, or the text of one that is used once.
enum Prepared {
    Named(Statement),
    Once(String),
}

/// What a statement gave back.
#[derive(Default)]
struct Answer {
    rows: Vec<tokio_postgres::Row>,
    affected: u64,
}

impl PgConnection {
    /// Checks that a URL can be read. The error names the parameter that cannot.
    pub fn check(url: &str) -> Result<(), String> {
        Address::parse(url).map(drop)
    }

    /// Connects to the server at a URL.
    pub fn connect(url: &str) -> ConnectionResult<Self> {
        let address = Address::parse(url).map_err(ConnectionError::InvalidConnectionUrl)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ConnectionError::BadConnection(error.to_string()))?;
        Ok(Self {
            client: runtime.block_on(address.connect()).map_err(ConnectionError::BadConnection)?,
            runtime: Some(runtime),
            statements: StatementCache::new(),
            types: PgMetadataCache::new(),
            transactions: AnsiTransactionManager::default(),
            instrumentation: DynInstrumentation::default_instrumentation(),
        })
    }

    /// Adds rows by COPY and returns how many. Each is given as the INSERT of one row, all with the same columns.
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

    /// Runs one exchange with the server.
    fn wait<T>(&mut self, ask: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>) -> QueryResult<T> {
        let runtime = self.runtime.as_ref().ok_or(Error::BrokenTransactionManager)?;
        let answer = runtime.block_on(ask(&self.client)).map_err(|error| query_error(&error));
        if answer.is_err() {
            self.note_failure();
        }
        answer
    }

    /// Keeps a failed transaction from being committed: PostgreSQL would answer COMMIT with a ROLLBACK that looks like success.
    fn note_failure(&mut self) {
        let is_closed = self.client.is_closed();
        let status = AnsiTransactionManager::transaction_manager_status_mut(self);
        if is_closed {
            status.set_in_error();
        } else {
            status.set_requires_rollback_maybe_up_to_top_level(true);
        }
    }

    fn query<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<Answer> {
        let text = diesel::debug_query(source);
        self.instrumentation.on_connection_event(InstrumentationEvent::start_query(&text));
        let prepared = self.prepare(source).inspect_err(|_| self.note_failure());
        let answer = prepared.and_then(|(statement, binds)| self.run(statement, binds));
        self.instrumentation.on_connection_event(InstrumentationEvent::finish_query(&text, answer.as_ref().err()));
        answer
    }

    fn prepare<T: QueryFragment<Pg> + QueryId>(&mut self, source: &T) -> QueryResult<(Prepared, Vec<Bind>)> {
        let mut binds = RawBytesBindCollector::<Pg>::new();
        source.collect_binds(&mut binds, self, &Pg)?;
        let prepared = self.statements.cached_statement(
            source,
            &Pg,
            &binds.metadata,
            (&self.client, self.runtime.as_ref()),
            prepare,
            &mut *self.instrumentation,
        )?;
        let prepared = match &*prepared {
            Prepared::Named(statement) => Prepared::Named(statement.clone()),
            Prepared::Once(sql) => Prepared::Once(sql.clone()),
        };
        let binds = binds.metadata.iter().zip(binds.binds).map(|(metadata, bytes)| Bind::new(metadata, bytes));
        Ok((prepared, binds.collect::<QueryResult<_>>()?))
    }

    fn run(&mut self, statement: Prepared, binds: Vec<Bind>) -> QueryResult<Answer> {
        self.wait(async |client| {
            let mut stream = pin!(match statement {
                Prepared::Named(statement) => client.query_raw(&statement, binds).await?,
                // Parsed, bound and executed in one round trip.
                Prepared::Once(sql) => {
                    client.query_typed_raw(&sql, binds.into_iter().map(Bind::with_type)).await?
                }
            });
            let mut rows = Vec::new();
            while let Some(row) = stream.try_next().await? {
                rows.push(row);
            }
            Ok(Answer { rows, affected: stream.rows_affected().unwrap_or(0) })
        })
    }
}

fn prepare(
    (client, runtime): (&Client, Option<&Runtime>),
    sql: &str,
    keep: PrepareForCache,
    binds: &[PgTypeMetadata],
) -> QueryResult<Prepared> {
    if let PrepareForCache::No = keep {
        return Ok(Prepared::Once(sql.to_owned()));
    }
    let types = binds.iter().map(type_of).collect::<QueryResult<Vec<_>>>()?;
    let runtime = runtime.ok_or(Error::BrokenTransactionManager)?;
    let statement = runtime.block_on(client.prepare_typed(sql, &types)).map_err(|error| query_error(&error))?;
    Ok(Prepared::Named(statement))
}

impl Drop for PgConnection {
    fn drop(&mut self) {
        // A plain drop of a runtime waits for its threads, which an async thread must not.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl ConnectionSealed for PgConnection {}

impl SimpleConnection for PgConnection {
    fn batch_execute(&mut self, query: &str) -> QueryResult<()> {
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

fn query_error(error: &tokio_postgres::Error) -> Error {
    let Some(refused) = error.as_db_error() else {
        return Error::DatabaseError(DatabaseErrorKind::ClosedConnection, Box::new(described(error)));
    };
    let kind = match refused.code() {
        &SqlState::UNIQUE_VIOLATION => DatabaseErrorKind::UniqueViolation,
        &SqlState::FOREIGN_KEY_VIOLATION => DatabaseErrorKind::ForeignKeyViolation,
        &SqlState::NOT_NULL_VIOLATION => DatabaseErrorKind::NotNullViolation,
        &SqlState::CHECK_VIOLATION => DatabaseErrorKind::CheckViolation,
        &SqlState::EXCLUSION_VIOLATION => DatabaseErrorKind::ExclusionViolation,
        &SqlState::RESTRICT_VIOLATION => DatabaseErrorKind::RestrictViolation,
        &SqlState::READ_ONLY_SQL_TRANSACTION => DatabaseErrorKind::ReadOnlyTransaction,
        // PostgreSQL preferred another transaction: the same work may succeed at once.
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => {
            DatabaseErrorKind::SerializationFailure
        }
        &SqlState::ADMIN_SHUTDOWN
        | &SqlState::CRASH_SHUTDOWN
        | &SqlState::CANNOT_CONNECT_NOW
        | &SqlState::DATABASE_DROPPED
        | &SqlState::IDLE_SESSION_TIMEOUT
        | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => DatabaseErrorKind::ClosedConnection,
        _ => DatabaseErrorKind::Unknown,
    };
    Error::DatabaseError(
        kind,
        Box::new(Refused {
            text: format!("{SQLSTATE}{}: {}", refused.code().code(), refused.message()),
            refused: refused.clone(),
        }),
    )
}

/// An error with its causes.
fn described(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// What the message of a database error begins with when it comes from PostgreSQL.
const SQLSTATE: &str = "SQLSTATE ";

/// The code of an error of PostgreSQL, which is the same in every language of the server.
pub fn sqlstate(info: &dyn DatabaseErrorInformation) -> Option<&str> {
    info.message().strip_prefix(SQLSTATE)?.get(..5)
}

/// An error that PostgreSQL answered with.
struct Refused {
    /// The code and the message. Diesel asks for no code, so the message carries it.
    text: String,
    refused: DbError,
}

impl DatabaseErrorInformation for Refused {
    fn message(&self) -> &str {
        &self.text
    }

    fn details(&self) -> Option<&str> {
        self.refused.detail()
    }

    fn hint(&self) -> Option<&str> {
        self.refused.hint()
    }

    fn table_name(&self) -> Option<&str> {
        self.refused.table()
    }

    fn column_name(&self) -> Option<&str> {
        self.refused.column()
    }

    fn constraint_name(&self) -> Option<&str> {
        self.refused.constraint()
    }

    fn statement_position(&self) -> Option<i32> {
        match self.refused.position()? {
            ErrorPosition::Original(position) | ErrorPosition::Internal { position, .. } => {
                i32::try_from(*position).ok()
            }
        }
    }
}
