//! The browser tests: a real Chromium against the real binary.

use anyhow::Result;

use crate::cargo::cargo;
use crate::chromium;
use crate::debian::Debian;
use crate::house::House;
use crate::postgres::Cluster;
use crate::web::{self, Packages};

/// Builds the app and the binary, and runs Playwright on SQLite and, in one file, on `cluster`.
///
/// # Errors
/// If something needed is missing, or a test fails.
pub fn run(house: &House, debian: &Debian<'_>, cluster: &Cluster) -> Result<()> {
    let browser = chromium::ensure(house, debian)?;
    web::build(house)?;
    cargo(house, "build").args(["--locked", "--package", "visadesk"]).run()?;
    let packages = Packages::ensure(house, "e2e")?;
    packages.script("types")?;
    packages.script_with(
        "test",
        &[
            ("VISADESK_BIN", house.visadesk().display().to_string()),
            ("VISADESK_CHROMIUM", browser.display().to_string()),
            ("VISADESK_TEST_POSTGRES_URL", cluster.create_database(house, "browser")?),
        ],
    )
}
