//! Load from `wrk`: one job is one kind of request to one server.

use std::fs;
use std::path::Path;
use std::process::id;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::cmd;
use xtask::workspace::Workspace;

use crate::workloads::{Piece, Workload};

/// A response that takes longer counts as failed.
const TIMEOUT: &str = "20s";

/// Threads of `wrk`. One would be busy before a fast server is.
const MAX_THREADS: u32 = 2;

/// Requests of one kind to one server.
pub struct Job<'a> {
    /// The folder in which the job is written for `wrk` to read.
    pub dir: &'a Path,
    pub workload: &'a Workload,
    /// `http://…`
    pub address: &'a str,
    pub token: Option<&'a str>,
    pub orders: u64,
    /// Orders without an owner, for the workload that assigns them to the member.
    pub unowned: &'a [u64],
    pub member: &'a str,
}

/// The result of a job.
pub struct Outcome {
    /// Answered requests.
    pub requests: u64,
    pub took: Duration,
    /// The times that 50, 95 and 99 of 100 requests did not exceed.
    pub times: [Duration; 3],
}

impl Outcome {
    /// Requests per second.
    pub fn rate(&self) -> f64 {
        self.requests as f64 / self.took.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// Sends the requests of a job for so many seconds.
///
/// # Errors
/// If `wrk` does not run, or a request failed or was refused.
pub fn run(workspace: &Workspace, job: &Job<'_>, connections: u32, seconds: u32) -> Result<Outcome> {
    let script = workspace.root.join("bench/peers/load.lua");
    let file = job.dir.join("job.lua");
    let threads = connections.min(MAX_THREADS);
    fs::write(&file, job.lua(threads)?)?;
    let (connections, duration, address) = (connections.to_string(), format!("{seconds}s"), job.address);
    let threads = threads.to_string();
    let command = cmd!(
        workspace.shell,
        "wrk --threads {threads} --connections {connections} --duration {duration} --timeout {TIMEOUT} --script {script} {address} -- {file}"
    );
    let printed = command.quiet().read().context("cannot run wrk")?;
    parse(&printed).with_context(|| format!("{} failed", job.workload.name))
}

fn parse(printed: &str) -> Result<Outcome> {
    let line = printed.lines().last().unwrap_or_default();
    let said: Value = serde_json::from_str(line).with_context(|| format!("wrk says:\n{printed}"))?;
    let number = |name: &str| said[name].as_u64().with_context(|| format!("wrk does not say {name}"));
    let time = |name: &str| number(name).map(Duration::from_micros);
    let (requests, failed, refused) = (number("requests")?, number("failed")?, number("refused")?);
    ensure!(failed == 0 && refused == 0, "{failed} requests failed, and {refused} of {requests} were refused");
    Ok(Outcome { requests, took: time("microseconds")?, times: [time("p50")?, time("p95")?, time("p99")?] })
}

impl Job<'_> {
    /// The job as a table that `load.lua` reads.
    fn lua(&self, threads: u32) -> Result<String> {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(self.token.map(|token| ("Authorization", token)));
        let headers: Vec<String> =
            headers.iter().map(|(name, value)| format!("[{}] = {}", quoted(name), quoted(value))).collect();
        let unowned: Vec<String> = self.unowned.iter().map(u64::to_string).collect();
        Ok(format!(
            "return {{ method = {}, headers = {{ {} }}, path = {{ {} }}, body = {{ {} }}, unowned = {{ {} }}, member = {}, \
             threads = {threads}, seed = {} }}\n",
            quoted(&self.workload.method),
            headers.join(", "),
            lua_pieces(&self.workload.path(self.orders)?),
            lua_pieces(&self.workload.body(self.orders)?),
            if self.workload.assigns() { unowned.join(", ") } else { String::new() },
            quoted(self.member),
            id(),
        ))
    }
}

fn lua_pieces(pieces: &[Piece]) -> String {
    let pieces = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => quoted(text),
        Piece::Random(from, to) => format!("{{ random = {{ {from}, {to} }} }}"),
        Piece::Unowned => "{ unowned = true }".to_owned(),
        Piece::Owner => "{ owner = true }".to_owned(),
    });
    pieces.collect::<Vec<_>>().join(", ")
}

/// A string of Lua. It needs no other escapes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_request_fails_the_bench() {
        let line = |failed, refused| {
            format!(
                "Running 1s test\n{{\"requests\":500,\"microseconds\":1000000,\"p50\":1,\"p95\":2,\"p99\":3,\"failed\":{failed},\"refused\":{refused}}}"
            )
        };
        let outcome = parse(&line(0, 0)).expect("all were answered");
        assert!((outcome.rate() - 500.0).abs() < 0.01);
        assert_eq!(outcome.times[2], Duration::from_micros(3));
        assert!(parse(&line(1, 0)).is_err());
        assert!(parse(&line(0, 1)).is_err());
        assert!(parse("unable to connect").is_err());
    }

    #[test]
    fn a_job_is_a_table_of_lua() -> Result<()> {
        assert_eq!(quoted("a \"b\"\\ Ç"), "\"a \\\"b\\\"\\\\ Ç\"");
        let job = Job {
            dir: Path::new("."),
            workload: &Workload::constant(),
            address: "http://127.0.0.1:1",
            token: Some("t"),
            orders: 10,
            unowned: &[1],
            member: "Ann",
        };
        let lua = job.lua(2)?;
        assert!(
            lua.contains("path = { \"/healthz\" }, body = {  }, unowned = {  }, member = \"Ann\", threads = 2"),
            "{lua}"
        );
        Ok(())
    }
}
