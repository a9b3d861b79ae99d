//! What a test run says at its end: a line and the minutes of every step.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// The steps that ran, in order.
#[derive(Default)]
pub struct Report {
    lines: Vec<Line>,
}

struct Line {
    step: &'static str,
    took: Duration,
    outcome: Outcome,
}

/// How a step ended.
pub enum Outcome {
    Passed,
    /// What could not be asked from here.
    NotChecked(&'static str),
    Failed,
}

impl Report {
    pub fn add(&mut self, step: &'static str, took: Duration, outcome: Outcome) {
        self.lines.push(Line { step, took, outcome });
    }

    /// How many steps failed.
    pub fn failed(&self) -> usize {
        self.lines.iter().filter(|line| matches!(line.outcome, Outcome::Failed)).count()
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<16} {:>7}", "step", "minutes")?;
        for Line { step, took, outcome } in &self.lines {
            write!(out, "{step:<16} {:>7}  ", minutes(*took))?;
            match outcome {
                Outcome::Passed => writeln!(out, "passed")?,
                Outcome::NotChecked(what) => writeln!(out, "not checked: {what} could not be asked")?,
                Outcome::Failed => writeln!(out, "FAILED")?,
            }
        }
        writeln!(out, "{:<16} {:>7}\n", "all", minutes(self.lines.iter().map(|line| line.took).sum()))?;
        let not_checked = self.lines.iter().filter(|line| matches!(line.outcome, Outcome::NotChecked(_))).count();
        let passed = self.lines.len() - self.failed() - not_checked;
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
    fn every_step_has_its_minutes_and_what_was_left_out_is_said() {
        let mut report = Report::default();
        report.add("fmt", Duration::from_secs(3), Outcome::Passed);
        report.add("advisories", Duration::from_secs(75), Outcome::NotChecked("RustSec's advisories"));
        report.add("clippy", Duration::from_secs(600), Outcome::Failed);
        let expected = "\
step             minutes
fmt                  0.1  passed
advisories           1.2  not checked: RustSec's advisories could not be asked
clippy              10.0  FAILED
all                 11.3

steps: 1 passed, 1 failed, 1 not checked";
        assert_eq!(report.to_string(), expected);
        assert_eq!(report.failed(), 1);
    }
}
