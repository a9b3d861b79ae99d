//! The browser tests: a real Chromium against the real binary.

use std::ffi::OsString;

use anyhow::Result;

use crate::cargo::{self, Build};
use crate::chromium;
use crate::web::{self, Packages};
use crate::workspace::Workspace;

/// Which binary the browser tests drive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Driven {
    Development,
    Release,
}

/// Builds the app and the binary, and runs Playwright on SQLite and, in some files, on the PostgreSQL at the URL. The release is also driven in Firefox and
/// with lists of tens of thousands of rows, and once more over a slow connection, whose answers overtake each other.
///
/// # Errors
/// If something needed is missing, or a test fails.
pub fn run(workspace: &Workspace, postgres: &str, driven: Driven, names: &[String]) -> Result<()> {
    chromium::ensure(workspace)?;
    web::build(workspace)?;
    let (build, binary) = match driven {
        Driven::Development => (Build::ServerForTests, workspace.visadesk()),
        Driven::Release => (Build::ReleaseForTests, workspace.release_visadesk()),
    };
    cargo::build(workspace, build)?;
    let packages = Packages::ensure(workspace, "e2e")?;
    workspace.shell.set_var("VISADESK_BIN", binary);
    workspace.shell.set_var("VISADESK_TEST_POSTGRES_URL", postgres);
    if driven == Driven::Development {
        return packages.script_of("test", names);
    }
    packages.script_with("test", &[("VISADESK_TEST_LONG", OsString::from("1"))])?;
    println!("once more, with every call of the pages held back for a random time");
    packages.script_with("test", &[("VISADESK_SLOW_CALLS", OsString::from("1"))])
}
