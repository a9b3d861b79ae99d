//! `cargo xtask mutants --drawn`: faults that cargo-mutants generates from the rules of money, access, status and recipients. A seed draws the
//! sample. A fault is missed only if the unit tests and the API tests of its rules pass.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};
use toml::Table;
use xshell::cmd;

use super::catalogue::{Database, Program};
use super::tree::{Ran, Tests, Tree};
use crate::workspace::Workspace;

/// What is drawn from, and the reasons why faults may be missed.
const PLAN: &str = "mutants/drawn/plan.toml";
const RESULTS: &str = "mutants/drawn/results.json";

/// The sample, as `PLAN` has it.
struct Plan {
    seed: u64,
    /// How many faults that compile are wanted.
    count: usize,
    sources: Vec<Source>,
    /// The reason why a fault need not be detected, by its name.
    reasons: Table,
}

/// Files with the same tests.
struct Source {
    files: Vec<String>,
    /// Parts of the names of API tests.
    tests: Vec<String>,
}

/// A generated fault.
struct Fault {
    name: String,
    file: String,
    diff: String,
}

/// Goes on with the sample until it is complete: at the commit at which it was drawn, so that the same faults are drawn again.
///
/// # Errors
/// If cargo-mutants is missing, a test fails without a fault, or a missed fault has no reason in the plan.
pub fn run(workspace: &Workspace) -> Result<()> {
    let plan = Plan::read(&workspace.root)?;
    let mut results = Results::read(&workspace.root)?;
    let tree = Tree::open_at(workspace, results.commit.as_deref())?;
    results.commit = Some(tree.commit.clone());
    println!("Drawing {} faults at {} with the seed {}", plan.count, &tree.commit[..8], plan.seed);
    let mut checked = BTreeSet::new();
    for fault in plan.draw(workspace, &tree)? {
        if results.viable() == plan.count {
            break;
        }
        if results.faults.contains_key(&fault.name) {
            continue;
        }
        let tests = plan.tests_of(&fault)?;
        if checked.insert(tests) {
            let passes = try_tests(&tree, tests, "drawn-baseline")?;
            ensure!(passes == Outcome::Missed, "without a fault: {passes:?} ({tests:?})");
        }
        let begun = Instant::now();
        tree.patch(&fault.patch())?;
        let outcome = try_tests(&tree, tests, "drawn");
        tree.restore()?;
        let outcome = outcome?;
        println!("{} ({} s): {outcome:?}", fault.name, begun.elapsed().as_secs());
        results.faults.insert(fault.name, outcome.to_json());
        results.write(&workspace.root)?;
        super::write_page(workspace)?;
    }
    let unexplained: Vec<&String> = results.missed().filter(|name| !plan.reasons.contains_key(*name)).collect();
    ensure!(unexplained.is_empty(), "missed, without a reason in {PLAN}: {unexplained:#?}");
    Ok(())
}

impl Fault {
    /// The diff as git reads it: cargo-mutants writes the fault's name in place of the file's.
    fn patch(&self) -> String {
        let Fault { file, diff, .. } = self;
        let hunks: String = diff.split_inclusive('\n').skip_while(|line| !line.starts_with("@@")).collect();
        format!("--- a/{file}\n+++ b/{file}\n{hunks}")
    }
}

/// How the tests of a fault ended.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// By this test, or by the time limit.
    Caught(String),
    Missed,
    /// It does not compile.
    Unviable,
}

impl Outcome {
    fn to_json(&self) -> Value {
        match self {
            Outcome::Caught(by) => json!({ "result": "caught", "by": by }),
            Outcome::Missed => json!({ "result": "missed" }),
            Outcome::Unviable => json!({ "result": "unviable" }),
        }
    }
}

/// The unit tests first: they compile in half of the time.
fn try_tests(tree: &Tree<'_>, of_api: &[String], log: &str) -> Result<Outcome> {
    let of_api: Vec<&str> = of_api.iter().map(String::as_str).collect();
    for (program, tests) in [(Program::Unit, &[][..]), (Program::Api, &of_api)] {
        if !tree.compiles(program, log)? {
            return Ok(Outcome::Unviable);
        }
        let Ran { passed, failed, is_cut_off } = tree.run(program, Tests::Like(tests), (Database::Sqlite, ""), log)?;
        if let Some(first) = failed.first() {
            return Ok(Outcome::Caught(first.clone()));
        }
        if is_cut_off {
            return Ok(Outcome::Caught("the time limit".to_owned()));
        }
        ensure!(!passed.is_empty(), "no test ran: {tests:?}");
    }
    Ok(Outcome::Missed)
}

impl Plan {
    fn read(root: &Path) -> Result<Plan> {
        let table: Table = fs::read_to_string(root.join(PLAN))?.parse().context(PLAN)?;
        let number = |key: &str| table.get(key).and_then(toml::Value::as_integer).with_context(|| key.to_owned());
        let strings = |source: &toml::Value, key: &str| -> Result<Vec<String>> {
            let listed =
                source.get(key).and_then(toml::Value::as_array).with_context(|| format!("{key} is missing"))?;
            Ok(listed.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect())
        };
        let sources = table.get("source").and_then(toml::Value::as_array).context("no source")?;
        let sources =
            sources.iter().map(|it| Ok(Source { files: strings(it, "files")?, tests: strings(it, "tests")? }));
        Ok(Plan {
            seed: number("seed")?.try_into()?,
            count: number("count")?.try_into()?,
            sources: sources.collect::<Result<_>>()?,
            reasons: table.get("reasons").and_then(toml::Value::as_table).cloned().unwrap_or_default(),
        })
    }

