//! Programs that cargo and npm do not carry: from Debian's packages when we may, else a word on how to get them.

use std::cell::Cell;
use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xshell::cmd;

use crate::house::House;

/// Installs Debian packages, and fetches the package lists once at most.
pub struct Debian<'a> {
    house: &'a House,
    lists_are_new: Cell<bool>,
}

impl<'a> Debian<'a> {
    pub fn new(house: &'a House) -> Debian<'a> {
        Debian { house, lists_are_new: Cell::new(false) }
    }

    /// Answers what `find` finds, after installing `packages` if that is needed and allowed.
    ///
    /// # Errors
    /// If it is missing and cannot be installed here: the message says what to install.
    pub fn ensure<T>(&self, what: &str, packages: &[&str], find: impl Fn() -> Option<T>) -> Result<T> {
        if let Some(found) = find() {
            return Ok(found);
        }
        let by_hand =
            format!("{what} is missing. On Debian: sudo apt-get install {}; then run this again", packages.join(" "));
        if !self.may_install() {
            bail!("{by_hand}");
        }
        println!("{what} is missing: installing {}", packages.join(", "));
        self.install(packages).with_context(|| by_hand.clone())?;
        find().context(by_hand)
    }

    fn install(&self, packages: &[&str]) -> Result<()> {
        let shell = &self.house.shell;
        if !self.lists_are_new.replace(true) {
            cmd!(shell, "apt-get update --quiet").run()?;
        }
        cmd!(shell, "apt-get install --quiet --yes --no-install-recommends {packages...}")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()?;
        Ok(())
    }

    fn may_install(&self) -> bool {
        is_root(self.house) && program(&["apt-get"]).is_some()
    }
}

/// Whether we run as root: we may then install, and some programs want to be told.
pub fn is_root(house: &House) -> bool {
    cmd!(house.shell, "id -u").quiet().read().is_ok_and(|uid| uid == "0")
}

/// The first of `names` that lies on the search path.
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
