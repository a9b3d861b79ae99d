//! Shared support for the tests.
//!
//! - `TestApp`: the program over a fresh database, with its own clock, on a free port.
//! - `client.rs`: an HTTP client (staff member, sales site or anonymous), and the server's answers. `http.rs`: the connections of clients.
//! - `visitors.rs`: an applicant, and the calls of the public pages.
//! - `at_once.rs`: requests that the database serves at the same time. `database.rs`: fresh databases of either kind. `orders.rs`: orders, and the contents of folders.
//! - `mails.rs`: mails of an order's past.
//! - `calls.rs`: every call of the contract, with a valid body. `expected_calls.rs`: what is expected of each. `errors.rs`: records the errors that each call returns.
//! - `passports.rs`: invented passports, and what scanners and phones do to them. `portraits.rs`: invented photographs.
//! - `sample_files.rs`: valid and hostile files for uploads. `storage.rs`: an S3 server, and network faults before it.
//! - `mailbox.rs`: an SMTP server that records mails, and one with faults. `smtp.rs`: the protocol.
//! - `statements.rs`: the SQL statements that the program sends.
//! - `wire.rs`: raw HTTP, for misbehaving clients. `program.rs`: the real binary, as an operator starts it.
//! - `waiting.rs`: waiting for an event, with a limit. `rounds.rs`: how many rounds, and the seed of what is drawn by chance.

pub mod at_once;
pub mod calls;
mod client;
pub mod damage;
pub mod database;
mod errors;
pub mod expected_calls;
pub mod http;
pub mod mailbox;
pub mod mails;
pub mod orders;
pub mod passports;
pub mod portraits;
pub mod program;
pub mod rounds;
pub mod sample_files;
pub mod smtp;
pub mod statements;
pub mod storage;
pub mod visitors;
mod waiting;
pub mod wire;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::middleware::from_fn;
use chrono::TimeDelta;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Mutex;
use visadesk::app::{App, Dependencies, router};
use visadesk::clock::Clock;
use visadesk::config::Config;
use visadesk::db::{Conn, Db};
use visadesk::error::Result;
use visadesk::files::Files;
use visadesk::gateways::configured;
use visadesk::http::server::{self, Connections};
use visadesk::staff::rules::StaffType;

use self::client::Credentials;
pub use self::client::{Answer, Client};
use self::database::{Database, FreshDatabase};
use self::program::Installation;
pub use self::waiting::{PATIENCE, until};

/// The password of every staff member that a test adds.
pub const PASSWORD: &str = "a long test password";

/// The program, running over its own database. It stops when the test ends.
pub struct TestApp {
    pub app: App,
    /// The program's clock. Shift it to see what happens later.
    pub clock: Clock,
    pub address: SocketAddr,
    /// Held while a member is added: several clients may begin as one member at once.
    adding_member: Mutex<()>,
    // The last field, because the database must be dropped after everything that uses it.
    database: Arc<FreshDatabase>,
}

