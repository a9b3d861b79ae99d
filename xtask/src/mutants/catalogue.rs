//! The catalogue: each fault as a search text with its replacement, so that it survives moved code, and the tests that must detect it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use toml::Table;
use xshell::cmd;

use crate::workspace::Workspace;

/// The folder of the catalogue, of one file for each theme.
pub const FOLDER: &str = "mutants";

/// The folders whose tracked files a fault may change.
const SOURCES: [&str; 3] = ["server/src", "server/migrations", "server/templates"];

/// The database on which a fault exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    /// The value of `VISADESK_TEST_DATABASE`.
    pub fn name(self) -> &'static str {
        match self {
            Database::Sqlite => "sqlite",
            Database::Postgres => "postgres",
        }
    }
}

/// A change of the sources.
#[derive(Clone, Debug)]
pub struct Edit {
    /// Occurs exactly once in all sources.
    pub search: String,
    pub replace: String,
}

/// A fault.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The name of its file, without the ending.
    pub theme: String,
    pub name: String,
    /// One sentence: what the product would do wrong.
    pub fault: String,
    /// The rule that it breaks.
    pub source: String,
    pub edits: Vec<Edit>,
    /// Each of them must fail.
    pub tests: Vec<String>,
    /// None: on both; it is run on SQLite.
    pub database: Option<Database>,
    /// The tests do not end with this fault, which counts as their failure.
    pub hangs: bool,
}

impl Mutant {
    /// The database that its tests run on.
    pub fn runs_on(&self) -> Database {
        self.database.unwrap_or(Database::Sqlite)
    }

    /// What a stored result depends on beside the sources.
    pub fn to_json(&self) -> Value {
        let edits: Vec<Value> = self.edits.iter().map(|edit| json!([edit.search, edit.replace])).collect();
        json!([edits, self.tests, self.runs_on().name(), self.hangs])
    }

    fn read(theme: &str, entry: &Table) -> Result<Mutant> {
        const KEYS: [&str; 9] = ["name", "fault", "source", "search", "replace", "edits", "tests", "database", "hangs"];
        let name = text(entry, "name")?;
        let unknown = entry.keys().find(|key| !KEYS.contains(&key.as_str()));
        ensure!(unknown.is_none(), "{name}: unknown key {unknown:?}");
        let edits = match entry.get("edits").and_then(toml::Value::as_array) {
            None => vec![edit(entry)?],
            Some(edits) => {
                let tables = edits.iter().map(|edit| edit.as_table().context("an edit is a table"));
                tables.map(|table| edit(table?)).collect::<Result<_>>().with_context(|| name.clone())?
            }
        };
        let tests = entry.get("tests").and_then(toml::Value::as_array).context("tests are missing")?;
        let tests: Vec<String> = tests.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect();
        ensure!(!tests.is_empty(), "{name}: no test");
        let database = match entry.get("database").and_then(toml::Value::as_str) {
            None => None,
            Some("sqlite") => Some(Database::Sqlite),
            Some("postgres") => Some(Database::Postgres),
            Some(other) => bail!("{name}: unknown database {other}"),
        };
        Ok(Mutant {
            theme: theme.to_owned(),
            fault: text(entry, "fault")?,
            source: text(entry, "source")?,
            hangs: entry.get("hangs").and_then(toml::Value::as_bool).unwrap_or(false),
            name,
            edits,
            tests,
            database,
        })
    }
}

fn text(entry: &Table, key: &str) -> Result<String> {
    Ok(entry.get(key).and_then(toml::Value::as_str).with_context(|| format!("{key} is missing"))?.to_owned())
}

fn edit(table: &Table) -> Result<Edit> {
    Ok(Edit { search: text(table, "search")?, replace: text(table, "replace")? })
}

