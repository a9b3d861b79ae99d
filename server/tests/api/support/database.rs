//! Fresh, migrated databases: copies of one template, a SQLite file or a PostgreSQL database. Every test that touches the database runs
//! on both.
//!
//! `VISADESK_TEST_DATABASE` is `sqlite` (or not set) or `postgres`; the latter needs `VISADESK_TEST_POSTGRES_URL`, the
//! address of a database whose user may create others.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, OnceLock, mpsc};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Text};
use tempfile::TempDir;
use visadesk::db::{Db, PgConnection, migrations};

use super::until;

/// The pool is small because many tests share one server.
pub const CONNECTIONS: u32 = 4;

/// A database that is deleted after the test.
pub struct FreshDatabase {
    folder: TempDir,
    postgres: Option<String>,
}

/// A kind of database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    /// The kind on which the tests of this run start the program.
    pub fn of_the_run() -> Database {
        if is_postgres() { Database::Postgres } else { Database::Sqlite }
    }
}

/// Returns true if the tests run on the one kind of database that the calling test is about. If not, the test is listed among the checks that
/// were not made, with the reason.
pub fn runs_on(database: Database, reason: &str) -> bool {
    let here = Database::of_the_run();
    if here != database {
        not_checked(&format!("on {database:?} only: {reason}"));
    }
    here == database
}

/// Lists the calling test, by the name of its thread, in the file that `VISADESK_NOT_CHECKED` names.
pub fn not_checked(reason: &str) {
    let thread = std::thread::current();
    let line = format!("{} ({reason})\n", thread.name().unwrap_or("a test"));
    match std::env::var_os("VISADESK_NOT_CHECKED") {
        Some(file) => {
            let opened = OpenOptions::new().append(true).create(true).open(Path::new(&file));
            opened.and_then(|mut file| file.write_all(line.as_bytes())).expect("the list can be written");
        }
        None => eprint!("not checked: {line}"),
    }
}

/// Whether the tests run on PostgreSQL.
pub fn is_postgres() -> bool {
    match std::env::var("VISADESK_TEST_DATABASE").as_deref() {
        Ok("postgres") => true,
        Ok("sqlite" | "") | Err(_) => false,
        Ok(other) => panic!("VISADESK_TEST_DATABASE is sqlite or postgres, not {other}"),
    }
}

impl FreshDatabase {
    /// Creates a database with the current schema.
    pub async fn make() -> Self {
        Self::make_on(Database::of_the_run()).await
    }

    /// Creates a database of this kind, with the current schema. The tests of a run on SQLite have no PostgreSQL.
    pub async fn make_on(database: Database) -> Self {
        // Installs the TLS provider for the tests' HTTP client.
        visadesk::tls::provider();
        let make = move || {
            let postgres = (database == Database::Postgres).then(copy_template);
            let folder = tempfile::tempdir().expect("a folder for the test");
            if postgres.is_none() {
                std::fs::write(folder.path().join(SQLITE_FILE), sqlite_template()).expect("the template is copied");
            }
            Self { folder, postgres }
        };
        tokio::task::spawn_blocking(make).await.expect("the database is made")
    }

    /// Creates a database without tables.
    pub async fn make_empty() -> Self {
        Self::make_empty_with("ENCODING 'UTF8'").await
    }

    /// Creates a database without tables. Only PostgreSQL uses `options`.
    pub async fn make_empty_with(options: &'static str) -> Self {
        let make = move || {
            let postgres = is_postgres().then(|| {
                let name = next_name();
                PgConnection::establish(&server_url())
                    .expect("PostgreSQL accepts the connection")
                    .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0 {options}"))
                    .expect("PostgreSQL makes a database");
                name
            });
            Self { folder: tempfile::tempdir().expect("a folder for the test"), postgres }
        };
        tokio::task::spawn_blocking(make).await.expect("the database is made")
    }

    /// Opens the database.
    pub async fn open(&self) -> Db {
        let url = self.url();
        let open = move || Db::open(&url, CONNECTIONS).expect("the database opens");
        tokio::task::spawn_blocking(open).await.expect("the database opens")
    }

    /// The database URL for the configuration.
    pub fn url(&self) -> String {
        match &self.postgres {
            Some(name) => url_of(name),
            None => sqlite_url(self.folder.path()),
        }
    }

    /// The data folder of the test.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        if let Some(name) = self.postgres.take() {
            drop_later(name);
        }
    }
}

/// Drops a database on a thread of its own, whose connection stays open: the test need not wait for it. What is left at the end of the run
/// goes with the server.
fn drop_later(name: String) {
    static DROPPING: LazyLock<mpsc::Sender<String>> = LazyLock::new(|| {
        let (sender, names) = mpsc::channel::<String>();
        std::thread::spawn(move || {
            let mut server = PgConnection::establish(&server_url()).expect("PostgreSQL accepts the connection");
            for name in names {
                // A test that failed may have left it open in a way that even FORCE does not end.
                if let Err(error) = server.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")) {
                    eprintln!("{name} is left: {error}");
                }
            }
        });
        sender
    });
    DROPPING.send(name).expect("the thread runs");
}

/// Runs `work` on its own thread, because a `PgConnection` must not block an async one.
pub fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(work).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// All other connections to the database of a connection.
const OTHERS: &str = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

