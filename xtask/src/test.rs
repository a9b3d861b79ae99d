//! `cargo xtask test`: everything that must hold before a change lands.

use std::cell::OnceCell;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;

use crate::cargo::cargo;
use crate::debian::{Debian, program};
use crate::deny;
use crate::e2e::{self, Pictures};
use crate::generate;
use crate::house::House;
use crate::postgres::Cluster;
use crate::report::{Outcome, Report};
use crate::web::{self, Packages};

#[derive(clap::Args)]
pub struct Options {
    /// Run the many-rounds form of the tests that have one
    #[arg(long)]
    long: bool,
    /// Run only this step (may be given more than once)
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Put the browser tests' pictures into docs/screens
    #[arg(long)]
    screens: bool,
}

/// The steps, in the order they run: what answers soonest first. The web app comes before the server, because the
/// server's binary holds it: the other way round the server would be built twice.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// rustfmt would change nothing
    Fmt,
    /// Licences, sources and known holes of the crates
    Deny,
    /// Known holes of the web app's packages
    WebAudit,
    /// oxlint and oxfmt
    WebLint,
    /// The TypeScript compiler
    WebTypes,
    /// The web app's unit tests
    WebUnit,
    /// The web app builds and stays within its size budgets
    WebBuild,
    /// Clippy, warnings denied
    Clippy,
    /// All Rust tests, the server's on SQLite
    ServerSqlite,
    /// The server's tests on PostgreSQL
    ServerPostgres,
    /// The contract and the types made from it are what the code says
    Gen,
    /// The browser tests
    E2e,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Step::Fmt => "fmt",
            Step::Deny => "deny",
            Step::WebAudit => "web-audit",
            Step::WebLint => "web-lint",
            Step::WebTypes => "web-types",
            Step::WebUnit => "web-unit",
            Step::WebBuild => "web-build",
            Step::Clippy => "clippy",
            Step::ServerSqlite => "server-sqlite",
            Step::ServerPostgres => "server-postgres",
            Step::Gen => "gen",
            Step::E2e => "e2e",
        }
    }
}

/// Runs the steps, all of them even when one fails, and prints the minutes of each.
///
/// # Errors
/// If a step failed.
pub fn test(house: &House, options: &Options) -> Result<()> {
    let run = TestRun { house, options, debian: Debian::new(house), cluster: OnceCell::new() };
    let mut report = Report::default();
    for step in Step::value_variants() {
        if !options.only.is_empty() && !options.only.contains(step) {
            continue;
        }
        println!("\n==== {}", step.name());
        let start = Instant::now();
        let outcome = match run.step(*step) {
            Ok(None) => Outcome::Passed,
            Ok(Some(missing)) => Outcome::PassedWithout(missing),
            Err(error) => {
                println!("{} failed: {error:#}", step.name());
                Outcome::Failed
            }
        };
        report.add(step.name(), start.elapsed(), outcome);
    }
    drop(run);
    println!("\n{report}");
    match report.failed() {
        0 => Ok(()),
        _ => {
            bail!("a step failed; look for its `==== name` above, and run it alone with `cargo xtask test --only name`")
        }
    }
}

/// What the steps share.
struct TestRun<'a> {
    house: &'a House,
    options: &'a Options,
    debian: Debian<'a>,
    cluster: OnceCell<Cluster>,
}

impl TestRun<'_> {
    /// Runs one step. Answers what of it could not be done on this machine, if anything.
    fn step(&self, step: Step) -> Result<Option<String>> {
        let house = self.house;
        match step {
            Step::Fmt => cargo(house, "fmt").args(["--all", "--check"]).run()?,
            Step::Deny => return deny::check(house),
            Step::WebAudit => return self.web_audit(),
            Step::WebLint => self.web()?.script("lint")?,
            Step::WebTypes => self.web()?.script("types")?,
            Step::WebUnit => self.web()?.script("test")?,
            Step::WebBuild => {
                web::build(house)?;
                self.web()?.script("budgets")?;
            }
            Step::Clippy => {
                cargo(house, "clippy")
                    .args(["--locked", "--workspace", "--all-targets", "--", "-D", "warnings"])
                    .run()?;
            }
            Step::ServerSqlite => self.rust_tests("--workspace", "sqlite", "")?,
            Step::ServerPostgres => self.rust_tests("--package=visadesk", "postgres", &self.cluster()?.url)?,
            Step::Gen => generate::generate(house, &generate::Options { check: true })?,
            Step::E2e => {
                let pictures = if self.options.screens { Pictures::Keep } else { Pictures::Leave };
                e2e::run(house, &self.debian, self.cluster()?, pictures)?;
            }
        }
        Ok(None)
    }

    fn rust_tests(&self, which: &str, database: &str, postgres_url: &str) -> Result<()> {
        self.debian.ensure("Poppler", &["poppler-utils"], || program(&["pdftotext"]))?;
        let mut command = cargo(self.house, "test").args(["--locked", which]);
        command = command.env("VISADESK_TEST_DATABASE", database).env("VISADESK_TEST_POSTGRES_URL", postgres_url);
        if self.options.long {
            command = command.env("VISADESK_TEST_LONG", "1");
        }
        Ok(command.run()?)
    }

    fn web_audit(&self) -> Result<Option<String>> {
        match self.web()?.audit()? {
            None => Ok(Some("npm advisories NOT checked: the registry does not answer `npm audit`".to_owned())),
            Some(audit) => {
                ensure!(audit.is_clean, "npm knows holes in what the app ships:\n{}", audit.answer);
                Ok(None)
            }
        }
    }

    fn web(&self) -> Result<Packages<'_>> {
        Packages::ensure(self.house, "web")
    }

    /// The PostgreSQL of this run, started when the first step asks for it.
    fn cluster(&self) -> Result<&Cluster> {
        if let Some(cluster) = self.cluster.get() {
            return Ok(cluster);
        }
        let cluster = Cluster::start(self.house, &self.debian)?;
        Ok(self.cluster.get_or_init(|| cluster))
    }
}
