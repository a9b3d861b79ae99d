//! A PostgreSQL of our own: for one test run, without durability and gone afterwards, or kept for the bench.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio, id};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::needs::{Need, ensure_all, is_root, program};
use crate::workspace::Workspace;

/// How long a server on a busy machine may take to answer.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How many ports are tried.
const PORTS: usize = 5;

/// Runs the server until standard input closes, then stops it: so it ends however xtask ends. A line of input keeps the data.
const WATCH: &str = r#"
trap '' INT TERM HUP
bin=$1 dir=$2 port=$3 afterwards=$4
shift 4
cd "$dir"
"$bin/postgres" -D "$dir/data" -p "$port" -k "$dir" \
  -c listen_addresses=127.0.0.1 -c max_connections=200 -c shared_buffers=256MB "$@" >"$dir/log" 2>&1 &
server=$!
read -r order
kill -INT "$server" 2>/dev/null
wait "$server"
if [ "$afterwards$order" = remove ]; then rm -rf "$dir"; fi
"#;

/// The settings of a server whose data ends with the run: no durability, and no background work.
const WITHOUT_DURABILITY: &[&str] = &[
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=2GB",
    "checkpoint_timeout=1h",
    "autovacuum=off",
    "bgwriter_lru_maxpages=0",
    "jit=off",
];

/// How a start went.
#[derive(PartialEq, Eq)]
enum Started {
    Yes,
    PortTaken,
}

/// What a new database begins with.
#[derive(Clone, Copy)]
pub enum Template {
    Empty,
    /// A copy of the superuser's database.
    Superuser,
}

/// A running server. Dropping it stops it; one that is not kept takes all it held with it.
pub struct Cluster {
    watch: Child,
    /// Where the superuser reaches the database `postgres`.
    pub url: String,
    bin: PathBuf,
}

impl Cluster {
    /// Makes and starts a server for this run, UTF-8 throughout, with trigrams that keep every script.
    ///
    /// # Errors
    /// If PostgreSQL is missing and may not be installed, or does not start.
    pub fn start(workspace: &Workspace) -> Result<Cluster> {
        ensure_all(workspace, &[Need::Postgres, Need::OpenSsl])?;
        let bin = server_programs().context("PostgreSQL is missing")?;
        let owner = Owner::find(workspace)?;
        let above = place_in_memory(workspace).unwrap_or_else(std::env::temp_dir);
        let dir = above.join(format!("visadesk-postgres-{}", id()));
        let password = make(&bin, &dir, &owner)?;
        // The second one belongs to another server of the same name, which a client must not take for this one.
        for name in ["server", "stranger"] {
            make_certificate(&dir, &owner, name)?;
        }
        let file = |name: &str| dir.join(name).display().to_string();
        let tls = [format!("ssl_cert_file={}", file("server.crt")), format!("ssl_key_file={}", file("server.key"))];
        let settings = [WITHOUT_DURABILITY, &["ssl=on", &tls[0], &tls[1]]].concat();
        Self::run(workspace, bin, (&dir, &owner, &password), "remove", &settings)
    }

    /// Starts the durable server that lies in `dir`, made first if it is not there.
    ///
    /// # Errors
    /// As [`Cluster::start`].
    pub fn open(workspace: &Workspace, dir: &Path) -> Result<Cluster> {
        ensure_all(workspace, &[Need::Postgres])?;
        let bin = server_programs().context("PostgreSQL is missing")?;
        let owner = Owner::find(workspace)?;
        let password = match dir.exists() {
            true => fs::read_to_string(dir.join(PASSWORD_FILE))?,
            false => make(&bin, dir, &owner)?,
        };
        Self::run(workspace, bin, (dir, &owner, &password), "keep", &[])
    }

    fn run(
        workspace: &Workspace,
        bin: PathBuf,
        (dir, owner, password): (&Path, &Owner, &str),
        afterwards: &str,
        settings: &[&str],
    ) -> Result<Cluster> {
        for _ in 0..PORTS {
            // The port is free now. Another program may take it before PostgreSQL does.
            let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            let mut watch = owner.command("sh");
            watch.args(["-c", WATCH, "sh"]).arg(&bin).arg(dir).arg(port.to_string()).arg(afterwards);
            watch.args(settings.iter().flat_map(|setting| ["-c", setting]));
            watch.stdin(Stdio::piped());
            let url = format!("postgres://postgres:{password}@127.0.0.1:{port}/postgres");
            let cluster = Cluster { watch: watch.spawn().context("cannot start sh")?, url, bin: bin.clone() };
            if cluster.wait_until_ready(workspace, dir)? == Started::Yes {
                cluster.check_trigrams(workspace)?;
                return Ok(cluster);
            }
            cluster.stop_and_keep()?;
        }
        bail!("PostgreSQL finds no free port")
    }

