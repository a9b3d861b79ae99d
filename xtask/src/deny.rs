//! cargo-deny: licences, sources, banned and doubled crates, and known holes.

use anyhow::Result;
use xshell::cmd;

use crate::house::House;

/// The version the configuration in `deny.toml` was written for.
const VERSION: &str = "0.20.2";

/// Checks the crates we stand on. Answers a warning if the advisories could not be asked.
///
/// # Errors
/// If cargo-deny cannot be installed, or finds something.
pub fn check(house: &House) -> Result<Option<String>> {
    let tools = house.cache.join("tools").join(format!("cargo-deny-{VERSION}"));
    let deny = tools.join("bin/cargo-deny");
    if !deny.exists() {
        let (crate_name, work) = (format!("cargo-deny@{VERSION}"), tools.join("build"));
        println!("Installing {crate_name} into {} (once, two minutes)", tools.display());
        cmd!(house.shell, "cargo install --locked --quiet --root {tools} --target-dir {work} {crate_name}").run()?;
        house.shell.remove_path(work)?;
    }
    cmd!(house.shell, "{deny} --locked check bans licenses sources").run()?;

    // The advisory database is a git repository outside the package registries, and a machine may reach only those.
    if cmd!(house.shell, "{deny} --locked fetch db").run().is_err() {
        return Ok(Some("RustSec advisories NOT checked: their database could not be fetched".to_owned()));
    }
    cmd!(house.shell, "{deny} --locked check advisories").run()?;
    Ok(None)
}
