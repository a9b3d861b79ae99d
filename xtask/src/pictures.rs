//! `cargo xtask pictures`: the screens as pictures, drawn by the browser test that compares them.

use std::ffi::OsString;

use anyhow::Result;

use crate::cargo::{self, Build};
use crate::needs::{Need, ensure_all};
use crate::web::{self, Packages};
use crate::workspace::Workspace;

/// Builds the app and the binary, draws the pictures in `docs/screens` anew, and draws every screen at all widths, light and dark, into
/// a folder to be looked at.
///
/// # Errors
/// If something needed is missing, or a screen cannot be shown.
pub fn draw(workspace: &Workspace) -> Result<()> {
    ensure_all(workspace, &[Need::Chromium, Need::HeadlessShell, Need::Fonts, Need::FakeTime])?;
    web::build(workspace)?;
    cargo::build(workspace, Build::ServerForTests)?;
    let packages = Packages::ensure(workspace, "e2e")?;
    let folder = workspace.pictures();
    let env = [("VISADESK_BIN", workspace.visadesk().into_os_string()), ("VISADESK_PICTURES", OsString::from(&folder))];
    packages.script_with("pictures", &env)?;
    println!("\nAll widths are in {}; look at them, and at what changed in docs/screens.", folder.display());
    Ok(())
}
