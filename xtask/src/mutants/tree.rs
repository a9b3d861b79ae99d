//! A working tree of the committed state, in which faults are built and tested one after another, with a target folder of its own.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::cmd;

use super::catalogue::{Database, Program};
use super::combined::SWITCH;
use crate::cargo::cargo;
use crate::web;
use crate::workspace::Workspace;

/// How long the tests of one fault may take, without their compilation.
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What the server embeds and git does not have.
const BUILT: [&str; 2] = ["web/dist", "server/node_modules"];

/// What a result depends on, as git names it.
const INPUTS: [&str; 3] = ["server", "Cargo.lock", "Cargo.toml"];

/// The working tree.
pub struct Tree<'a> {
    workspace: &'a Workspace,
    pub root: PathBuf,
    /// The tested commit.
    pub commit: String,
    /// The identity of the commit's sources.
    inputs: String,
}

/// Which tests of a program run.
#[derive(Clone, Copy)]
pub enum Tests<'a> {
    /// Those with these names.
    Exactly(&'a [&'a str]),
    /// Those with one of these texts in their names; all of them for none.
    Like(&'a [&'a str]),
}

/// A run of tests.
#[derive(Clone, Copy)]
pub struct Trial<'a> {
    pub program: Program,
    pub tests: Tests<'a>,
    pub database: Database,
    /// The PostgreSQL server; empty for SQLite.
    pub url: &'a str,
    /// The fault of a combined build to switch on.
    pub fault: Option<&'a str>,
    /// Ends the run at the first failed test.
    pub stops_at_failure: bool,
}

/// How the tests of one run ended.
#[derive(Default)]
pub struct Ran {
    pub passed: BTreeSet<String>,
    pub failed: BTreeSet<String>,
    /// The time limit was reached.
    pub is_cut_off: bool,
}

