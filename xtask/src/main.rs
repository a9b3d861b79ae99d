//! The developer's commands: `cargo xtask run | build | test | gen | pictures | bench`.
//!
//! One file per verb (`run.rs`, `build.rs`, `test.rs`, `generate.rs`, `pictures.rs`, `bench.rs`); the verbs use the other files.
//! Nothing here is part of the product.

mod advisories;
mod bench;
mod build;
mod cargo;
mod chromium;
mod debian;
mod deny;
mod e2e;
mod errors;
mod fuzz;
mod generate;
mod node;
mod pictures;
mod postgres;
mod progress;
mod python;
mod reference;
mod report;
mod run;
mod sbom;
mod stamp;
mod test;
mod web;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use workspace::Workspace;

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
    /// Build what a first start left out, while the server runs
    #[command(hide = true)]
    BuildTheRest,
    /// Make the release binary, with the web app inside
    Build(build::Options),
    /// Check everything: format, lints, dependencies, both databases, the web app, a real browser
    Test(test::Options),
    /// Refresh the generated files: the HTTP contract and the web app's types
    Gen(generate::Options),
    /// Draw the pictures of the screens in docs/screens anew, and all widths of them into target/pictures
    Pictures,
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
    let workspace = Workspace::open()?;
    match verb {
        Verb::Run => run::run(&workspace),
        Verb::BuildTheRest => run::build_the_rest(&workspace),
        Verb::Build(options) => build::build(&workspace, &options),
        Verb::Test(options) => test::test(&workspace, &options),
        Verb::Gen(options) => generate::generate(&workspace, &options),
        Verb::Pictures => pictures::draw(&workspace),
        Verb::Bench(options) => bench::bench(&workspace, &options),
    }
}
