//! `cargo xtask bench` measures this server on both databases: under load, beside other servers over the same data; one request at a time,
//! over 10,000 orders and over many more; seed, import and export of many rows; the list under floods; the desks that follow changes; and one process over its life.
//! `--beside` adds another binary of the server to the first three. With `--web` it measures the first public page on a phone, and the largest
//! list and order in a browser of the office.
//!
//! Ratios stand beside the figures, because figures depend on the machine and on its other work. A missed target is printed, and is
//! no failure.

mod answers;
mod browser;
mod client;
mod crowd;
mod desks;
mod figures;
mod floods;
mod life;
mod load;
mod load_table;
mod peers;
mod plan;
mod processes;
mod requests;
mod rows;
mod running;
mod server;
mod stores;
mod table;
mod visitors;
mod workloads;
mod wrk;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use xtask::cargo::{self, Build};
use xtask::workspace::Workspace;

use crate::load::{Plan, USUAL_CONNECTIONS};
use crate::plan::few;
use crate::server::TestServer;
use crate::stores::{Kind, Program, Store};

/// The connections of `--long`.
const LONG_CONNECTIONS: [u32; 3] = [1, USUAL_CONNECTIONS, 64];

/// Measures the server over many orders, on both databases, and prints what it costs
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Options {
    /// The orders of the large databases. The small ones have 10,000, or half as many
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(2_000..))]
    orders: u64,
    /// Which databases to measure
    #[arg(long, value_enum, default_value_t = Databases::Both)]
    database: Databases,
    /// What to measure: all of it by default
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Part::Load, Part::Requests, Part::Rows])]
    parts: Vec<Part>,
    /// The connections of the load
    #[arg(long, value_delimiter = ',', default_values_t = [USUAL_CONNECTIONS], value_parser = clap::value_parser!(u32).range(1..=1_000))]
    connections: Vec<u32>,
    /// The seconds of each measurement of the load, of which there are three, and of floods. The machine should do nothing else
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Load with 1, 16 and 64 connections, and Django beside this server on PostgreSQL
    #[arg(long, conflicts_with = "connections")]
    long: bool,
    /// The minutes of load in the part `life`
    #[arg(long, default_value_t = 5)]
    minutes: u32,
    /// Leave the filled databases in the cache folder, for the next run
    #[arg(long)]
    keep: bool,
    /// Measure another binary of the server too, on a database of its own: that of an earlier commit, for instance
    #[arg(long, value_name = "BINARY")]
    beside: Option<PathBuf>,
    /// Measure this binary in place of this repository's release, which is then not built
    #[arg(long, value_name = "BINARY")]
    binary: Option<PathBuf>,
    /// Measure in a browser instead: the first public page as a phone on a slow line has it, and the largest list and order
    #[arg(long, conflicts_with_all = ["beside", "binary"])]
    web: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Databases {
    Sqlite,
    Postgres,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Requests on many connections, beside other servers
    Load,
    /// Requests one at a time
    Requests,
    /// Seed, import and export
    Rows,
    /// The list of the desk while others use the server as hard as they can, and 10,000 visitors
    Floods,
    /// Browsers of 200 desks that follow the changes of orders
    Desks,
    /// How long the start takes, and the memory before, during and after load
    Life,
}

/// Builds the release, fills what is not filled yet, measures, and prints the tables of each database.
///
/// # Errors
/// If a build, a seed or a request fails. Never because something took long.
fn main() -> Result<()> {
    let options = &Options::parse();
    let workspace = &Workspace::open()?;
    if options.web {
        return browser::bench(workspace);
    }
    if options.binary.is_none() {
        cargo::build(workspace, Build::Release)?;
    }
    let kinds = match options.database {
        Databases::Sqlite => vec![Kind::Sqlite],
        Databases::Postgres => vec![Kind::Postgres],
        Databases::Both => vec![Kind::Sqlite, Kind::Postgres],
    };
    kinds.into_iter().try_for_each(|kind| bench_on(workspace, options, kind))
}

fn bench_on(workspace: &Workspace, options: &Options, kind: Kind) -> Result<()> {
    let orders = options.orders;
    let fill = |program, orders| Store::fill(workspace, program, kind, orders, options.keep);
    let is_measured = |part| options.parts.contains(&part);
    let program = options.binary.as_deref().map_or(Program::This, Program::InPlace);
    let this = fill(program, orders)?;
    let other = options.beside.as_deref().map(|other| fill(Program::Other(other), orders)).transpose()?;
    if is_measured(Part::Load) {
        let connections = if options.long { &LONG_CONNECTIONS[..] } else { &options.connections };
        let plan = Plan { kind, orders, connections, seconds: options.seconds, with_django: options.long };
        let table = load::measure(workspace, &plan, &this, other.as_ref())?;
        println!("\n{kind}, {orders} orders, under load\n\n{table}");
    }
    if is_measured(Part::Rows) {
        let table = rows::measure(kind, orders, &this, other.as_ref())?;
        println!("\n{kind}, many rows at once\n\n{table}");
    }
    if is_measured(Part::Floods) {
        let table = floods::measure(workspace, orders, &this, options.seconds)?;
        println!("\n{kind}, floods\n\n{table}");
        let table = visitors::measure(orders, &this)?;
        println!("\n{kind}, visitors\n\n{table}");
    }
    if is_measured(Part::Desks) {
        let table = desks::measure(workspace, orders, &this, options.seconds)?;
        println!("\n{kind}, desks\n\n{table}");
    }
    if is_measured(Part::Life) {
        let table = life::measure(workspace, orders, &this, options.minutes)?;
        println!("\n{kind}, one process\n\n{table}");
    }
    if is_measured(Part::Requests) {
        let figures = match &other {
            Some(other) => requests::compare(&TestServer::open(other)?, &TestServer::open(&this)?, orders)?,
            None => {
                let small = fill(program, few(orders))?;
                requests::measure(&TestServer::open(&small)?, &TestServer::open(&this)?, orders)?
            }
        };
        println!("\n{kind}, one request at a time unless it says CPU\n\n{figures}");
    }
    Ok(())
}
