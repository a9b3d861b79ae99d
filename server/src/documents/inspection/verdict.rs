//! What the child does: judges the file that it was given.

use bytes::Bytes;

use super::outcome::{Outcome, Refusal};
use super::{pdf, pictures};
use crate::child::{self, Limits};
use crate::documents::rules::{MAX_BYTES, MediaType};
use crate::error::Result;

const LIMITS: Limits =
    Limits { memory_bytes: 512 * 1024 * 1024, processor_seconds: 5, given_bytes: MAX_BYTES as u64 + 1 };

/// Judges the file on standard input.
pub fn run() -> Result<()> {
    let content = Bytes::from(child::begin(LIMITS)?);
    let (verdict, cleaned) = match judge(&content) {
        Ok(cleaned) if cleaned == content => (Outcome::Unchanged, Bytes::new()),
        Ok(cleaned) => (Outcome::Changed, cleaned),
        Err(refusal) => (Outcome::Refused(refusal), Bytes::new()),
    };
    child::answer(&verdict, &cleaned)
}

/// What is kept of the file, or why nothing is.
fn judge(content: &Bytes) -> Result<Bytes, Refusal> {
    match MediaType::of(content).map_err(|_| Refusal::Unreadable)? {
        MediaType::Pdf => pdf::check(content).map(|()| content.clone()),
        picture => pictures::clean(content, picture),
    }
}