    /// All faults, in the order that the seed gives them.
    fn draw(&self, workspace: &Workspace, tree: &Tree<'_>) -> Result<Vec<Fault>> {
        let root = &tree.root;
        let files = self.sources.iter().flat_map(|source| &source.files).flat_map(|file| ["--file", file]);
        let listed =
            cmd!(workspace.shell, "cargo mutants --dir {root} --package visadesk --list --json --diff {files...}")
                .quiet()
                .read()
                .context("cargo-mutants is missing: cargo install cargo-mutants --locked")?;
        let listed: Vec<Value> = serde_json::from_str(&listed)?;
        let text = |fault: &Value, key: &str| {
            Ok::<_, anyhow::Error>(fault[key].as_str().with_context(|| format!("a fault without {key}"))?.to_owned())
        };
        let faults = listed
            .iter()
            .map(|it| Ok(Fault { name: text(it, "name")?, file: text(it, "file")?, diff: text(it, "diff")? }));
        let mut faults: Vec<Fault> = faults.collect::<Result<_>>()?;
        fastrand::Rng::with_seed(self.seed).shuffle(&mut faults);
        Ok(faults)
    }

    fn tests_of(&self, fault: &Fault) -> Result<&[String]> {
        let has = |source: &&Source| source.files.contains(&fault.file);
        let Some(source) = self.sources.iter().find(has) else { bail!("{PLAN} does not name {}", fault.file) };
        Ok(&source.tests)
    }
}

/// The stored results, by the names of the faults in the order in which they were drawn.
#[derive(Default)]
struct Results {
    commit: Option<String>,
    faults: Map<String, Value>,
}

impl Results {
    fn read(root: &Path) -> Result<Results> {
        let Ok(text) = fs::read_to_string(root.join(RESULTS)) else { return Ok(Results::default()) };
        let stored: Value = serde_json::from_str(&text).context(RESULTS)?;
        let commit = stored["commit"].as_str().map(str::to_owned);
        Ok(Results { commit, faults: stored["faults"].as_object().cloned().unwrap_or_default() })
    }

    fn write(&self, root: &Path) -> Result<()> {
        let faults: Vec<String> =
            self.faults.iter().map(|(name, result)| format!("  {}: {result}", json!(name))).collect();
        let text = format!("{{\n\"commit\": {},\n\"faults\": {{\n{}\n}}\n}}\n", json!(self.commit), faults.join(",\n"));
        Ok(fs::write(root.join(RESULTS), text)?)
    }

    fn missed(&self) -> impl Iterator<Item = &String> {
        self.faults.iter().filter(|(_, result)| result["result"] == "missed").map(|(name, _)| name)
    }

    /// How many faults compile.
    fn viable(&self) -> usize {
        self.faults.values().filter(|result| result["result"] != "unviable").count()
    }
}

/// The section of the page that shows the sample to people.
///
/// # Errors
/// If the plan or the results are malformed.
pub fn section(root: &Path) -> Result<String> {
    let (plan, results) = (Plan::read(root)?, Results::read(root)?);
    let missed: Vec<&String> = results.missed().collect();
    let mut section = format!(
        "\n## Drawn faults\n\ncargo-mutants generates small faults, such as another operator or a function that returns nothing, from the rules of \
         money, access, status and recipients (`{PLAN}`). The seed {} draws {}; `cargo xtask mutants --drawn` tries them. A fault counts as \
         missed only if the unit tests and the API tests of its rules pass. {} were tried: {} detected, {} missed.\n",
        plan.seed,
        plan.count,
        results.viable(),
        results.viable() - missed.len(),
        missed.len(),
    );
    if !missed.is_empty() {
        section += "\n| missed | why that is right, or the test that detects it now |\n|---|---|\n";
    }
    for name in missed {
        let reason = plan.reasons.get(name).and_then(toml::Value::as_str).unwrap_or("not answered yet");
        writeln!(section, "| `{}` | {reason} |", name.replace('|', "\\|"))?;
    }
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_a_patch_of_its_file() {
        let diff = "--- src/a.rs\n+++ replace f with ()\n@@ -1 +1 @@\n-f\n+()\n".to_owned();
        let fault = Fault { name: "replace f with ()".to_owned(), file: "src/a.rs".to_owned(), diff };
        assert_eq!(fault.patch(), "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-f\n+()\n");
    }

    #[test]
    fn the_plan_names_files_and_modules_of_tests_that_exist() -> Result<()> {
        let workspace = Workspace::open()?;
        let plan = Plan::read(&workspace.root)?;
        let is_there = |path: &str| workspace.root.join(path).exists();
        for Source { files, tests } in &plan.sources {
            let absent: Vec<&String> = files.iter().filter(|file| !is_there(file)).collect();
            assert!(absent.is_empty(), "{PLAN} names {absent:?}");
            for module in tests {
                let file = format!("server/tests/api/{}.rs", module.trim_end_matches("::").replace("::", "/"));
                assert!(is_there(&file), "{PLAN} names the tests of {module}, which are not in {file}");
            }
        }
        Ok(())
    }
}
