//! Looking into a file before anybody else does. A file may be made to break whatever parses it, so that is done by a child
//! process with little memory, little time and nothing to open: it may die, and the server goes on.
//!
//! - `inspection/child.rs`: the child: what it may use, and what it answers.
//! - `inspection/pictures.rs`, `jpeg.rs`, `gif.rs`: pictures, freed of everything that is not picture.
//! - `inspection/pdf.rs`: PDFs, and what must not be in them.

pub mod child;
mod gif;
mod jpeg;
mod pdf;
mod pictures;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::rules::{self, MediaType};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "inspect-file";

/// Files looked into at once.
const AT_ONCE: usize = 2;
/// Files that may wait for their turn.
const WAITING: usize = 30;
/// When a child is ended that the machine gave too little time. One that has used up its time ends by itself before.
const LONGEST: Duration = Duration::from_secs(6);

/// A file that may be kept.
#[derive(Clone, Debug)]
pub struct Inspected {
    pub media_type: MediaType,
    /// As it is kept: a picture without what else was in its file.
    pub content: Bytes,
}

/// Why a file is not taken, as the child says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Damaged, cut off, or of another kind than it looks.
    Unreadable,
    /// A PDF that acts, by the name that gave it away.
    Active(String),
    Encrypted,
    TooManyPages,
    /// Of too many points.
    TooManyPixels,
    Animated,
    /// It would grow too large.
    Inflates,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unreadable => Self::unsupported(rules::ONLY_PDF_OR_IMAGES),
            Refusal::Active(name) => Self::invalid(format!(
                "This PDF holds scripts, actions or other files (/{name}), which are not taken. Please print it to a new PDF \
                 and upload that"
            )),
            Refusal::Encrypted => {
                Self::invalid("This PDF is protected by a password. Please save it without one and upload that")
            }
            Refusal::TooManyPages => Self::invalid(format!(
                "This PDF has more than {} pages. Please upload only those that are needed",
                pdf::MOST_PAGES
            )),
            Refusal::TooManyPixels => Self::invalid(format!(
                "This picture is too large: at most {} megapixels, and {} pixels on a side. Please make it smaller",
                pictures::MOST_PIXELS / 1_000_000,
                pictures::LONGEST_SIDE
            )),
            Refusal::Animated => Self::invalid("Moving pictures are not taken. Please upload a still one"),
            Refusal::Inflates => too_complex(),
        }
    }
}

fn too_complex() -> Error {
    Error::invalid(
        "This file is too complex to be checked. Please print it to a new PDF, or save it as a JPEG, and upload that",
    )
}

/// What the child answers: one line of JSON, and after it the file's new content, if that changed.
#[derive(Debug, Serialize, Deserialize)]
enum Verdict {
    Unchanged,
    Changed,
    Refused(Refusal),
}

/// Starts the children, a few at a time.
#[derive(Debug)]
pub struct Inspector {
    program: PathBuf,
    working: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl Inspector {
    /// Children are started from `program`, which must be this one.
    pub fn new(program: PathBuf) -> Self {
        let seats = |most| Arc::new(Semaphore::new(most));
        Self { program, working: seats(AT_ONCE), places: seats(AT_ONCE + WAITING) }
    }

    /// Whether `content` may be kept, and what to keep of it.
    pub async fn inspect(&self, content: Bytes) -> Result<Inspected> {
        rules::check_size(content.len())?;
        let media_type = MediaType::of(&content)?;
        let busy = || Error::unavailable("Too many files are being checked, nothing was saved. Please try again");
        let place = self.places.clone().try_acquire_owned().map_err(|_| busy())?;
        let turn = self.working.clone().acquire_owned().await.map_err(Error::internal)?;
        let (program, given) = (self.program.clone(), content.clone());
        let asking = tokio::task::spawn_blocking(move || {
            let answer = ask(&program, &given);
            // Held until the child is gone, also when nobody waits for it any more.
            drop((turn, place));
            answer
        });
        match asking.await.map_err(Error::internal)?? {
            Some((Verdict::Unchanged, _)) => Ok(Inspected { media_type, content }),
            Some((Verdict::Changed, content)) => {
                rules::check_size(content.len())?;
                Ok(Inspected { media_type, content })
            }
            Some((Verdict::Refused(refusal), _)) => Err(refusal.into()),
            None => Err(too_complex()),
        }
    }
}

/// What a child says of `content`; nothing when it died over it.
fn ask(program: &Path, content: &[u8]) -> Result<Option<(Verdict, Bytes)>> {
    let cannot = |error: io::Error| {
        tracing::error!(%error, "no file can be looked into");
        Error::unavailable("The file could not be checked now, nothing was saved. Please try again")
    };
    let mut child = Command::new(program)
        .arg(VERB)
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    let talked = talk(&mut child, content);
    // It may have ended by itself. Whatever happened, none is left behind.
    let _ = child.kill();
    let status = child.wait().map_err(cannot)?;
    let answer = talked.map_err(cannot)?.ok_or_else(|| {
        tracing::warn!("a file could not be looked through in time");
        Error::unavailable("The file could not be checked in time, nothing was saved. Please try again")
    })?;
    let line = answer.iter().position(|byte| *byte == b'\n');
    let Some(line) = line.filter(|_| status.success()) else {
        tracing::warn!(%status, bytes = content.len(), "a file broke what looked into it, and is refused");
        return Ok(None);
    };
    let verdict = serde_json::from_slice(&answer[..line]).map_err(Error::internal)?;
    Ok(Some((verdict, Bytes::from(answer).slice(line + 1..))))
}

/// Gives the child its file and takes its answer; nothing when none came in time.
fn talk(child: &mut Child, content: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let (end, ended) = mpsc::channel();
    std::thread::scope(|scope| {
        std::thread::Builder::new().spawn_scoped(scope, move || {
            // A child that has seen enough, or died, does not read on.
            let _ = input.write_all(content);
        })?;
        let reading = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut answer = Vec::new();
            let read = output.take(rules::MOST_BYTES as u64 + 1024).read_to_end(&mut answer);
            // Nobody listens when it came too late.
            let _ = end.send(());
            read.map(|_| answer)
        })?;
        let in_time = ended.recv_timeout(LONGEST).is_ok();
        if in_time {
            child.wait()?;
        } else {
            child.kill()?;
        }
        let answer = reading.join().unwrap_or_else(|_| Err(io::Error::other("the reader failed")))?;
        Ok(in_time.then_some(answer))
    })
}
