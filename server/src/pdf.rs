//! Typesetting: a template and facts become a PDF/A-2b, in a child process.
//!
//! Facts enter as data, never as source. The child can open nothing, so a template reads no file and reaches no network; everything it
//! imports must be in the job. The same job makes the same bytes.
//!
//! - `pdf/job.rs`: what the server and the child say to each other.
//! - `pdf/typesetting.rs`: the child's work. Typst is a third of a first build, so `cargo xtask run` starts the server without it (and
//!   without the feature `typesetting`), and replaces the program with the whole one while the server runs.

mod job;
#[cfg(feature = "typesetting")]
mod typesetting;
#[cfg(not(feature = "typesetting"))]
#[path = "pdf/not_built.rs"]
mod typesetting;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;

pub use self::job::Job;
use self::job::Reply;
#[cfg(feature = "typesetting")]
pub use self::typesetting::CJK_FONT;
use crate::child::{self, ChildLimits, ChildOutcome, ChildSpec, Children};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "typeset";

/// The limits of a child.
const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 2,
    waiting: 14,
    max_time: Duration::from_secs(30),
    max_reply_bytes: 16 * 1024 * 1024,
};

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 768 * 1024 * 1024, processor_seconds: 5, input_bytes: 8 * 1024 * 1024 };

/// A finished document.
#[derive(Clone, Debug)]
pub struct Pdf {
    pub content: Bytes,
    pub pages: usize,
    /// The page, from 1, of each label of the job that was found.
    pub label_pages: BTreeMap<String, usize>,
}

/// The outcome of typesetting.
#[derive(Clone, Debug)]
pub enum Typeset {
    Done(Pdf),
    /// The fonts have no glyphs for these pieces of text. There is no document.
    NotShown(Vec<String>),
    /// The error in a template, with its place. There is no document.
    Broken(String),
}

/// Why nothing was typeset, although nothing is wrong with the job.
#[derive(Debug, thiserror::Error, derive::Reason)]
#[reason(Unavailable)]
pub enum TypesetError {
    #[error("The document could not be typeset in time. Please try again")]
    TypesettingTimedOut,
    #[error("Too many documents are being typeset. Please try again")]
    TypesettingBusy,
    #[error("The document could not be typeset now. Please try again")]
    TypesettingUnavailable,
    #[error("The document could not be typeset. Please try again")]
    TypesettingFailed,
    #[error("The part of the program that makes documents is still being built. Please try again in a few minutes")]
    #[reason(Unavailable, retry_after = 30)]
    TypesettingNotBuilt,
}

/// Typesets jobs in child processes.
#[derive(Debug)]
pub struct Typesetter(Children);

impl Typesetter {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(typesetting::program(program), SPEC))
    }

    /// Typesets a job.
    ///
    /// # Errors
    /// [`TypesetError`].
    pub async fn typeset(&self, job: &Job) -> Result<Typeset> {
        read(self.0.run(serde_json::to_vec(job).map_err(Error::internal)?.into()).await?)
    }
}

/// [`Typesetter::typeset`] for callers that may block, without a permit.
pub fn typeset_now(program: &Path, job: &Job) -> Result<Typeset> {
    read(child::run_now(program, SPEC, &serde_json::to_vec(job).map_err(Error::internal)?))
}

fn read(outcome: ChildOutcome) -> Result<Typeset> {
    let reply = match outcome {
        ChildOutcome::Replied(reply) => reply,
        ChildOutcome::Crashed | ChildOutcome::TimedOut => return Err(TypesetError::TypesettingTimedOut.into()),
        ChildOutcome::Busy => return Err(TypesetError::TypesettingBusy.into()),
        ChildOutcome::NotStarted => return Err(TypesetError::TypesettingUnavailable.into()),
    };
    match child::split_message(&reply) {
        Some((Reply::Done { pages, label_pages }, content)) => Ok(Typeset::Done(Pdf { content, pages, label_pages })),
        Some((Reply::NotShown(pieces), _)) => Ok(Typeset::NotShown(pieces)),
        Some((Reply::Broken(what), _)) => Ok(Typeset::Broken(what)),
        Some((Reply::NotBuilt, _)) => Err(TypesetError::TypesettingNotBuilt.into()),
        None => Err(TypesetError::TypesettingFailed.into()),
    }
}

/// The child's work: typesets the job on standard input.
pub fn run() -> Result<()> {
    let job: Job = serde_json::from_slice(&child::read_input(LIMITS)?).map_err(Error::internal)?;
    let (reply, content) = typesetting::typeset(&job);
    child::write_reply(&reply, &content)
}
