//! The load: every workload, with 1, 16 or 64 connections, on this server and on its peers in turns.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use xtask::needs::{Need, ensure_all};
use xtask::workspace::Workspace;

use crate::answers::ensure_same;
use crate::client::Client;
use crate::load_table::{Cell, LoadTable, Usage};
use crate::peers::Peer;
use crate::processes;
use crate::server::TestServer;
use crate::stores::{Kind, MEMBER, Store};
use crate::workloads::{Share, Workload, example};
use crate::wrk::{self, Job};

/// The connections with which the targets are meant.
pub const USUAL_CONNECTIONS: u32 = 16;

/// The most orders of one call that assigns.
const MAX_ASSIGNED: usize = 500;

/// How often the servers take turns at a workload. The median counts, because one of them may meet a moment at which the machine is slow.
const TURNS: usize = 3;

/// The samples of a workload with random numbers whose responses are compared.
const SAMPLES: u64 = 50;

/// How to measure.
pub struct Plan<'a> {
    pub kind: Kind,
    /// The orders in the database.
    pub orders: u64,
    pub connections: &'a [u32],
    /// The length of each measurement.
    pub seconds: u32,
    /// Whether Django is measured on PostgreSQL.
    pub with_django: bool,
}

/// A server under load.
struct Target<'a> {
    name: &'a str,
    client: Client,
    process: u32,
    /// The process of its database, if that is another one.
    database: Option<u32>,
    /// Open orders without an owner, which the load assigns.
    unowned: Vec<u64>,
    /// The peer, if it is one: what it answers must be what this server answers.
    peer: Option<&'a Peer>,
    /// A folder for the files of the load.
    dir: &'a Path,
}

/// Measures copies of the stores, because the load writes. The columns of the table are this server, its peers, and the other binary.
///
/// # Errors
/// If something needed is missing, or a response is not what it should be.
pub fn measure(
    workspace: &Workspace,
    plan: &Plan<'_>,
    this: &Store<'_>,
    other: Option<&Store<'_>>,
) -> Result<LoadTable> {
    ensure_all(workspace, &[Need::Wrk])?;
    let workloads = workloads(workspace, plan.orders)?;
    let this = this.copy()?;
    let other = other.map(Store::copy).transpose()?;
    let peers = peers(workspace, plan, &this)?;
    let server = TestServer::open(&this)?;
    let other_server = other.as_ref().map(TestServer::open).transpose()?;
    let unowned = server.open_orders()?;

    let mut targets = vec![Target::of_server("this", &server, &this, unowned.clone())];
    for peer in &peers {
        targets.push(Target {
            name: peer.name,
            client: Client::new(peer.running.address(), None),
            process: peer.running.id(),
            database: this.database_process(),
            unowned: unowned.clone(),
            peer: Some(peer),
            dir: this.data(),
        });
    }
    if let (Some(store), Some(server)) = (&other, &other_server) {
        targets.push(Target::of_server("other", server, store, server.open_orders()?));
    }
    check(&targets, &workloads, plan.orders)?;
    load(workspace, plan, &targets, &workloads)
}

/// The constant, and the workloads of the file that so many orders allow.
fn workloads(workspace: &Workspace, orders: u64) -> Result<Vec<Workload>> {
    let mut workloads = vec![Workload::constant()];
    for workload in Workload::read_all(workspace)? {
        if workload.orders > orders {
            println!("left out, because it takes {} orders: {}", workload.orders, workload.name);
        } else {
            workloads.push(workload);
        }
    }
    Ok(workloads)
}

/// Starts the peers. Each of those on SQLite has a database of its own, because only one process of Visadesk may open one.
fn peers(workspace: &Workspace, plan: &Plan<'_>, store: &Store<'_>) -> Result<Vec<Peer>> {
    match plan.kind {
        Kind::Sqlite => {
            let [bare, fastify] = ["bare.db", "fastify.db"].map(|name| store.data().join(name));
            copy_database(&store.data().join("visadesk.db"), &bare)?;
            copy_database(&store.data().join("visadesk.db"), &fastify)?;
            Ok(vec![Peer::bare(workspace, &bare)?, Peer::fastify(workspace, &fastify)?])
        }
        Kind::Postgres if plan.with_django => {
            Ok(vec![Peer::django(workspace, store.url().context("PostgreSQL has no address")?)?])
        }
        Kind::Postgres => Ok(Vec::new()),
    }
}

/// Copies a SQLite database that no program has open, with the changes that are still in its log.
fn copy_database(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    let log = from.with_extension("db-wal");
    if log.exists() {
        fs::copy(&log, to.with_extension("db-wal")).with_context(|| format!("cannot copy {}", log.display()))?;
    }
    Ok(())
}

