//! The browser of the browser tests, and the fonts it needs.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use xshell::cmd;

use crate::needs::{Need, ensure_all, is_debian, program};
use crate::workspace::Workspace;

/// Names and their scripts appear in screenshots: without these fonts they are boxes.
const LANGUAGES: [&str; 5] = ["zh-cn", "ja", "ko", "ar", "th"];

/// Makes sure of Chromium and its fonts; returns where Chromium is.
///
/// # Errors
/// If something is missing and may not be installed.
pub fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    ensure_all(workspace, &[Need::Chromium, Need::HeadlessShell, Need::Fonts])?;
    find().context("Chromium is missing")
}

/// Finds Chromium by `VISADESK_CHROMIUM` or the search path.
pub fn find() -> Option<PathBuf> {
    let chosen = env::var_os("VISADESK_CHROMIUM").map(PathBuf::from);
    chosen.or_else(|| program(&["chromium", "chromium-browser", "google-chrome"]))
}

/// Whether the browser tests have the headless shell, or do without it: it only saves time. A chosen browser is used for everything,
/// and only Debian has the package.
pub fn has_headless_shell() -> bool {
    !is_debian() || env::var_os("VISADESK_CHROMIUM").is_some() || program(&["chromium-headless-shell"]).is_some()
}

/// Whether every language has a font.
pub fn has_fonts(workspace: &Workspace) -> bool {
    LANGUAGES.iter().all(|language| {
        let pattern = format!(":lang={language}");
        let found = cmd!(workspace.shell, "fc-list {pattern} family").quiet().ignore_stderr().read();
        found.is_ok_and(|fonts| !fonts.is_empty())
    })
}
