//! The developer's house: `cargo xtask run | build | test | gen | bench`.
//!
//! One file per verb (`run.rs`, `build.rs`, `test.rs`, `generate.rs`, `bench.rs`); the other files are what the verbs stand on.
//! Nothing here is part of the product.

mod bench;
mod build;
mod cargo;
mod chromium;
mod debian;
mod deny;
mod e2e;
mod generate;
mod house;
mod node;
mod postgres;
mod report;
mod run;
mod stamp;
mod test;
mod web;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use house::House;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Builds, runs and tests Visadesk")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Build everything and serve it with demo data from ./data (Ctrl-C stops it, the data stays)
    Run,
    /// Make the release binary, with the web app inside
    Build,
    /// Check everything: format, lints, dependencies, both databases, the web app, a real browser
    Test(test::Options),
    /// Refresh the generated files: the HTTP contract and the web app's types
    Gen(generate::Options),
    /// Measure the server over many orders, on both databases, and print what it costs
    Bench(bench::Options),
}

fn main() -> ExitCode {
    match carry_out(Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(verb: Verb) -> anyhow::Result<()> {
    let house = House::open()?;
    match verb {
        Verb::Run => run::run(&house),
        Verb::Build => build::build(&house),
        Verb::Test(options) => test::test(&house, &options),
        Verb::Gen(options) => generate::generate(&house, &options),
        Verb::Bench(options) => bench::bench(&house, &options),
    }
}
