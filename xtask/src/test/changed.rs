//! `--changed`: the steps that a change can affect.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use xshell::cmd;

use super::step::Step;
use crate::workspace::Workspace;

/// The steps whose result depends on files with these beginnings of their paths. A file that no line names affects every step.
const AFFECTED: [(&str, &[Step]); 16] = [
    ("server/tests/", &[Step::Fmt, Step::Clippy, Step::ServerSqlite, Step::ServerPostgres, Step::Mutants]),
    ("server/", SERVER),
    ("images/", SERVER),
    ("derive/", SERVER),
    ("contract/fuzz/", &[Step::Fuzz]),
    ("contract/", &[Step::WebTypes, Step::Clippy, Step::ServerSqlite, Step::Gen, Step::Fuzz, Step::E2e]),
    // The server's tests ask for the pages that it embeds.
    ("web/", &[Step::WebBuild, Step::WebLint, Step::WebTypes, Step::WebUnit, Step::ServerSqlite, Step::E2e]),
    ("e2e/", &[Step::WebLint, Step::WebTypes, Step::ServerSqlite, Step::E2e]),
    ("docs/screens/", &[Step::E2e]),
    // Tests of the repository read the documents.
    ("docs/", &[Step::ServerSqlite]),
    // Without --long, its own tests: each fault applies, and its tests exist.
    ("mutants/", &[Step::ServerSqlite, Step::Mutants]),
    ("bench/", &[Step::Fmt, Step::Bench]),
    ("xtask/", &[Step::Fmt, Step::Clippy, Step::ServerSqlite, Step::FirstStart]),
    ("deny.toml", &[Step::Deny, Step::Advisories]),
    ("LICENSE", &[Step::ServerSqlite]),
    ("rustfmt.toml", &[Step::Fmt]),
];

const SERVER: &[Step] = &[
    Step::Fmt,
    Step::Clippy,
    Step::ServerSqlite,
    Step::ServerPostgres,
    Step::Gen,
    Step::Fuzz,
    Step::FirstStart,
    Step::E2e,
    Step::Mutants,
];

/// The files that differ from `base`, committed or not. Without an upstream branch, those that are not committed.
///
/// # Errors
/// If git does not know the base.
pub fn files(workspace: &Workspace, base: &str) -> Result<BTreeSet<String>> {
    let shell = &workspace.shell;
    let left = cmd!(shell, "git merge-base HEAD {base}").quiet().ignore_stderr().read();
    let left = if base == "@{upstream}" {
        left.unwrap_or_else(|_| "HEAD".to_owned())
    } else {
        left.with_context(|| format!("git knows no {base}"))?
    };
    let changed = cmd!(shell, "git diff --name-only {left}").quiet().read()?;
    let new = cmd!(shell, "git ls-files --others --exclude-standard").quiet().read()?;
    Ok(changed.lines().chain(new.lines()).map(str::to_owned).collect())
}

/// Returns true if a change of these files can change the step's result.
pub fn affects(files: &BTreeSet<String>, step: Step) -> bool {
    files.iter().any(|file| {
        // Documents at the root are read by the tests of the repository alone.
        if file.ends_with(".md") && !file.contains('/') {
            return step == Step::ServerSqlite;
        }
        AFFECTED.iter().find(|(start, _)| file.starts_with(start)).is_none_or(|(_, steps)| steps.contains(&step))
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    fn affected(files: &[&str]) -> Vec<&'static str> {
        let files = files.iter().map(|file| (*file).to_owned()).collect();
        let steps = Step::value_variants().iter().filter(|step| affects(&files, **step));
        steps.map(|step| step.name()).collect()
    }

    #[test]
    fn only_the_steps_that_read_a_file_run_after_its_change() {
        assert_eq!(affected(&[]), <[&str; 0]>::default());
        assert_eq!(affected(&["README.md", "docs/operating.md"]), ["server-sqlite"]);
        assert_eq!(affected(&["docs/screens/list-390.png"]), ["e2e"]);
        assert_eq!(
            affected(&["server/tests/api/refunds.rs"]),
            ["fmt", "clippy", "server-sqlite", "server-postgres", "mutants"]
        );
        assert_eq!(
            affected(&["e2e/tests/home.spec.ts", "rustfmt.toml"]),
            ["fmt", "web-lint", "web-types", "server-sqlite", "e2e"]
        );
    }

    #[test]
    fn a_file_that_nothing_is_known_about_affects_everything() {
        assert_eq!(affected(&["Cargo.lock"]).len(), Step::value_variants().len());
    }
}
