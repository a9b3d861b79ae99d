//! The one binary: the server, its workers, and the commands of an operator.

mod commands;

use clap::Parser;

fn main() -> std::process::ExitCode {
    commands::Cli::parse().run()
}
