//! `cargo xtask test`: everything that must hold before a change lands.
//!
//! One step runs in this process, with its output as it comes. Several run as processes of their own in the lanes of `lanes.rs`, each with
//! a log, and a report closes the run.

mod changed;
mod lanes;
mod rust_tests;
mod step;

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use clap::ValueEnum as _;

pub use self::rust_tests::TemporaryFolder;
use self::step::Step;
use crate::needs;
use crate::postgres::Cluster;
use crate::report::{Outcome, Report};
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub struct Options {
    /// Run the many-rounds form of the tests that have one
    #[arg(long)]
    long: bool,
    /// Run only this step (may be given more than once)
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Run only the steps that the changes since BASE can affect: by default since the branch left its upstream, with what is not committed
    #[arg(long, value_name = "BASE", num_args = 0..=1, require_equals = true, default_missing_value = "@{upstream}", conflicts_with = "only")]
    changed: Option<String>,
    /// Write the errors that the server's tests saw into contract/errors.json
    #[arg(long)]
    update_errors: bool,
    /// With one step of tests: run only those with one of these texts in their names (server: tests/api alone)
    #[arg(value_name = "NAME", requires = "only")]
    names: Vec<String>,
}

/// The variable with the file that takes a line for each check that could not be made.
pub const NOT_CHECKED: &str = "VISADESK_NOT_CHECKED";

