//! Calling cargo from a program that cargo started.

use std::env;

use anyhow::Result;
use xshell::{Cmd, cmd};

use crate::workspace::Workspace;

/// What of the server's package to build.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// The server without its typesetter, which is a third of a first build.
    WithoutTypesetter,
    /// The server alone, without the test dependencies.
    Server,
    /// And the S3 server that the tests start.
    ServerForTests,
    /// The server in the release profile.
    Release,
    /// The same, and the S3 server.
    ReleaseForTests,
}

/// `cargo …`, without what the outer `cargo run` told xtask about itself.
///
/// Build scripts that watch such a variable (ring's does) would otherwise run again after every change between `cargo build`
/// and `cargo xtask`.
pub fn cargo<'a>(workspace: &'a Workspace, verb: &str) -> Cmd<'a> {
    let mut command = cmd!(workspace.shell, "cargo {verb}");
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(is_about_this_package) {
            command = command.env_remove(name);
        }
    }
    if workspace.lint.get() {
        command = command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    }
    command
}

/// Builds the server; cargo shows how far it is.
///
/// # Errors
/// If it does not compile.
pub fn build(workspace: &Workspace, what: Build) -> Result<()> {
    Ok(build_command(workspace, what).run()?)
}

/// The `cargo build` of the server.
pub fn build_command(workspace: &Workspace, what: Build) -> Cmd<'_> {
    let command = cargo(workspace, "build").args(["--locked", "--package", "visadesk", "--bins"]);
    let args: &[&str] = match what {
        Build::WithoutTypesetter => &["--no-default-features"],
        Build::Server => &[],
        Build::ServerForTests => &["--example", "object_store"],
        Build::Release => &["--release"],
        Build::ReleaseForTests => &["--example", "object_store", "--release"],
    };
    command.args(args)
}

fn is_about_this_package(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_", "CARGO_CRATE_"].iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_the_user_set_for_cargo_reaches_it() {
        assert!(!is_about_this_package("CARGO_TARGET_DIR"));
        assert!(!is_about_this_package("CARGO_HOME"));
        assert!(is_about_this_package("CARGO_MANIFEST_DIR"));
        assert!(is_about_this_package("CARGO_PKG_VERSION"));
    }

    /// A crate with other features is another crate, and so is everything that stands on it.
    #[test]
    fn every_command_compiles_the_dependencies_with_the_same_features() -> Result<()> {
        let workspace = Workspace::open()?;
        let crates = |which: &[&str], edges: &str| -> Result<BTreeSet<String>> {
            let args = ["--locked", "--offline", "--prefix", "none", "--format", "{p} [{f}]", "--edges", edges];
            let tree = cargo(&workspace, "tree").args(which).args(args).quiet().read()?;
            Ok(tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
        };
        let tests = crates(&["--package=visadesk", "--package=xtask"], "normal,build,dev")?;
        let commands: [&[&str]; 3] =
            [&["--package=visadesk"], &["--package=visadesk", "--no-default-features"], &["--package=xtask"]];
        for which in commands {
            let alone = crates(which, "normal,build")?;
            let others = alone.difference(&tests).filter(|differs| !differs.starts_with("visadesk "));
            let others: Vec<_> = others.collect();
            assert!(
                others.is_empty(),
                "`cargo test` has other features. Name them in the Cargo.toml of {which:?}: {others:#?}"
            );
        }
        Ok(())
    }
}
