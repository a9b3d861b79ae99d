//! The parts that commands start with: a database, logs, metrics, a runtime.

use std::io::{self, IsTerminal, Write};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::app::App;
use crate::clock::Clock;
use crate::config::{Config, LogFormat};
use crate::db::{self, DatabaseError, Db, migrations};
use crate::error::{Error, Kind, Reason as _, Result};
use crate::gateways::configured;
use crate::http::observe::REQUEST_MEASUREMENT;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// Prints a line. A closed pipe is not an error.
pub fn say(line: &str) -> Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

/// Opens the configured database.
pub fn open(config: &Config) -> Result<Db> {
    config.make_data_dir()?;
    Db::open(&config.database_url(), config.database_connections)
}

/// The time that a process waits for another one that makes or migrates the same database.
const WAIT_FOR_MIGRATION: Duration = Duration::from_secs(600);

/// The pause between two looks at such a database.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Opens the configured database and migrates it to this version's schema. Returns how many steps that took. Waits while another process does
/// the same.
pub fn open_and_migrate(config: &Config) -> Result<(Db, usize)> {
    let begin = Instant::now();
    loop {
        let opened = open(config).and_then(|db| {
            let steps = migrations::migrate(&db)?;
            Ok((db, steps))
        });
        match opened {
            Err(error)
                if error.code() == DatabaseError::DatabaseBusy.code() && begin.elapsed() < WAIT_FOR_MIGRATION =>
            {
                tracing::warn!("another process holds the database, as for a migration: waiting for it");
                sleep(LOOK_AGAIN);
            }
            opened => return opened,
        }
    }
}

/// [`open_and_migrate`], for those who need the database alone.
pub fn open_migrated(config: &Config) -> Result<Db> {
    open_and_migrate(config).map(|(db, _)| db)
}

/// Opens the configured database, migrates it, and stores the configured gateways.
pub fn open_synced(config: &Config) -> Result<Db> {
    let db = open_migrated(config)?;
    let names = config.gateways.clone();
    db.write_now(move |tx| configured::sync(tx, &names))?;
    Ok(db)
}

/// A server or worker that is about to start.
pub struct Start {
    pub config: Config,
    measurements: PrometheusHandle,
}

/// The pause between two attempts to reach the database at the start of a server or worker.
const WAIT_FOR_DATABASE: Duration = Duration::from_secs(1);

/// The interval at which samples are merged into their buckets; until then each is kept by itself.
const UPKEEP: Duration = Duration::from_secs(5);

/// The upper bounds of the buckets of request durations, in seconds.
const REQUEST_SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Installs the metrics recorder.
///
/// # Errors
/// If this process has one already.
pub fn start(config: Config) -> Result<Start> {
    let requests = Matcher::Full(REQUEST_MEASUREMENT.to_owned());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(requests, &REQUEST_SECONDS);
    let measurements = builder.map_err(Error::internal)?.install_recorder().map_err(Error::internal)?;
    Ok(Start { config, measurements })
}

impl Start {
    /// Builds the program over a migrated database. Waits while the database cannot be reached.
    ///
    /// # Errors
    /// If anything else is wrong with the database or the configuration.
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
                    tracing::warn!(reason = error.message(), "waiting for the database");
                    tokio::time::sleep(WAIT_FOR_DATABASE).await;
                }
                opened => break opened?,
            }
        };
        App::new(self.config, db, Clock::default(), self.measurements).await
    }
}

/// Runs `work` on an async runtime until it completes.
pub fn on_runtime<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::internal)?;
    let done = runtime.block_on(work);
    // A query whose caller is gone must not keep the program running: it is rolled back.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Log lines go to stderr; `RUST_LOG` chooses which, `level` and above by default.
///
/// # Errors
/// If this process has a logger already.
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
    db::log_panics();
    Ok(())
}
