//! The child's work: inspects the file on its standard input.

use bytes::Bytes;

use super::outcome::{InspectionOutcome, Refusal};
use super::{pdf, pictures};
use crate::child::{self, ChildLimits};
use crate::documents::limits::MAX_BYTES;
use crate::documents::rules::{MediaType, holds_archive};
use crate::error::Result;

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 512 * 1024 * 1024, processor_seconds: 5, input_bytes: MAX_BYTES as u64 + 1 };

/// Inspects the file on standard input.
pub fn run() -> Result<()> {
    let content = Bytes::from(child::read_input(LIMITS)?);
    let (outcome, cleaned) = match inspect(&content) {
        Ok(cleaned) if cleaned == content => (InspectionOutcome::Unchanged, Bytes::new()),
        Ok(cleaned) => (InspectionOutcome::Changed, cleaned),
        Err(refusal) => (InspectionOutcome::Refused(refusal), Bytes::new()),
    };
    child::write_reply(&outcome, &cleaned)
}

/// Returns the content to store, or why the file is refused.
fn inspect(content: &Bytes) -> Result<Bytes, Refusal> {
    match MediaType::of(content).map_err(|_| Refusal::Unreadable)? {
        MediaType::Pdf => pdf::check(content),
        picture => {
            let cleaned = pictures::clean(content, picture)?;
            // What is behind a picture is gone, but its data may hold an archive, too.
            if holds_archive(&cleaned) { Err(Refusal::Unreadable) } else { Ok(cleaned) }
        }
    }
}
