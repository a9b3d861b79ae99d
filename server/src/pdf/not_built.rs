//! What stands in for `typesetting.rs` in a program that is built without it.

use super::job::{Job, Reply};

/// Says that there is no typesetter yet.
pub(super) fn typeset(_: &Job) -> (Reply, Vec<u8>) {
    (Reply::NotBuilt, Vec::new())
}
