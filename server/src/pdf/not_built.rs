//! What stands in for `typesetting.rs` in a program that is built without it.

use std::path::PathBuf;

use super::job::{Job, Reply};

/// The program whose child typesets: whichever has this one's name by then, which will be the whole one.
pub(super) fn program(this: PathBuf) -> PathBuf {
    std::env::current_exe().unwrap_or(this)
}

/// Says that there is no typesetter yet.
pub(super) fn typeset(_: &Job) -> (Reply, Vec<u8>) {
    (Reply::NotBuilt, Vec::new())
}
