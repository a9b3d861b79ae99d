//! The command line.

mod api_key;
mod copies;
mod errors;
mod proxy;
mod serve;
mod start;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::app::{self, FILE_OWNERS, router};
use crate::audit::chain;
use crate::backup::schedule::Schedule;
use crate::chargebacks::packs::templates::PackTemplates;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::deliveries::{pages, text};
use crate::demo::people;
use crate::demo::seed::{self, Seed};
use crate::documents::check;
use crate::documents::inspection::inspect;
use crate::documents::page_images;
use crate::error::{Error, Result};
use crate::files::Files;
use crate::intake::command as api_keys;
use crate::intake::import::workbook::conversion;
use crate::intake::import::{self, Import};
use crate::mail::rules as mail_rules;
use crate::mail::templates::Templates;
use crate::mail::transports::Transports;
use crate::papers::{inspect as papers, ocr};
use crate::pdf;
use crate::staff::command::{self, TypedMember};
use crate::staff::passwords::Passwords;
use crate::staff::rules::second_factor::SecondFactorRule;
use crate::visas;
use clap::{Parser, Subcommand};

use self::api_key::ApiKeyArguments;
use self::copies::{RestoreFrom, WantedBackup};
use self::errors::CommandError;
use self::start::{log_to_stderr, on_runtime, open_and_migrate, open_migrated, say, start};

