//! `cargo xtask mutants --drawn`: faults that cargo-mutants generates from the rules of money, access, status and recipients. A seed draws the
//! sample. A fault is missed only if the unit tests and the API tests of its rules pass.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};
use toml::Table;
use xshell::cmd;

use super::catalogue::{Database, Program};
use super::combined::{self, Changes};
use super::tree::{Ran, Tests, Tree, Trial};
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
    /// The file with the fault.
    changed: String,
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
    let faults = plan.draw(workspace, &tree)?;
    // Those that do not compile are replaced by the next ones.
    while results.viable() < plan.count {
        let wanted = plan.count + results.faults.len() - results.viable();
        ensure!(wanted <= faults.len(), "there are {} faults, too few for {}", faults.len(), plan.count);
        let is_left = |fault: &&Fault| !results.faults.contains_key(&fault.name);
        let left: Vec<&Fault> = faults[..wanted].iter().filter(is_left).collect();
        let mut record = |fault: &Fault, outcome: &Outcome| {
            println!("{}: {outcome:?}", fault.name);
            results.faults.insert(fault.name.clone(), outcome.to_json());
            results.write(&workspace.root)?;
            super::write_page(workspace)
        };
        let alone = try_together(&plan, &tree, &left, &mut record)?;
        try_alone(&plan, &tree, &alone, &mut record)?;
    }
    let unexplained: Vec<&String> = results.missed().filter(|name| !plan.reasons.contains_key(*name)).collect();
    ensure!(unexplained.is_empty(), "missed, without a reason in {PLAN}: {unexplained:#?}");
    Ok(())
}

/// Stores a result.
type Record<'a> = dyn FnMut(&Fault, &Outcome) -> Result<()> + 'a;

/// Tries the faults in one combined build. Returns those that cannot be combined and those that were missed, to be tried alone.
fn try_together<'f>(
    plan: &Plan,
    tree: &Tree<'_>,
    faults: &[&'f Fault],
    record: &mut Record<'_>,
) -> Result<Vec<&'f Fault>> {
    let changes = faults.iter().map(|fault| (fault.name.clone(), fault.changes()));
    let fitting = combined::build(tree, &changes.collect())?;
    let (together, mut alone): (Vec<_>, Vec<_>) =
        faults.iter().copied().partition(|fault| fitting.contains(&fault.name));
    println!("{} of {} faults are in one build", together.len(), faults.len());
    let mut checked = BTreeSet::new();
    for fault in together {
        let tests = plan.tests_of(fault)?;
        check_baseline(tree, tests, &mut checked)?;
        match try_tests(tree, tests, Some(&fault.name), "drawn")? {
            Outcome::Missed => alone.push(fault),
            outcome => record(fault, &outcome)?,
        }
    }
    tree.restore()?;
    Ok(alone)
}

/// Tries the faults one after another, each in a build of its own.
fn try_alone(plan: &Plan, tree: &Tree<'_>, faults: &[&Fault], record: &mut Record<'_>) -> Result<()> {
    let mut checked = BTreeSet::new();
    for fault in faults {
        let tests = plan.tests_of(fault)?;
        check_baseline(tree, tests, &mut checked)?;
        tree.write([(Path::new(&fault.file), fault.changed.as_str())])?;
        let outcome = try_tests(tree, tests, None, "drawn");
        tree.restore()?;
        record(fault, &outcome?)?;
    }
    Ok(())
}

/// Runs tests without a fault, unless they have run: a test that fails by itself detects nothing.
fn check_baseline<'p>(tree: &Tree<'_>, tests: &'p [String], checked: &mut BTreeSet<&'p [String]>) -> Result<()> {
    if checked.insert(tests) {
        let outcome = try_tests(tree, tests, None, "drawn-baseline")?;
        ensure!(outcome == Outcome::Missed, "without a fault: {outcome:?} ({tests:?})");
    }
    Ok(())
}

impl Fault {
    /// Reads a fault as cargo-mutants lists it.
    fn read(listed: &Value, tree: &Tree<'_>) -> Result<Fault> {
        let text = |key: &str| listed[key].as_str().with_context(|| format!("a fault without {key}"));
        let file = text("file")?.to_owned();
        let original = fs::read_to_string(tree.root.join(&file))?;
        let [start, end] =
            [place_of(&original, &listed["span"]["start"])?, place_of(&original, &listed["span"]["end"])?];
        let changed = format!("{}{}{}", &original[..start], text("replacement")?, &original[end..]);
        Ok(Fault { name: text("name")?.to_owned(), file, changed })
    }

    fn changes(&self) -> Changes {
        Changes::from([(self.file.clone().into(), self.changed.clone())])
    }
}

/// The byte offset of one end of a span. Lines and columns count from one, columns in characters.
fn place_of(text: &str, end: &Value) -> Result<usize> {
    let count = |key: &str| {
        let counted = end[key].as_u64().and_then(|counted| usize::try_from(counted).ok()?.checked_sub(1));
        counted.with_context(|| format!("a place without {key}: {end}"))
    };
    let before: usize = text.split_inclusive('\n').take(count("line")?).map(str::len).sum();
    Ok(before + text[before..].chars().take(count("column")?).map(char::len_utf8).sum::<usize>())
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

/// The unit tests first: they are quicker.
fn try_tests(tree: &Tree<'_>, of_api: &[String], fault: Option<&str>, log: &str) -> Result<Outcome> {
    let of_api: Vec<&str> = of_api.iter().map(String::as_str).collect();
    for (program, parts) in [(Program::Unit, &[][..]), (Program::Api, &of_api)] {
        if !tree.compiles(program, log)? {
            return Ok(Outcome::Unviable);
        }
        let (tests, database) = (Tests::Like(parts), Database::Sqlite);
        let trial = Trial { program, tests, database, url: "", fault, stops_at_failure: true };
        let Ran { passed, failed, is_cut_off } = tree.run(trial, log)?;
        if let Some(first) = failed.first() {
            return Ok(Outcome::Caught(first.clone()));
        }
        if is_cut_off {
            return Ok(Outcome::Caught("the time limit".to_owned()));
        }
        ensure!(!passed.is_empty(), "no test ran: {parts:?}");
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
        let listed = cmd!(workspace.shell, "cargo mutants --dir {root} --package visadesk --list --json {files...}")
            .quiet()
            .read()
            .context("cargo-mutants is missing: cargo install cargo-mutants --locked")?;
        let listed: Vec<Value> = serde_json::from_str(&listed)?;
        let mut faults: Vec<Fault> = listed.iter().map(|it| Fault::read(it, tree)).collect::<Result<_>>()?;
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
    fn a_place_is_found_by_its_line_and_column() {
        let text = "fn a() {\n    \"é\" == b\n}\n";
        let place = place_of(text, &json!({ "line": 2, "column": 9 })).expect("a place");
        assert_eq!(&text[place..place + 4], "== b");
        assert_eq!(
            place_of(text, &json!({ "line": 0 })).unwrap_err().to_string(),
            r#"a place without line: {"line":0}"#
        );
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
