//! The one binary: the server, its workers, and the commands of an operator. All of it is in the library, because the tests need it there.

use visadesk::{commands, process};

fn main() -> std::process::ExitCode {
    process::limit_kept_memory();
    commands::run()
}
