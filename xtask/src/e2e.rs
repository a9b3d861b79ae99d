//! The browser tests: a real Chromium against the real binary.

use std::ffi::OsString;

use anyhow::Result;

use crate::cargo::{self, Build};
use crate::chromium;
use crate::postgres::Cluster;
use crate::web::{self, Packages};
use crate::workspace::Workspace;

/// What to do with the pictures that the tests take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// Leave them with the test results.
    Leave,
    /// Put them into `docs/screens`.
    Keep,
}

/// Which binary the browser tests drive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Driven {
    Development,
    Release,
}

/// Builds the app and the binary, and runs Playwright on SQLite and, in some files, on `cluster`. The release is driven once
/// more over a slow connection, whose answers overtake each other.
///
/// # Errors
/// If something needed is missing, or a test fails.
pub fn run(workspace: &Workspace, cluster: &Cluster, driven: Driven, pictures: Pictures) -> Result<()> {
    chromium::ensure(workspace)?;
    web::build(workspace)?;
    let (build, binary) = match driven {
        Driven::Development => (Build::ServerForTests, workspace.visadesk()),
        Driven::Release => (Build::ReleaseForTests, workspace.release_visadesk()),
    };
    cargo::build(workspace, build)?;
    let packages = Packages::ensure(workspace, "e2e")?;
    packages.script("lint")?;
    packages.script("types")?;
    let mut env =
        vec![("VISADESK_BIN", binary.into_os_string()), ("VISADESK_TEST_POSTGRES_URL", OsString::from(&cluster.url))];
    if pictures == Pictures::Keep {
        env.push(("VISADESK_SCREENS", OsString::from("1")));
    }
    packages.script_with("test", &env)?;
    if driven == Driven::Release {
        println!("once more, with every call of the pages held back for a random time");
        env.push(("VISADESK_SLOW_CALLS", OsString::from("1")));
        packages.script_with("test", &env)?;
    }
    Ok(())
}