/// Visadesk: the back office of an agency that sells e-visa applications.
#[derive(Parser)]
#[command(version, about)]
struct Cli {
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
    /// Does only the background work.
    Work,
    /// Brings the database to this version's schema.
    Migrate,
    /// Prints the effective settings, with secrets masked.
    CheckConfig,
    /// Manages members of staff.
    Staff {
        #[command(subcommand)]
        what: StaffCommand,
    },
    /// Manages the API keys of sales sites.
    ApiKey {
        #[command(subcommand)]
        what: ApiKeyCommand,
    },
    /// Imports orders from a file of NDJSON, CSV or XLSX. Valid rows are stored, refused ones reported, none imported twice.
    Import {
        file: PathBuf,
        /// Reports what would happen and changes nothing.
        #[arg(long)]
        dry_run: bool,
        /// Imports all rows in one transaction, and nothing if a row is refused.
        #[arg(long)]
        all_or_nothing: bool,
        /// A CSV file for people, which only you may read: every value that was refused, kept as it was entered, filled or not changed.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Fills an empty database with invented orders, the same for the same numbers.
    Seed {
        #[arg(long, default_value_t = 2_000)]
        orders: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Adds one member of staff of each type, with a publicly known password, and prints them.
        #[arg(long)]
        demo_staff: bool,
    },
    /// Copies the database, the files and the secret key to a folder or a bucket, while the program goes on.
    Backup {
        /// A folder, or s3://BUCKET/PREFIX with the AWS_ variables of the environment.
        place: String,
        /// An age public key (age1…) to encrypt the backup with. Without it the backup is not encrypted.
        #[arg(long, value_name = "KEY")]
        recipient: Option<String>,
    },
    /// Reads a whole backup, and reports each object of it that is missing or damaged.
    VerifyBackup(WantedBackup),
    /// Restores a backup into an empty database, storage of files and data folder: those that the settings name.
    Restore(RestoreFrom),
    /// Reads every file that the database names, and reports each that is missing or changed.
    CheckFiles,
    /// Verifies the hash chain of the audit, and names the first range of rows that was altered.
    VerifyAudit,
    /// Inspects the file on standard input. The server starts this for each upload.
    #[command(hide = true)]
    InspectFile,
    /// Renders a page of the PDF on standard input. The server starts this for each page that staff look at.
    #[command(hide = true)]
    RenderPage,
    /// Writes the text of the PDF on standard input. The server starts this for each issued visa.
    #[command(hide = true)]
    ReadText,
    /// Looks into the paper on standard input. The server starts this for each check.
    #[command(hide = true)]
    ReadPaper,
    /// Becomes Tesseract, confined to it. The server starts this for each line that is read.
    #[command(hide = true)]
    ReadLetters { tesseract: PathBuf },
    /// Becomes Tesseract, confined to it. The server starts this for each page of a scanned visa.
    #[command(hide = true)]
    ReadPage { tesseract: PathBuf },
    /// Draws the pages of the visa on standard input. The server starts this for each issued visa without a text.
    #[command(hide = true)]
    DrawVisa,
    /// Writes the sheet of orders of the workbook on standard input as CSV. The import of a workbook starts this.
    #[command(hide = true)]
    ReadWorkbook,
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
    /// Removes the second factor of a member who lost it, and ends their sessions.
    RemoveSecondFactor {
        /// The email address that the member signs in with.
        email: String,
    },
}

#[derive(Subcommand)]
enum ApiKeyCommand {
    /// Creates a key and prints it, once. Without options it may do everything, from everywhere, for ever.
    Add(ApiKeyArguments),
    /// Prints the keys, without their secrets: what limits each, and when it was last used.
    List,
    /// Revokes a key.
    Revoke { name: String },
}

/// Runs the command that the program's arguments name.
pub fn run() -> ExitCode {
    Cli::parse().run()
}

impl Cli {
    fn run(self) -> ExitCode {
        match self.command() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("visadesk: {error}");
                ExitCode::FAILURE
            }
        }
    }

    fn command(self) -> Result<()> {
        // Files contain personal data, so they are created without permissions for group and others.
        rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
        if let Command::Openapi = self.command {
            return say(&router::contract().to_pretty_json().map_err(Error::internal)?);
        }
        // Before any setting is read: it shall know none.
        match &self.command {
            Command::InspectFile => return inspect::run(),
            Command::RenderPage => return page_images::run(),
            Command::ReadText => return text::run(),
            Command::ReadPaper => return papers::run(),
            Command::ReadLetters { tesseract } => return ocr::run(tesseract, ocr::Subject::Zone),
            Command::ReadPage { tesseract } => return ocr::run(tesseract, ocr::Subject::Page),
            Command::DrawVisa => return pages::run(),
            Command::ReadWorkbook => return conversion::run(),
            Command::Typeset => return pdf::run(),
            _ => {}
        }
        let config = Config::load(self.config.as_deref())?;
        let is_service = matches!(self.command, Command::Serve { .. } | Command::Work);
        log_to_stderr(config.log_format, if is_service { "info" } else { "warn" })?;
        match self.command {
            Command::Serve { no_worker } => on_runtime(serve::serve(start(config)?, !no_worker)),
            Command::Work => on_runtime(serve::work(start(config)?)),
            Command::Migrate => {
                let (_, steps) = open_and_migrate(&config)?;
                say(&format!("The database is up to date (new steps: {steps})."))
            }
            Command::CheckConfig => {
                Templates::open(&config)?;
                Transports::open(&config)?;
                PackTemplates::open(&config, &app::this_program()?)?;
                Schedule::of(&config)?;
                visas::rules::check_release(&config.release_by_window)?;
                SecondFactorRule::of(&config.second_factor)?;
                config.warnings().iter().for_each(|warning| eprintln!("visadesk: {warning}"));
                mail_rules::missing_provider(&config.mail).iter().for_each(|missing| eprintln!("visadesk: {missing}"));
                serve::unconfined_children().iter().for_each(|warning| eprintln!("visadesk: {warning}"));
                on_runtime(async { Ok(proxy::fault(&config).await) })?
                    .iter()
                    .for_each(|fault| eprintln!("visadesk: {fault}"));
                say(config.masked()?.trim_end())
            }
            Command::Staff { what: StaffCommand::Add { name, email, staff_type, password_stdin: _ } } => {
                let mut password = String::new();
                io::stdin().read_line(&mut password).map_err(Error::internal)?;
                let password = password.trim_end_matches(['\r', '\n']);
                let typed = TypedMember { name: &name, email: &email, staff_type: &staff_type, password };
                let (db, passwords) = (open_migrated(&config)?, Passwords::new(&config.passwords)?);
                command::add(&db, &Clock::default(), &passwords, typed)?;
                say(&format!("{name} can sign in now."))
            }
            Command::Staff { what: StaffCommand::RemoveSecondFactor { email } } => {
                command::remove_second_factor(&open_migrated(&config)?, &Clock::default(), &email)?;
                say(&format!("{email} can sign in with the password alone now."))
            }
            Command::ApiKey { what } => {
                let (db, now) = (open_migrated(&config)?, Clock::default().now());
                match what {
                    ApiKeyCommand::Add(new) => say(&api_keys::add(&db, &new.into(), now, config.time_zone)?),
                    ApiKeyCommand::List => say(&api_keys::list(&db, now, config.time_zone)?),
                    ApiKeyCommand::Revoke { name } => api_keys::revoke(&db, name, now),
                }
            }
            Command::Import { file, dry_run, all_or_nothing, report } => {
                let what = Import { file, dry_run, all_or_nothing, report, program: app::this_program()? };
                let (db, clock) = (open_migrated(&config)?, Clock::default());
                let summary = import::run(&db, &clock, &config, &what, &mut std::io::stdout().lock())?;
                summary.notes.iter().for_each(|note| eprintln!("visadesk: {note}"));
                say(&summary.to_string())
            }
            Command::Seed { orders, seed, demo_staff } => {
                let (db, files, clock) = (open_migrated(&config)?, Files::open(&config)?, Clock::default());
                let people = match demo_staff {
                    true => Some(people::add(&db, &clock, &Passwords::new(&config.passwords)?)?),
                    false => None,
                };
                on_runtime(seed::run(&db, &files, &clock, &config, Seed { orders, seed }))?;
                people.map_or(Ok(()), |people| say(&people))
            }
            Command::Backup { place, recipient } => on_runtime(copies::backup(config, place, recipient)),
            Command::VerifyBackup(wanted) => on_runtime(copies::verify(wanted)),
            Command::Restore(from) => on_runtime(copies::restore(config, from)),
            Command::CheckFiles => on_runtime(check_files(open_migrated(&config)?, Files::open(&config)?)),
            Command::VerifyAudit => say(&chain::verify(&open_migrated(&config)?)?.to_string()),
            Command::Openapi
            | Command::InspectFile
            | Command::RenderPage
            | Command::ReadText
            | Command::ReadPaper
            | Command::ReadLetters { .. }
            | Command::ReadPage { .. }
            | Command::DrawVisa
            | Command::ReadWorkbook
            | Command::Typeset => Ok(()),
        }
    }
}

async fn check_files(db: Db, files: Files) -> Result<()> {
    let found = check::run(&db, &files, FILE_OWNERS, |fault| say(&fault)).await?;
    match found.faults {
        0 => say(&format!("All {} files are there and as they were stored.", found.files)),
        faults => Err(CommandError::FilesFaulty { faults, files: found.files }.into()),
    }
}