/// Compares responses of all servers, before anything is written.
fn check(targets: &[Target<'_>], workloads: &[Workload], orders: u64) -> Result<()> {
    println!("comparing the responses of {}", targets.iter().map(|target| target.name).collect::<Vec<_>>().join(", "));
    for workload in workloads {
        let samples = if workload.has_ranges(orders)? { SAMPLES } else { 1 };
        for part in 0..samples {
            let share = Share { part, of: SAMPLES - 1 };
            let mut this = Value::Null;
            for target in targets {
                let failed = || format!("{} on {}", workload.name, target.name);
                let answer = target.sample(workload, orders, share).with_context(failed)?;
                match target.peer {
                    Some(peer) => ensure_same(&answer, &this, peer.left_out.as_deref()).with_context(failed)?,
                    None if this.is_null() => this = answer,
                    None => {}
                }
            }
        }
    }
    Ok(())
}

fn load(workspace: &Workspace, plan: &Plan<'_>, targets: &[Target<'_>], workloads: &[Workload]) -> Result<LoadTable> {
    let mut table = LoadTable::new(plan.kind, targets.iter().map(|target| target.name.to_owned()).collect());
    for workload in workloads {
        for target in targets {
            // Not counted: fills caches and prepares statements.
            target.load(workspace, plan.orders, workload, USUAL_CONNECTIONS, 1)?;
        }
        for &connections in plan.connections {
            let mut turns: Vec<Vec<Cell>> = targets.iter().map(|_| Vec::with_capacity(TURNS)).collect();
            for _ in 0..TURNS {
                for (target, cells) in targets.iter().zip(&mut turns) {
                    cells.push(target.load(workspace, plan.orders, workload, connections, plan.seconds)?);
                }
            }
            let cells: Vec<Cell> = turns.into_iter().map(median).collect();
            let rates = targets.iter().zip(&cells).map(|(target, cell)| format!("{} {:.0}/s", target.name, cell.rate));
            println!("{}, {connections} connections: {}", workload.name, rates.collect::<Vec<_>>().join(", "));
            table.add(workload, connections, cells);
        }
    }
    for target in targets {
        table.add_memory(target.name, processes::memory(target.process)?);
    }
    Ok(table)
}

/// The measurement with the median rate.
fn median(mut cells: Vec<Cell>) -> Cell {
    cells.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    cells.swap_remove(cells.len() / 2)
}

impl<'a> Target<'a> {
    fn of_server(name: &'a str, server: &TestServer, store: &'a Store<'_>, unowned: Vec<u64>) -> Target<'a> {
        Target {
            name,
            client: server.client().another(),
            process: server.process(),
            database: store.database_process(),
            unowned,
            peer: None,
            dir: store.data(),
        }
    }

    /// Sends one request of a workload, and returns what is compared of the response.
    fn sample(&self, workload: &Workload, orders: u64, share: Share) -> Result<Value> {
        if workload.assigns() {
            self.give_back()?;
        }
        let unowned = self.unowned.first().copied().context("the database has no open orders")?;
        let path = example(&workload.path(orders)?, share, unowned, MEMBER);
        let body = example(&workload.body(orders)?, share, unowned, MEMBER);
        let answer = self.client.send(&workload.method, &path, &body)?;
        if workload.is_constant() {
            return Ok(Value::String(answer));
        }
        let answer: Value = serde_json::from_str(&answer)?;
        if let Some(wanted) = workload.rows {
            let rows = answer["data"].as_array().map_or(0, Vec::len) as u64;
            ensure!(rows == wanted, "{rows} rows instead of {wanted}");
        }
        // The message of an assignment is for people.
        Ok(if workload.assigns() { json!({"status": answer["status"]}) } else { answer })
    }

    /// Takes the assigned orders back, so that every assignment changes something.
    fn give_back(&self) -> Result<()> {
        for orders in self.unowned.chunks(MAX_ASSIGNED) {
            let body = json!({"orderId": orders, "assignto": ""}).to_string();
            self.client
                .send("PUT", "/api/admin/assign-order-status", &body)
                .with_context(|| format!("{} does not take orders back", self.name))?;
        }
        Ok(())
    }

    /// Measures a workload for so many seconds.
    fn load(
        &self,
        workspace: &Workspace,
        orders: u64,
        workload: &Workload,
        connections: u32,
        seconds: u32,
    ) -> Result<Cell> {
        if workload.assigns() {
            self.give_back()?;
        }
        let job = Job {
            dir: self.dir,
            workload,
            address: self.client.address(),
            token: self.client.token(),
            orders,
            unowned: &self.unowned,
            member: MEMBER,
        };
        let cpu = || -> Result<[Duration; 2]> {
            let database = self.database.map(processes::cpu).transpose()?;
            Ok([processes::cpu(self.process)?, database.unwrap_or_default()])
        };
        let before = cpu()?;
        let outcome = wrk::run(workspace, &job, connections, seconds);
        let outcome = outcome.with_context(|| format!("{connections} connections to {}", self.name))?;
        let after = cpu()?;
        let share = |at: usize| (after[at].saturating_sub(before[at])).div_f64(outcome.requests.max(1) as f64);
        let usage = Usage { server: share(0), database: self.database.map(|_| share(1)) };
        Ok(Cell { rate: outcome.rate(), times: outcome.times, usage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_with_the_median_rate_counts() {
        let usage = Usage { server: Duration::ZERO, database: None };
        let cell = |rate: f64, p95: u64| Cell { rate, times: [Duration::from_millis(p95); 3], usage };
        let median = median(vec![cell(300.0, 1), cell(10.0, 90), cell(200.0, 2)]);
        assert_eq!((median.rate, median.times[1]), (200.0, Duration::from_millis(2)));
    }
}
