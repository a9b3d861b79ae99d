//! The servers that are measured beside Visadesk: the same data and the same responses, without sessions, access checks and audit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::slice;

use anyhow::{Context, Result};
use serde_json::Value;
use xtask::cargo::cargo;
use xtask::needs::{Need, ensure_all};
use xtask::python;
use xtask::stamp::Stamp;
use xtask::web::Packages;
use xtask::workspace::Workspace;

use crate::running::Running;
use crate::stores::EMAIL;

/// A running peer. Dropping it stops it.
pub struct Peer {
    pub name: &'static str,
    /// The fields of this server's responses that the peer may leave out. None: any.
    pub left_out: Option<Vec<String>>,
    pub running: Running,
}

/// The fields that the peers on SQLite leave out, because they take more than tables: links signed for the member, what the rules make of
/// the date, and what the member may do. The attempts of mails, what leads to older rows of histories, corrections, and the checks of
/// visas are left out, too.
const LEFT_OUT: &[&str] = &[
    ".data.chargeback.working_deadline",
    ".data.chargeback.days_left",
    ".data.chargeback.urgency",
    ".data.chargeback.amount",
    ".data.downloadHistory.link",
    ".data.document_expired",
    ".data.visa_warnings",
    ".data.issued_type.first_day",
    ".data.originals",
    ".data.uploadDoc.check",
    ".data.uploadDoc.is_withdrawn",
    ".data.allowed",
    ".data.mail_providers",
    ".data.visa_upload_limits",
    ".data.links_valid_for_seconds",
    ".data.downloadTotal",
    ".data.mailTotal",
    ".data.remark_total",
    ".data.failed_tries_total",
    ".data.older",
    ".data.downloadHistory.id",
    ".data.timeline.id",
    ".data.downloadHistory.automated",
    ".data.documents.label",
    ".data.documents.link",
    ".data.uploadDoc.link",
    ".data.mailHistory.attempts",
    ".data.mailHistory.uploadDoc",
    ".data.failed_tries.location",
    ".data.remark.us_date",
    ".data.remark.us_time",
    // The links of the newest passport and photo; those of other kinds are named after the kinds of the catalogue.
    ".data.passport_picture",
    ".data.upload_picture",
];

impl Peer {
    /// axum and rusqlite, on a SQLite file of its own.
    ///
    /// # Errors
    /// If it does not compile or start.
    pub fn bare(workspace: &Workspace, database: &Path) -> Result<Peer> {
        let target = workspace.bench_target();
        let build = cargo(workspace, "build").args(["--locked", "--release", "--manifest-path"]);
        let build = build.arg(workspace.root.join("bench/peers/bare/Cargo.toml")).arg("--target-dir").arg(&target);
        build.run()?;
        let mut command = Command::new(target.join("release/bare"));
        command.arg(database).arg(EMAIL);
        Peer::start("bare", Some(left_out(workspace)?), command)
    }

    /// Fastify and better-sqlite3, on a SQLite file of its own, with a process for each core.
    ///
    /// # Errors
    /// If its packages cannot be installed or compiled, or it does not start.
    pub fn fastify(workspace: &Workspace, database: &Path) -> Result<Peer> {
        let packages = Packages::ensure(workspace, "bench/peers/fastify")?;
        build_sqlite(workspace, &packages)?;
        let mut command = packages.node();
        command.env("NODE_ENV", "production");
        command.arg(workspace.root.join("bench/peers/fastify/server.mjs")).arg(database).arg(EMAIL);
        Peer::start("Fastify", Some(left_out(workspace)?), command)
    }

    /// Django REST framework, on the PostgreSQL of a store that this server uses, too.
    ///
    /// # Errors
    /// If its packages cannot be installed, or it does not start.
    pub fn django(workspace: &Workspace, url: &str) -> Result<Peer> {
        ensure_all(workspace, &[Need::PythonVenv])?;
        let mut command = Command::new(gunicorn(workspace)?);
        command.args(["--config", "gunicorn.conf.py", "--no-control-socket", "app:application"]);
        command.current_dir(workspace.root.join("bench/peers/django"));
        // Python would leave compiled files in the repository.
        command.env("DATABASE_URL", url).env("PYTHONDONTWRITEBYTECODE", "1");
        Peer::start("Django", None, command)
    }

    fn start(name: &'static str, left_out: Option<Vec<String>>, command: Command) -> Result<Peer> {
        Ok(Peer { name, left_out, running: Running::start(name, command, "ready at ")? })
    }
}

/// gunicorn, in an environment with the packages of `bench/peers/django/requirements.txt`; installed the first time.
fn gunicorn(workspace: &Workspace) -> Result<PathBuf> {
    let requirements = workspace.root.join("bench/peers/django/requirements.txt");
    let home = workspace.cache.join("django");
    let stamp = Stamp::of(home.join("installed"), slice::from_ref(&requirements))?;
    if !stamp.is_fresh() {
        println!("Installing Django into {}", home.display());
        python::install(workspace, &home, &requirements)?;
        stamp.set()?;
    }
    Ok(home.join("bin/gunicorn"))
}

fn left_out(workspace: &Workspace) -> Result<Vec<String>> {
    let file = workspace.root.join("server/src/visas/catalogue.json");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let catalogue: Value = serde_json::from_str(&text).with_context(|| format!("{} is not JSON", file.display()))?;
    let kinds = catalogue["documents"].as_object().into_iter().flatten().map(|(kind, _)| format!(".data.{kind}"));
    Ok(LEFT_OUT.iter().map(|&field| field.to_owned()).chain(kinds).collect())
}

/// Compiles SQLite and better-sqlite3 with the headers of this Node, once. The package also brings a binary that others compiled.
fn build_sqlite(workspace: &Workspace, packages: &Packages<'_>) -> Result<()> {
    let lock = workspace.root.join("bench/peers/fastify/package-lock.json");
    // npm removes this folder when it installs another version.
    let build = workspace.root.join("bench/peers/fastify/node_modules/better-sqlite3/build");
    let stamp = Stamp::of(build.join("compiled"), slice::from_ref(&lock))?;
    if stamp.is_fresh() {
        return Ok(());
    }
    ensure_all(workspace, &[Need::CxxCompiler, Need::PythonVenv])?;
    println!("Compiling better-sqlite3 (once)");
    packages.script_that_compiles("build-sqlite")?;
    stamp.set()
}