impl TestApp {
    /// Starts the program with the default settings, except for the lowest password hashing cost.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts the program with changed settings.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_on(None, change).await
    }

    /// Starts the program with changed settings over a database of this kind.
    pub async fn start_over_a(database: Database, change: impl FnOnce(&mut Config)) -> Self {
        Self::start_over(None, Arc::new(FreshDatabase::make_on(database).await), change).await
    }

    /// Starts the program over the given file storage, or the default one.
    pub async fn start_on(files: Option<Files>, change: impl FnOnce(&mut Config)) -> Self {
        Self::start_over(files, Arc::new(FreshDatabase::make().await), change).await
    }

    async fn start_over(files: Option<Files>, database: Arc<FreshDatabase>, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config { data_dir: database.folder(), database_url: database.url(), ..Config::default() };
        config.passwords.memory_kib = 8;
        config.passwords.passes = 1;
        change(&mut config);
        Self::run(config, files, Clock::default(), database).await
    }

    /// Starts the program with children that may use the processor for `seconds` only, unless their own limits are lower.
    pub async fn start_with_processor_seconds(seconds: u64, change: impl FnOnce(&mut Config)) -> Self {
        let database = Arc::new(FreshDatabase::make().await);
        let program = program::with_processor_seconds(seconds, &database.folder());
        let mut config = Config { data_dir: database.folder(), database_url: database.url(), ..Config::default() };
        change(&mut config);
        let db = database.open().await;
        Self::run_over(db, program, config, None, Clock::default(), database).await
    }

    /// Starts the program over an installation.
    pub async fn on(installation: &Installation) -> Self {
        Self::start_over(None, installation.database.clone(), |_| {}).await
    }

    /// Starts a second program over the same database and data folder, as a second node or after a restart.
    pub async fn another_node(&self) -> Self {
        self.another_node_with(|_| {}).await
    }

    /// Starts a second program with changed settings.
    pub async fn another_node_with(&self, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::clone(&self.app.config);
        change(&mut config);
        let files = Some(self.app.documents.files.clone());
        Self::run(config, files, self.clock.clone(), self.database.clone()).await
    }

    /// Starts the program over another installation's database and files.
    pub async fn over(db: Db, files: Files) -> Self {
        let database = Arc::new(FreshDatabase::make_empty().await);
        let config = Config { data_dir: database.folder(), ..Config::default() };
        Self::run_over(db, program::BINARY.into(), config, Some(files), Clock::default(), database).await
    }

    async fn run(config: Config, files: Option<Files>, clock: Clock, database: Arc<FreshDatabase>) -> Self {
        let db = database.open().await;
        Self::run_over(db, program::BINARY.into(), config, files, clock, database).await
    }

    async fn run_over(
        db: Db,
        program: PathBuf,
        config: Config,
        files: Option<Files>,
        clock: Clock,
        database: Arc<FreshDatabase>,
    ) -> Self {
        let gateways = config.gateways.clone();
        db.write(move |tx| configured::sync(tx, &gateways)).await.expect("the gateways match the config");
        let measurements = PrometheusBuilder::new().build_recorder().handle();
        let files = files.unwrap_or_else(|| Files::open(&config).expect("the storage opens"));
        let dependencies = Dependencies { files, program };
        let app = App::with(dependencies, config, db, clock.clone(), measurements).await.expect("the program starts");

        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let router = router::router(&app).expect("every call is in the table").layer(from_fn(errors::record));
        let app_to_serve = app.clone();
        tokio::spawn(async move {
            server::serve(listener, router, Connections::of(&app_to_serve.kit), std::future::pending()).await;
        });
        Self { app, clock, address, adding_member: Mutex::new(()), database }
    }

    /// A client signed in as a staff member of this type and name, in a new session. Adds the member if missing.
    pub fn as_staff(&self, staff_type: StaffType, name: &str) -> Client<'_> {
        Client::new(self, Credentials::Member(staff_type, name.to_owned()))
    }

    /// Adds a staff member who signs in with [`PASSWORD`] and returns the id. The email is the name at visadesk.example.
    pub async fn add_member(&self, staff_type: StaffType, name: &str) -> i64 {
        client::add_member(self, staff_type, name).await
    }

    /// Attempts to sign in.
    pub async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.anonymous().post("/admin/admin-login", json!({ "email": email, "password": password })).await
    }

    /// A client without credentials.
    pub fn anonymous(&self) -> Client<'_> {
        Client::new(self, Credentials::Anonymous)
    }

    /// A client that sends exactly this `Authorization` header.
    pub fn with_token(&self, token: impl Into<String>) -> Client<'_> {
        Client::new(self, Credentials::Token(token.into()))
    }

    /// A client that sends this API key, as the sales site does.
    pub fn with_api_key(&self, key: &str) -> Client<'_> {
        self.anonymous().with_header("x-api-key", key)
    }

    /// Moves the program's clock forward.
    pub fn later(&self, by: TimeDelta) {
        self.clock.shift(by);
    }

    /// Stops the program's clock at the beginning of its next hour: what is counted by the hour is then counted in one.
    pub fn begin_hour(&self) {
        self.clock.stop();
        let into_hour = self.clock.now().timestamp() % 3_600;
        self.later(TimeDelta::seconds(3_600 - into_hour));
    }

    /// Reads from the database.
    pub async fn read<T: Send + 'static>(&self, work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static) -> T {
        self.app.db.read(work).await.expect("the database can be read")
    }

    /// Changes the database directly, without the program's rules.
    pub async fn write<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> T {
        self.app.db.write(work).await.expect("the database can be written")
    }

    /// The program's database.
    pub fn db(&self) -> &Db {
        &self.app.db
    }
}
