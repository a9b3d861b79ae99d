//! cargo-deny: licences, sources, and banned and doubled crates.

use std::path::PathBuf;

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// The version the configuration in `deny.toml` was written for.
const VERSION: &str = "0.20.2";

/// The server that the bench compares with is a workspace of its own.
const BARE: &str = "bench/peers/bare/Cargo.toml";

/// Checks the crates that Visadesk is made of.
///
/// # Errors
/// If cargo-deny cannot be installed, or finds something.
pub fn check(workspace: &Workspace) -> Result<()> {
    run(workspace, &["bans", "licenses", "sources"])
}

/// Checks the crates of the server that the bench compares with.
///
/// # Errors
/// If cargo-deny cannot be installed, or finds something.
pub fn check_peers(workspace: &Workspace) -> Result<()> {
    let deny = program(workspace)?;
    // The bare server needs fewer licences and exceptions than the configuration has.
    let unneeded =
        ["license-not-encountered", "license-exception-not-encountered", "unused-wrapper", "advisory-not-detected"];
    let unneeded = unneeded.iter().flat_map(|warning| ["--allow", warning]);
    let checks = ["bans", "licenses", "sources"];
    cmd!(workspace.shell, "{deny} --locked --manifest-path {BARE} --config deny.toml check {unneeded...} {checks...}")
        .run()?;
    Ok(())
}

/// Runs checks of cargo-deny.
///
/// # Errors
/// If cargo-deny cannot be installed, or finds something.
pub fn run(workspace: &Workspace, checks: &[&str]) -> Result<()> {
    let deny = program(workspace)?;
    Ok(cmd!(workspace.shell, "{deny} --locked check {checks...}").run()?)
}

/// cargo-deny itself, installed into the cache folder the first time.
///
/// # Errors
/// If it cannot be installed.
pub fn program(workspace: &Workspace) -> Result<PathBuf> {
    let tools = workspace.cache.join("tools").join(format!("cargo-deny-{VERSION}"));
    let deny = tools.join("bin/cargo-deny");
    if !deny.exists() {
        let (crate_name, work) = (format!("cargo-deny@{VERSION}"), tools.join("build"));
        println!("Installing {crate_name} into {} (once)", tools.display());
        // Unoptimised: it runs for seconds, and optimising it takes minutes.
        cmd!(workspace.shell, "cargo install --debug --locked --quiet --root {tools} --target-dir {work} {crate_name}")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .run()?;
        workspace.shell.remove_path(work)?;
    }
    Ok(deny)
}
