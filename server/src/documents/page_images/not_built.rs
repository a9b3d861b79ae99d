//! Replaces `rendering.rs` in a build without the feature `typesetting`.

use std::path::PathBuf;

use bytes::Bytes;

use super::job::{PageJob, PageReply};

/// The program to start as the child: the file at this program's path, which the complete build will replace.
pub(super) fn program(this: PathBuf) -> PathBuf {
    std::env::current_exe().unwrap_or(this)
}

/// Reports that there is no renderer yet.
pub(super) fn render(_: &PageJob, _: Bytes) -> (PageReply, Vec<u8>) {
    (PageReply::NotBuilt, Vec::new())
}
