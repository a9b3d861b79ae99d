//! `cargo xtask test`: everything that must hold before a change lands.

use std::cell::OnceCell;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::Value;

use crate::advisories::{self, Checked};
use crate::cargo::cargo;
use crate::debian::{Need, ensure_all};
use crate::e2e::{self, Driven};
use crate::postgres::Cluster;
use crate::report::{Outcome, Report};
use crate::web::{self, Packages};
use crate::workspace::Workspace;
use crate::{deny, errors, fuzz, generate, progress, run};

#[derive(clap::Args)]
pub struct Options {
    /// Run the many-rounds form of the tests that have one
    #[arg(long)]
    long: bool,
    /// Run only this step (may be given more than once)
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Write the errors that the server's tests saw into contract/errors.json
    #[arg(long)]
    update_errors: bool,
}

/// The steps, in the order they run: the quickest answer first. The web app comes before the server, because the
/// server's binary holds it: the other way round the server would be built twice.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// rustfmt would change nothing
    Fmt,
    /// Licences and sources of the crates
    Deny,
    /// Known holes of the crates and packages
    Advisories,
    /// oxlint and oxfmt
    WebLint,
    /// The TypeScript compiler
    WebTypes,
    /// The web app's unit tests
    WebUnit,
    /// The web app builds and stays within its size budgets
    WebBuild,
    /// Everything compiles, without a warning of rustc or Clippy
    Clippy,
    /// All Rust tests, the server's on SQLite
    ServerSqlite,
    /// Generated requests against the contract
    Fuzz,
    /// The server's tests on PostgreSQL
    ServerPostgres,
    /// The contract and the types made from it are what the code says
    Gen,
    /// The program that a first start serves, before its typesetter is built
    FirstStart,
    /// The browser tests
    E2e,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Step::Fmt => "fmt",
            Step::Deny => "deny",
            Step::Advisories => "advisories",
            Step::WebLint => "web-lint",
            Step::WebTypes => "web-types",
            Step::WebUnit => "web-unit",
            Step::WebBuild => "web-build",
            Step::Clippy => "clippy",
            Step::ServerSqlite => "server-sqlite",
            Step::Fuzz => "fuzz",
            Step::ServerPostgres => "server-postgres",
            Step::Gen => "gen",
            Step::FirstStart => "first-start",
            Step::E2e => "e2e",
        }
    }

    /// The programs it needs beside those of cargo and npm.
    fn needs(self, is_long: bool) -> &'static [Need] {
        match self {
            Step::ServerSqlite => &[Need::Poppler, Need::OpenSsl, Need::Tesseract],
            Step::Fuzz => &[Need::PythonVenv],
            Step::ServerPostgres => &[Need::Poppler, Need::OpenSsl, Need::Postgres, Need::Tesseract],
            Step::E2e if is_long => &[
                Need::Chromium,
                Need::HeadlessShell,
                Need::Fonts,
                Need::FakeTime,
                Need::Firefox,
                Need::OpenSsl,
                Need::Postgres,
            ],
            Step::E2e => {
                &[Need::Chromium, Need::HeadlessShell, Need::Fonts, Need::FakeTime, Need::OpenSsl, Need::Postgres]
            }
            _ => &[],
        }
    }
}

/// Runs the steps, all of them even when one fails, and prints the minutes of each.
///
/// # Errors
/// If something that a step needs is missing, or a step failed.
pub fn test(workspace: &Workspace, options: &Options) -> Result<()> {
    let is_wanted = |step: &&Step| options.only.is_empty() || options.only.contains(step);
    let steps: Vec<Step> = Step::value_variants().iter().filter(is_wanted).copied().collect();
    let mut needs: Vec<Need> = steps.iter().flat_map(|step| step.needs(options.long)).copied().collect();
    needs.sort_unstable();
    needs.dedup();
    ensure_all(workspace, &needs)?;
    // What Clippy checks and what the tests run is one compilation.
    workspace.lint.set(true);
    let run = TestRun { workspace, options, cluster: OnceCell::new() };
    let mut report = Report::default();
    for step in steps {
        println!("\n==== {}", step.name());
        let start = Instant::now();
        let outcome = match run.step(step) {
            Ok(Checked::Clean) => Outcome::Passed,
            Ok(Checked::Not(what)) => Outcome::NotChecked(what),
            Err(error) => {
                println!("{} failed: {error:#}", step.name());
                Outcome::Failed
            }
        };
        report.add(step.name(), start.elapsed(), outcome);
    }
    drop(run);
    println!("\n{report}");
    fs::write(workspace.step_lengths(), report.to_string())?;
    match report.failed() {
        0 => Ok(()),
        _ => {
            bail!("a step failed; look for its `==== name` above, and run it alone with `cargo xtask test --only name`")
        }
    }
}

