//! `cargo xtask mutants`: puts known faults into the sources, and checks that the tests of each detect it.

mod catalogue;
mod combined;
mod drawn;
mod results;
mod tree;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use xshell::cmd;

use self::catalogue::{Database, Mutant, Program, Sources, home_of};
use self::results::{Outcome, Results};
use self::tree::{Ran, Tests, Tree, Trial};
use crate::needs::{Need, ensure_all};
use crate::postgres::Cluster;
use crate::workspace::Workspace;

/// The page, by its path below the root.
pub const PAGE: &str = "docs/mutants.md";

#[derive(clap::Args)]
pub struct Options {
    /// The faults to try: all of them by default
    names: Vec<String>,
    /// List the faults, and try none
    #[arg(long)]
    list: bool,
    /// Try faults again whose stored result still holds
    #[arg(long)]
    again: bool,
    /// Try a sample of the faults that cargo-mutants generates instead, or go on with it
    #[arg(long, conflicts_with_all = ["names", "list", "again"])]
    drawn: bool,
}

/// Tries every fault at the last commit, whatever is stored.
///
/// # Errors
/// If a fault is not detected.
pub fn run_all_again(workspace: &Workspace) -> Result<()> {
    mutants(workspace, &Options { names: Vec::new(), list: false, again: true, drawn: false })
}

/// Tries the faults at the last commit, and stores the result of each as soon as it is known.
///
/// # Errors
/// If a fault is not detected.
pub fn mutants(workspace: &Workspace, options: &Options) -> Result<()> {
    if options.drawn {
        return drawn::run(workspace);
    }
    let all = catalogue::read(&workspace.root)?;
    let unknown = options.names.iter().find(|name| all.iter().all(|mutant| mutant.name != **name));
    ensure!(unknown.is_none(), "the catalogue has no fault {unknown:?}; `cargo xtask mutants --list` names them");
    let is_wanted = |mutant: &&Mutant| options.names.is_empty() || options.names.contains(&mutant.name);
    let wanted: Vec<&Mutant> = all.iter().filter(is_wanted).collect();
    if options.list {
        wanted.iter().for_each(|mutant| println!("{}: {}", mutant.name, mutant.fault));
        return Ok(());
    }
    ensure_all(workspace, &[Need::Poppler, Need::OpenSsl, Need::Tesseract])?;
    let tree = Tree::open(workspace)?;
    let mut results = Results::read(&workspace.root)?;
    let run = Run { workspace, sources: Sources::read(workspace, &tree.root)?, tree, cluster: OnceCell::new() };
    let mut inputs = BTreeMap::new();
    for mutant in &wanted {
        inputs.insert(&mutant.name, run.inputs(mutant)?);
    }
    let is_known = |mutant: &Mutant| !options.again && results.find(&mutant.name, &inputs[&mutant.name]).is_some();
    let untried: Vec<&Mutant> = wanted.iter().copied().filter(|mutant| !is_known(mutant)).collect();
    println!("{} faults, {} of them without a result at {}", wanted.len(), untried.len(), &run.tree.commit[..8]);
    let mut record = |mutant: &Mutant, outcome: &Outcome| {
        results.set(&mutant.name, outcome, &run.tree.commit, &inputs[&mutant.name]);
        results.write(&workspace.root, &all)?;
        write_page(workspace)
    };
    if !untried.is_empty() {
        let alone = run.try_together(&untried, &mut record)?;
        run.try_alone(&alone, &mut record)?;
    }
    results.write(&workspace.root, &all)?;
    write_page(workspace)?;
    let outcome = |mutant: &&&Mutant| results.find(&mutant.name, &inputs[&mutant.name]);
    let count = |word: &str| {
        wanted.iter().filter_map(|mutant| outcome(&mutant)).filter(|outcome| outcome.word() == word).count()
    };
    let (missed, broken) = (count("missed"), count("broken"));
    println!("mutants: {} detected, {missed} missed, {broken} broken", count("detected"));
    if missed + broken > 0 {
        bail!("faults stay undetected; `docs/mutants.md` names them");
    }
    Ok(())
}

/// The page that shows the catalogue and its stored results to people.
///
/// # Errors
/// If the catalogue or the results are malformed.
pub fn page(workspace: &Workspace) -> Result<String> {
    let root = &workspace.root;
    Ok(Results::read(root)?.page(&catalogue::read(root)?) + &drawn::section(root)?)
}

fn write_page(workspace: &Workspace) -> Result<()> {
    Ok(fs::write(workspace.root.join(PAGE), page(workspace)?)?)
}

/// Stores a result.
type Record<'a> = dyn FnMut(&Mutant, &Outcome) -> Result<()> + 'a;

/// What the faults of one run share.
struct Run<'a> {
    workspace: &'a Workspace,
    tree: Tree<'a>,
    sources: Sources,
    cluster: OnceCell<Cluster>,
}

