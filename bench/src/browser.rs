//! What people wait for in a real browser: a traveller on a slow phone for the track page, as Lighthouse measures it, and the office
//! for its largest list and order, beside small ones.

use std::ffi::OsString;

use anyhow::Result;
use xtask::cargo::{self, Build};
use xtask::chromium;
use xtask::web::{self, Packages};
use xtask::workspace::Workspace;

use crate::server::TestServer;
use crate::stores::{Kind, Program, Store};

const ORDERS: u64 = 100;

/// Builds the app and the server, and prints the medians of five runs, and what the browser test of large screens measures.
///
/// # Errors
/// If something needed is missing, the browser fails, or a large screen costs three times a small one. Never because something
/// took long.
pub fn bench(workspace: &Workspace) -> Result<()> {
    let browser = chromium::ensure(workspace)?;
    web::build(workspace)?;
    cargo::build(workspace, Build::Release)?;
    let packages = Packages::ensure(workspace, "e2e")?;
    let store = Store::fill(workspace, Program::This, Kind::Sqlite, ORDERS, false)?;
    let server = TestServer::open(&store)?;
    println!("\nthe track page, slow 4G and CPU \u{d7}4, median of five (least to most)\n");
    let env =
        [("VISADESK_URL", OsString::from(server.client().address())), ("VISADESK_CHROMIUM", browser.into_os_string())];
    packages.script_with("slow-phone", &env)?;
    drop(server);
    drop(store);

    println!("\nthe largest list and order of the office, the fastest of three\n");
    let binary = workspace.release_visadesk().into_os_string();
    packages.script_with("large", &[("VISADESK_BIN", binary), ("VISADESK_TEST_LONG", OsString::from("1"))])
}
