//! How far a build of cargo is, and how long it may still take.

use std::io::{BufReader, IsTerminal, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use xshell::Cmd;

/// How much of a first build's time the server's own crate takes, which cargo counts as one of some 600.
const SHARE_OF_THE_SERVER: f64 = 0.15;
/// Earlier an estimate would be a guess.
const FIRST_ESTIMATE_AFTER: Duration = Duration::from_secs(20);
/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Runs a `cargo build`. A terminal shows a bar, anything else gets a line now and then; what cargo and rustc say comes through.
///
/// # Errors
/// If the build fails; its own output says why.
pub fn run(command: Cmd<'_>, what: &str) -> Result<()> {
    let is_terminal = std::io::stderr().is_terminal();
    let mut command = Command::from(command);
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "400");
    command.env("CARGO_TERM_COLOR", if is_terminal { "always" } else { "never" });
    let mut cargo = command.stderr(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut shown = Shown::new(what);
    let mut line = Vec::new();
    for byte in BufReader::new(cargo.stderr.take().context("cargo has no output")?).bytes() {
        match byte? {
            b'\r' => shown.progress(&String::from_utf8_lossy(&std::mem::take(&mut line))),
            b'\n' => shown.message(&String::from_utf8_lossy(&std::mem::take(&mut line))),
            byte => line.push(byte),
        }
    }
    shown.bar.finish_and_clear();
    ensure!(cargo.wait()?.success(), "{what} failed; see above");
    Ok(())
}

struct Shown {
    what: String,
    bar: ProgressBar,
    began: Instant,
    said: Instant,
}

impl Shown {
    fn new(what: &str) -> Shown {
        let bar = ProgressBar::no_length();
        if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {pos} of {len}, {msg}") {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        Shown { what: what.to_owned(), bar, began: Instant::now(), said: Instant::now() }
    }

    /// A line of cargo's own bar.
    fn progress(&mut self, text: &str) {
        let Some(Progress { done, total, crates }) = Progress::parse(text) else { return };
        let left = left(done, total, self.began.elapsed());
        let left = left.map(|left| format!("{} left, ", minutes(left))).unwrap_or_default();
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(format!("{left}now {crates}"));
        if self.bar.is_hidden() && self.said.elapsed() > LINE_EVERY {
            eprintln!("{}: {done} of {total}, {left}now {crates}", self.what);
            self.said = Instant::now();
        }
    }

    fn message(&self, text: &str) {
        // Of a first build these would be 600 lines.
        let is_noise = ["Compiling ", "Downloaded ", "Downloading ", "Finished ", "Fresh "];
        let plain = without_colours(text);
        if !is_noise.iter().any(|noise| plain.trim_start().starts_with(noise)) && Progress::parse(text).is_none() {
            self.bar.suspend(|| eprintln!("{text}"));
        }
    }
}

/// What cargo's bar says: `Building [====>    ] 123/600: syn, libsqlite3-sys(build)`.
#[derive(Debug, PartialEq, Eq)]
struct Progress {
    done: u64,
    total: u64,
    crates: String,
}

impl Progress {
    fn parse(text: &str) -> Option<Progress> {
        let text = without_colours(text);
        let (_, counts) = text.trim_start().strip_prefix("Building [")?.split_once("] ")?;
        let (counts, crates) = counts.split_once(':').unwrap_or((counts, ""));
        let (done, total) = counts.trim().split_once('/')?;
        Some(Progress { done: done.parse().ok()?, total: total.parse().ok()?, crates: crates.trim().to_owned() })
    }
}

fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(['m', 'K']).map_or("", |(_, text)| text));
    }
    plain
}

/// The time that is left if the rest goes on as before.
fn left(done: u64, total: u64, since: Duration) -> Option<Duration> {
    if since < FIRST_ESTIMATE_AFTER || done == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "some hundred crates")]
    let share = done as f64 / total.max(1) as f64 * (1.0 - SHARE_OF_THE_SERVER);
    Some(since.mul_f64(1.0 / share - 1.0))
}

fn minutes(left: Duration) -> String {
    match left.as_secs().div_ceil(60) {
        0 | 1 => "about a minute".to_owned(),
        minutes => format!("about {minutes} minutes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargos_bar_is_read() {
        let bar = "\u{1b}[1m\u{1b}[96m    Building\u{1b}[0m [=====>      ] 123/600: syn, libsqlite3-sys(build)\u{1b}[K";
        let read = Progress::parse(bar);
        assert_eq!(read, Some(Progress { done: 123, total: 600, crates: "syn, libsqlite3-sys(build)".to_owned() }));
        assert_eq!(Progress::parse("   Compiling syn v3.0.9"), None);
        assert_eq!(Progress::parse("warning: unused variable"), None);
    }

    #[test]
    fn what_is_left_leaves_time_for_the_server_itself() {
        assert_eq!(left(10, 600, Duration::from_secs(5)), None, "too early");
        let half = left(300, 600, Duration::from_secs(100)).map(minutes);
        assert_eq!(half.as_deref(), Some("about 3 minutes"));
        let last = left(599, 600, Duration::from_secs(300)).map(minutes);
        assert_eq!(last.as_deref(), Some("about a minute"));
    }
}
