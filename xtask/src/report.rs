//! The end of a test run: the minutes and the result of every step, the slowest tests, the failed ones, and what was not checked.

use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::times::{self, TestLine};

/// How many of the slowest tests are listed.
const SLOWEST: usize = 20;

/// The results of a run.
pub struct Report {
    lines: Vec<Line>,
    tests: Vec<(&'static str, TestLine)>,
    notes: Vec<String>,
    took: Duration,
    logs: PathBuf,
}

struct Line {
    step: &'static str,
    took: Duration,
    outcome: Outcome,
}

/// The result of a step.
pub enum Outcome {
    Passed,
    Failed,
    /// The programs that are missing here.
    Lacks(String),
}

impl Report {
    /// An empty report of a run whose logs are in a folder.
    pub fn new(logs: &Path) -> Report {
        Report { lines: Vec::new(), tests: Vec::new(), notes: Vec::new(), took: Duration::ZERO, logs: logs.to_owned() }
    }

    /// Adds the result of a step.
    pub fn add(&mut self, step: &'static str, took: Duration, outcome: Outcome) {
        self.lines.push(Line { step, took, outcome });
    }

    /// Reads a step's output for its tests, and its list of what it did not check.
    pub fn read(&mut self, step: &'static str, output: &str, not_checked: &str) {
        self.tests.extend(times::tests_in(output).into_iter().map(|test| (step, test)));
        self.notes.extend(not_checked.lines().map(|line| format!("{step}: {line}")));
    }

    /// Adds a line about what was not checked, or was slower than it needs to be.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Sets the time from the first step's begin to the last one's end.
    pub fn took(&mut self, took: Duration) {
        self.took = took;
    }

    /// How many steps have a result.
    pub fn steps(&self) -> usize {
        self.lines.iter().filter(|line| !matches!(line.outcome, Outcome::Lacks(_))).count()
    }

    /// How many steps failed.
    pub fn failed(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.outcome, Outcome::Failed)).count()
    }
}

impl Display for Outcome {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Passed => write!(out, "passed"),
            Outcome::Failed => write!(out, "FAILED"),
            Outcome::Lacks(what) => write!(out, "not checked: {what} is missing"),
        }
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut slowest: Vec<&(&str, TestLine)> = self.tests.iter().collect();
        slowest.sort_by_key(|(_, test)| std::cmp::Reverse(test.took));
        if !slowest.is_empty() {
            writeln!(out, "The slowest of {} tests, in seconds", self.tests.len())?;
            for (step, test) in slowest.into_iter().take(SLOWEST) {
                writeln!(out, "{:>7.1}  {step}  {}", test.took.as_secs_f64(), test.name)?;
            }
            writeln!(out)?;
        }
        if !self.notes.is_empty() {
            writeln!(out, "Not checked")?;
            self.notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
            writeln!(out)?;
        }
        if self.failed() > 0 {
            writeln!(out, "Failed; the logs are in {}", self.logs.display())?;
            for (step, test) in self.tests.iter().filter(|(_, test)| test.has_failed) {
                writeln!(out, "  {step}  {}", test.name)?;
            }
            writeln!(out)?;
        }
        writeln!(out, "{:<16} {:>7}", "step", "minutes")?;
        for Line { step, took, outcome } in &self.lines {
            writeln!(out, "{step:<16} {:>7}  {outcome}", minutes(*took))?;
        }
        writeln!(out, "{:<16} {:>7}  from begin to end\n", "all", minutes(self.took))?;
        let not_checked = self.lines.len() - self.steps();
        let passed = self.steps() - self.failed();
        write!(out, "steps: {passed} passed, {} failed, {not_checked} not checked", self.failed())
    }
}

fn minutes(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64() / 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_what_was_slow_what_failed_and_what_was_not_checked() {
        let mut report = Report::new(Path::new("target/xtask-test"));
        report.add("fuzz", Duration::ZERO, Outcome::Lacks("Python's venv".to_owned()));
        report.add("fmt", Duration::from_secs(3), Outcome::Passed);
        report.add("server-sqlite", Duration::from_secs(600), Outcome::Failed);
        report.read("server-sqlite", "test a::b ... FAILED <1.500s>\ntest a::c ... ok <2.000s>\n", "the pictures\n");
        report.took(Duration::from_secs(601));
        let expected = "\
The slowest of 2 tests, in seconds
    2.0  server-sqlite  a::c
    1.5  server-sqlite  a::b

Not checked
  server-sqlite: the pictures

Failed; the logs are in target/xtask-test
  server-sqlite  a::b

step             minutes
fuzz                 0.0  not checked: Python's venv is missing
fmt                  0.1  passed
server-sqlite       10.0  FAILED
all                 10.0  from begin to end

steps: 1 passed, 1 failed, 1 not checked";
        assert_eq!(report.to_string(), expected);
        assert_eq!(report.failed(), 1);
    }
}