    /// Stops the server whatever is to become of its data afterwards.
    fn stop_and_keep(mut self) -> Result<()> {
        let mut orders = self.watch.stdin.take().context("sh has no input")?;
        orders.write_all(b" but not this time\n").context("sh takes no order")
    }

    fn wait_until_ready(&self, workspace: &Workspace, dir: &Path) -> Result<Started> {
        let start = Instant::now();
        while self.ask(workspace, "SELECT 1").is_err() {
            let log = fs::read_to_string(dir.join("log")).unwrap_or_default();
            if log.contains("could not create any TCP/IP sockets") {
                return Ok(Started::PortTaken);
            }
            ensure!(start.elapsed() <= START_LIMIT, "PostgreSQL does not start; its log says:\n{log}");
            sleep(Duration::from_millis(100));
        }
        Ok(Started::Yes)
    }

    /// The search relies on trigrams of every script; a server under the locale `C` silently drops all but Latin.
    fn check_trigrams(&self, workspace: &Workspace) -> Result<()> {
        self.ask(workspace, "CREATE EXTENSION IF NOT EXISTS pg_trgm")
            .context("PostgreSQL comes without pg_trgm. On Debian: sudo apt-get install postgresql-contrib")?;
        let kept = self.ask(workspace, "SELECT show_trgm('中文') <> '{}' AND show_trgm('محمد') <> '{}'")?;
        ensure!(kept == "t", "PostgreSQL's trigrams drop Chinese or Arabic under its locale {LOCALE}");
        Ok(())
    }

    /// Makes a database, in place of one of that name, and returns its URL.
    ///
    /// # Errors
    /// If PostgreSQL refuses, for instance because a program has the superuser's database open.
    pub fn make_database(&self, workspace: &Workspace, name: &str, template: Template) -> Result<String> {
        self.drop_database(workspace, name)?;
        let template = match template {
            Template::Empty => "template0",
            // Copying files is the quickest for a large database.
            Template::Superuser => "postgres STRATEGY FILE_COPY",
        };
        self.ask(workspace, &format!("CREATE DATABASE {name} TEMPLATE {template}"))?;
        let server = self.url.strip_suffix("postgres").context("the URL names another database")?;
        Ok(format!("{server}{name}"))
    }

    /// Removes a database, if it is there.
    ///
    /// # Errors
    /// If PostgreSQL refuses.
    pub fn drop_database(&self, workspace: &Workspace, name: &str) -> Result<()> {
        self.ask(workspace, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
        Ok(())
    }

    /// The id of the process that started PostgreSQL's processes.
    pub fn process(&self) -> u32 {
        self.watch.id()
    }

    fn ask(&self, workspace: &Workspace, sql: &str) -> Result<String> {
        let (psql, url) = (self.bin.join("psql"), &self.url);
        Ok(cmd!(workspace.shell, "{psql} {url} -XAtqc {sql}").quiet().ignore_stderr().read()?)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watch.stdin.take());
        if let Err(error) = self.watch.wait() {
            eprintln!("cannot wait for PostgreSQL to stop: {error}");
        }
    }
}

const LOCALE: &str = "C.UTF-8";

/// The superuser's password, beside the data.
const PASSWORD_FILE: &str = "password";

/// Where clusters that outlive a run are kept. Root's own cache folder is closed to the user `postgres`.
///
/// # Errors
/// If root finds no user `postgres`.
pub fn keeping_place(workspace: &Workspace) -> Result<PathBuf> {
    Ok(if Owner::find(workspace)?.ids.is_some() { "/var/cache/visadesk".into() } else { workspace.cache.clone() })
}

/// The free memory that the databases of a run need, in KiB. PostgreSQL's log alone may grow to 1 GiB (`max_wal_size`).
const MEMORY_OF_A_RUN_KIB: u64 = 8 << 20;

