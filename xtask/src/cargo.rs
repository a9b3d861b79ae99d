//! Calling cargo from a program that cargo started.

use std::env;

use anyhow::Result;
use xshell::{Cmd, cmd};

use crate::house::House;

/// `cargo …`, without what the outer `cargo run` told xtask about itself.
///
/// Build scripts that watch such a variable (ring's does) would otherwise run again whenever somebody changes between
/// `cargo build` and `cargo xtask`.
pub fn cargo<'a>(house: &'a House, verb: &str) -> Cmd<'a> {
    let mut command = cmd!(house.shell, "cargo {verb}");
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_about_this_package) {
            command = command.env_remove(name);
        }
    }
    command
}

/// Builds the program as the tests have it, with the example that serves files. What is built for the tests alone gives features to
/// crates far below: without it cargo would compile Typst and all that stands on them a second time, five minutes on two cores.
///
/// # Errors
/// If it does not compile.
pub fn build_program(house: &House) -> Result<()> {
    let what = ["--locked", "--package", "visadesk", "--bins", "--example", "object_store"];
    Ok(cargo(house, "build").args(what).run()?)
}

fn is_about_this_package(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_set_for_cargo_reaches_it() {
        assert!(!is_about_this_package("CARGO_TARGET_DIR"));
        assert!(!is_about_this_package("CARGO_HOME"));
        assert!(is_about_this_package("CARGO_MANIFEST_DIR"));
        assert!(is_about_this_package("CARGO_PKG_VERSION"));
    }
}
