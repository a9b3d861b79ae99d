//! `cargo xtask gen`: files that are made from other files, committed so that a change shows in review.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::cmd;

use crate::cargo::{self, Build};
use crate::mutants;
use crate::reference;
use crate::web::Packages;
use crate::workspace::Workspace;

#[derive(clap::Args)]
pub struct Options {
    /// Change nothing; fail if a generated file is stale
    #[arg(long)]
    pub check: bool,
}

/// Refreshes the HTTP contract, its reference, the web app's types and the page of mutants, or checks that they are fresh.
///
/// # Errors
/// If the server does not build, a tool fails, or, when checking, a file is stale.
pub fn generate(workspace: &Workspace, options: &Options) -> Result<()> {
    let mut stale = Vec::new();
    for file in [
        Generated::contract(workspace),
        Generated::reference(workspace),
        Generated::web_types(workspace),
        Generated::mutants(workspace),
    ] {
        let before = fs::read_to_string(&file.path).unwrap_or_default();
        let cannot_make = || format!("cannot make {}", file.path.display());
        let after = (file.make)(workspace, &file.path).with_context(cannot_make)?;
        // Writing the same content again would make cargo compile what embeds the file.
        if before == after {
            continue;
        }
        let name = file.path.strip_prefix(&workspace.root).unwrap_or(&file.path).display().to_string();
        fs::write(&file.path, if options.check { before } else { after })?;
        if !options.check {
            println!("Refreshed {name}");
        }
        stale.push(name);
    }
    let names = stale.join(" and ");
    ensure!(
        !options.check || stale.is_empty(),
        "{names}: no longer what the code says. Run `cargo xtask gen` and commit the result"
    );
    Ok(())
}

/// A generated file, and the function that returns its content.
struct Generated {
    path: PathBuf,
    make: fn(&Workspace, &Path) -> Result<String>,
}

impl Generated {
    /// The HTTP contract, as the server's handlers state it.
    fn contract(workspace: &Workspace) -> Generated {
        Generated {
            path: workspace.root.join("contract/openapi.json"),
            make: |workspace, _| {
                cargo::build(workspace, Build::ServerForTests)?;
                let visadesk = workspace.visadesk();
                Ok(cmd!(workspace.shell, "{visadesk} openapi").read()? + "\n")
            },
        }
    }

    /// The same contract as a page for people.
    fn reference(workspace: &Workspace) -> Generated {
        Generated {
            path: workspace.root.join("contract/reference.html"),
            make: |workspace, _| {
                let contract = fs::read_to_string(workspace.root.join("contract/openapi.json"))?;
                reference::page(&serde_json::from_str(&contract)?)
            },
        }
    }

    /// The faults that the tests must detect, and the result of each.
    fn mutants(workspace: &Workspace) -> Generated {
        Generated { path: workspace.root.join(mutants::PAGE), make: |workspace, _| mutants::page(workspace) }
    }

    /// The same contract as TypeScript types. The tools write into the file itself.
    fn web_types(workspace: &Workspace) -> Generated {
        Generated {
            path: workspace.root.join("web/src/api/schema.ts"),
            make: |workspace, path| {
                Packages::ensure(workspace, "web")?.script("gen")?;
                Ok(fs::read_to_string(path)?)
            },
        }
    }
}