#[derive(QueryableByName)]
struct Backend {
    #[diesel(sql_type = Integer)]
    pid: i32,
}

/// Connects to the PostgreSQL database of `url`.
pub fn connect(url: &str) -> PgConnection {
    apart(|| PgConnection::establish(url).expect("PostgreSQL answers"))
}

/// Terminates all other connections to the database of `conn`, like a restart of PostgreSQL, and waits until they are gone.
pub async fn end_other_connections(conn: &mut PgConnection) {
    let list = |conn: &mut PgConnection| -> Vec<i32> {
        let found = diesel::sql_query(format!("SELECT pid {OTHERS}")).load::<Backend>(conn).expect("it answers");
        found.into_iter().map(|backend| backend.pid).collect()
    };
    let before = apart(|| list(conn));
    assert!(!before.is_empty(), "the server has connections");
    let terminate = format!("SELECT pg_terminate_backend(pid) {OTHERS}");
    apart(|| diesel::sql_query(terminate).execute(conn).expect("the connections are terminated"));
    until("the connections are gone", async || {
        let left = apart(|| list(conn));
        (!left.iter().any(|pid| before.contains(pid))).then_some(())
    })
    .await;
}

/// The deadlocks that PostgreSQL has ended in the database of `url`. Terminates all connections to it, because a connection may
/// keep its numbers to itself until it ends.
pub async fn deadlocks(url: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Counted {
        #[diesel(sql_type = BigInt)]
        deadlocks: i64,
    }
    let mut conn = connect(url);
    end_other_connections(&mut conn).await;
    let counted = diesel::sql_query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    apart(|| counted.get_result::<Counted>(&mut conn).expect("it answers").deadlocks)
}

/// The name of the database in the data folder.
const SQLITE_FILE: &str = "visadesk.db";

fn sqlite_url(folder: &Path) -> String {
    format!("sqlite://{}", folder.join(SQLITE_FILE).display())
}

/// The bytes of a migrated SQLite database. The first call makes them.
fn sqlite_template() -> &'static [u8] {
    static TEMPLATE: OnceLock<Vec<u8>> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder for the template");
        let db = Db::open(&sqlite_url(folder.path()), 1).expect("the template opens");
        migrations::migrate(&db).expect("the template migrates");
        // A file without a log beside it.
        let copy = folder.path().join("template.db");
        let mut conn = SqliteConnection::establish(&folder.path().join(SQLITE_FILE).display().to_string());
        let copied = conn.as_mut().map(|conn| conn.batch_execute(&format!("VACUUM INTO '{}'", copy.display())));
        copied.expect("the template opens again").expect("the template is copied");
        std::fs::read(copy).expect("the template is a file")
    })
}

/// Copies the template. The first call creates and migrates it.
fn copy_template() -> String {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    let mut server = PgConnection::establish(&server_url()).expect("PostgreSQL accepts the connection");
    let process = std::process::id();
    let template = TEMPLATE.get_or_init(|| {
        let name = format!("visadesk_test_{process}_template");
        let make = format!(
            "DROP DATABASE IF EXISTS {name} WITH (FORCE); CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"
        );
        for statement in make.split("; ") {
            server.batch_execute(statement).expect("PostgreSQL makes the template");
        }
        let db = Db::open(&url_of(&name), 1).expect("the template opens");
        migrations::migrate(&db).expect("the template migrates");
        name
    });
    let name = next_name();
    // PostgreSQL's usual way, which writes each page to the WAL, takes three times as long.
    server
        .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"))
        .expect("PostgreSQL copies the template");
    name
}

/// A database name that no other test uses.
fn next_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("visadesk_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The URL of the PostgreSQL server.
pub fn server_url() -> String {
    std::env::var("VISADESK_TEST_POSTGRES_URL").expect("VISADESK_TEST_POSTGRES_URL is set")
}

/// The URL of another database of the server. Where the server has a Unix socket that lets the tests in, they use it: without TLS and a
/// password a connection takes half the time, and each test opens several.
fn url_of(database: &str) -> String {
    static SERVER: OnceLock<String> = OnceLock::new();
    let server = SERVER.get_or_init(|| by_socket(&server_url()).unwrap_or_else(server_url));
    let (address, parameters) = server.split_once('?').map_or((&**server, None), |(left, right)| (left, Some(right)));
    let (address, _) = address.rsplit_once('/').expect("the address names a database");
    match parameters {
        Some(parameters) => format!("{address}/{database}?{parameters}"),
        None => format!("{address}/{database}"),
    }
}

/// The server's URL by way of its first socket, if that accepts the user of the URL.
fn by_socket(url: &str) -> Option<String> {
    #[derive(QueryableByName)]
    struct Setting {
        #[diesel(sql_type = Text)]
        unix_socket_directories: String,
    }
    let mut server = PgConnection::establish(url).expect("PostgreSQL accepts the connection");
    let setting: Setting =
        diesel::sql_query("SHOW unix_socket_directories").get_result(&mut server).expect("it answers");
    let folder = setting.unix_socket_directories.split(',').next().filter(|folder| folder.starts_with('/'))?;
    let url = url.replacen("127.0.0.1", &folder.replace('/', "%2F"), 1);
    PgConnection::establish(&url).is_ok().then_some(url)
}
