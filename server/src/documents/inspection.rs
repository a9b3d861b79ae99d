//! Inspects a file before it is stored. A file may be made to crash its parser, so a child process parses it: the child may die, and
//! the server goes on.
//!
//! - `inspection/inspect.rs`: the child's work and limits; `outcome.rs`: its reply.
//! - `inspection/pictures.rs`, `jpeg.rs`, `png.rs`, `webp.rs`, `gif.rs`: pictures, stripped of metadata (`stripped.rs`).
//! - `inspection/colours.rs`, `inks.rs`: their colours, converted to sRGB.
//! - `inspection/pdf.rs`: PDFs, and what they must not contain.

mod colours;
mod gif;
mod inks;
mod jpeg;
pub mod outcome;
mod pdf;
mod pictures;
mod png;
mod stripped;
mod webp;
pub mod inspect;

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;

use self::outcome::InspectionOutcome;
use super::errors::DocumentError;
use super::limits::MAX_BYTES;
use super::rules::{self, MediaType};
use crate::child::{self, ChildOutcome, ChildSpec, Children};
use crate::error::Result;

/// The command of the child.
pub const VERB: &str = "inspect-file";

/// A file that may be stored.
#[derive(Clone, Debug)]
pub struct InspectedFile {
    pub media_type: MediaType,
    /// The content to store: a picture is stripped of metadata.
    pub content: Bytes,
}

/// The limits of a child.
const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 2,
    waiting: 30,
    max_time: Duration::from_secs(30),
    max_reply_bytes: MAX_BYTES as u64 + 1024,
};

/// Inspects files in child processes.
#[derive(Debug)]
pub struct Inspector(Children);

impl Inspector {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(program, SPEC))
    }

    /// Checks `content` and returns what to store of it.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub async fn inspect(&self, content: Bytes) -> Result<InspectedFile> {
        rules::check_size(content.len())?;
        let media_type = MediaType::of(&content)?;
        let reply = match self.0.run(content.clone()).await? {
            ChildOutcome::Replied(reply) => reply,
            ChildOutcome::Crashed => return Err(DocumentError::FileTooComplex.into()),
            ChildOutcome::TimedOut => return Err(DocumentError::FileCheckTimedOut.into()),
            ChildOutcome::Busy => return Err(DocumentError::FileCheckBusy.into()),
            ChildOutcome::NotStarted => return Err(DocumentError::FileCheckUnavailable.into()),
        };
        match child::split_message(&reply) {
            Some((InspectionOutcome::Unchanged, _)) => Ok(InspectedFile { media_type, content }),
            Some((InspectionOutcome::Changed, content)) => {
                rules::check_size(content.len())?;
                Ok(InspectedFile { media_type, content })
            }
            Some((InspectionOutcome::Refused(refusal), _)) => Err(DocumentError::from(refusal).into()),
            None => Err(DocumentError::FileTooComplex.into()),
        }
    }
}
