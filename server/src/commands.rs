//! The command line. Each command says what it does, and what to do when it fails.

mod serve;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use axum::http::StatusCode;
use clap::{Parser, Subcommand};
use metrics_exporter_prometheus::PrometheusBuilder;
use tracing_subscriber::EnvFilter;
use visadesk::app::{self, App};
use visadesk::audit::seals;
use visadesk::chargebacks::packs::templates::PackTemplates;
use visadesk::clock::Clock;
use visadesk::config::{Config, LogFormat};
use visadesk::db::{self, Db, migrations};
use visadesk::documents::check;
use visadesk::documents::inspection::verdict;
use visadesk::error::{Error, Result};
use visadesk::files::Files;
use visadesk::gateways::roster;
use visadesk::http;
use visadesk::intake::import::{self, Import};
use visadesk::intake::keys;
use visadesk::intake::seed::{self, Seed};
use visadesk::mail::templates::Templates;
use visadesk::mail::transports::Transports;
use visadesk::pdf;
use visadesk::staff::command::{self, Typed};
use visadesk::staff::demo;
use visadesk::staff::passwords::Passwords;

/// Visadesk: the back office of an agency that sells e-visa applications.
#[derive(Parser)]
#[command(version, about)]
pub struct Cli {
    /// A TOML file of settings. Each can also come from the environment, as VISADESK_ and its name.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serves the API and the web app, and does the background work.
    Serve {
        /// Leaves the background work to `visadesk work`.
        #[arg(long)]
        no_worker: bool,
    },
    /// Does the background work alone.
    Work,
    /// Brings the database to this version's schema.
    Migrate,
    /// Prints the settings in force, with secrets masked.
    CheckConfig,
    /// Manages members of staff.
    Staff {
        #[command(subcommand)]
        what: StaffCommand,
    },
    /// Manages the keys by which sales sites bring in orders.
    ApiKey {
        #[command(subcommand)]
        what: ApiKeyCommand,
    },
    /// Imports orders from a file of NDJSON or CSV. Valid rows are kept, refused ones reported, none taken twice.
    Import {
        file: PathBuf,
        /// Says what would happen, and changes nothing.
        #[arg(long)]
        dry_run: bool,
        /// Where refused rows are reported; the terminal by default.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Fills an empty database with invented orders, the same for the same numbers.
    Seed {
        #[arg(long, default_value_t = 2_000)]
        orders: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Adds one member of staff of each type, with a password that everybody knows, and prints them.
        #[arg(long)]
        demo_staff: bool,
    },
    /// Reads every file that the database names, and reports each that is missing or changed.
    CheckFiles,
    /// Checks every seal of the audit, and names the first range of rows that was altered.
    VerifyAudit,
    /// Looks into the file on standard input. The server starts this for each upload.
    #[command(hide = true)]
    InspectFile,
    /// Typesets the document on standard input. The server starts this for each defence pack.
    #[command(hide = true)]
    Typeset,
    /// Prints the HTTP contract as OpenAPI.
    Openapi,
}

#[derive(Subcommand)]
enum StaffCommand {
    /// Adds a member, such as the first Admin.
    Add {
        #[arg(long)]
        name: String,
        #[arg(long)]
        email: String,
        /// Admin, Manager, Team, Telecaller or Night Staff.
        #[arg(long = "type", value_name = "TYPE")]
        staff_type: String,
        /// Reads the password from standard input, where no list of processes shows it.
        #[arg(long, required = true)]
        password_stdin: bool,
    },
}

#[derive(Subcommand)]
enum ApiKeyCommand {
    /// Makes a key and prints it, once.
    Add { name: String },
    /// Ends a key.
    Revoke { name: String },
}

impl Cli {
    pub fn run(self) -> ExitCode {
        match self.command() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("visadesk: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn command(self) -> Result<()> {
        if let Command::Openapi = self.command {
            return say(&http::contract().to_pretty_json().map_err(Error::internal)?);
        }
        // Before any setting is read: it shall know none.
        match self.command {
            Command::InspectFile => return verdict::run(),
            Command::Typeset => return pdf::run(),
            _ => {}
        }
        let config = Config::load(self.config.as_deref())?;
        match self.command {
            Command::Serve { no_worker } => on_runtime(serve::serve(start(config)?, !no_worker)),
            Command::Work => on_runtime(serve::work(start(config)?)),
            Command::Migrate => {
                let steps = migrations::migrate(&open(&config)?)?;
                say(&format!("The database is up to date (new steps: {steps})."))
            }
            Command::CheckConfig => {
                Templates::open(&config)?;
                Transports::open(&config)?;
                PackTemplates::open(&config, &app::this_program()?)?;
                config.warnings().iter().for_each(|warning| eprintln!("visadesk: {warning}"));
                say(config.masked()?.trim_end())
            }
            Command::Staff { what: StaffCommand::Add { name, email, staff_type, password_stdin: _ } } => {
                let mut password = String::new();
                io::stdin().read_line(&mut password).map_err(Error::internal)?;
                let password = password.trim_end_matches(['\r', '\n']);
                let typed = Typed { name: &name, email: &email, staff_type: &staff_type, password };
                let (db, passwords) = (open_migrated(&config)?, Passwords::new(&config.passwords)?);
                command::add(&db, &Clock::default(), &passwords, typed)?;
                say(&format!("{name} can sign in now."))
            }
            Command::ApiKey { what } => {
                let (db, now) = (open_migrated(&config)?, Clock::default().now());
                match what {
                    ApiKeyCommand::Add { name } => say(&keys::add_by_hand(&db, name, now)?),
                    ApiKeyCommand::Revoke { name } => keys::revoke_by_hand(&db, name, now),
                }
            }
            Command::Import { file, dry_run, report } => {
                let what = Import { file, dry_run, report };
                let summary = import::run(&open_migrated(&config)?, &Clock::default(), &config, &what)?;
                say(&summary.to_string())
            }
            Command::Seed { orders, seed, demo_staff } => {
                let (db, files, clock) = (open_migrated(&config)?, Files::open(&config)?, Clock::default());
                let people = match demo_staff {
                    true => Some(demo::add(&db, &clock, &Passwords::new(&config.passwords)?)?),
                    false => None,
                };
                on_runtime(seed::run(&db, &files, &clock, &config, Seed { orders, seed }))?;
                people.map_or(Ok(()), |people| say(&people))
            }
            Command::CheckFiles => on_runtime(check_files(open_migrated(&config)?, Files::open(&config)?)),
            Command::VerifyAudit => say(&seals::verify(&open_migrated(&config)?)?.to_string()),
            Command::Openapi | Command::InspectFile | Command::Typeset => Ok(()),
        }
    }
}

async fn check_files(db: Db, files: Files) -> Result<()> {
    let found = check::run(&db, &files, |fault| say(&fault)).await?;
    match found.faults {
        0 => say(&format!("All {} files are there and as they were stored.", found.files)),
        faults => Err(Error::invalid(format!("{faults} of {} files are missing or changed", found.files))),
    }
}

/// Prints a line. Whoever reads it may have gone: that is no failure of the command.
fn say(line: &str) -> Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

fn open(config: &Config) -> Result<Db> {
    config.make_data_dir()?;
    Db::open(&config.database_url(), config.database_connections)
}

fn open_migrated(config: &Config) -> Result<Db> {
    let db = open(config)?;
    migrations::migrate(&db)?;
    Ok(db)
}

/// The database as a server or worker needs it: migrated, and with the gateways that the config names.
fn open_settled(config: &Config) -> Result<Db> {
    let db = open_migrated(config)?;
    let names = config.gateways.clone();
    db.write_now(move |tx| roster::settle(tx, &names))?;
    Ok(db)
}

/// What a server or worker starts with: logs and measurements.
struct Start {
    config: Config,
    measurements: metrics_exporter_prometheus::PrometheusHandle,
}

/// The pause between two tries to reach a database that is away when a server or worker starts.
const WAIT_FOR_DATABASE: Duration = Duration::from_secs(1);

fn start(config: Config) -> Result<Start> {
    log_to_stderr(config.log_format)?;
    let measurements = PrometheusBuilder::new().install_recorder().map_err(Error::internal)?;
    Ok(Start { config, measurements })
}

impl Start {
    /// The program over an open, migrated database. One that cannot be reached is waited for; whatever else is wrong with it
    /// is an error.
    async fn app(self) -> Result<App> {
        let db = loop {
            let config = self.config.clone();
            let opened = tokio::task::spawn_blocking(move || open_settled(&config)).await.map_err(Error::internal)?;
            match opened {
                Err(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => {
                    tracing::warn!(reason = error.message(), "the database is waited for");
                    tokio::time::sleep(WAIT_FOR_DATABASE).await;
                }
                opened => break opened?,
            }
        };
        App::new(self.config, db, Clock::default(), self.measurements)
    }
}

fn on_runtime(work: impl Future<Output = Result<()>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::internal)?;
    let done = runtime.block_on(work);
    // A query that nobody waits for any more must not keep the program from ending: it is undone.
    runtime.shutdown_timeout(Duration::from_secs(1));
    done
}

/// Log lines go to stderr; `RUST_LOG` chooses which, by default `info`.
fn log_to_stderr(format: LogFormat) -> Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
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
