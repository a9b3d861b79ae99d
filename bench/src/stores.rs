//! Databases full of invented orders. Kept ones are filled again only when what fills them changes.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use anyhow::{Context, Result, ensure};
use xshell::cmd;
use xtask::postgres::{self, Cluster, Template};
use xtask::stamp::Stamp;
use xtask::workspace::{self, Workspace};

/// The member who signs in. The server listens to this machine alone, and for the length of the bench.
pub const MEMBER: &str = "Bench";
/// The member's email address.
pub const EMAIL: &str = "bench@example.com";
/// The member's password.
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

/// The server that fills the database and is measured on it.
#[derive(Clone, Copy)]
pub enum Program<'a> {
    /// The release of this repository.
    This,
    /// A binary in its place.
    InPlace(&'a Path),
    /// Another binary of the server.
    Other(&'a Path),
}

/// A database and the data folder beside it. Dropping it removes both, unless they are kept.
pub struct Store<'a> {
    workspace: &'a Workspace,
    binary: PathBuf,
    dirs: Vec<PathBuf>,
    data: PathBuf,
    cluster: Option<Rc<Cluster>>,
    /// The URL of the PostgreSQL database.
    url: Option<String>,
    /// The name of a database beside the superuser's, in the same cluster.
    database: Option<&'static str>,
    is_kept: bool,
}

impl<'a> Store<'a> {
    /// Opens the database with that many orders. It is filled first if it is missing, or if what fills it has changed.
    ///
    /// # Errors
    /// If PostgreSQL does not start, or the seed fails.
    pub fn fill(
        workspace: &'a Workspace,
        program: Program<'_>,
        kind: Kind,
        orders: u64,
        is_kept: bool,
    ) -> Result<Store<'a>> {
        let (binary, sources, suffix) = match program {
            Program::This => {
                (workspace.release_visadesk(), SOURCES.map(|source| workspace.root.join(source)).to_vec(), "")
            }
            Program::InPlace(binary) => (binary.to_owned(), vec![binary.to_owned()], "-in-place"),
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
        let cluster = cluster_dir.map(|dir| Cluster::open(workspace, &dir)).transpose()?.map(Rc::new);
        let url = cluster.as_ref().map(|cluster| cluster.url.clone());
        let mut store = Store { workspace, binary, dirs, data, cluster, url, database: None, is_kept: is_filled };
        if !is_filled {
            println!("filling {kind} with {orders} orders in {}", store.data.display());
            store.run(&["seed", "--orders", &orders.to_string(), "--seed", "1"], "")?;
            let admin = ["staff", "add", "--name", MEMBER, "--email", EMAIL, "--type", "Admin", "--password-stdin"];
            store.run(&admin, PASSWORD)?;
            stamp.set()?;
        }
        store.is_kept = is_kept;
        Ok(store)
    }

    /// Makes a copy to write to. No program may have the store open.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn copy(&self) -> Result<Store<'a>> {
        let store = self.beside("bench_copy", Template::Superuser)?;
        let (from, to) = (&self.data, &store.data);
        cmd!(self.workspace.shell, "cp -R -p {from} {to}").quiet().run()?;
        Ok(store)
    }

    /// Makes a store with the schema and without orders, for the same binary.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn empty(&self) -> Result<Store<'a>> {
        let store = self.beside("bench_empty", Template::Empty)?;
        fs::create_dir(&store.data)?;
        store.run(&["migrate"], "")?;
        Ok(store)
    }

    /// Makes a database in the same cluster, and names a data folder beside this one.
    fn beside(&self, name: &'static str, template: Template) -> Result<Store<'a>> {
        let folder = self.data.file_name().context("a data folder without a name")?.to_string_lossy().into_owned();
        let data = self.data.with_file_name(format!("{folder}-{name}"));
        let dirs = vec![data.clone()];
        remove(&dirs)?;
        let workspace = self.workspace;
        let url = self.cluster.as_ref().map(|cluster| cluster.make_database(workspace, name, template)).transpose()?;
        let (binary, cluster) = (self.binary.clone(), self.cluster.clone());
        Ok(Store { workspace, binary, dirs, data, cluster, url, database: Some(name), is_kept: false })
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The URL of the PostgreSQL database; none on SQLite.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The process that started the database's processes; none if the database is in the server's own.
    pub fn database_process(&self) -> Option<u32> {
        self.cluster.as_ref().map(|cluster| cluster.process())
    }

    /// `visadesk` on this database, without settings from this program's environment.
    pub fn visadesk(&self) -> Command {
        let mut command = workspace::without_settings(&self.binary);
        if let Some(url) = &self.url {
            command.env("VISADESK_DATABASE_URL", url);
        }
        command.env("VISADESK_DATA_DIR", &self.data).env("RUST_LOG", "error");
        command
    }

    /// Runs a command of `visadesk` on this database.
    ///
    /// # Errors
    /// If it fails.
    pub fn run(&self, args: &[&str], input: &str) -> Result<()> {
        let running = self.visadesk().args(args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut running = running.context("cannot start visadesk")?;
        if let Some(mut stdin) = running.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let status = running.wait()?;
        ensure!(status.success(), "visadesk {} failed; see its output above", args[0]);
        Ok(())
    }

    fn remove(&mut self) -> Result<()> {
        if let (Some(cluster), Some(name)) = (&self.cluster, self.database) {
            cluster.drop_database(self.workspace, name)?;
        }
        // The last store of a cluster stops it.
        self.cluster = None;
        remove(&self.dirs)
    }
}

impl Drop for Store<'_> {
    fn drop(&mut self) {
        if !self.is_kept
            && let Err(error) = self.remove()
        {
            eprintln!("cannot remove {}: {error:#}", self.data.display());
        }
    }
}

fn remove(dirs: &[PathBuf]) -> Result<()> {
    for dir in dirs.iter().filter(|dir| dir.exists()) {
        fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
    }
    Ok(())
}
