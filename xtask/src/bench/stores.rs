//! Databases full of invented orders: filled once, kept for as long as what fills them stays the same.

use std::fmt::{self, Display, Formatter};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::postgres::{self, Cluster};
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// Who signs in. The server listens to this machine alone, and for the length of the bench.
pub const EMAIL: &str = "bench@example.com";
pub const PASSWORD: &str = "a password for the bench alone";

/// What an order of the seed depends on.
const SOURCES: [&str; 4] =
    ["server/migrations", "server/src/demo/seed", "server/src/demo/seed.rs", "server/src/orders/search.rs"];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

impl Display for Kind {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Kind::Sqlite => "SQLite",
            Kind::Postgres => "PostgreSQL",
        })
    }
}

/// Whose server fills the database and is measured on it.
#[derive(Clone, Copy)]
pub enum Program<'a> {
    /// The release of this repository.
    This,
    /// Another binary of the server.
    Other(&'a Path),
}

/// A filled database and the data folder beside it.
pub struct Store {
    binary: PathBuf,
    dirs: Vec<PathBuf>,
    data: PathBuf,
    cluster: Option<Cluster>,
}

impl Store {
    /// Opens the database with that many orders, filling it first if it is not there or was filled otherwise.
    ///
    /// # Errors
    /// If PostgreSQL does not start, or the seed fails.
    pub fn fill(workspace: &Workspace, program: Program<'_>, kind: Kind, orders: u64) -> Result<Store> {
        let (binary, sources, suffix) = match program {
            Program::This => {
                (workspace.release_visadesk(), SOURCES.map(|source| workspace.root.join(source)).to_vec(), "")
            }
            Program::Other(binary) => (binary.to_owned(), vec![binary.to_owned()], "-beside"),
        };
        let name = format!("bench-{kind}-{orders}{suffix}").to_lowercase();
        let data = workspace.cache.join(&name);
        let cluster_dir = match kind {
            Kind::Sqlite => None,
            Kind::Postgres => Some(postgres::keeping_place(workspace)?.join(name + "-cluster")),
        };
        let dirs: Vec<PathBuf> = [Some(data.clone()), cluster_dir.clone()].into_iter().flatten().collect();
        let stamp = Stamp::of(data.join("filled"), &sources)?;
        let is_filled = stamp.is_fresh() && dirs.iter().all(|dir| dir.exists());
        if !is_filled {
            remove(&dirs)?;
            for dir in &dirs {
                fs::create_dir_all(dir.parent().context("a folder without one above")?)?;
            }
            fs::create_dir(&data)?;
        }
        let cluster = cluster_dir.map(|dir| Cluster::open(workspace, &dir)).transpose()?;
        let store = Store { binary, dirs, data, cluster };
        if !is_filled {
            println!("filling {kind} with {orders} orders in {}", store.data.display());
            store.run(&["seed", "--orders", &orders.to_string(), "--seed", "1"], "")?;
            let admin = ["staff", "add", "--name", "Bench", "--email", EMAIL, "--type", "Admin", "--password-stdin"];
            store.run(&admin, PASSWORD)?;
            stamp.set()?;
        }
        Ok(store)
    }

    /// Ends the database and removes its folders.
    ///
    /// # Errors
    /// If a folder cannot be removed.
    pub fn remove(self) -> Result<()> {
        drop(self.cluster);
        remove(&self.dirs)
    }

    /// `visadesk` on this database, with no other setting from our own environment.
    pub fn visadesk(&self) -> Command {
        let mut command = Command::new(&self.binary);
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("VISADESK_")) {
            command.env_remove(name);
        }
        if let Some(cluster) = &self.cluster {
            command.env("VISADESK_DATABASE_URL", &cluster.url);
        }
        command.env("VISADESK_DATA_DIR", &self.data).env("RUST_LOG", "warn");
        command
    }

    fn run(&self, args: &[&str], input: &str) -> Result<()> {
        let mut running = self.visadesk().args(args).stdin(Stdio::piped()).spawn().context("cannot start visadesk")?;
        if let Some(mut stdin) = running.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let status = running.wait()?;
        ensure!(status.success(), "visadesk {} failed", args[0]);
        Ok(())
    }
}

fn remove(dirs: &[PathBuf]) -> Result<()> {
    for dir in dirs.iter().filter(|dir| dir.exists()) {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    Ok(())
}