/// The folder for what lives as long as a test run: in memory, where Linux has a file system for that and there is plenty of it. A database
/// of PostgreSQL is a thousand files; on a disk, making and removing them took more than a third of the CPU of the server's tests.
pub fn place_in_memory(workspace: &Workspace) -> Option<PathBuf> {
    const IN_MEMORY: &str = "/dev/shm";
    let listed = cmd!(workspace.shell, "df -Pk {IN_MEMORY}").quiet().ignore_stderr().read().unwrap_or_default();
    let free = listed.lines().last().and_then(|line| line.split_whitespace().nth(3)).and_then(|free| free.parse().ok());
    free.is_some_and(|free: u64| free >= MEMORY_OF_A_RUN_KIB).then(|| IN_MEMORY.into())
}

/// Makes the folder, the password and the data of a server; answers the password.
fn make(bin: &Path, dir: &Path, owner: &Owner) -> Result<String> {
    owner.make_dir(dir)?;
    let password = random_hex()?;
    let password_file = dir.join(PASSWORD_FILE);
    fs::write(&password_file, &password)?;
    owner.own(&password_file)?;
    let output = owner
        .command(bin.join("initdb"))
        // Connections by the socket need no password: only the owner can open its folder.
        .args(["--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--no-sync"])
        .arg(format!("--locale={LOCALE}"))
        .arg("--pwfile")
        .arg(&password_file)
        .arg("--pgdata")
        .arg(dir.join("data"))
        .current_dir(dir)
        .output()
        .context("cannot start initdb")?;
    ensure!(output.status.success(), "initdb failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(password)
}

/// Makes `{name}.crt` and `{name}.key`: a certificate for localhost that vouches for itself.
fn make_certificate(dir: &Path, owner: &Owner, name: &str) -> Result<()> {
    let output = owner
        .command("openssl")
        .args(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(' '),
        )
        .args(["-addext", "subjectAltName=DNS:localhost", "-keyout", &format!("{name}.key"), "-out"])
        .arg(format!("{name}.crt"))
        .current_dir(dir)
        .output()
        .context("cannot start openssl")?;
    ensure!(output.status.success(), "openssl makes no certificate:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Where `initdb`, `postgres` and `psql` lie together: Debian keeps them off the search path, newest version last.
pub fn server_programs() -> Option<PathBuf> {
    let versions =
        fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let newest = versions.filter(|bin| bin.join("initdb").exists()).max_by_key(|bin| version_of(bin));
    newest.or_else(|| Some(program(&["initdb"])?.parent()?.to_owned()))
}

fn version_of(bin: &Path) -> u32 {
    let name = bin.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or(0)
}

/// The user that runs the server. PostgreSQL refuses root, so root runs it as the package's user `postgres`.
struct Owner {
    ids: Option<(u32, u32)>,
}

impl Owner {
    fn find(workspace: &Workspace) -> Result<Owner> {
        if !is_root(workspace) {
            return Ok(Owner { ids: None });
        }
        let id_of = |flag: &str| -> Result<u32> {
            let id = cmd!(workspace.shell, "id {flag} postgres").quiet().read();
            Ok(id.context("PostgreSQL refuses root, and there is no user postgres; run as another user")?.parse()?)
        };
        Ok(Owner { ids: Some((id_of("-u")?, id_of("-g")?)) })
    }

    fn make_dir(&self, dir: &Path) -> Result<()> {
        if dir.exists() {
            fs::remove_dir_all(dir).with_context(|| format!("cannot remove {}", dir.display()))?;
        }
        fs::create_dir(dir).with_context(|| format!("cannot make {}", dir.display()))?;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
        self.own(dir)
    }

    fn own(&self, path: &Path) -> Result<()> {
        if let Some((user, group)) = self.ids {
            chown(path, Some(user), Some(group)).with_context(|| format!("cannot give {} away", path.display()))?;
        }
        Ok(())
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Some((user, group)) = self.ids {
            command.uid(user).gid(group).current_dir("/");
        }
        command
    }
}

/// A password that no other user of the machine can guess.
fn random_hex() -> Result<String> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_wins_by_number() {
        let bins = ["/usr/lib/postgresql/9/bin", "/usr/lib/postgresql/15/bin"].map(PathBuf::from);
        let newest = bins.iter().max_by_key(|bin| version_of(bin));
        assert_eq!(newest, Some(&bins[1]));
    }
}
