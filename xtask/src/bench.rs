//! `cargo xtask bench`: what requests cost over 10,000 orders and over many more, on both databases; with `--beside`, what they cost
//! another binary in the same run; with `--web`, what the first public page costs a phone, and the largest list and order
//! the office's browser.
//!
//! Ratios stand beside the figures, because figures belong to the machine and the hour. A missed target is printed, and
//! is no failure.

mod browser;
mod figures;
mod plan;
mod server;
mod stores;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;

use self::figures::{Figures, Times};
use self::plan::{FEW, FOLDERS, SEARCH_FOLDERS, TERMS};
use self::server::{Call, TestServer};
use self::stores::{Kind, Program, Store};
use crate::cargo::{self, Build};
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub struct Options {
    /// The orders of the large databases; the small ones have 10,000
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(20_000..))]
    orders: u64,
    /// Which databases to measure
    #[arg(long, value_enum, default_value_t = Databases::Both)]
    database: Databases,
    /// Leave the filled databases in the cache folder, for the next run
    #[arg(long)]
    keep: bool,
    /// Measure the large databases only, beside another binary of the server: that of an earlier commit, for instance
    #[arg(long, value_name = "BINARY")]
    beside: Option<PathBuf>,
    /// Measure in a browser instead: the first public page as a phone on a slow line has it, and the largest list and order
    #[arg(long, conflicts_with = "beside")]
    web: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Databases {
    Sqlite,
    Postgres,
    Both,
}

/// Builds the release, fills what is not filled yet, measures, and prints a table per database.
///
/// # Errors
/// If a build, a seed or a request fails. Never because something took long.
pub fn bench(workspace: &Workspace, options: &Options) -> Result<()> {
    if options.web {
        return browser::bench(workspace);
    }
    cargo::build(workspace, Build::Release)?;
    let kinds = match options.database {
        Databases::Sqlite => vec![Kind::Sqlite],
        Databases::Postgres => vec![Kind::Postgres],
        Databases::Both => vec![Kind::Sqlite, Kind::Postgres],
    };
    for kind in kinds {
        let many = Store::fill(workspace, Program::This, kind, options.orders)?;
        let (second, figures) = match &options.beside {
            Some(other) => {
                let other = Store::fill(workspace, Program::Other(other), kind, options.orders)?;
                let figures = compare(&TestServer::open(&other)?, &TestServer::open(&many)?)?;
                (other, figures)
            }
            None => {
                let few = Store::fill(workspace, Program::This, kind, FEW)?;
                let figures = measure(&TestServer::open(&few)?, &TestServer::open(&many)?, options.orders)?;
                (few, figures)
            }
        };
        println!("\n{kind}, one request at a time unless it says CPU\n\n{figures}");
        if !options.keep {
            second.remove()?;
            many.remove()?;
        }
    }
    Ok(())
}

/// Measures both in turns, so that what else the machine does meets both alike.
fn measure(few: &TestServer, many: &TestServer, orders: u64) -> Result<Figures> {
    let mut figures = Figures::new([FEW, orders].map(|orders| format!("{orders} orders")));
    let largest = largest_queue(many)?;

    println!("measuring CPU per request");
    let calls = [Call::Alive, Call::Counts, Call::Page { folder: largest, page: 1 }];
    let [alive, counts, page] = cpu_per_request(few, many, &calls)?;
    figures.cpu("a constant (/healthz): server CPU", alive);
    figures.cpu_ratio_to_few("counts: server CPU", counts, 1.3);
    figures.cpu_ratio_to_constant(&format!("{largest}, page 1: server CPU"), page, alive, 8.0);

    println!("measuring counts and pages");
    let pages: Vec<Call> =
        ["allOrder", largest].iter().flat_map(|&folder| [1, 1_000].map(|page| Call::Page { folder, page })).collect();
    let calls: Vec<Call> = [Call::Alive, Call::Counts].into_iter().chain(pages).collect();
    for (call, times) in calls.iter().zip(times(few, many, &calls, 200)?) {
        match call {
            Call::Counts => figures.times_ratio_to_few("counts", times, 1.3),
            Call::Page { .. } => figures.times(&call.to_string(), times, Some(Duration::from_millis(5))),
            _ => figures.times(&call.to_string(), times, None),
        }
    }

    println!("measuring searches");
    for folder in SEARCH_FOLDERS {
        let calls: Vec<Call> = TERMS.iter().map(|&(_, term)| Call::Search { folder, term }).collect();
        let found = times(few, many, &calls, 40)?;
        let all = [0, 1].map(|server| Times::together(found.iter().map(|times| &times[server])));
        for ((what, term), times) in TERMS.iter().zip(found) {
            figures.times(&format!("{folder}, {what}: {term}"), times, Some(Duration::from_millis(50)));
        }
        figures.times(&format!("{folder}, all searches together"), all, Some(Duration::from_millis(50)));
    }
    Ok(figures)
}