impl<'a> Tree<'a> {
    /// Checks the last commit out.
    ///
    /// # Errors
    /// If git fails, or the web app cannot be built.
    pub fn open(workspace: &'a Workspace) -> Result<Tree<'a>> {
        Tree::open_at(workspace, None)
    }

    /// Checks a commit out; none means the last one.
    ///
    /// # Errors
    /// As [`Tree::open`].
    pub fn open_at(workspace: &'a Workspace, commit: Option<&str>) -> Result<Tree<'a>> {
        // Any build of them will do: no test of a fault looks at the web app.
        if BUILT.iter().any(|path| !workspace.root.join(path).exists()) {
            web::build(workspace)?;
        }
        let (shell, root) = (&workspace.shell, workspace.mutants().join("tree"));
        let commit = commit.unwrap_or("HEAD");
        let commit = cmd!(shell, "git rev-parse {commit}").quiet().read()?;
        if root.join(".git").exists() {
            cmd!(shell, "git -C {root} checkout --quiet --force --detach {commit}").quiet().run()?;
        } else {
            cmd!(shell, "git worktree prune").quiet().run()?;
            cmd!(shell, "git worktree add --quiet --force --detach {root} {commit}").quiet().run()?;
        }
        for path in BUILT {
            let link = root.join(path);
            if fs::symlink_metadata(&link).is_err() {
                symlink(workspace.root.join(path), &link).with_context(|| format!("cannot link {path}"))?;
            }
        }
        let names = INPUTS.map(|path| format!("{commit}:{path}"));
        let inputs = cmd!(shell, "git rev-parse {names...}").quiet().read()?;
        let inputs = cmd!(shell, "git hash-object --stdin").stdin(inputs).quiet().read()?;
        Ok(Tree { workspace, root, commit, inputs })
    }

    /// Writes files of the tree.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write<'t>(&self, files: impl IntoIterator<Item = (&'t Path, &'t str)>) -> Result<()> {
        for (path, text) in files {
            fs::write(self.root.join(path), text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

    /// Takes every change out again.
    ///
    /// # Errors
    /// If git fails.
    pub fn restore(&self) -> Result<()> {
        let root = &self.root;
        Ok(cmd!(self.workspace.shell, "git -C {root} checkout --quiet -- .").quiet().run()?)
    }

    /// Compiles a test program. Returns whether it compiles.
    ///
    /// # Errors
    /// If cargo cannot be started.
    pub fn compiles(&self, program: Program, log: &str) -> Result<bool> {
        let mut command = self.cargo_test(program, log)?;
        // One line for each error, with its place.
        Ok(command.args(["--no-run", "--message-format=short"]).status().context("cannot start cargo")?.success())
    }

    /// Runs tests of a compiled program.
    ///
    /// # Errors
    /// If cargo cannot be started.
    pub fn run(&self, trial: Trial<'_>, log: &str) -> Result<Ran> {
        let mut command = self.cargo_test(trial.program, log)?;
        match trial.tests {
            Tests::Exactly(names) => command.args(["--", "--exact"]).args(names),
            Tests::Like(parts) => command.arg("--").args(parts),
        };
        command.env("VISADESK_TEST_DATABASE", trial.database.name()).env("VISADESK_TEST_POSTGRES_URL", trial.url);
        command.env("RUST_TEST_THREADS", (2 * available_parallelism()?.get()).to_string());
        if let Some(fault) = trial.fault {
            command.env(SWITCH, fault);
        }
        let mut child = command.process_group(0).spawn().context("cannot start cargo")?;
        let begun = Instant::now();
        let mut is_cut_off = false;
        while child.try_wait()?.is_none() {
            is_cut_off = begun.elapsed() > TIME_LIMIT;
            let is_over = trial.stops_at_failure && !self.results(log)?.failed.is_empty();
            if is_cut_off || is_over {
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
                child.wait()?;
                break;
            }
            sleep(Duration::from_millis(200));
        }
        Ok(Ran { is_cut_off, ..self.results(log)? })
    }

    /// The results in the output of a run.
    fn results(&self, log: &str) -> Result<Ran> {
        let mut ran = Ran::default();
        for line in fs::read_to_string(self.log(log))?.lines() {
            match result_of(line) {
                Some((test, "ok")) => ran.passed.insert(test.to_owned()),
                Some((test, "FAILED")) => ran.failed.insert(test.to_owned()),
                _ => continue,
            };
        }
        Ok(ran)
    }

    /// Where the output of a run is written.
    pub fn log(&self, name: &str) -> PathBuf {
        self.workspace.mutants().join(format!("{name}.log"))
    }

    /// `cargo test` in the tree, with its output in a file.
    fn cargo_test(&self, program: Program, log: &str) -> Result<Command> {
        let output = File::create(self.log(log))?;
        let mut command = Command::from(cargo(self.workspace, "test"));
        command.args(["--locked", "--package=visadesk"]).args(program.args()).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.workspace.mutants().join("target")).env("CARGO_INCREMENTAL", "1");
        command.env_remove("VISADESK_TEST_ERRORS").env("INSTA_UPDATE", "no");
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        Ok(command)
    }

    /// The tests that pass in a build of these inputs without a fault, as far as they are known.
    pub fn known_to_pass(&self, build: &str, database: Database) -> BTreeSet<String> {
        let stored = fs::read_to_string(self.baseline(build, database)).unwrap_or_default();
        let stored: Value = serde_json::from_str(&stored).unwrap_or_default();
        let tests = stored.as_array().into_iter().flatten().filter_map(Value::as_str);
        tests.map(str::to_owned).collect()
    }

    /// Stores the tests that pass in a build without a fault.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn remember_to_pass(&self, build: &str, database: Database, tests: &BTreeSet<String>) -> Result<()> {
        Ok(fs::write(self.baseline(build, database), serde_json::to_string(tests)?)?)
    }

    fn baseline(&self, build: &str, database: Database) -> PathBuf {
        self.workspace.mutants().join(format!("baseline-{}-{build}.json", database.name()))
    }

    /// The identity of the build that the tree holds now.
    ///
    /// # Errors
    /// If git fails.
    pub fn build(&self) -> Result<String> {
        let (shell, root) = (&self.workspace.shell, &self.root);
        let changes = cmd!(shell, "git -C {root} diff").quiet().read()?;
        let inputs = format!("{}{changes}", self.inputs);
        Ok(cmd!(shell, "git hash-object --stdin").stdin(inputs).quiet().read()?)
    }
}

/// The test and the result of a line of libtest, such as `test a::b ... ok`.
fn result_of(line: &str) -> Option<(&str, &str)> {
    let (test, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    Some((test.strip_suffix(" - should panic").unwrap_or(test), result.split_whitespace().next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_of_libtest_are_read() {
        assert_eq!(result_of("test refunds::once ... ok"), Some(("refunds::once", "ok")));
        assert_eq!(result_of("test refunds::once ... FAILED"), Some(("refunds::once", "FAILED")));
        assert_eq!(result_of("test result: ok. 1 passed; 0 failed"), None);
    }
}
