//! The web app's own tools: packages, build, lint, types, unit tests, budgets.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::network::NPM_LIMITS;
use crate::node::Node;
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// What lies in `web/` without being a source of the built app.
const NOT_SOURCES: [&str; 2] = ["dist", "node_modules"];

/// A folder with a `package.json`, its packages installed, and a Node to run its scripts on.
pub struct Packages<'a> {
    workspace: &'a Workspace,
    node: Node,
    dir: PathBuf,
}

impl<'a> Packages<'a> {
    /// Installs what `package-lock.json` says, unless that was done already.
    ///
    /// # Errors
    /// If npm fails, or the lock file does not fit `package.json`.
    pub fn ensure(workspace: &'a Workspace, name: &str) -> Result<Packages<'a>> {
        let dir = workspace.root.join(name);
        let node = Node::ensure(workspace)?;
        let stamp = Stamp::of(dir.join("node_modules/.xtask-packages"), &[dir.join("package-lock.json")])?;
        if !stamp.is_fresh() {
            node.npm(workspace, &dir, &["ci", "--no-audit", "--no-fund"])
                .args(NPM_LIMITS)
                .run()
                .with_context(|| format!("cannot install the packages of {name}/; see npm's words above"))?;
            stamp.set()?;
        }
        Ok(Packages { workspace, node, dir })
    }

    /// `node …`, which finds the packages of a script in this folder.
    pub fn node(&self) -> Command {
        self.node.command()
    }

    /// Runs a script of `package.json`.
    ///
    /// # Errors
    /// If the script fails; its own output says why.
    pub fn script(&self, name: &str) -> Result<()> {
        self.script_with(name, &[])
    }

    /// Runs a script of `package.json` with more arguments.
    ///
    /// # Errors
    /// If the script fails; its own output says why.
    pub fn script_of(&self, name: &str, args: &[String]) -> Result<()> {
        Ok(self.node.npm(self.workspace, &self.dir, &["run", name, "--"]).args(args).run()?)
    }

    /// Runs a script of `package.json` with more in its environment.
    ///
    /// # Errors
    /// If the script fails; its own output says why.
    pub fn script_with(&self, name: &str, env: &[(&str, OsString)]) -> Result<()> {
        Ok(self.node.npm(self.workspace, &self.dir, &["run", name]).envs(env.iter().cloned()).run()?)
    }

    /// Runs a script that compiles for this Node. Its output is shown only if it fails.
    ///
    /// # Errors
    /// If the script fails.
    pub fn script_that_compiles(&self, name: &str) -> Result<()> {
        let script = self.node.npm(self.workspace, &self.dir, &["run", name]);
        // Without its own headers, node-gyp fetches those of this version of Node.
        let headers = self.node.headers()?.map(|folder| ("npm_config_nodedir", folder));
        let output = script.envs(headers).quiet().ignore_status().output()?;
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
        ensure!(output.status.success(), "npm run {name} failed:\n{said}");
        Ok(())
    }

    /// Asks npm's registry for known holes of all packages.
    ///
    /// # Errors
    /// If npm cannot be started.
    pub fn audit(&self) -> Result<Audit> {
        let audit = self.node.npm(self.workspace, &self.dir, &["audit", "--json"]).args(NPM_LIMITS);
        let output = audit.ignore_status().ignore_stderr().output()?;
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(match report.contains("\"auditReportVersion\"") {
            false => Audit::NoAnswer,
            true if output.status.success() => Audit::Clean,
            true => Audit::Holes(report),
        })
    }
}

/// What npm's registry knows about packages.
pub enum Audit {
    NoAnswer,
    Clean,
    /// npm's report, JSON.
    Holes(String),
}

/// Brings what the server embeds: the countries of addresses, which are a package, and `web/dist`, unless it was built from the same
/// sources already.
///
/// # Errors
/// If the packages cannot be installed or the build fails.
pub fn build(workspace: &Workspace) -> Result<()> {
    Packages::ensure(workspace, "server")?;
    let dir = workspace.root.join("web");
    let mut sources = workspace.shell.read_dir(&dir)?;
    sources.retain(|path| !NOT_SOURCES.iter().any(|name| path.ends_with(name)));
    // In node_modules, so that new packages mean a new build; not in dist, which goes into the binary.
    let stamp = Stamp::of(dir.join("node_modules/.xtask-build"), &sources)?;
    let index = dir.join("dist/index.html");
    if stamp.is_fresh() && index.exists() {
        return Ok(());
    }
    Packages::ensure(workspace, "web")?.script("build")?;
    ensure!(index.exists(), "the web build made no dist/index.html");
    stamp.set()
}
