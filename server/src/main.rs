//! The one binary: the server, its workers, and the commands of an operator.

mod commands;

use clap::Parser;
use visadesk::process;

fn main() -> std::process::ExitCode {
    process::limit_kept_memory();
    commands::Cli::parse().run()
}