/// Measures the other binary and this one in turns, over as many orders.
fn compare(other: &TestServer, this: &TestServer) -> Result<Figures> {
    /// Noise of a shared machine: the same binary differs from itself by less.
    const MOST: f64 = 1.1;
    let mut figures = Figures::new(["other", "this"].map(str::to_owned));
    let largest = largest_queue(this)?;

    println!("measuring CPU per request");
    let pages = ["allOrder", largest].map(|folder| [1, 1_000].map(|page| Call::Page { folder, page }));
    let pages = pages.as_flattened();
    let calls = [Call::Alive, Call::Counts, pages[0], pages[1], pages[2], pages[3]];
    for (call, spent) in calls.iter().zip(cpu_per_request(other, this, &calls)?) {
        figures.cpu_ratio_to_other(&format!("{call}: server CPU"), spent, MOST);
    }

    println!("measuring requests");
    for (call, times) in calls.iter().zip(times(other, this, &calls, 200)?) {
        figures.times_ratio_to_other(&call.to_string(), times, MOST);
    }
    for folder in SEARCH_FOLDERS {
        let calls: Vec<Call> = TERMS.iter().map(|&(_, term)| Call::Search { folder, term }).collect();
        for ((what, term), times) in TERMS.iter().zip(times(other, this, &calls, 40)?) {
            figures.times_ratio_to_other(&format!("{folder}, {what}: {term}"), times, MOST);
        }
    }
    Ok(figures)
}

/// The folder of one status that holds most. `allOrder` holds more, and needs no condition.
fn largest_queue(server: &TestServer) -> Result<&'static str> {
    let mut largest = (0, FOLDERS[0]);
    for folder in FOLDERS {
        let total = server.ask(Call::Page { folder, page: 1 })?["total"].as_u64().unwrap_or(0);
        if total > largest.0 {
            largest = (total, folder);
        }
    }
    Ok(largest.1)
}

/// The time of each call on both servers, call by call and server by server in each round. The first round is not counted.
fn times(first: &TestServer, second: &TestServer, calls: &[Call], rounds: u32) -> Result<Vec<[Times; 2]>> {
    let mut all = vec![[Times::default(), Times::default()]; calls.len()];
    for round in 0..=rounds {
        for (call, times) in calls.iter().zip(&mut all) {
            for (server, times) in [first, second].into_iter().zip(times) {
                let took = server.time(*call)?;
                if round > 0 {
                    times.add(took);
                }
            }
        }
    }
    Ok(all)
}

const CPU_ROUNDS: u32 = 5;
/// Enough for the ticks of 10 ms, in which the kernel tells CPU times, not to matter.
const REQUESTS_A_ROUND: u32 = 2_000;

/// The server's CPU time for one request of each call, on both servers, over connections that stay open.
fn cpu_per_request<const N: usize>(
    first: &TestServer,
    second: &TestServer,
    calls: &[Call; N],
) -> Result<[[Duration; 2]; N]> {
    let mut spent = [[Duration::ZERO; 2]; N];
    for round in 0..=CPU_ROUNDS {
        for (call, spent) in calls.iter().zip(&mut spent) {
            for (server, spent) in [first, second].into_iter().zip(spent) {
                let cpu = server.cpu_of(*call, REQUESTS_A_ROUND)?;
                if round > 0 {
                    *spent += cpu;
                }
            }
        }
    }
    Ok(spent.map(|both| both.map(|spent| spent / (CPU_ROUNDS * REQUESTS_A_ROUND))))
}
