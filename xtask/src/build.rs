//! `cargo xtask build`: the one file that goes to production.

use anyhow::Result;

use crate::cargo::cargo;
use crate::house::House;
use crate::web;

/// Builds the web app, then the release binary around it.
///
/// # Errors
/// If a build fails; its own output says why.
pub fn build(house: &House) -> Result<()> {
    web::build(house)?;
    cargo(house, "build").args(["--release", "--locked", "--package", "visadesk"]).run()?;
    println!("Built {}", house.release_visadesk().display());
    Ok(())
}
