//! `cargo xtask build`: the one file that goes to production.

use anyhow::Result;

use crate::cargo::{self, Build};
use crate::workspace::Workspace;
use crate::{advisories, sbom, web};

#[derive(clap::Args)]
pub struct Options {
    /// Build without asking whether the crates and packages have known holes
    #[arg(long)]
    without_advisories: bool,
}

/// Asks about known holes, builds the web app, then the release binary around it, and lists its parts.
///
/// # Errors
/// If a hole is known or cannot be asked about, or a build fails; its own output says why.
pub fn build(workspace: &Workspace, options: &Options) -> Result<()> {
    if !options.without_advisories {
        advisories::for_a_release(workspace)?;
    }
    web::build(workspace)?;
    cargo::build(workspace, Build::Release)?;
    let parts = sbom::write(workspace)?;
    println!("Built {}, and the list of its parts in {}", workspace.release_visadesk().display(), parts.display());
    Ok(())
}
