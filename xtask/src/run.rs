//! `cargo xtask run`: from a fresh clone to a desk full of demo orders.

use std::env;
use std::os::unix::process::CommandExt as _;
use std::path::{self, Path};
use std::process::Command;

use anyhow::{Context, Result};
use xshell::{Cmd, cmd};

use crate::cargo::build_program;
use crate::house::House;
use crate::web;

/// The file in the data folder that keeps what the seed said about its sign-ins.
const SIGN_INS: &str = "demo-sign-ins.txt";

/// Set, one of these means a database or a file store of the user's own: no place for invented orders.
const OWN_STORES: [&str; 2] = ["VISADESK_DATABASE_URL", "VISADESK_FILES_URL"];

/// Builds what is stale, fills the data folder on the first start, and becomes the server.
///
/// # Errors
/// If a build, the seed or the server's start fails.
pub fn run(house: &House) -> Result<()> {
    web::build(house)?;
    if !house.visadesk().exists() {
        println!("The first build compiles everything the server stands on: about a quarter of an hour on two cores.");
    }
    build_program(house)?;

    let data = match env::var_os("VISADESK_DATA_DIR") {
        Some(dir) => path::absolute(dir)?,
        None => house.root.join("data"),
    };
    let own_store = OWN_STORES.into_iter().find(|name| env::var_os(name).is_some());
    match own_store {
        Some(name) => println!("{name} is set: no demo data is put there."),
        None if !data.exists() => fill(house, &data)?,
        None => {}
    }
    if let Ok(sign_ins) = house.shell.read_file(data.join(SIGN_INS)) {
        println!("\nDemo sign-ins, also in {}:\n{}\n", data.join(SIGN_INS).display(), sign_ins.trim_end());
    }
    serve(house, &data)
}

/// Makes the data folder beside its final place and moves it there when all is in it, so that a first start that was
/// broken off leaves nothing half-filled behind.
fn fill(house: &House, data: &Path) -> Result<()> {
    println!("First start: filling {} with 2,000 demo orders.", data.display());
    let unfinished = data.with_extension("unfinished");
    house.shell.remove_path(&unfinished)?;
    visadesk(house, &unfinished, &["migrate"]).run()?;
    let sign_ins = visadesk(house, &unfinished, &["seed", "--orders", "2000", "--seed", "1", "--demo-staff"]).read()?;
    house.shell.write_file(unfinished.join(SIGN_INS), sign_ins)?;
    std::fs::rename(&unfinished, data).with_context(|| format!("cannot make {}", data.display()))
}

fn visadesk<'a>(house: &'a House, data: &Path, args: &[&str]) -> Cmd<'a> {
    let binary = house.visadesk();
    cmd!(house.shell, "{binary} {args...}").env("VISADESK_DATA_DIR", data)
}

/// Becomes the server: the terminal's Ctrl-C and anybody's SIGTERM reach it with nothing in between.
fn serve(house: &House, data: &Path) -> Result<()> {
    let binary = house.visadesk();
    let mut server = Command::new(&binary);
    server.arg("serve").env("VISADESK_DATA_DIR", data);
    if env::var_os("VISADESK_LOG_FORMAT").is_none() {
        server.env("VISADESK_LOG_FORMAT", "text");
    }
    let error = server.exec();
    Err(error).with_context(|| format!("cannot start {}", binary.display()))
}
