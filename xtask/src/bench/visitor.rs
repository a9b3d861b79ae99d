//! What a traveller on a slow phone waits for: the track page in a real browser, as Lighthouse measures it.

use std::ffi::OsString;

use anyhow::Result;

use super::desk::Desk;
use super::stores::{Kind, Store};
use crate::cargo::build_program;
use crate::chromium;
use crate::debian::Debian;
use crate::house::House;
use crate::web::{self, Packages};

const ORDERS: u64 = 100;

/// Builds the app and the server, and prints the medians of five runs.
///
/// # Errors
/// If something needed is missing, or the browser fails. Never because something took long.
pub fn bench(house: &House) -> Result<()> {
    let debian = Debian::new(house);
    let browser = chromium::ensure(house, &debian)?;
    web::build(house)?;
    build_program(house)?;
    let packages = Packages::ensure(house, "e2e")?;
    let store = Store::fill(house, &debian, Kind::Sqlite, ORDERS)?;
    let desk = Desk::open(house, &store)?;
    println!("\nthe track page, slow 4G and CPU \u{d7}4, median of five (least to most)\n");
    let env = [("VISADESK_URL", OsString::from(desk.address())), ("VISADESK_CHROMIUM", browser.into_os_string())];
    packages.script_with("slow-phone", &env)?;
    drop(desk);
    store.remove()
}
