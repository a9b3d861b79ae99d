//! The child: reads one file from standard input and answers on standard output.

use std::io::{self, Read, Write};

use bytes::Bytes;
use rlimit::Resource;

use super::{Refusal, Verdict, pdf, pictures};
use crate::documents::rules::{MOST_BYTES, MediaType};
use crate::error::{Error, Result};

/// Bytes of memory that it may use.
const MEMORY: u64 = 512 * 1024 * 1024;
/// Seconds of a processor that it may use.
const SECONDS: u64 = 5;

/// Judges the file on standard input.
pub fn run() -> Result<()> {
    limit().map_err(Error::internal)?;
    let mut content = Vec::new();
    io::stdin().lock().take(MOST_BYTES as u64 + 1).read_to_end(&mut content).map_err(Error::internal)?;
    let content = Bytes::from(content);
    let (verdict, cleaned) = match judge(&content) {
        Ok(cleaned) if cleaned == content => (Verdict::Unchanged, Bytes::new()),
        Ok(cleaned) => (Verdict::Changed, cleaned),
        Err(refusal) => (Verdict::Refused(refusal), Bytes::new()),
    };
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, &verdict).map_err(Error::internal)?;
    output.write_all(b"\n").and_then(|()| output.write_all(&cleaned)).map_err(Error::internal)?;
    output.flush().map_err(Error::internal)
}

/// From here on it can open nothing, neither a file nor a connection, and write no file.
fn limit() -> io::Result<()> {
    let limits = [
        (Resource::AS, MEMORY),
        (Resource::CPU, SECONDS),
        (Resource::CORE, 0),
        (Resource::FSIZE, 0),
        // Input, output and errors are open already.
        (Resource::NOFILE, 3),
    ];
    limits.into_iter().try_for_each(|(what, most)| rlimit::setrlimit(what, most, most))
}

/// What is kept of the file, or why nothing is.
fn judge(content: &Bytes) -> Result<Bytes, Refusal> {
    match MediaType::of(content).map_err(|_| Refusal::Unreadable)? {
        MediaType::Pdf => pdf::check(content).map(|()| content.clone()),
        picture => pictures::clean(content, picture),
    }
}