/// Reads the catalogue below `root`, themes in the order of their names.
///
/// # Errors
/// If an entry is malformed.
pub fn read(root: &Path) -> Result<Vec<Mutant>> {
    let entries = fs::read_dir(root.join(FOLDER)).context("no catalogue")?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut mutants = Vec::new();
    for file in files {
        let theme = file.file_stem().and_then(|name| name.to_str()).context("a file without a name")?;
        let table: Table = fs::read_to_string(&file)?.parse().with_context(|| file.display().to_string())?;
        let listed = table.get("mutant").and_then(toml::Value::as_array).context("a file without a mutant")?;
        for entry in listed {
            let entry = entry.as_table().context("a mutant is a table")?;
            mutants.push(Mutant::read(theme, entry).with_context(|| format!("in {}", file.display()))?);
        }
    }
    Ok(mutants)
}

/// The sources that faults may change, by their path below the root.
pub struct Sources(BTreeMap<PathBuf, String>);

impl Sources {
    /// Reads the tracked files of a working tree.
    ///
    /// # Errors
    /// If git or the disk fails.
    pub fn read(workspace: &Workspace, root: &Path) -> Result<Sources> {
        let listed = cmd!(workspace.shell, "git -C {root} ls-files -- {SOURCES...}").quiet().read()?;
        let mut texts = BTreeMap::new();
        for path in listed.lines() {
            // Pictures and fonts are no text.
            if let Ok(text) = fs::read_to_string(root.join(path)) {
                texts.insert(PathBuf::from(path), text);
            }
        }
        Ok(Sources(texts))
    }

    /// The changed files of a fault, with their new content.
    ///
    /// # Errors
    /// If a search text does not occur exactly once.
    pub fn apply(&self, mutant: &Mutant) -> Result<BTreeMap<PathBuf, String>> {
        let mut changed: BTreeMap<PathBuf, String> = BTreeMap::new();
        for Edit { search, replace } in &mutant.edits {
            let first = search.trim().lines().next().unwrap_or_default();
            let found = |(path, text): &(&PathBuf, &String)| {
                (0..text.matches(search.as_str()).count()).map(|_| (*path).clone()).collect::<Vec<_>>()
            };
            let hits: Vec<PathBuf> = self.0.iter().flat_map(|file| found(&file)).collect();
            let [path] = hits.as_slice() else {
                bail!("`{first}` occurs {} times in the sources: {hits:?}", hits.len());
            };
            let text = changed.get(path).unwrap_or(&self.0[path]);
            ensure!(text.contains(search.as_str()), "`{first}` overlaps an earlier edit");
            let text = text.replacen(search.as_str(), replace, 1);
            ensure!(text != self.0[path], "`{first}` is replaced by itself");
            changed.insert(path.clone(), text);
        }
        Ok(changed)
    }

    /// The content of a file before the change.
    pub fn original(&self, path: &Path) -> &str {
        &self.0[path]
    }
}

/// A test program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// The tests over a real listener, `server/tests/api`.
    Api,
    /// The tests in `server/src`.
    Unit,
}

impl Program {
    /// The arguments of `cargo test` that select it.
    pub fn args(self) -> &'static [&'static str] {
        match self {
            Program::Api => &["--test=api"],
            Program::Unit => &["--lib"],
        }
    }
}

/// Finds the program of a test, which is named by its modules and its function, and the file that holds it, below the root.
pub fn home_of(root: &Path, test: &str) -> Option<(Program, String)> {
    let (module, function) = test.rsplit_once("::")?;
    let path = module.replace("::", "/");
    let below = path.strip_suffix("/tests").unwrap_or(&path);
    let is_in = |file: &String| {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        text.contains(&format!("fn {function}("))
    };
    let api = format!("server/tests/api/{path}.rs");
    if is_in(&api) {
        return Some((Program::Api, api));
    }
    let files = [path.as_str(), below, &format!("{below}/mod")].map(|file| format!("server/src/{file}.rs"));
    files.into_iter().find(is_in).map(|file| (Program::Unit, file))
}
