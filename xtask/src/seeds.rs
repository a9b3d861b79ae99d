//! `cargo xtask seeds`: takes long random sequences of the invariants, in the release build. What was clean is stored at once, so that a run
//! goes on where the last one ended.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File};
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use xshell::cmd;

use crate::cargo::cargo;
use crate::needs::{Need, ensure_all};
use crate::postgres::Cluster;
use crate::test::TemporaryFolder;
use crate::workspace::Workspace;

/// The seeds that were clean, by the sources that they were tried with.
const FILE: &str = "server/tests/seeds.json";

/// Takes each sequence on PostgreSQL, on PostgreSQL with two nodes, on SQLite, and on SQLite with two nodes.
const TEST: &str = "model::a_sequence_leads_to_the_same_state_on_both_databases_and_on_two_nodes";

/// How many seeds one process tries.
const BATCH: usize = 5;

#[derive(clap::Args)]
pub struct Options {
    /// The seeds
    #[arg(default_value = "1..1001", value_parser = read_range)]
    seeds: Range<u64>,
}

fn read_range(text: &str) -> Result<Range<u64>> {
    let (from, to) = text.split_once("..").context("seeds are like 1..1001")?;
    Ok(from.parse()?..to.parse()?)
}

/// Tries the seeds that were not yet clean with the committed sources.
///
/// # Errors
/// If a sequence breaks a rule or leads to different states.
pub fn seeds(workspace: &Workspace, options: &Options) -> Result<()> {
    let shell = &workspace.shell;
    let changed = cmd!(shell, "git status --porcelain -- server/src server/tests/api server/migrations Cargo.lock");
    ensure!(changed.quiet().read()?.is_empty(), "commit the server first: the result belongs to a commit");
    ensure_all(workspace, &[Need::Postgres, Need::Tesseract])?;
    let sources =
        cmd!(shell, "git rev-parse HEAD:server/src HEAD:server/tests/api HEAD:server/migrations HEAD:Cargo.lock");
    let sources = cmd!(shell, "git hash-object --stdin").stdin(sources.quiet().read()?).quiet().read()?;
    let mut clean = Clean::read(workspace, sources[..12].to_owned())?;
    let left: Vec<u64> = options.seeds.clone().filter(|seed| !clean.seeds.contains(seed)).collect();
    let batches = left.chunk_by(|seed, next| seed + 1 == *next).flat_map(|seeds| seeds.chunks(BATCH));
    let mut due: VecDeque<Range<u64>> = batches.map(|batch| batch[0]..batch[0] + batch.len() as u64).collect();
    cargo(workspace, "test").args(["--locked", "--release", "--package=visadesk", "--test=api", "--no-run"]).run()?;
    let (cluster, temporary) = (Cluster::start(workspace)?, TemporaryFolder::make(workspace)?);
    let (begun, all) = (Instant::now(), due.len());
    let (mut running, mut failed): (Vec<Batch>, Vec<PathBuf>) = (Vec::new(), Vec::new());
    while !(due.is_empty() && running.is_empty()) {
        while running.len() < available_parallelism()?.get()
            && let Some(seeds) = due.pop_front()
        {
            running.push(Batch::start(workspace, seeds, &cluster.url, &temporary)?);
        }
        sleep(Duration::from_millis(100));
        let mut left = Vec::new();
        for mut batch in running {
            match batch.child.try_wait()? {
                None => left.push(batch),
                Some(status) if status.success() => {
                    clean.seeds.extend(batch.seeds.clone());
                    clean.write(workspace)?;
                    let minutes = begun.elapsed().as_secs() / 60;
                    println!(
                        "{}..{} clean; {} of {all} left, {minutes} min",
                        batch.seeds.start,
                        batch.seeds.end,
                        due.len()
                    );
                }
                Some(_) => {
                    println!("{}", fs::read_to_string(&batch.log)?);
                    failed.push(batch.log);
                }
            }
        }
        running = left;
    }
    if !failed.is_empty() {
        bail!("{} of {all} batches failed; their output is above and in {failed:?}", failed.len());
    }
    println!("{} seeds are clean with these sources", clean.seeds.len());
    Ok(())
}

/// Seeds that are being tried.
struct Batch {
    seeds: Range<u64>,
    child: Child,
    log: PathBuf,
}

impl Batch {
    fn start(workspace: &Workspace, seeds: Range<u64>, url: &str, temporary: &TemporaryFolder) -> Result<Batch> {
        let folder = workspace.seeds();
        fs::create_dir_all(&folder)?;
        let named = format!("{}..{}", seeds.start, seeds.end);
        let log = folder.join(format!("{named}.log"));
        let output = File::create(&log)?;
        let mut command = Command::from(cargo(workspace, "test"));
        command.args([
            "--locked",
            "--release",
            "--package=visadesk",
            "--test=api",
            "--",
            "--exact",
            TEST,
            "--nocapture",
        ]);
        command.env("VISADESK_TEST_DATABASE", "postgres").env("VISADESK_TEST_POSTGRES_URL", url);
        command.env("VISADESK_TEST_LONG", "1").env("VISADESK_MODEL_SEEDS", named).env("TMPDIR", temporary.path());
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        Ok(Batch { seeds, child: command.spawn().context("cannot start cargo")?, log })
    }
}

/// The stored results: a line for each version of the sources.
struct Clean {
    sources: String,
    commit: String,
    seeds: BTreeSet<u64>,
    /// Of other sources.
    others: Vec<Value>,
}

impl Clean {
    fn read(workspace: &Workspace, sources: String) -> Result<Clean> {
        let commit = cmd!(workspace.shell, "git rev-parse --short=8 HEAD").quiet().read()?;
        let stored = fs::read_to_string(workspace.root.join(FILE)).unwrap_or_else(|_| "[]".to_owned());
        let stored: Vec<Value> = serde_json::from_str(&stored).context(FILE)?;
        let (own, others): (Vec<Value>, Vec<Value>) = stored.into_iter().partition(|row| row["sources"] == sources);
        let mut seeds = BTreeSet::new();
        for range in own.iter().filter_map(|row| row["clean"].as_array()).flatten().filter_map(Value::as_str) {
            seeds.extend(read_range(range)?);
        }
        Ok(Clean { sources, commit, seeds, others })
    }

    fn write(&self, workspace: &Workspace) -> Result<()> {
        let mut ranges: Vec<Range<u64>> = Vec::new();
        for &seed in &self.seeds {
            match ranges.last_mut() {
                Some(last) if last.end == seed => last.end += 1,
                _ => ranges.push(seed..seed + 1),
            }
        }
        let clean: Vec<String> = ranges.iter().map(|range| format!("{}..{}", range.start, range.end)).collect();
        let own = json!({ "sources": self.sources, "commit": self.commit, "clean": clean });
        let lines: Vec<String> = self.others.iter().chain([&own]).map(|row| format!("  {row}")).collect();
        Ok(fs::write(workspace.root.join(FILE), format!("[\n{}\n]\n", lines.join(",\n")))?)
    }
}
