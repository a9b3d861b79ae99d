use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::workspace::Workspace;
use xtask::{build, cargo, generate, mutants, pictures, run, seeds, test};

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
    /// Run a test binary so that it prints the time of each test (cargo starts it)
    #[command(hide = true)]
    Timed {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        command: Vec<OsString>,
    },
    /// Put known faults into the sources, one after another, and check that their tests detect them
    Mutants(mutants::Options),
    /// Take long random sequences of the invariants with many seeds, in the release build
    Seeds(seeds::Options),
    /// Refresh the generated files: the HTTP contract and the web app's types
    Gen(generate::Options),
    /// Draw the pictures of the screens in docs/screens anew, and all widths of them into target/pictures
    Pictures,
    /// Measure the server over many orders, on both databases, and print what it costs
    #[command(disable_help_flag = true)]
    Bench {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
}

/// Carries out the verb of the command line.
pub fn main() -> ExitCode {
    match carry_out(Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn carry_out(verb: Verb) -> Result<()> {
    let workspace = Workspace::open()?;
    match verb {
        Verb::Run => run::run(&workspace),
        Verb::BuildTheRest => run::build_the_rest(&workspace),
        Verb::Build(options) => build::build(&workspace, &options),
        Verb::Test(options) => test::test(&workspace, &options),
        Verb::Timed { command } => test::timed(&command),
        Verb::Mutants(options) => mutants::mutants(&workspace, &options),
        Verb::Seeds(options) => seeds::seeds(&workspace, &options),
        Verb::Gen(options) => generate::generate(&workspace, &options),
        Verb::Pictures => pictures::draw(&workspace),
        Verb::Bench { options } => {
            let bench = cargo::cargo(&workspace, "run").args(["--locked", "--quiet", "--package=bench", "--"]);
            Ok(bench.args(options).run()?)
        }
    }
}
