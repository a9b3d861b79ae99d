//! Python programs, each in an environment of its own in the user's cache folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::cmd;

use crate::workspace::Workspace;

/// Whether the machine's Python can make such an environment.
pub fn has_venv(workspace: &Workspace) -> bool {
    cmd!(workspace.shell, "python3 -c 'import ensurepip, venv'").quiet().ignore_stderr().run().is_ok()
}

/// The program, in the version of `contract/fuzz/requirements.txt`; installed the first time.
///
/// # Errors
/// If it cannot be installed.
pub fn schemathesis(workspace: &Workspace) -> Result<PathBuf> {
    let requirements = workspace.root.join("contract/fuzz/requirements.txt");
    let wanted = fs::read_to_string(&requirements)?;
    let wanted = wanted.lines().find_map(|line| line.strip_prefix("schemathesis=="));
    let wanted = wanted.and_then(|rest| rest.split_whitespace().next()).context("no version of schemathesis")?;
    let home = workspace.cache.join("schemathesis").join(wanted);
    let program = home.join("bin/schemathesis");
    let version = || cmd!(workspace.shell, "{program} --version").quiet().ignore_stderr().read().unwrap_or_default();
    if !version().contains(wanted) {
        println!("Installing Schemathesis {wanted} into {}", home.display());
        install(workspace, &home, &requirements)?;
        let got = version();
        ensure!(got.contains(wanted), "Schemathesis in {} does not run (it answered {got:?})", home.display());
    }
    Ok(program)
}

/// Makes a Python environment at `home` with the hashed packages of a requirements file.
///
/// # Errors
/// If Python has no venv, or a package cannot be fetched.
pub fn install(workspace: &Workspace, home: &Path, requirements: &Path) -> Result<()> {
    workspace.shell.remove_path(home)?;
    cmd!(workspace.shell, "python3 -m venv {home}").run().context("Python cannot make an environment")?;
    let pip = home.join("bin/pip");
    let flags = ["--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary=:all:"];
    Ok(cmd!(workspace.shell, "{pip} install {flags...} --requirement {requirements}").run()?)
}
