//! A running server with a member signed in, the calls that are measured, and what they cost.

use std::fmt::{self, Display, Formatter};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};

use crate::client::Client;
use crate::plan::OPEN_FOLDERS;
use crate::processes;
use crate::running::Running;
use crate::stores::{EMAIL, PASSWORD, Store};

/// The call that signs a member in.
pub const SIGN_IN: &str = "/api/admin/admin-login";

/// A request that is measured.
#[derive(Clone, Copy)]
pub enum Call {
    /// A handler that answers a constant.
    Alive,
    Counts,
    /// Ten rows of a folder.
    Page {
        folder: &'static str,
        page: u64,
    },
    /// The first ten orders of a folder that hold a term.
    Search {
        folder: &'static str,
        term: &'static str,
    },
    /// The first ten orders of a folder that pass a filter.
    Filtered {
        folder: &'static str,
        filter: &'static str,
    },
    /// The open orders of each member.
    Workload,
}

impl Display for Call {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Call::Alive => write!(out, "a constant (/healthz)"),
            Call::Counts => write!(out, "counts"),
            Call::Page { folder, page } => write!(out, "{folder}, page {page}"),
            Call::Search { folder, term } => write!(out, "{folder}, {term}"),
            Call::Filtered { folder, filter } => write!(out, "{folder}, {filter}"),
            Call::Workload => write!(out, "workload"),
        }
    }
}

/// This server or another binary of it. Dropping it stops it.
pub struct TestServer {
    running: Running,
    client: Client,
}

impl TestServer {
    /// Starts the server on a free port and signs in.
    ///
    /// # Errors
    /// If it does not start or refuses the sign-in.
    pub fn open(store: &Store<'_>) -> Result<TestServer> {
        TestServer::open_with(store, &[])
    }

    /// Starts the server with settings, by the names of their environment variables, and signs in.
    ///
    /// # Errors
    /// If it does not start or refuses the sign-in.
    pub fn open_with(store: &Store<'_>, settings: &[(&str, &str)]) -> Result<TestServer> {
        TestServer::start(store, settings)?.signed_in()
    }

    /// Starts the server on a free port, without a session.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(store: &Store<'_>, settings: &[(&str, &str)]) -> Result<TestServer> {
        let mut command = store.visadesk();
        command.args(["serve", "--no-worker"]).env("VISADESK_LISTEN", "127.0.0.1:0").envs(settings.iter().copied());
        let running = Running::start("visadesk", command, "Visadesk is ready at ")?;
        let client = Client::new(running.address(), None);
        Ok(TestServer { running, client })
    }

    /// Signs the member in.
    ///
    /// # Errors
    /// If the server refuses the sign-in.
    pub fn signed_in(self) -> Result<TestServer> {
        let client = self.another_browser()?;
        Ok(TestServer { client, ..self })
    }

    /// Signs the member in with another browser.
    ///
    /// # Errors
    /// If the server refuses the sign-in.
    pub fn another_browser(&self) -> Result<Client> {
        let sign_in = json!({"email": EMAIL, "password": PASSWORD}).to_string();
        let answer: Value = serde_json::from_str(&self.client.send("POST", SIGN_IN, &sign_in)?)?;
        let token = answer["jwtToken"].as_str().context("the response to the sign-in has no token")?;
        Ok(Client::new(self.running.address(), Some(token)))
    }

    /// A client that is signed in, once the member is.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The id of the server's process.
    pub fn process(&self) -> u32 {
        self.running.id()
    }

    /// Lists the ids of the newest open orders without an owner.
    ///
    /// # Errors
    /// If a list is refused.
    pub fn open_orders(&self) -> Result<Vec<u64>> {
        let mut orders = Vec::new();
        for folder in OPEN_FOLDERS {
            let page = self.client.get(&format!("/api/admin/get-orders-list/{folder}?limit=1000"))?;
            let page: Value = serde_json::from_str(&page)?;
            let unowned = page["data"].as_array().into_iter().flatten().filter(|order| order["assign_to"].is_null());
            orders.extend(unowned.filter_map(|order| order["order_id"].as_u64()));
        }
        Ok(orders)
    }

    /// Returns the response to a call.
    ///
    /// # Errors
    /// If the call is refused, or the response is not JSON.
    pub fn ask(&self, call: Call) -> Result<Value> {
        Ok(serde_json::from_str(&send(&self.client, call)?)?)
    }

    /// Measures a call, with the client's share.
    ///
    /// # Errors
    /// If the call is refused.
    pub fn time(&self, call: Call) -> Result<Duration> {
        let start = Instant::now();
        send(&self.client, call)?;
        Ok(start.elapsed())
    }

    /// Measures the CPU time that the server spends on so many calls, over a few connections that stay open.
    ///
    /// # Errors
    /// If a call is refused, or the CPU times cannot be read.
    pub fn cpu_of(&self, call: Call, calls: u32) -> Result<Duration> {
        const CONNECTIONS: u32 = 4;
        let clients: Vec<Client> = (0..CONNECTIONS).map(|_| self.client.another()).collect();
        for client in &clients {
            send(client, call)?;
        }
        let before = processes::cpu(self.process())?;
        thread::scope(|threads| {
            let callers: Vec<_> = clients
                .iter()
                .map(|client| {
                    threads.spawn(move || (0..calls / CONNECTIONS).try_for_each(|_| send(client, call).map(drop)))
                })
                .collect();
            callers.into_iter().try_for_each(|caller| caller.join().map_err(|_| anyhow!("a caller panicked"))?)
        })?;
        Ok(processes::cpu(self.process())?.saturating_sub(before))
    }
}

fn send(client: &Client, call: Call) -> Result<String> {
    match call {
        Call::Alive => client.get("/healthz"),
        Call::Counts => client.get("/api/admin/get-all-folder-count"),
        Call::Page { folder, page } => client.get(&format!("/api/admin/get-orders-list/{folder}?page={page}&limit=10")),
        Call::Search { folder, term } => {
            let body = json!({"start": 0, "end": 10, "searchVal": term, "folderName": folder});
            client.send("POST", "/api/admin/search-order", &body.to_string())
        }
        Call::Filtered { folder, filter } => {
            client.get(&format!("/api/admin/get-orders-list/{folder}?limit=10&{filter}"))
        }
        Call::Workload => client.get("/api/admin/workload"),
    }
    .with_context(|| format!("{call} failed"))
}
