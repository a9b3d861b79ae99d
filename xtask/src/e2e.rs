//! The browser tests: a real Chromium against the real binary.

use std::ffi::OsString;

use anyhow::Result;

use crate::cargo::{self, Build};
use crate::chromium;
use crate::postgres::Cluster;
use crate::web::{self, Packages};
use crate::workspace::Workspace;

/// Which binary the browser tests drive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Driven {
    Development,
    Release,
}

/// Builds the app and the binary, and runs Playwright on SQLite and, in some files, on `cluster`. The release is also driven in Firefox and
/// with lists of tens of thousands of rows, and once more over a slow connection, whose answers overtake each other.
///
/// # Errors
/// If something needed is missing, or a test fails.
pub fn run(workspace: &Workspace, cluster: &Cluster, driven: Driven) -> Result<()> {
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
    let env = [("VISADESK_BIN", binary.into_os_string()), ("VISADESK_TEST_POSTGRES_URL", OsString::from(&cluster.url))];
    if driven == Driven::Development {
        return packages.script_with("test", &env);
    }
    let with = |name: &'static str| [&env[..], &[(name, OsString::from("1"))]].concat();
    packages.script_with("test", &with("VISADESK_TEST_LONG"))?;
    println!("once more, with every call of the pages held back for a random time");
    packages.script_with("test", &with("VISADESK_SLOW_CALLS"))
}
