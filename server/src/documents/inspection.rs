//! Looking into a file before anybody else does. A file may be made to break whatever parses it, so that is done by a child
//! process: it may die, and the server goes on.
//!
//! - `inspection/verdict.rs`: what the child does, and what it may use; `outcome.rs`: what it answers.
//! - `inspection/pictures.rs`, `jpeg.rs`, `gif.rs`: pictures, freed of everything that is not picture.
//! - `inspection/pdf.rs`: PDFs, and what must not be in them.

mod gif;
mod jpeg;
mod outcome;
mod pdf;
mod pictures;
pub mod verdict;

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;

use self::outcome::{Outcome, too_complex};
use super::rules::{self, MediaType};
use crate::child::{self, Children, Kind, Outcome as ChildOutcome};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "inspect-file";

/// A file that may be kept.
#[derive(Clone, Debug)]
pub struct Inspected {
    pub media_type: MediaType,
    /// As it is kept: a picture without what else was in its file.
    pub content: Bytes,
}

/// What a child may take.
const KIND: Kind = Kind {
    verb: VERB,
    at_once: 2,
    waiting: 30,
    max_time: Duration::from_secs(6),
    max_answer_bytes: rules::MAX_BYTES as u64 + 1024,
};

/// Has files looked into by children.
#[derive(Debug)]
pub struct Inspector(Children);

impl Inspector {
    /// Children are started from `program`, which must be this one.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(program, KIND))
    }

    /// Whether `content` may be kept, and what to keep of it.
    pub async fn inspect(&self, content: Bytes) -> Result<Inspected> {
        rules::check_size(content.len())?;
        let media_type = MediaType::of(&content)?;
        let put_off = |why: &str| Err(Error::unavailable(format!("{why}, nothing was saved. Please try again")));
        let answer = match self.0.ask(content.clone()).await? {
            ChildOutcome::Answered(answer) => answer,
            ChildOutcome::Crashed => return Err(too_complex()),
            ChildOutcome::TimedOut => return put_off("The file could not be checked in time"),
            ChildOutcome::Busy => return put_off("Too many files are being checked"),
            ChildOutcome::NotStarted => return put_off("The file could not be checked now"),
        };
        match child::read_answer(&answer) {
            Some((Outcome::Unchanged, _)) => Ok(Inspected { media_type, content }),
            Some((Outcome::Changed, content)) => {
                rules::check_size(content.len())?;
                Ok(Inspected { media_type, content })
            }
            Some((Outcome::Refused(refusal), _)) => Err(refusal.into()),
            None => Err(too_complex()),
        }
    }
}
