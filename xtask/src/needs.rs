//! Programs that neither cargo nor npm brings: installed from the distribution's packages where that is allowed, named otherwise.

mod distribution;

use std::path::PathBuf;
use std::{env, fs};

use anyhow::{Result, ensure};
use xshell::cmd;

use self::distribution::{Distribution, by_hand};
use crate::workspace::Workspace;
use crate::{chromium, postgres, python};

/// A program that a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    CxxCompiler,
    Chromium,
    HeadlessShell,
    Fonts,
    FakeTime,
    Firefox,
    /// Fetches everything else that the web app and the browser tests need
    Npm,
    OpenSsl,
    Poppler,
    Postgres,
    PythonVenv,
    Tesseract,
    Wrk,
}

impl Need {
    /// Every need.
    pub const ALL: [Need; 13] = [
        Need::CxxCompiler,
        Need::Chromium,
        Need::HeadlessShell,
        Need::Fonts,
        Need::FakeTime,
        Need::Firefox,
        Need::Npm,
        Need::OpenSsl,
        Need::Poppler,
        Need::Postgres,
        Need::PythonVenv,
        Need::Tesseract,
        Need::Wrk,
    ];

    /// The name for people, and the key in `packages.json`.
    pub fn name(self) -> &'static str {
        match self {
            Need::CxxCompiler => "C++ compiler and make",
            Need::Chromium => "Chromium",
            Need::HeadlessShell => "Chromium's headless shell",
            Need::Fonts => "fonts for Chinese, Japanese, Korean, Arabic and Thai",
            Need::FakeTime => "libfaketime",
            Need::Firefox => "Firefox",
            Need::Npm => "npm",
            Need::OpenSsl => "OpenSSL's command",
            Need::Poppler => "Poppler",
            Need::Postgres => "PostgreSQL",
            Need::PythonVenv => "Python's venv",
            Need::Tesseract => "Tesseract",
            Need::Wrk => "wrk",
        }
    }

    fn is_met(self, workspace: &Workspace) -> bool {
        match self {
            Need::CxxCompiler => program(&["c++"]).is_some() && program(&["make"]).is_some(),
            Need::Chromium => chromium::find().is_some(),
            Need::HeadlessShell => chromium::has_headless_shell(),
            Need::Fonts => chromium::has_fonts(workspace),
            Need::FakeTime => has_fake_time(),
            Need::Firefox => program(&["firefox-esr", "firefox"]).is_some(),
            Need::Npm => program(&["npm"]).is_some(),
            Need::OpenSsl => program(&["openssl"]).is_some(),
            Need::Poppler => program(&["pdftotext"]).is_some(),
            Need::Postgres => postgres::server_programs().is_some(),
            Need::PythonVenv => python::has_venv(workspace),
            Need::Tesseract => program(&["tesseract"]).is_some(),
            Need::Wrk => program(&["wrk"]).is_some(),
        }
    }
}

/// Makes sure of everything in `needs` at once, before any of it is used.
///
/// # Errors
/// If something is missing and cannot be installed here. The message names all of it.
pub fn ensure_all(workspace: &Workspace, needs: &[Need]) -> Result<()> {
    let missing = install_missing(workspace, needs)?;
    ensure!(missing.is_empty(), "{}, then run this again", instructions(&missing)?);
    Ok(())
}

/// Installs what is missing of `needs` if this is root on a system with apt, and returns what is missing then.
///
/// # Errors
/// If the package data is damaged.
pub fn install_missing(workspace: &Workspace, needs: &[Need]) -> Result<Vec<Need>> {
    let missing = || -> Vec<Need> { needs.iter().copied().filter(|need| !need.is_met(workspace)).collect() };
    let before = missing();
    let Some(distribution) = Distribution::of_this_machine() else { return Ok(before) };
    if before.is_empty() || !is_root(workspace) || program(&["apt-get"]).is_none() {
        return Ok(before);
    }
    let packages = distribution.packages(&before)?;
    println!("Installing {}", packages.join(", "));
    let shell = &workspace.shell;
    let limited = ["--quiet", "-o", "Acquire::http::Timeout=30", "-o", "Acquire::Retries=2"];
    let installed = cmd!(shell, "apt-get {limited...} update").run().and_then(|()| {
        cmd!(shell, "apt-get {limited...} install --yes --no-install-recommends {packages...}")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()
    });
    if let Err(error) = installed {
        println!("Not everything could be installed: {error}");
    }
    Ok(missing())
}

/// What to do about missing programs on this distribution.
///
/// # Errors
/// If the package data is damaged.
pub fn instructions(missing: &[Need]) -> Result<String> {
    let names: Vec<&str> = missing.iter().map(|need| need.name()).collect();
    Ok(format!("Missing: {}. To install: {}", names.join(", "), by_hand(Distribution::of_this_machine(), missing)?))
}

/// Returns true if this system has Debian's packages, by their names.
pub fn is_debian() -> bool {
    Distribution::of_this_machine() == Some(Distribution::Debian)
}

/// Returns true if libfaketime is where the browser tests look for it.
fn has_fake_time() -> bool {
    let mut folders = ["/usr/lib", "/usr/lib64"].into_iter().flat_map(|lib| {
        let inside = fs::read_dir(lib).into_iter().flatten().flatten().map(|folder| folder.path());
        inside.chain([PathBuf::from(lib)])
    });
    folders.any(|folder| folder.join("faketime/libfaketime.so.1").exists())
}

/// Returns true if this is root: root may install packages, and some programs need to be told.
pub fn is_root(workspace: &Workspace) -> bool {
    cmd!(workspace.shell, "id -u").quiet().read().is_ok_and(|uid| uid == "0")
}

/// The first of `names` that is on the search path.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    names.iter().find_map(|name| env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_its_first_known_name() {
        assert!(program(&["no-such-program-anywhere", "sh"]).is_some_and(|file| file.ends_with("sh")));
        assert_eq!(program(&["no-such-program-anywhere"]), None);
    }
}
