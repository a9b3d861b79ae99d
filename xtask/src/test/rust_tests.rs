//! The Rust tests: all of them or some, on either database.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use xshell::Cmd;

use super::step::Run;
use crate::cargo::cargo;
use crate::postgres::place_in_memory;
use crate::workspace::Workspace;

/// The modules and tests of the server that no database can change: once is enough.
const WITHOUT_SQL: &str = "server/tests/without_sql.txt";

/// The binary of the server's tests, and the sign before its own options.
const API: [&str; 3] = ["--package=visadesk", "--test=api", "--"];

/// All tests, the server's on SQLite. `seen` takes the errors that calls gave.
///
/// # Errors
/// If a test fails.
pub fn all_on_sqlite(run: &Run<'_>, seen: &Path) -> Result<()> {
    let command = cargo_test(run)?;
    finish(run, command.env("VISADESK_TEST_ERRORS", seen), "sqlite", "")
}

/// The server's tests on PostgreSQL, without those that touch no database.
///
/// # Errors
/// If a test fails.
pub fn all_on_postgres(run: &Run<'_>, url: &str) -> Result<()> {
    let once = without_sql(run.workspace)?;
    let command = cargo_test(run)?.args(API);
    // libtest skips by a part of the name: with the colons, one of a module's tests.
    let skip = |name: &String| format!("--skip={name}{}", if is_module(run.workspace, name) { "::" } else { "" });
    finish(run, command.args(once.iter().map(skip)), "postgres", url)?;
    run.workspace.not_checked(&format!("not on this database, because it can change nothing: {}", once.join(", ")))
}

/// The tests of `tests/api` with one of the texts in their names.
///
/// # Errors
/// If a test fails, or none has such a name.
pub fn some(run: &Run<'_>, database: &str, url: &str) -> Result<()> {
    finish(run, cargo_test(run)?.args(API).args(&run.options.names), database, url)
}

fn finish(run: &Run<'_>, command: Cmd<'_>, database: &str, url: &str) -> Result<()> {
    let temporary = TemporaryFolder::make(run.workspace)?;
    // Half of a test's time is waiting: for a program to start, for a disk, for PostgreSQL.
    let threads = 3 * thread::available_parallelism()?.get();
    let mut command = command
        .env("RUST_TEST_THREADS", threads.to_string())
        .env("VISADESK_TEST_DATABASE", database)
        .env("VISADESK_TEST_POSTGRES_URL", url)
        .env("TMPDIR", &temporary.0);
    if run.options.long {
        command = command.env("VISADESK_TEST_LONG", "1");
    }
    Ok(command.run()?)
}

/// `cargo test`, whose test binaries are started by `xtask timed`.
fn cargo_test<'a>(run: &Run<'a>) -> Result<Cmd<'a>> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let runner = format!("target.'cfg(unix)'.runner = ['{}', 'timed']", program.display());
    Ok(cargo(run.workspace, "test").args(["--locked", "--config", &runner]))
}

/// The modules and tests in the list.
fn without_sql(workspace: &Workspace) -> Result<Vec<String>> {
    let list = fs::read_to_string(workspace.root.join(WITHOUT_SQL))?;
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    Ok(lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

fn is_module(workspace: &Workspace, name: &str) -> bool {
    workspace.root.join(format!("server/tests/api/{}.rs", name.replace("::", "/"))).exists()
}

/// The beginning of the folder's name, before the id of its process.
const FOLDER: &str = "visadesk-tests-";

/// Removes the folders of runs that were interrupted.
fn remove_those_of_ended_runs(above: &Path) -> Result<()> {
    for entry in fs::read_dir(above)?.flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix(FOLDER));
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// The folder that the tests make theirs in: in memory where there is plenty, because each test makes a database and waits for its disk.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes the folder.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn make(workspace: &Workspace) -> Result<TemporaryFolder> {
        let above = place_in_memory(workspace).unwrap_or_else(std::env::temp_dir);
        remove_those_of_ended_runs(&above)?;
        let folder = above.join(format!("{FOLDER}{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(TemporaryFolder(folder))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}
