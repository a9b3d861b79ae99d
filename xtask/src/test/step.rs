//! The steps: what each needs, what it waits for, and what it does.

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Options, Postgres, rust_tests};
use crate::cargo::cargo;
use crate::e2e::{self, Driven};
use crate::needs::Need;
use crate::stamp::Stamp;
use crate::web::{self, Packages};
use crate::workspace::Workspace;
use crate::{advisories, corpora, deny, errors, fuzz, generate, mutants, run};

/// The steps. Those of a lane run in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Step {
    /// The web app builds and stays within its size budgets. First, because the server's binary holds the app
    WebBuild,
    /// rustfmt would change nothing
    Fmt,
    /// oxlint and oxfmt, of the browser tests too
    WebLint,
    /// The TypeScript compiler, for the browser tests too
    WebTypes,
    /// The web app's unit tests
    WebUnit,
    /// Licences and sources of the crates
    Deny,
    /// Known holes of the crates and packages
    Advisories,
    /// Everything compiles, without a warning of rustc or Clippy
    Clippy,
    /// All Rust tests, the server's on SQLite
    ServerSqlite,
    /// The server's tests on PostgreSQL, without those that touch no database
    ServerPostgres,
    /// The contract and the types made from it are what the code says
    Gen,
    /// Generated requests against the contract
    Fuzz,
    /// The program that a first start serves, before its typesetter is built; if its inputs have changed, or with --long
    FirstStart,
    /// The browser tests
    E2e,
    /// The bench compiles, and so do the servers that it compares with; with --long alone
    Bench,
    /// Public collections of PDFs are taken as they were when somebody looked; with --long alone
    Corpora,
    /// The tests detect every fault of the catalogue; with --long alone
    Mutants,
}

/// Steps that run one after another, beside those of the other lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Everything that compiles or fills the machine
    Server,
    /// Node and other tools, at a lower priority
    Web,
    /// Tools that use one core, beside the tests on PostgreSQL
    Contract,
}

/// A step's surroundings.
pub struct Run<'a> {
    pub workspace: &'a Workspace,
    pub options: &'a Options,
}

/// The programs that the steps need beside those of cargo, each once.
pub fn needs_of(steps: &[Step], is_long: bool) -> Vec<Need> {
    let mut needs: Vec<Need> = steps.iter().flat_map(|step| step.needs(is_long)).copied().collect();
    needs.sort_unstable();
    needs.dedup();
    needs
}

impl Step {
    /// The name on the command line and in the report.
    pub fn name(self) -> &'static str {
        match self {
            Step::WebBuild => "web-build",
            Step::Fmt => "fmt",
            Step::WebLint => "web-lint",
            Step::WebTypes => "web-types",
            Step::WebUnit => "web-unit",
            Step::Deny => "deny",
            Step::Advisories => "advisories",
            Step::Clippy => "clippy",
            Step::ServerSqlite => "server-sqlite",
            Step::ServerPostgres => "server-postgres",
            Step::Gen => "gen",
            Step::Fuzz => "fuzz",
            Step::FirstStart => "first-start",
            Step::E2e => "e2e",
            Step::Bench => "bench",
            Step::Corpora => "corpora",
            Step::Mutants => "mutants",
        }
    }

    /// The programs it needs beside those of cargo.
    pub fn needs(self, is_long: bool) -> &'static [Need] {
        use Need::{
            Chromium, FakeTime, Firefox, Fonts, HeadlessShell, Npm, OpenSsl, Poppler, Postgres, PythonVenv, Tesseract,
        };
        match self {
            Step::WebBuild | Step::WebLint | Step::WebTypes | Step::WebUnit | Step::Advisories | Step::Gen => &[Npm],
            Step::ServerSqlite => &[Npm, Poppler, OpenSsl, Tesseract],
            Step::Fuzz => &[PythonVenv],
            Step::ServerPostgres | Step::Mutants => &[Npm, Poppler, OpenSsl, Postgres, Tesseract],
            Step::E2e if is_long => &[Chromium, HeadlessShell, Fonts, FakeTime, Firefox, Npm, OpenSsl, Postgres],
            Step::E2e => &[Chromium, HeadlessShell, Fonts, FakeTime, Npm, OpenSsl, Postgres],
            Step::Bench | Step::Corpora => &[Npm],
            Step::Fmt | Step::Deny | Step::Clippy | Step::FirstStart => &[],
        }
    }

    /// The lane it runs in.
    pub fn lane(self) -> Lane {
        match self {
            Step::WebBuild
            | Step::Fmt
            | Step::WebLint
            | Step::WebTypes
            | Step::WebUnit
            | Step::Deny
            | Step::Advisories => Lane::Web,
            Step::Gen | Step::Fuzz => Lane::Contract,
            Step::Clippy
            | Step::ServerSqlite
            | Step::ServerPostgres
            | Step::FirstStart
            | Step::E2e
            | Step::Bench
            | Step::Corpora
            | Step::Mutants => Lane::Server,
        }
    }

    /// The steps of other lanes that must have ended before it starts.
    pub fn after(self) -> &'static [Step] {
        match self {
            // The binary holds the app: the other way round it would be built twice.
            Step::Clippy => &[Step::WebBuild],
            // It rewrites the types that the tools of the web read.
            Step::Gen => &[Step::ServerSqlite, Step::WebTypes, Step::WebUnit],
            // It replaces the binary that the others run.
            Step::FirstStart => &[Step::Gen, Step::Fuzz],
            _ => &[],
        }
    }

    /// Returns true if only `--long` runs it.
    pub fn is_long(self) -> bool {
        matches!(self, Step::Bench | Step::Corpora | Step::Mutants)
    }

    /// Runs it.
    ///
    /// # Errors
    /// If something it checks does not hold; its output says what.
    pub fn run(self, run: &Run<'_>) -> Result<()> {
        let Run { workspace, options } = run;
        // What Clippy checks and what the tests run is one compilation.
        workspace.lint.set(options.names.is_empty());
        let web = || Packages::ensure(workspace, "web");
        match self {
            Step::WebBuild => {
                web::build(workspace)?;
                web()?.script("budgets")
            }
            Step::Fmt => Ok(cargo(workspace, "fmt").args(["--all", "--check"]).run()?),
            Step::WebLint => {
                web()?.script("lint")?;
                Packages::ensure(workspace, "e2e")?.script("lint")
            }
            Step::WebTypes => {
                web()?.script("types")?;
                Packages::ensure(workspace, "e2e")?.script("types")
            }
            Step::WebUnit => web()?.script_of("test", &options.names),
            Step::Deny => deny::check(workspace),
            Step::Advisories => advisories::check(workspace),
            Step::Clippy => clippy(workspace),
            Step::ServerSqlite if options.names.is_empty() => {
                let seen = errors::fresh_file(workspace)?;
                rust_tests::all_on_sqlite(run, &seen)?;
                errors::compare(workspace, &seen, options.update_errors)
            }
            Step::ServerSqlite => rust_tests::some(run, "sqlite", ""),
            Step::ServerPostgres => {
                let postgres = Postgres::open(workspace)?;
                match options.names.is_empty() {
                    true => rust_tests::all_on_postgres(run, postgres.url()),
                    false => rust_tests::some(run, "postgres", postgres.url()),
                }
            }
            Step::Gen => generate::generate(workspace, &generate::Options { check: true }),
            Step::Fuzz => fuzz::run(workspace, if options.long { 50_000 } else { 2_000 }),
            Step::FirstStart => first_start(workspace, options.long),
            Step::E2e => {
                let driven = if options.long { Driven::Release } else { Driven::Development };
                e2e::run(workspace, Postgres::open(workspace)?.url(), driven, &options.names)
            }
            Step::Bench => bench(workspace),
            Step::Corpora => corpora::check(workspace),
            Step::Mutants => mutants::run_all_again(workspace),
        }
    }
}

