//! Where things are: the repository, the user's cache folder, and the build output.

use std::cell::Cell;
use std::env;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use xshell::Shell;

use crate::{network, test};

/// The folders every verb works with, and a shell that starts in the repository.
pub struct Workspace {
    pub shell: Shell,
    pub root: PathBuf,
    /// Outlives the clone: tools that take minutes to build or fetch.
    pub cache: PathBuf,
    /// Whether our own crates are compiled by Clippy's driver, which is rustc with the lints of Clippy.
    pub lint: Cell<bool>,
    /// Where cargo puts the binaries of the `dev` profile.
    dev_output: PathBuf,
}

impl Workspace {
    /// Finds the folders.
    ///
    /// # Errors
    /// If neither `XDG_CACHE_HOME` nor `HOME` is set, or this program was not started by cargo from its own workspace.
    pub fn open() -> Result<Workspace> {
        // `cargo run` sets the variable, so a copy of this program built in another clone still finds its own.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = PathBuf::from(manifest).parent().context("xtask has no folder above it")?.to_owned();
        let shell = Shell::new()?;
        shell.change_dir(&root);
        network::keep_proxies_away(&shell);
        Ok(Workspace { shell, root, cache: cache_dir()?, lint: Cell::new(false), dev_output: dev_output()? })
    }

    /// The server binary that `cargo build` makes, the one `run`, the tests and the browser use.
    pub fn visadesk(&self) -> PathBuf {
        self.dev_output.join("visadesk")
    }

    /// The server binary that `cargo build --release` makes.
    pub fn release_visadesk(&self) -> PathBuf {
        self.dev_output.with_file_name("release").join("visadesk")
    }

    /// Where the tests write the errors that calls gave.
    pub fn seen_errors(&self) -> PathBuf {
        self.dev_output.with_file_name("seen-errors.txt")
    }

    /// Where the fuzzed server has its data and its log.
    pub fn fuzz_folder(&self) -> PathBuf {
        self.dev_output.with_file_name("fuzz")
    }

    /// Where the bare server of the bench is built.
    pub fn bench_target(&self) -> PathBuf {
        self.dev_output.with_file_name("bench-bare")
    }

    /// Where faults are put into a copy of the sources, built and tested.
    pub fn mutants(&self) -> PathBuf {
        self.dev_output.with_file_name("mutants")
    }

    /// Where the output of sequences with many seeds is written.
    pub fn seeds(&self) -> PathBuf {
        self.dev_output.with_file_name("seeds")
    }

    /// Where the pictures of the screens at all widths are drawn.
    pub fn pictures(&self) -> PathBuf {
        self.dev_output.with_file_name("pictures")
    }

    /// Where the report of the last test run is written.
    pub fn report(&self) -> PathBuf {
        self.dev_output.with_file_name("xtask-test.txt")
    }

    /// Where the steps of a test run leave their logs.
    pub fn test_logs(&self) -> PathBuf {
        self.dev_output.with_file_name("xtask-test")
    }

    /// Where steps that run only when their inputs change remember them.
    pub fn test_stamps(&self) -> PathBuf {
        self.dev_output.with_file_name("xtask-stamps")
    }

    /// Notes a check that this machine could not make, for the end of the run.
    ///
    /// # Errors
    /// If the note cannot be written.
    pub fn not_checked(&self, what: &str) -> Result<()> {
        let Ok(file) = self.shell.var(test::NOT_CHECKED) else {
            println!("not checked: {what}");
            return Ok(());
        };
        let mut notes = File::options().create(true).append(true).open(&file)?;
        writeln!(notes, "{what}").with_context(|| format!("cannot write {file}"))
    }
}

/// A command that starts `visadesk` without the settings that the caller's shell has for it.
pub fn without_settings(visadesk: &Path) -> Command {
    let mut command = Command::new(visadesk);
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VISADESK_")) {
        command.env_remove(name);
    }
    command
}

fn cache_dir() -> Result<PathBuf> {
    let base = match env::var_os("XDG_CACHE_HOME") {
        Some(dir) => PathBuf::from(dir),
        None => env::home_dir().context("no home folder; set HOME or XDG_CACHE_HOME")?.join(".cache"),
    };
    Ok(base.join("visadesk"))
}

/// This program is in the output folder itself, whatever set the target folder.
fn dev_output() -> Result<PathBuf> {
    let this = env::current_exe().context("cannot tell where xtask is")?;
    Ok(this.parent().context("xtask is in no folder")?.to_owned())
}
