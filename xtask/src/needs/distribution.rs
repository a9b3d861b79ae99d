//! The names that the packages of a [`Need`] have on each Linux distribution: `packages.json`, with its sources.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Need;

/// A family of distributions with the same package names and package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    Debian,
    Ubuntu,
    Fedora,
    Arch,
}

impl Distribution {
    /// The distribution of this machine, if its package names are known.
    pub fn of_this_machine() -> Option<Distribution> {
        let file = ["/etc/os-release", "/usr/lib/os-release"].into_iter().find(|file| Path::new(file).exists())?;
        Self::of_release(&fs::read_to_string(file).ok()?)
    }

    /// Reads `ID` and then `ID_LIKE` of an os-release file, os-release(5).
    fn of_release(release: &str) -> Option<Distribution> {
        let value = |key: &str| release.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
        let ids = [value("ID="), value("ID_LIKE=")].map(|value| value.trim().trim_matches(['"', '\'']));
        ids.iter().flat_map(|ids| ids.split_whitespace()).find_map(|id| match id {
            "debian" => Some(Distribution::Debian),
            "ubuntu" => Some(Distribution::Ubuntu),
            "fedora" => Some(Distribution::Fedora),
            "arch" => Some(Distribution::Arch),
            _ => None,
        })
    }

    fn key(self) -> &'static str {
        match self {
            Distribution::Debian => "debian",
            Distribution::Ubuntu => "ubuntu",
            Distribution::Fedora => "fedora",
            Distribution::Arch => "arch",
        }
    }

    /// The command that installs packages.
    fn install(self) -> &'static str {
        match self {
            Distribution::Debian | Distribution::Ubuntu => "sudo apt-get install",
            Distribution::Fedora => "sudo dnf install",
            Distribution::Arch => "sudo pacman -S",
        }
    }

    /// The packages of `needs`, in order and once each.
    ///
    /// # Errors
    /// If `packages.json` lacks one of them, which a test excludes.
    pub fn packages(self, needs: &[Need]) -> Result<Vec<String>> {
        let table = table()?;
        let mut packages: Vec<String> = Vec::new();
        for need in needs {
            let names = table["packages"][need.name()][self.key()].as_array();
            for name in names.with_context(|| format!("packages.json lacks {} on {self:?}", need.name()))? {
                let name = name.as_str().context("a package name is a text")?.to_owned();
                if !packages.contains(&name) {
                    packages.push(name);
                }
            }
        }
        Ok(packages)
    }
}

/// What to install by hand for `needs`, in one line, on a distribution that is known or not.
///
/// # Errors
/// If `packages.json` is damaged, which a test excludes.
pub fn by_hand(distribution: Option<Distribution>, needs: &[Need]) -> Result<String> {
    let Some(distribution) = distribution else {
        let names: Vec<&str> = needs.iter().map(|need| need.name()).collect();
        return Ok(format!("install {} with this system's package manager", names.join(", ")));
    };
    let table = table()?;
    let packages = distribution.packages(needs)?;
    let mut steps = Vec::new();
    if !packages.is_empty() {
        steps.push(format!("{} {}", distribution.install(), packages.join(" ")));
    }
    for need in needs.iter().filter(|need| distribution.packages(&[**need]).is_ok_and(|names| names.is_empty())) {
        if let Some(hint) = table["by_hand"][need.name()].as_str() {
            steps.push(hint.to_owned());
        }
    }
    Ok(steps.join("; "))
}

fn table() -> Result<Value> {
    serde_json::from_str(include_str!("packages.json")).context("packages.json is not JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_told_by_their_release_files() {
        for (release, expected) in [
            (include_str!("releases/debian-12"), Some(Distribution::Debian)),
            (include_str!("releases/debian-13"), Some(Distribution::Debian)),
            (include_str!("releases/ubuntu-24.04"), Some(Distribution::Ubuntu)),
            (include_str!("releases/linuxmint-22"), Some(Distribution::Ubuntu)),
            (include_str!("releases/fedora-42"), Some(Distribution::Fedora)),
            (include_str!("releases/arch"), Some(Distribution::Arch)),
            (include_str!("releases/alpine-3.22"), None),
        ] {
            assert_eq!(Distribution::of_release(release), expected, "{release}");
        }
    }

    #[test]
    fn every_need_has_packages_or_a_hint_on_every_distribution() -> Result<()> {
        let distributions = [Distribution::Debian, Distribution::Ubuntu, Distribution::Fedora, Distribution::Arch];
        for distribution in distributions {
            for &need in Need::ALL.iter().filter(|need| **need != Need::HeadlessShell) {
                assert_ne!(by_hand(Some(distribution), &[need])?, "", "{need:?} on {distribution:?}");
            }
        }
        let sources = &table()?["sources"];
        assert!(distributions.iter().all(|distribution| sources[distribution.key()].is_string()));
        Ok(())
    }

    #[test]
    fn everything_that_is_missing_is_named_in_the_distributions_own_words() -> Result<()> {
        let needs = [Need::Postgres, Need::Chromium, Need::PythonVenv];
        let on = |distribution| by_hand(distribution, &needs);
        assert_eq!(on(Some(Distribution::Debian))?, "sudo apt-get install postgresql chromium python3-venv");
        assert_eq!(
            on(Some(Distribution::Ubuntu))?,
            "sudo apt-get install postgresql python3-venv; npx playwright install chromium in e2e/, or VISADESK_CHROMIUM with \
             the path of a Chromium"
        );
        assert_eq!(
            on(Some(Distribution::Fedora))?,
            "sudo dnf install postgresql-server postgresql-contrib chromium python3"
        );
        assert_eq!(on(Some(Distribution::Arch))?, "sudo pacman -S postgresql chromium python");
        assert_eq!(on(None)?, "install PostgreSQL, Chromium, Python's venv with this system's package manager");
        Ok(())
    }
}
