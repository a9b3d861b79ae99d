//! Known holes in the crates and packages that Visadesk is made of. The databases are outside the package registries, and a
//! machine may reach only those.

use anyhow::{Result, bail};
use xshell::cmd;

use crate::deny;
use crate::network::QUESTION_SECONDS;
use crate::web::{Audit, Packages};
use crate::workspace::Workspace;

/// The folders of npm packages. Those that only build or test are audited, too: they run on the machines that make a release.
const PACKAGES: [&str; 4] = ["server", "server/src/orders/rules/data", "web", "e2e"];

/// The packages of the servers that the bench compares with.
const PACKAGES_OF_PEERS: [&str; 1] = ["bench/peers/fastify"];

/// What a check of a database of advisories came to.
#[derive(Debug, PartialEq, Eq)]
enum Checked {
    Clean,
    /// The database could not be asked, and which one that is.
    Not(&'static str),
}

/// Asks about the crates and the packages, and notes a database that cannot be asked.
///
/// # Errors
/// If a hole is known.
pub fn check(workspace: &Workspace) -> Result<()> {
    for checked in [crates(workspace)?, packages(workspace, &PACKAGES)?] {
        note(workspace, &checked)?;
    }
    Ok(())
}

/// Asks about the packages of the servers that the bench compares with.
///
/// # Errors
/// If a hole is known.
pub fn check_peers(workspace: &Workspace) -> Result<()> {
    note(workspace, &packages(workspace, &PACKAGES_OF_PEERS)?)
}

fn note(workspace: &Workspace, checked: &Checked) -> Result<()> {
    match checked {
        Checked::Clean => Ok(()),
        Checked::Not(which) => workspace.not_checked(&format!("{which} could not be reached")),
    }
}

/// Asks RustSec about the crates.
fn crates(workspace: &Workspace) -> Result<Checked> {
    let deny = deny::program(workspace)?;
    if cmd!(workspace.shell, "timeout {QUESTION_SECONDS} {deny} --locked fetch db").run().is_err() {
        return Ok(Checked::Not("RustSec's advisories"));
    }
    deny::run(workspace, &["advisories"])?;
    Ok(Checked::Clean)
}

/// Asks npm's registry about the packages of these folders.
fn packages(workspace: &Workspace, folders: &[&str]) -> Result<Checked> {
    for name in folders {
        match Packages::ensure(workspace, name)?.audit()? {
            Audit::NoAnswer => return Ok(Checked::Not("npm's advisories")),
            Audit::Clean => {}
            Audit::Holes(report) => bail!("npm knows holes in the packages of {name}/:\n{report}"),
        }
    }
    Ok(Checked::Clean)
}

/// Asks about everything, for a release.
///
/// # Errors
/// If a hole is known, or a database cannot be asked.
pub fn for_a_release(workspace: &Workspace) -> Result<()> {
    for checked in [crates(workspace)?, packages(workspace, &PACKAGES)?] {
        require(&checked)?;
    }
    Ok(())
}

fn require(checked: &Checked) -> Result<()> {
    match checked {
        Checked::Clean => Ok(()),
        Checked::Not(which) => bail!(
            "{which} could not be asked, so this release may have a known hole. Try again where they can be reached, or build \
             with --without-advisories"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_packages_of_every_lock_file_are_audited() -> Result<()> {
        let workspace = Workspace::open()?;
        let files = cmd!(workspace.shell, "git ls-files *package-lock.json").quiet().read()?;
        let mut folders: Vec<&str> = files.lines().filter_map(|file| file.strip_suffix("/package-lock.json")).collect();
        let mut audited = [&PACKAGES[..], &PACKAGES_OF_PEERS].concat();
        folders.sort_unstable();
        audited.sort_unstable();
        assert_eq!(folders, audited);
        Ok(())
    }

    #[test]
    fn a_release_is_refused_while_advisories_cannot_be_asked() {
        assert!(require(&Checked::Clean).is_ok());
        let refused = require(&Checked::Not("npm's advisories")).map_err(|error| error.to_string());
        assert!(refused.is_err_and(|message| message.starts_with("npm's advisories could not be asked")));
    }
}
