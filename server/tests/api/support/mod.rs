//! What tests stand on.
//!
//! - `TestApp`: the program over a fresh database, with a clock of its own, on a free port.
//! - `desk.rs`: a person (or nobody, or the sales site) at the desk, who makes requests; and the answers.
//! - `visitors.rs`: an applicant, and what the public pages show.
//! - `database.rs`: fresh databases of either kind. `orders.rs`: orders, and what folders hold.
//! - `calls.rs`: every call of the contract, with a body that fits it. `errors.rs`: records the errors that calls give.
//! - `papers.rs`: files for uploads, good and hostile. `storage.rs`: an S3 server, and faults on the way to it.
//! - `mailbox.rs`: where mails arrive, and a mail server that misbehaves.
//! - `statements.rs`: what the program asks its database.
//! - `wire.rs`: HTTP by the byte, for clients that misbehave. `program.rs`: the real binary, as an operator starts it.

pub mod calls;
pub mod database;
mod desk;
mod errors;
pub mod mailbox;
pub mod orders;
pub mod papers;
pub mod program;
pub mod smtp;
pub mod statements;
pub mod storage;
mod visitors;
pub mod wire;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::middleware::from_fn;
use chrono::TimeDelta;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use tokio::net::TcpListener;
use visadesk::app::{App, Dependencies, router};
use visadesk::clock::Clock;
use visadesk::config::Config;
use visadesk::db::{Conn, Db};
use visadesk::error::Result;
use visadesk::files::Files;
use visadesk::gateways::configured;
use visadesk::http::server;
use visadesk::staff::rules::StaffType;

use self::database::FreshDatabase;
use self::desk::Who;
pub use self::desk::{Answer, Desk};

/// The password of every member that a test makes.
pub const PASSWORD: &str = "a long test password";

/// The program, running over a database of its own. It ends with the test.
pub struct TestApp {
    pub app: App,
    /// The program's clock. Shift it to see what happens later.
    pub clock: Clock,
    pub address: SocketAddr,
    http: reqwest::Client,
    // Last, so that it goes when nothing uses it any more.
    database: Arc<FreshDatabase>,
}

impl TestApp {
    /// Starts the program as tests want it: the smallest password cost, and nothing else changed.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts the program with settings of the test's own.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        Self::start_on(None, change).await
    }

    /// Starts the program over a storage of the test's own, where there is one.
    pub async fn start_on(files: Option<Files>, change: impl FnOnce(&mut Config)) -> Self {
        let database = Arc::new(FreshDatabase::make().await);
        let mut config = Config { data_dir: database.folder(), database_url: database.url(), ..Config::default() };
        config.passwords.memory_kib = 8;
        config.passwords.passes = 1;
        change(&mut config);
        Self::run(config, files, Clock::default(), database).await
    }

    /// Starts a second program over the same database and data folder, as a second node or after a restart would be.
    pub async fn another_node(&self) -> Self {
        self.another_node_with(|_| {}).await
    }

    /// The same, with settings of its own.
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
        Self::run_over(db, config, Some(files), Clock::default(), database).await
    }

    async fn run(config: Config, files: Option<Files>, clock: Clock, database: Arc<FreshDatabase>) -> Self {
        let db = database.open().await;
        Self::run_over(db, config, files, clock, database).await
    }

    async fn run_over(
        db: Db,
        config: Config,
        files: Option<Files>,
        clock: Clock,
        database: Arc<FreshDatabase>,
    ) -> Self {
        let gateways = config.gateways.clone();
        db.write(move |tx| configured::sync(tx, &gateways)).await.expect("the gateways are the config's");
        let measurements = PrometheusBuilder::new().build_recorder().handle();
        let files = files.unwrap_or_else(|| Files::open(&config).expect("the storage opens"));
        let dependencies = Dependencies { files, program: program::BINARY.into() };
        let app = App::with(dependencies, config, db, clock.clone(), measurements).expect("the program starts");

        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        let router = router::router(&app).expect("every call is in the table").layer(from_fn(errors::record));
        let served = app.clone();
        tokio::spawn(async move {
            let (limits, proxies) = (&served.config.limits, &served.kit.proxies);
            server::serve(listener, router, limits, proxies, std::future::pending()).await;
        });
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        Self { app, clock, address, http: http.expect("the client starts"), database }
    }

    /// Somebody of that type and name, with a new session. The member is made when there is none of that name.
    pub fn as_staff(&self, staff_type: StaffType, name: &str) -> Desk<'_> {
        Desk::new(self, Who::Member(staff_type, name.to_owned()))
    }

    /// Adds a member who signs in with [`PASSWORD`]; answers the id. The email is the name at visadesk.example.
    pub async fn add_member(&self, staff_type: StaffType, name: &str) -> i64 {
        desk::add_member(self, staff_type, name).await
    }

    /// Tries to sign in.
    pub async fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.anonymous().post("/admin/admin-login", json!({ "email": email, "password": password })).await
    }

    /// Nobody in particular.
    pub fn anonymous(&self) -> Desk<'_> {
        Desk::new(self, Who::Nobody)
    }

    /// Whoever sends exactly this in `Authorization`.
    pub fn with_token(&self, token: impl Into<String>) -> Desk<'_> {
        Desk::new(self, Who::Token(token.into()))
    }

    /// The sales site, by its API key.
    pub fn with_api_key(&self, key: &str) -> Desk<'_> {
        self.anonymous().with_header("x-api-key", key)
    }

    /// Moves the program's clock forward.
    pub fn later(&self, by: TimeDelta) {
        self.clock.shift(by);
    }

    /// Looks into the database.
    pub async fn read<T: Send + 'static>(&self, work: impl FnOnce(&mut Conn) -> Result<T> + Send + 'static) -> T {
        self.app.db.read(work).await.expect("the database can be read")
    }

    /// Changes the database, past the program's rules.
    pub async fn write<T: Send + 'static>(&self, work: impl Fn(&mut Conn) -> Result<T> + Send + 'static) -> T {
        self.app.db.write(work).await.expect("the database can be written")
    }

    /// The database beneath.
    pub fn db(&self) -> &Db {
        &self.app.db
    }
}