impl Run<'_> {
    /// The identity of what decides the result of a fault: its entry, the files that it changes and those of its tests. Others may matter too,
    /// which is why `--long` tries all faults again.
    fn inputs(&self, mutant: &Mutant) -> Result<String> {
        let mut inputs = mutant.to_json().to_string();
        for path in self.sources.apply(mutant).unwrap_or_default().keys() {
            inputs += self.sources.original(path);
        }
        for (_, file) in mutant.tests.iter().filter_map(|test| home_of(&self.tree.root, test)) {
            inputs += &fs::read_to_string(self.tree.root.join(file))?;
        }
        Ok(cmd!(self.workspace.shell, "git hash-object --stdin").stdin(inputs).quiet().read()?)
    }

    /// Tries the faults in one combined build. Returns those that cannot be combined and those that were not detected, to be tried alone.
    fn try_together<'m>(&self, mutants: &[&'m Mutant], record: &mut Record<'_>) -> Result<Vec<&'m Mutant>> {
        let changes = mutants.iter().filter_map(|mutant| Some((mutant.name.clone(), self.sources.apply(mutant).ok()?)));
        let fitting = combined::build(&self.tree, &changes.collect())?;
        let (together, mut alone): (Vec<_>, Vec<_>) =
            mutants.iter().copied().partition(|mutant| fitting.contains(&mutant.name));
        println!("{} of {} faults are in one build", together.len(), mutants.len());
        self.check_baseline(&together)?;
        for mutant in together {
            let begun = Instant::now();
            let outcome = self.judge(mutant, Some(&mutant.name))?;
            println!("{} ({} s): {}", mutant.name, begun.elapsed().as_secs(), outcome.describe());
            match outcome {
                Outcome::Detected => record(mutant, &outcome)?,
                Outcome::Missed(_) | Outcome::Broken(_) => alone.push(mutant),
            }
        }
        self.tree.restore()?;
        Ok(alone)
    }

    /// Tries the faults one after another, each in a build of its own.
    fn try_alone(&self, mutants: &[&Mutant], record: &mut Record<'_>) -> Result<()> {
        self.check_baseline(mutants)?;
        let build = self.tree.build()?;
        for mutant in mutants {
            let begun = Instant::now();
            let known = self.tree.known_to_pass(&build, mutant.runs_on());
            let outcome = match mutant.tests.iter().find(|test| !known.contains(*test)) {
                Some(test) => Outcome::Broken(format!("{test} does not pass without the fault, or does not exist")),
                None => self.attempt(mutant)?,
            };
            println!("{} alone ({} s): {}", mutant.name, begun.elapsed().as_secs(), outcome.describe());
            record(mutant, &outcome)?;
        }
        Ok(())
    }

    /// Runs the tests of the faults without a fault, as far as they are not known to pass: a test that fails by itself detects nothing.
    fn check_baseline(&self, mutants: &[&Mutant]) -> Result<()> {
        let build = self.tree.build()?;
        for database in [Database::Sqlite, Database::Postgres] {
            let mut known = self.tree.known_to_pass(&build, database);
            let cited = mutants.iter().filter(|mutant| mutant.runs_on() == database).flat_map(|mutant| &mutant.tests);
            let unknown: BTreeSet<String> = cited.filter(|test| !known.contains(*test)).cloned().collect();
            if unknown.is_empty() {
                continue;
            }
            println!("Running {} tests without a fault on {}", unknown.len(), database.name());
            let unknown: Vec<String> = unknown.into_iter().collect();
            let Some(ran) = self.run_tests(&unknown, database, None, "baseline")? else {
                bail!("the tests do not compile; see {}", self.tree.log("baseline").display());
            };
            known.extend(ran.passed);
            self.tree.remember_to_pass(&build, database, &known)?;
        }
        Ok(())
    }

    /// Puts a fault into the tree, runs its tests, and takes it out again.
    fn attempt(&self, mutant: &Mutant) -> Result<Outcome> {
        let changed = match self.sources.apply(mutant) {
            Ok(changed) => changed,
            Err(error) => return Ok(Outcome::Broken(format!("{error:#}"))),
        };
        self.tree.write(changed.iter().map(|(path, text)| (path.as_path(), text.as_str())))?;
        let outcome = self.judge(mutant, None);
        self.tree.restore()?;
        outcome
    }

    /// Runs the tests of a fault that the tree contains. `switched_on` names the fault of a combined build.
    fn judge(&self, mutant: &Mutant, switched_on: Option<&str>) -> Result<Outcome> {
        let ran = self.run_tests(&mutant.tests, mutant.runs_on(), switched_on, &mutant.name)?;
        Ok(ran.map_or_else(|| Outcome::Broken("it does not compile".to_owned()), |ran| judge(mutant, &ran)))
    }

    /// Compiles and runs tests of both programs. None: they do not compile.
    fn run_tests(&self, tests: &[String], database: Database, fault: Option<&str>, log: &str) -> Result<Option<Ran>> {
        let url = match database {
            Database::Sqlite => "",
            Database::Postgres => self.cluster()?.url.as_str(),
        };
        let mut all = Ran::default();
        for program in [Program::Api, Program::Unit] {
            let of_program = |test: &&String| home_of(&self.tree.root, test).is_some_and(|(home, _)| home == program);
            let tests: Vec<&str> = tests.iter().filter(of_program).map(String::as_str).collect();
            if tests.is_empty() {
                continue;
            }
            if !self.tree.compiles(program, log)? {
                return Ok(None);
            }
            let tests = Tests::Exactly(&tests);
            let ran = self.tree.run(Trial { program, tests, database, url, fault, stops_at_failure: false }, log)?;
            all.passed.extend(ran.passed);
            all.failed.extend(ran.failed);
            all.is_cut_off |= ran.is_cut_off;
        }
        Ok(Some(all))
    }

    /// The PostgreSQL of this run, started for the first fault that needs it.
    fn cluster(&self) -> Result<&Cluster> {
        if let Some(cluster) = self.cluster.get() {
            return Ok(cluster);
        }
        let cluster = Cluster::start(self.workspace)?;
        Ok(self.cluster.get_or_init(|| cluster))
    }
}

