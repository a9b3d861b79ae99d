//! Programs that neither cargo nor npm brings: installed from Debian's packages where that is allowed, named otherwise.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Result, bail, ensure};
use xshell::cmd;

use crate::workspace::Workspace;
use crate::{chromium, postgres, python};

/// The font of the machine-readable lines in invented passports, where Debian puts it.
const OCR_B: &str = "/usr/share/fonts/opentype/ocr-b/OCRB.otf";

/// A program that a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// A C++ compiler and make.
    CxxCompiler,
    Chromium,
    HeadlessShell,
    Fonts,
    FakeTime,
    Firefox,
    OpenSsl,
    Poppler,
    Postgres,
    PythonVenv,
    Tesseract,
    Wrk,
}

impl Need {
    fn name(self) -> &'static str {
        match self {
            Need::Chromium => "Chromium",
            Need::HeadlessShell => "Chromium's headless shell",
            Need::Fonts => "fonts for Chinese, Japanese, Korean, Arabic and Thai",
            Need::FakeTime => "libfaketime",
            Need::Firefox => "Firefox",
            Need::OpenSsl => "OpenSSL's command",
            Need::Poppler => "Poppler",
            Need::Postgres => "PostgreSQL",
            Need::PythonVenv => "Python's venv",
            Need::Tesseract => "Tesseract and the font OCR-B",
            Need::Wrk => "wrk",
            Need::CxxCompiler => "a C++ compiler and make",
        }
    }

    fn packages(self) -> &'static [&'static str] {
        match self {
            Need::Chromium => &["chromium"],
            Need::HeadlessShell => &["chromium-headless-shell"],
            Need::Fonts => &["fontconfig", "fonts-noto-core", "fonts-noto-cjk"],
            Need::FakeTime => &["libfaketime"],
            Need::Firefox => &["firefox-esr"],
            Need::OpenSsl => &["openssl"],
            Need::Poppler => &["poppler-utils"],
            Need::Postgres => &["postgresql"],
            Need::PythonVenv => &["python3-venv"],
            Need::Tesseract => &["tesseract-ocr", "fonts-ocr-b"],
            Need::Wrk => &["wrk"],
            Need::CxxCompiler => &["g++", "make"],
        }
    }

    fn is_met(self, workspace: &Workspace) -> bool {
        match self {
            Need::Chromium => chromium::find().is_some(),
            Need::HeadlessShell => chromium::has_headless_shell(),
            Need::Fonts => chromium::has_fonts(workspace),
            Need::FakeTime => !is_debian() || has_fake_time(),
            Need::Firefox => program(&["firefox-esr", "firefox"]).is_some(),
            Need::OpenSsl => program(&["openssl"]).is_some(),
            Need::Poppler => program(&["pdftotext"]).is_some(),
            Need::Postgres => postgres::server_programs().is_some(),
            Need::PythonVenv => python::has_venv(workspace),
            Need::Tesseract => program(&["tesseract"]).is_some() && Path::new(OCR_B).is_file(),
            Need::Wrk => program(&["wrk"]).is_some(),
            Need::CxxCompiler => program(&["c++"]).is_some() && program(&["make"]).is_some(),
        }
    }
}

/// Makes sure of everything in `needs` at once, before any of it is used.
///
/// # Errors
/// If something is missing and cannot be installed here. The message names all of it.
pub fn ensure_all(workspace: &Workspace, needs: &[Need]) -> Result<()> {
    let missing = || -> Vec<Need> { needs.iter().copied().filter(|need| !need.is_met(workspace)).collect() };
    let before = missing();
    if before.is_empty() {
        return Ok(());
    }
    let by_hand = by_hand(&before);
    if !is_root(workspace) || program(&["apt-get"]).is_none() {
        bail!("{by_hand}");
    }
    let packages = packages(&before);
    println!("Installing {}", packages.join(", "));
    let shell = &workspace.shell;
    cmd!(shell, "apt-get update --quiet").run()?;
    cmd!(shell, "apt-get install --quiet --yes --no-install-recommends {packages...}")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .run()?;
    ensure!(missing().is_empty(), "{by_hand}");
    Ok(())
}

fn by_hand(missing: &[Need]) -> String {
    let names: Vec<&str> = missing.iter().map(|need| need.name()).collect();
    format!(
        "Missing: {}. On Debian: sudo apt-get install {}; then run this again",
        names.join(", "),
        packages(missing).join(" ")
    )
}

fn packages(needs: &[Need]) -> Vec<&'static str> {
    needs.iter().flat_map(|need| need.packages()).copied().collect()
}

/// Whether this system has Debian's packages.
pub fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|system| system.lines().any(|line| line == "ID=debian"))
}

/// Whether libfaketime is where the browser tests look for it. Without it they check the layout of the screens instead of their pictures.
fn has_fake_time() -> bool {
    let mut folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    folders.any(|folder| folder.path().join("faketime/libfaketime.so.1").exists())
}

/// Whether this is root: root may install packages, and some programs need to be told.
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

    #[test]
    fn everything_that_is_missing_is_named_at_once() {
        assert_eq!(
            by_hand(&[Need::Postgres, Need::Fonts, Need::PythonVenv]),
            "Missing: PostgreSQL, fonts for Chinese, Japanese, Korean, Arabic and Thai, Python's venv. On Debian: sudo apt-get \
             install postgresql fontconfig fonts-noto-core fonts-noto-cjk python3-venv; then run this again"
        );
    }
}
