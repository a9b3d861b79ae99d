//! A running server with a member signed in, the calls that are measured, and what they cost.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use ureq::Agent;

use super::stores::{EMAIL, PASSWORD, Store};

/// A request that is measured.
#[derive(Clone, Copy)]
pub enum Call {
    /// A handler that answers a constant.
    Alive,
    Counts,
    /// Ten rows of a folder.
    Page {
        folder: &'static str,
        page: u32,
    },
    /// The first ten orders of a folder that hold a term.
    Search {
        folder: &'static str,
        term: &'static str,
    },
}

impl Display for Call {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Call::Alive => write!(out, "a constant (/healthz)"),
            Call::Counts => write!(out, "counts"),
            Call::Page { folder, page } => write!(out, "{folder}, page {page}"),
            Call::Search { folder, term } => write!(out, "{folder}, {term}"),
        }
    }
}

/// A running server. Dropping it stops it.
pub struct TestServer {
    process: Child,
    agent: Agent,
    address: String,
    token: String,
}

impl TestServer {
    /// Starts the server on a free port and signs in.
    ///
    /// # Errors
    /// If it does not start or refuses the sign-in.
    pub fn open(store: &Store) -> Result<TestServer> {
        let mut command = store.visadesk();
        command.args(["serve", "--no-worker"]).env("VISADESK_LISTEN", "127.0.0.1:0").stdout(Stdio::piped());
        let process = command.spawn().context("cannot start visadesk")?;
        let mut server = TestServer { process, agent: agent(), address: String::new(), token: String::new() };
        let stdout = server.process.stdout.take().context("visadesk has no output")?;
        let mut ready = String::new();
        BufReader::new(stdout).read_line(&mut ready)?;
        let address = ready.trim_end().strip_prefix("Visadesk is ready at ").context("visadesk did not start")?;
        server.address = address.to_owned();

        let sign_in = json!({"email": EMAIL, "password": PASSWORD}).to_string();
        let answer = server.post(&server.agent, "/api/admin/admin-login", &sign_in)?;
        let answer: Value = serde_json::from_str(&answer)?;
        server.token = answer["jwtToken"].as_str().context("the sign-in answered no token")?.to_owned();
        Ok(server)
    }

    /// Where it listens: `http://…`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The answer of a call of the API.
    ///
    /// # Errors
    /// If it is refused, or is no JSON.
    pub fn ask(&self, call: Call) -> Result<Value> {
        Ok(serde_json::from_str(&self.send(&self.agent, call)?)?)
    }

    /// How long the answer takes: on this machine that is the server's time, and a little.
    ///
    /// # Errors
    /// If the call is refused.
    pub fn time(&self, call: Call) -> Result<Duration> {
        let start = Instant::now();
        self.send(&self.agent, call)?;
        Ok(start.elapsed())
    }

    /// The CPU time that the server spends on so many calls over a few connections that stay open.
    ///
    /// # Errors
    /// If a call is refused, or the CPU times cannot be read.
    pub fn cpu_of(&self, call: Call, calls: u32) -> Result<Duration> {
        const CONNECTIONS: u32 = 4;
        let agents: Vec<Agent> = (0..CONNECTIONS).map(|_| agent()).collect();
        for agent in &agents {
            self.send(agent, call)?;
        }
        let before = self.cpu()?;
        thread::scope(|threads| {
            let callers: Vec<_> = agents
                .iter()
                .map(|agent| {
                    threads.spawn(move || (0..calls / CONNECTIONS).try_for_each(|_| self.send(agent, call).map(drop)))
                })
                .collect();
            callers.into_iter().try_for_each(|caller| caller.join().map_err(|_| anyhow!("a caller panicked"))?)
        })?;
        Ok(self.cpu()? - before)
    }

    /// The CPU time that the server has spent, in its own code and in the kernel's.
    fn cpu(&self) -> Result<Duration> {
        /// What the kernel counts in, for programs: the same on every machine.
        const TICK: Duration = Duration::from_millis(10);
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // The name, in brackets, may hold anything; the state follows, and eleven fields later the two times.
        let fields = stat.rsplit_once(')').map(|(_, fields)| fields.split_whitespace()).context("no CPU times")?;
        let times: Vec<u32> = fields.skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
        Ok(TICK * times.iter().sum())
    }

    fn send(&self, agent: &Agent, call: Call) -> Result<String> {
        match call {
            Call::Alive => self.get(agent, "/healthz"),
            Call::Counts => self.get(agent, "/api/admin/get-all-folder-count"),
            Call::Page { folder, page } => {
                self.get(agent, &format!("/api/admin/get-orders-list/{folder}?page={page}&limit=10"))
            }
            Call::Search { folder, term } => {
                let body = json!({"start": 0, "end": 10, "searchVal": term, "folderName": folder});
                self.post(agent, "/api/admin/search-order", &body.to_string())
            }
        }
        .with_context(|| format!("{call} failed"))
    }

    fn get(&self, agent: &Agent, path: &str) -> Result<String> {
        let request = agent.get(format!("{}{path}", self.address)).header("Authorization", &self.token);
        Ok(request.call()?.body_mut().read_to_string()?)
    }

    fn post(&self, agent: &Agent, path: &str, body: &str) -> Result<String> {
        let request = agent.post(format!("{}{path}", self.address)).header("Authorization", &self.token);
        Ok(request.header("Content-Type", "application/json").send(body)?.body_mut().read_to_string()?)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Err(error) = self.process.kill().and_then(|()| self.process.wait()) {
            eprintln!("cannot stop visadesk: {error}");
        }
    }
}

/// A client with a connection of its own.
fn agent() -> Agent {
    Agent::config_builder().timeout_global(Some(Duration::from_secs(60))).build().into()
}
