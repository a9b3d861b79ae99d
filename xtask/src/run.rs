//! `cargo xtask run`: from a fresh clone to a server with demo orders.

use std::env;
use std::os::unix::process::CommandExt as _;
use std::path::{self, Path};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xshell::{Cmd, cmd};

use crate::cargo::{self, Build};
use crate::web;
use crate::workspace::Workspace;

/// The file in the data folder with the sign-ins that the seed made.
const SIGN_INS: &str = "demo-sign-ins.txt";

/// Either of these names a store of the user's own, which gets no invented orders.
const OWN_STORES: [&str; 2] = ["VISADESK_DATABASE_URL", "VISADESK_FILES_URL"];

/// Builds what is stale, fills the data folder on the first start, and becomes the server.
///
/// # Errors
/// If a build, the seed or the server's start fails.
pub fn run(workspace: &Workspace) -> Result<()> {
    web::build(workspace)?;
    let is_first = !workspace.visadesk().exists();
    if is_first {
        println!("The first build compiles all dependencies: a few minutes on two cores.");
        cargo::build(workspace, Build::WithoutTypesetter)?;
    } else {
        cargo::build(workspace, Build::Server)?;
    }

    let data = match env::var_os("VISADESK_DATA_DIR") {
        Some(dir) => path::absolute(dir)?,
        None => workspace.root.join("data"),
    };
    let own_store = OWN_STORES.into_iter().find(|name| env::var_os(name).is_some());
    match own_store {
        Some(name) => println!("{name} is set: no demo data is put there."),
        None if !data.exists() => fill(workspace, &data)?,
        None => {}
    }
    if let Ok(sign_ins) = workspace.shell.read_file(data.join(SIGN_INS)) {
        println!("\nDemo sign-ins, also in {}:\n{}\n", data.join(SIGN_INS).display(), sign_ins.trim_end());
    }
    if is_first {
        start_building_the_rest()?;
    }
    serve(workspace, &data)
}

/// Starts [`build_the_rest`] beside the server, with less of the processor.
fn start_building_the_rest() -> Result<()> {
    println!(
        "Defence packs can be made in a few minutes: their part of the program is being built while the server runs."
    );
    let program = env::current_exe().context("cannot find this program")?;
    Command::new("nice").arg(program).arg("build-the-rest").spawn().context("cannot start nice")?;
    Ok(())
}

/// Builds the program whole. The running server starts the file at its path for each document, so it can make packs from then on.
///
/// # Errors
/// If it does not compile.
pub fn build_the_rest(workspace: &Workspace) -> Result<()> {
    let built = cargo::build_command(workspace, Build::Server).arg("--quiet").quiet().run();
    built.context("defence packs cannot be made. Start again with `cargo xtask run`")?;
    println!("Defence packs can be made now.");
    Ok(())
}

/// Builds the program as a first start does, then the whole one in its place, and asks each for a document.
///
/// # Errors
/// If one does not compile, or answers like the other.
pub fn try_first_start(workspace: &Workspace) -> Result<()> {
    let reply = |what| -> Result<String> {
        cargo::build(workspace, what)?;
        let binary = workspace.visadesk();
        let job = r#"{"main":"none.typ","sources":{},"facts":"","made_at":"2026-01-01T00:00:00Z","labels":[]}"#;
        Ok(cmd!(workspace.shell, "{binary} typeset").stdin(job).quiet().read()?)
    };
    let (first, whole) = (reply(Build::WithoutTypesetter)?, reply(Build::Server)?);
    ensure!(first == "\"NotBuilt\"", "without its typesetter the program answers {first}");
    ensure!(
        whole.starts_with("{\"Broken\""),
        "asked for a template that it does not have, the program answers {whole}"
    );
    Ok(())
}

/// What decides whether the first start's program compiles and answers: the crates, their features, and this file.
///
/// # Errors
/// If a file cannot be read.
pub fn inputs_of_first_start(workspace: &Workspace) -> Result<String> {
    let files = [
        "Cargo.toml",
        "Cargo.lock",
        "server/Cargo.toml",
        "images/Cargo.toml",
        "derive/Cargo.toml",
        "xtask/src/run.rs",
        "xtask/src/cargo.rs",
    ];
    let mut inputs = String::new();
    for file in files {
        inputs += &workspace.shell.read_file(file)?;
    }
    // What is compiled with a feature only, or without it. git lists them in one order.
    let conditional = cmd!(workspace.shell, "git grep --untracked -hE cfg.*feature -- server/src");
    Ok(inputs + &conditional.quiet().read()?)
}

/// Fills a folder beside the final place and moves it there at the end, so that an interrupted first start leaves nothing
/// half-filled.
fn fill(workspace: &Workspace, data: &Path) -> Result<()> {
    println!("First start: filling {} with 2,000 demo orders.", data.display());
    let unfinished = data.with_extension("unfinished");
    workspace.shell.remove_path(&unfinished)?;
    visadesk(workspace, &unfinished, &["migrate"]).run()?;
    let sign_ins =
        visadesk(workspace, &unfinished, &["seed", "--orders", "2000", "--seed", "1", "--demo-staff"]).read()?;
    workspace.shell.write_file(unfinished.join(SIGN_INS), sign_ins)?;
    std::fs::rename(&unfinished, data).with_context(|| format!("cannot make {}", data.display()))
}

fn visadesk<'a>(workspace: &'a Workspace, data: &Path, args: &[&str]) -> Cmd<'a> {
    let binary = workspace.visadesk();
    cmd!(workspace.shell, "{binary} {args...}").env("VISADESK_DATA_DIR", data)
}

/// Becomes the server, so that Ctrl-C and SIGTERM reach it directly.
fn serve(workspace: &Workspace, data: &Path) -> Result<()> {
    let binary = workspace.visadesk();
    let mut server = Command::new(&binary);
    server.arg("serve").env("VISADESK_DATA_DIR", data);
    if env::var_os("VISADESK_LOG_FORMAT").is_none() {
        server.env("VISADESK_LOG_FORMAT", "text");
    }
    let error = server.exec();
    Err(error).with_context(|| format!("cannot start {}", binary.display()))
}