/// What the steps share.
struct TestRun<'a> {
    workspace: &'a Workspace,
    options: &'a Options,
    cluster: OnceCell<Cluster>,
}

impl TestRun<'_> {
    fn step(&self, step: Step) -> Result<Checked> {
        let workspace = self.workspace;
        match step {
            Step::Fmt => {
                cargo(workspace, "fmt").args(["--all", "--check"]).run()?;
                let bare = ["--manifest-path", "xtask/bench/bare/Cargo.toml", "--check"];
                cargo(workspace, "fmt").args(bare).run()?;
            }
            Step::Deny => deny::check(workspace)?,
            Step::Advisories => {
                let (crates, packages) = (advisories::crates(workspace)?, advisories::packages(workspace)?);
                return Ok(if crates == Checked::Clean { packages } else { crates });
            }
            Step::WebLint => self.web()?.script("lint")?,
            Step::WebTypes => self.web()?.script("types")?,
            Step::WebUnit => self.web()?.script("test")?,
            Step::WebBuild => {
                web::build(workspace)?;
                self.web()?.script("budgets")?;
            }
            Step::Clippy => clippy(workspace)?,
            Step::ServerSqlite => {
                let seen = errors::fresh_file(workspace)?;
                self.rust_tests(&["--workspace"], "sqlite", "", Some(&seen))?;
                errors::compare(workspace, &seen, self.options.update_errors)?;
            }
            Step::Fuzz => fuzz::run(workspace, if self.options.long { 50_000 } else { 2_000 })?,
            // What has nothing to do with a database ran on SQLite.
            Step::ServerPostgres => {
                let which = ["--package=visadesk", "--test=api", "--", "--skip=tidy::", "--skip=contract::"];
                self.rust_tests(&which, "postgres", &self.cluster()?.url, None)?;
            }
            Step::Gen => generate::generate(workspace, &generate::Options { check: true })?,
            Step::FirstStart => run::try_first_start(workspace)?,
            Step::E2e => {
                let driven = if self.options.long { Driven::Release } else { Driven::Development };
                e2e::run(workspace, self.cluster()?, driven)?;
            }
        }
        Ok(Checked::Clean)
    }

    fn rust_tests(&self, which: &[&str], database: &str, postgres_url: &str, errors: Option<&Path>) -> Result<()> {
        let mut command = cargo(self.workspace, "test").arg("--locked").args(which);
        // Half of a test's time is waiting: for a program to start, for a disk, for PostgreSQL.
        let threads = 2 * thread::available_parallelism()?.get();
        command = command.env("RUST_TEST_THREADS", threads.to_string());
        command = command.env("VISADESK_TEST_DATABASE", database).env("VISADESK_TEST_POSTGRES_URL", postgres_url);
        if let Some(file) = errors {
            command = command.env("VISADESK_TEST_ERRORS", file);
        }
        if self.options.long {
            command = command.env("VISADESK_TEST_LONG", "1");
        }
        Ok(command.run()?)
    }

    fn web(&self) -> Result<Packages<'_>> {
        Packages::ensure(self.workspace, "web")
    }

    /// The PostgreSQL of this run, started when the first step asks for it.
    fn cluster(&self) -> Result<&Cluster> {
        if let Some(cluster) = self.cluster.get() {
            return Ok(cluster);
        }
        let cluster = Cluster::start(self.workspace)?;
        Ok(self.cluster.get_or_init(|| cluster))
    }
}

/// Compiles everything that the tests run and refuses every warning. `cargo clippy` would check all dependencies once more,
/// because a check and a build share nothing.
fn clippy(workspace: &Workspace) -> Result<()> {
    let args = ["--locked", "--workspace", "--no-run"];
    progress::run(cargo(workspace, "test").args(args), "Compiling the tests")?;
    // Now all of it is fresh: cargo repeats the warnings that it has kept, and compiles nothing.
    let mut command = Command::from(cargo(workspace, "test").args(args).arg("--message-format=json"));
    let mut cargo = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("cannot start cargo")?;
    let mut warnings = 0;
    for line in BufReader::new(cargo.stdout.take().context("cargo has no output")?).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        if message["message"]["level"] == "warning" && message["message"]["spans"] != Value::Array(Vec::new()) {
            warnings += 1;
        }
    }
    ensure!(cargo.wait()?.success(), "cargo failed");
    ensure!(warnings == 0, "{warnings} warnings; they are printed above");
    Ok(())
}
