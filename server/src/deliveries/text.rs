//! The text of an issued visa, from its PDF. A child process reads it, because the file may be made to crash its reader.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use lopdf::content::{Content, Operation};
use lopdf::{Document, LoadOptions, ObjectId};

use crate::child::{self, ChildLimits, ChildOutcome, ChildSpec, Children};
use crate::documents::limits::MAX_BYTES;
use crate::error::Result;

/// The command of the child.
pub const VERB: &str = "read-text";

/// The pages that are read. A visa is one page, with conditions on a second.
const PAGES: usize = 5;

/// The most bytes of a text.
const MAX_TEXT: usize = 256 * 1024;

/// The most unpacked bytes of a PDF.
const MAX_UNPACKED: usize = 64 * 1024 * 1024;

const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 2,
    waiting: 30,
    max_time: Duration::from_secs(10),
    max_reply_bytes: MAX_TEXT as u64 + 1024,
};

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 512 * 1024 * 1024, processor_seconds: 3, input_bytes: MAX_BYTES as u64 };

/// Reads texts in child processes.
#[derive(Debug)]
pub struct TextReader(Children);

impl TextReader {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(program, SPEC))
    }

    /// The text of a PDF that was inspected. Empty if it has none, or if it cannot be read within the limits: a visa is delivered all the
    /// same.
    pub async fn read(&self, pdf: Bytes) -> Result<String> {
        Ok(match self.0.run(pdf).await? {
            ChildOutcome::Replied(reply) => match child::split_message::<()>(&reply) {
                Some(((), text)) => String::from_utf8_lossy(&text).into_owned(),
                None => String::new(),
            },
            ChildOutcome::Crashed | ChildOutcome::TimedOut | ChildOutcome::Busy | ChildOutcome::NotStarted => {
                String::new()
            }
        })
    }
}

/// The child's work: writes the text of the PDF on standard input.
pub fn run() -> Result<()> {
    let pdf = child::read_input(LIMITS)?;
    child::write_reply(&(), text_of(&pdf).unwrap_or_default().as_bytes())
}

fn text_of(pdf: &[u8]) -> Option<String> {
    let options = LoadOptions { max_decompressed_size: Some(MAX_UNPACKED), ..LoadOptions::default() };
    let mut document = Document::load_mem_with_options(pdf, options).ok()?;
    let pages: Vec<(u32, ObjectId)> = document.get_pages().into_iter().take(PAGES).collect();
    for (_, page) in &pages {
        let content = document.get_page_content_with_limit(*page, MAX_UNPACKED).ok()?;
        document.change_page_content(*page, with_line_breaks(&content)?).ok()?;
    }
    let pages: Vec<u32> = pages.into_iter().map(|(number, _)| number).collect();
    let mut text = document.extract_text_with_limit(&pages, MAX_UNPACKED).ok()?;
    text.truncate(text.floor_char_boundary(MAX_TEXT));
    Some(text)
}

/// The content of a page with a new line (`T*`) wherever text moves to another place (ISO 32000-2, 9.4.2). Its reader minds the former
/// alone, and would join what stands apart.
fn with_line_breaks(content: &[u8]) -> Option<Vec<u8>> {
    let parts = Content::decode(content).ok()?.operations.into_iter().flat_map(|operation| {
        let moves = matches!(operation.operator.as_str(), "Td" | "TD" | "Tm");
        [Some(operation), moves.then(|| Operation::new("T*", Vec::new()))]
    });
    Content { operations: parts.flatten().collect::<Vec<_>>() }.encode().ok()
}