/// The outcome of a run of a fault's tests.
fn judge(mutant: &Mutant, ran: &Ran) -> Outcome {
    let passed: Vec<String> = mutant.tests.iter().filter(|test| ran.passed.contains(*test)).cloned().collect();
    let without_result = || mutant.tests.iter().find(|test| !ran.failed.contains(*test));
    if !passed.is_empty() {
        return Outcome::Missed(passed);
    }
    match without_result() {
        None => Outcome::Detected,
        Some(_) if ran.is_cut_off && mutant.hangs => Outcome::Detected,
        Some(test) if ran.is_cut_off => Outcome::Broken(format!("{test} did not end in time")),
        Some(test) => Outcome::Broken(format!("{test} has no result")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_applies_and_its_tests_exist() -> Result<()> {
        let workspace = Workspace::open()?;
        let (all, sources) = (catalogue::read(&workspace.root)?, Sources::read(&workspace, &workspace.root)?);
        let mut faults = Vec::new();
        let mut names = BTreeSet::new();
        for mutant in &all {
            if !names.insert(&mutant.name) {
                faults.push(format!("{}: the name occurs twice", mutant.name));
            }
            if let Err(error) = sources.apply(mutant) {
                faults.push(format!("{}: {error:#}", mutant.name));
            }
            let absent = mutant.tests.iter().filter(|test| home_of(&workspace.root, test).is_none());
            faults.extend(absent.map(|test| format!("{}: there is no test {test}", mutant.name)));
        }
        assert!(faults.is_empty(), "Bring `mutants/` up to date:\n{}", faults.join("\n"));
        let of_money_and_access = all.iter().filter(|mutant| ["money", "access"].contains(&&*mutant.theme)).count();
        assert!(all.len() >= 60 && of_money_and_access >= 20, "{} faults, {of_money_and_access}", all.len());
        let shown = fs::read_to_string(workspace.root.join(PAGE)).unwrap_or_default();
        assert!(shown == page(&workspace)?, "`cargo xtask gen` refreshes {PAGE}");
        Ok(())
    }

    #[test]
    fn a_fault_is_detected_if_each_of_its_tests_fails() -> Result<()> {
        let workspace = Workspace::open()?;
        let all = catalogue::read(&workspace.root)?;
        let mutant = Mutant { tests: vec!["a::b".into(), "a::c".into()], hangs: false, ..all[0].clone() };
        let set = |tests: &[&str]| tests.iter().map(|test| (*test).to_owned()).collect();
        let ran =
            |passed: &[&str], failed: &[&str], is_cut_off| Ran { passed: set(passed), failed: set(failed), is_cut_off };
        assert_eq!(judge(&mutant, &ran(&[], &["a::b", "a::c"], false)), Outcome::Detected);
        assert_eq!(judge(&mutant, &ran(&["a::c"], &["a::b"], false)), Outcome::Missed(vec!["a::c".into()]));
        assert_eq!(judge(&mutant, &ran(&[], &["a::b"], false)), Outcome::Broken("a::c has no result".into()));
        assert_eq!(judge(&mutant, &ran(&[], &["a::b"], true)), Outcome::Broken("a::c did not end in time".into()));
        let hanging = Mutant { hangs: true, ..mutant };
        assert_eq!(judge(&hanging, &ran(&[], &["a::b"], true)), Outcome::Detected);
        Ok(())
    }
}
