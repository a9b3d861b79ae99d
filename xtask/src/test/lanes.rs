//! Runs steps at the same time: each lane is a thread, each step a process with a log of its own, which is printed when it ends.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::step::{Lane, Step};
use super::{NOT_CHECKED, Options, Postgres};
use crate::postgres::{Cluster, place_in_memory};
use crate::report::{Outcome, Report};
use crate::workspace::Workspace;

/// The most that is printed of a failed step; its log has the rest.
const LINES_OF_A_FAILURE: usize = 400;

/// What the lanes share.
struct Shared<'a> {
    /// The steps of this run that have not ended.
    open: Mutex<BTreeSet<Step>>,
    ended: Condvar,
    report: Mutex<&'a mut Report>,
    /// The URL of the run's PostgreSQL, or the reason why there is none.
    postgres: Option<Result<String, String>>,
    steps: usize,
}

/// Runs the steps in their lanes and adds their results to the report.
///
/// # Errors
/// If this program cannot be started again.
pub fn run(workspace: &Workspace, options: &Options, steps: &[Step], report: &mut Report) -> Result<()> {
    let needs_postgres = steps.iter().any(|step| matches!(step, Step::ServerPostgres | Step::E2e));
    let cluster = needs_postgres.then(|| Cluster::start(workspace));
    let postgres = cluster.as_ref().map(|cluster| match cluster {
        Ok(cluster) => Ok(cluster.url.clone()),
        Err(error) => Err(format!("{error:#}")),
    });
    if needs_postgres && place_in_memory(workspace).is_none() {
        report.note(
            "The databases lie on a disk: 8 GiB of free memory in /dev/shm would make this run faster".to_owned(),
        );
    }
    let start = Instant::now();
    let shared = Shared {
        open: Mutex::new(steps.iter().copied().collect()),
        ended: Condvar::new(),
        report: Mutex::new(report),
        postgres,
        steps: steps.len(),
    };
    let logs = workspace.test_logs();
    let results: Vec<Result<()>> = thread::scope(|scope| {
        let lanes = [Lane::Server, Lane::Web, Lane::Contract].map(|lane| {
            let of_lane: Vec<Step> = steps.iter().copied().filter(|step| step.lane() == lane).collect();
            let (shared, logs) = (&shared, &logs);
            scope.spawn(move || of_lane.into_iter().try_for_each(|step| shared.run(options, step, logs)))
        });
        let join = |lane: thread::ScopedJoinHandle<'_, Result<()>>| {
            lane.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        lanes.into_iter().map(join).collect()
    });
    drop(shared);
    report.took(start.elapsed());
    results.into_iter().collect()
}

impl Shared<'_> {
    /// Runs a step when the steps that it waits for have ended.
    fn run(&self, options: &Options, step: Step, logs: &std::path::Path) -> Result<()> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        while step.after().iter().any(|before| open.contains(before)) {
            open = self.ended.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
        drop(open);
        let result = self.run_now(options, step, logs);
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&step);
        self.ended.notify_all();
        result
    }

    fn run_now(&self, options: &Options, step: Step, logs: &std::path::Path) -> Result<()> {
        let log = logs.join(format!("{}.log", step.name()));
        let not_checked = logs.join(format!("{}.not-checked", step.name()));
        println!("---- {} begins", step.name());
        let start = Instant::now();
        let mut command = command_of(step)?;
        command.args(options.for_step(step)).env(NOT_CHECKED, &not_checked).stdin(Stdio::null());
        if let Some(Ok(url)) = &self.postgres {
            command.env(Postgres::URL, url);
        }
        let output = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let status = command.stdout(output.try_clone()?).stderr(output).status().context("cannot start a step")?;
        let took = start.elapsed();

        let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        let not_checked = fs::read_to_string(not_checked).unwrap_or_default();
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        let number = report.steps() + 1;
        let outcome = if status.success() { Outcome::Passed } else { Outcome::Failed };
        println!("==== {number} of {}: {} {outcome} in {} min", self.steps, step.name(), minutes(took));
        if !status.success() {
            print_end_of(&text);
        }
        report.add(step.name(), took, outcome);
        report.read(step.name(), &text, &not_checked);
        Ok(())
    }
}

/// This program once more. What is not on the critical path gets less of the processor.
fn command_of(step: Step) -> Result<Command> {
    let program = env::current_exe().context("cannot find this program")?;
    if step.lane() == Lane::Server {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("nice");
    command.args(["-n", "5"]).arg(program);
    Ok(command)
}

fn print_end_of(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(LINES_OF_A_FAILURE);
    if left_out > 0 {
        println!("({left_out} lines before these are in the log)");
    }
    println!("{}", lines[left_out..].join("\n"));
}

fn minutes(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() / 60.0)
}