/// Compiles everything that the tests run and refuses every warning. `cargo clippy` would check all dependencies once more,
/// because a check and a build share nothing.
fn clippy(workspace: &Workspace) -> Result<()> {
    let args = ["--locked", "--no-run"];
    cargo(workspace, "test").args(args).run()?;
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

/// Builds what a first start serves, unless all that decides about it is as it was when it last worked.
fn first_start(workspace: &Workspace, is_long: bool) -> Result<()> {
    let stamp = Stamp::of_text(workspace.test_stamps().join("first-start"), &run::inputs_of_first_start(workspace)?);
    if stamp.is_fresh() && !is_long {
        return workspace
            .not_checked("the program of a first start: its inputs are those of the last run that checked it");
    }
    run::try_first_start(workspace)?;
    fs::create_dir_all(workspace.test_stamps())?;
    stamp.set()
}

/// Compiles and tests the bench, and checks the servers that it compares with as the product is checked.
fn bench(workspace: &Workspace) -> Result<()> {
    cargo(workspace, "test").args(["--locked", "--package=bench"]).run()?;
    let bare = ["--manifest-path", "bench/peers/bare/Cargo.toml"];
    cargo(workspace, "fmt").args(bare).arg("--check").run()?;
    cargo(workspace, "build")
        .args(["--locked", "--release"])
        .args(bare)
        .args(["--target-dir"])
        .arg(workspace.bench_target())
        .run()?;
    deny::check_peers(workspace)?;
    advisories::check_peers(workspace)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A lane waits for steps of others, which may wait for a later one of its own.
    #[test]
    fn no_step_waits_for_one_that_waits_for_it() {
        let mut ended = BTreeSet::new();
        loop {
            let can_start = |step: &Step| {
                let earlier =
                    Step::value_variants().iter().filter(|other| other.lane() == step.lane() && *other < step);
                !ended.contains(step) && earlier.chain(step.after()).all(|before| ended.contains(before))
            };
            let Some(next) = Step::value_variants().iter().copied().find(can_start) else { break };
            ended.insert(next);
        }
        assert_eq!(ended.len(), Step::value_variants().len(), "{ended:?}");
    }

    #[test]
    fn the_name_of_a_step_is_its_name_on_the_command_line() {
        for step in Step::value_variants() {
            let named = step.to_possible_value().map(|value| value.get_name().to_owned());
            assert_eq!(named.as_deref(), Some(step.name()));
        }
    }

    #[test]
    fn each_program_is_needed_once() {
        let needs = needs_of(&[Step::ServerSqlite, Step::ServerPostgres], false);
        assert_eq!(needs, [Need::Npm, Need::OpenSsl, Need::Poppler, Need::Postgres, Need::Tesseract]);
    }
}
