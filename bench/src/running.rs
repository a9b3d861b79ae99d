//! A server process.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};

/// A server that listens. Dropping it stops it.
pub struct Running {
    name: &'static str,
    process: Child,
    address: String,
}

impl Running {
    /// Starts a server and waits until it prints `greeting` and its URL.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(name: &'static str, mut command: Command, greeting: &str) -> Result<Running> {
        let process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
        let process = process.with_context(|| format!("cannot start {name}"))?;
        // From here on, an error stops the process.
        let mut running = Running { name, process, address: String::new() };
        let stdout = running.process.stdout.take().context("no output")?;
        let mut ready = String::new();
        BufReader::new(stdout).read_line(&mut ready)?;
        let address = ready.trim_end().strip_prefix(greeting);
        running.address = address.with_context(|| format!("{name} did not start; see its output above"))?.to_owned();
        Ok(running)
    }

    /// `http://…`
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("cannot stop {}: {error}", self.name);
        }
    }
}
