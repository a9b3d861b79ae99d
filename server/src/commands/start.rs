//! What the commands start with: an open database, logs, measurements, a runtime.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use visadesk::app::App;
use visadesk::clock::Clock;
use visadesk::config::{Config, LogFormat};
use visadesk::db::{self, Db, migrations};
use visadesk::error::{Error, Kind, Result};
use visadesk::gateways::configured;
use visadesk::http::observe::REQUEST_MEASUREMENT;

/// Prints a line. A reader that has gone is no failure of the command.
pub fn say(line: &str) -> Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

/// Opens the database that the settings name.
pub fn open(config: &Config) -> Result<Db> {
    config.make_data_dir()?;
    Db::open(&config.database_url(), config.database_connections)
}

/// The same, with this version's schema.
pub fn open_migrated(config: &Config) -> Result<Db> {
    let db = open(config)?;
    migrations::migrate(&db)?;
    Ok(db)
}

/// The database as a server or worker needs it: migrated, and with the gateways that the config names.
pub fn open_synced(config: &Config) -> Result<Db> {
    let db = open_migrated(config)?;
    let names = config.gateways.clone();
    db.write_now(move |tx| configured::sync(tx, &names))?;
    Ok(db)
}

/// What a server or worker starts with: logs and measurements.
pub struct Start {
    pub config: Config,
    measurements: PrometheusHandle,
}

/// The pause between two tries to reach a database that is away when a server or worker starts.
const WAIT_FOR_DATABASE: Duration = Duration::from_secs(1);

/// How often measurements are folded into their buckets: until then each is kept by itself.
const UPKEEP: Duration = Duration::from_secs(5);

/// The upper bounds of the buckets of how long requests take, in seconds.
const REQUEST_SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Begins to measure.
///
/// # Errors
/// If this process measures already.
pub fn start(config: Config) -> Result<Start> {
    let requests = Matcher::Full(REQUEST_MEASUREMENT.to_owned());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(requests, &REQUEST_SECONDS);
    let measurements = builder.map_err(Error::internal)?.install_recorder().map_err(Error::internal)?;
    Ok(Start { config, measurements })
}

impl Start {
    /// The program over an open, migrated database. One that cannot be reached is waited for; whatever else is wrong with it
    /// is an error.
    pub async fn app(self) -> Result<App> {
        let measurements = self.measurements.clone();
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(UPKEEP);
            loop {
                ticks.tick().await;
                measurements.run_upkeep();
            }
        });
        let db = loop {
            let config = self.config.clone();
            let opened = tokio::task::spawn_blocking(move || open_synced(&config)).await.map_err(Error::internal)?;
            match opened {
                Err(error) if error.kind() == Kind::Unavailable => {
                    tracing::warn!(reason = error.message(), "the database is waited for");
                    tokio::time::sleep(WAIT_FOR_DATABASE).await;
                }
                opened => break opened?,
            }
        };
        App::new(self.config, db, Clock::default(), self.measurements)
    }
}

/// Runs `work` on an async runtime, to its end.
pub fn on_runtime(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::internal)?;
    let done = runtime.block_on(work);
    // A query that nobody waits for any more must not keep the program from ending: it is undone.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Log lines go to stderr; `RUST_LOG` chooses which, `level` and above by default.
///
/// # Errors
/// If this process logs already.
pub fn log_to_stderr(format: LogFormat, level: &str) -> Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    // Below info the client logs the values that it sends, which are people's data.
    let filter = filter.add_directive("tokio_postgres=info".parse().map_err(Error::internal)?);
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(io::stderr().is_terminal()).with_writer(io::stderr);
    let started = match format {
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).try_init(),
        LogFormat::Text => lines.try_init(),
    };
    started.map_err(Error::internal)?;
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string);
        let said = db::panic_text(panic.payload());
        tracing::error!(at, said, "panic");
    }));
    Ok(())
}