/// Runs the steps, all of them even when one fails, and prints the minutes of each.
///
/// # Errors
/// If a step failed, or something that it needs is missing.
pub fn test(workspace: &Workspace, options: &Options) -> Result<()> {
    if let [only] = options.only[..] {
        return run_alone(workspace, options, only);
    }
    ensure!(options.names.is_empty(), "names of tests need one step: --only server-sqlite NAME");
    let steps = steps(workspace, options)?;
    let missing = needs::install_missing(workspace, &step::needs_of(&steps, options.long))?;
    if !missing.is_empty() {
        println!("{}.\nWhat needs them is not checked; the other steps run.", needs::instructions(&missing)?);
    }
    let logs = workspace.test_logs();
    workspace.shell.remove_path(&logs)?;
    workspace.shell.create_dir(&logs)?;
    let lacks = |step: Step| step.needs(options.long).iter().any(|need| missing.contains(need));
    let (left_out, runnable): (Vec<Step>, Vec<Step>) = steps.into_iter().partition(|step| lacks(*step));

    let mut report = Report::new(&logs);
    for step in left_out {
        let lacking = step.needs(options.long).iter().filter(|need| missing.contains(need));
        let lacking: Vec<&str> = lacking.map(|need| need.name()).collect();
        report.add(step.name(), std::time::Duration::ZERO, Outcome::Lacks(lacking.join(", ")));
    }
    lanes::run(workspace, options, &runnable, &mut report)?;
    let text = report.to_string();
    println!("\n{text}");
    fs::write(workspace.report(), text)?;
    let mut faults = Vec::new();
    if report.failed() > 0 {
        faults.push(format!("A step failed; its output is above and in {}.", logs.display()));
    }
    if !missing.is_empty() {
        faults.push(format!("Not everything was checked. {}", needs::instructions(&missing)?));
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

fn steps(workspace: &Workspace, options: &Options) -> Result<Vec<Step>> {
    let all = Step::value_variants().iter().copied();
    if let Some(base) = &options.changed {
        let files = changed::files(workspace, base)?;
        let steps: Vec<Step> = all.filter(|step| changed::affects(&files, *step)).collect();
        println!("{} changed files can affect {}", files.len(), names(&steps));
        return Ok(steps);
    }
    let is_wanted = |step: &Step| {
        if options.only.is_empty() { options.long || !step.is_long() } else { options.only.contains(step) }
    };
    Ok(all.filter(is_wanted).collect())
}

fn names(steps: &[Step]) -> String {
    if steps.is_empty() {
        return "no step".to_owned();
    }
    steps.iter().map(|step| step.name()).collect::<Vec<_>>().join(", ")
}

/// Runs a step in this process. A process of a lane comes here, too.
fn run_alone(workspace: &Workspace, options: &Options, step: Step) -> Result<()> {
    needs::ensure_all(workspace, step.needs(options.long))?;
    let of_a_run = env::var_os(NOT_CHECKED).map(PathBuf::from);
    let file = of_a_run.clone().unwrap_or_else(|| workspace.test_logs().join("not-checked.txt"));
    if of_a_run.is_none() {
        workspace.shell.remove_path(&file)?;
        workspace.shell.create_dir(workspace.test_logs())?;
    }
    workspace.shell.set_var(NOT_CHECKED, &file);
    step.run(&step::Run { workspace, options })?;
    if of_a_run.is_none() {
        for line in fs::read_to_string(&file).unwrap_or_default().lines() {
            println!("not checked: {line}");
        }
    }
    Ok(())
}

/// The PostgreSQL of a step: the one that a run started for all steps, or one of its own.
enum Postgres {
    OfTheRun(String),
    Own(Cluster),
}

impl Postgres {
    const URL: &str = "VISADESK_TEST_POSTGRES_URL";

    fn open(workspace: &Workspace) -> Result<Postgres> {
        match env::var(Self::URL) {
            Ok(url) if !url.is_empty() => Ok(Postgres::OfTheRun(url)),
            _ => Ok(Postgres::Own(Cluster::start(workspace)?)),
        }
    }

    fn url(&self) -> &str {
        match self {
            Postgres::OfTheRun(url) => url,
            Postgres::Own(cluster) => &cluster.url,
        }
    }
}

/// Becomes a test binary that prints the time of each test: libtest's own option, which the stable compiler hides.
///
/// # Errors
/// If the binary cannot be started.
pub fn timed(command: &[OsString]) -> Result<()> {
    let (program, args) = command.split_first().context("no test binary")?;
    let options = ["-Zunstable-options", "--report-time"];
    // The variable is read when the binary runs. Given to cargo, it would compile everything again.
    let error = Command::new(program).args(args).args(options).env("RUSTC_BOOTSTRAP", "1").exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}

impl Options {
    /// The arguments with which a process of a lane runs a step as this run would.
    fn for_step(&self, step: Step) -> Vec<&'static str> {
        let mut args = vec!["test", "--only", step.name()];
        if self.long {
            args.push("--long");
        }
        if self.update_errors {
            args.push("--update-errors");
        }
        args
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn parse(line: &str) -> Result<Options, String> {
        let parsed = Line::try_parse_from(std::iter::once("test").chain(line.split_whitespace()));
        parsed.map(|line| line.options).map_err(|error| error.to_string())
    }

    #[test]
    fn a_process_of_a_lane_runs_its_step_as_the_run_would() -> Result<(), String> {
        let options = parse("--long --update-errors")?;
        let args = options.for_step(Step::ServerPostgres);
        let of_step = parse(&args[1..].join(" "))?;
        assert_eq!(of_step.only, [Step::ServerPostgres]);
        assert!(of_step.long && of_step.update_errors && of_step.names.is_empty());
        Ok(())
    }

    #[test]
    fn names_of_tests_need_a_step_and_changes_exclude_one() -> Result<(), String> {
        assert_eq!(parse("--only server-sqlite refunds:: undo")?.names, ["refunds::", "undo"]);
        assert!(parse("refunds::").err().is_some_and(|error| error.contains("--only <STEP>")));
        assert!(parse("--changed --only fmt").err().is_some_and(|error| error.contains("cannot be used with")));
        assert_eq!(parse("--changed=main")?.changed.as_deref(), Some("main"));
        Ok(())
    }

    #[test]
    fn steps_that_take_long_run_with_the_long_form_only() -> Result<(), String> {
        let workspace = Workspace::open().map_err(|error| error.to_string())?;
        let steps = |line: &str| steps(&workspace, &parse(line)?).map_err(|error| error.to_string());
        assert!(!steps("")?.contains(&Step::Bench));
        assert!(steps("--long")?.contains(&Step::Bench));
        assert_eq!(steps("--only fmt --only deny")?, [Step::Fmt, Step::Deny]);
        Ok(())
    }
}
