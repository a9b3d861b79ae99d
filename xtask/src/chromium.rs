//! The browser of the browser tests, and the letters it needs.

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use xshell::cmd;

use crate::debian::{Debian, program};
use crate::house::House;

/// Names and their scripts appear in screenshots: without these fonts they are boxes.
const LANGUAGES: [&str; 5] = ["zh-cn", "ja", "ko", "ar", "th"];

/// Finds Chromium, from `VISADESK_CHROMIUM` or the search path, and installs it and its fonts if they are missing.
///
/// # Errors
/// If something is missing and may not be installed.
pub fn ensure(house: &House, debian: &Debian<'_>) -> Result<PathBuf> {
    let browser = debian.ensure("Chromium", &["chromium"], || {
        let chosen = env::var_os("VISADESK_CHROMIUM").map(PathBuf::from);
        chosen.or_else(|| program(&["chromium", "chromium-browser", "google-chrome"]))
    })?;
    debian.ensure(
        "A font for Chinese, Arabic or Thai",
        &["fontconfig", "fonts-noto-core", "fonts-noto-cjk"],
        || LANGUAGES.iter().all(|language| has_font(house, language)).then_some(()),
    )?;
    Ok(browser)
}

fn has_font(house: &House, language: &str) -> bool {
    let pattern = format!(":lang={language}");
    cmd!(house.shell, "fc-list {pattern} family").quiet().ignore_stderr().read().is_ok_and(|fonts| !fonts.is_empty())
}
