//! Images of the pages of a stored PDF. A child process renders them, with the same confinement as [`super::inspection`]: a file was
//! inspected when it was stored, but a renderer reads far more of it.
//!
//! - `page_images/job.rs`: what the server and the child say to each other; `errors.rs`: why there is no image.
//! - `page_images/rendering.rs`: the child's work. Its renderer comes with Typst, so it is built with the feature `typesetting`.

pub mod errors;
mod job;
#[cfg(feature = "typesetting")]
mod rendering;
#[cfg(not(feature = "typesetting"))]
#[path = "page_images/not_built.rs"]
mod rendering;

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;

use self::errors::PageImageError;
pub use self::job::ImageSize;
use self::job::{PageJob, PageReply};
use super::limits::MAX_BYTES;
use super::rules::MediaType;
use crate::child::{self, ChildLimits, ChildOutcome, ChildSpec, Children};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "render-page";

/// The limits of a child.
const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 2,
    waiting: 30,
    max_time: Duration::from_secs(20),
    max_reply_bytes: 32 * 1024 * 1024,
};

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 768 * 1024 * 1024, processor_seconds: 5, input_bytes: MAX_BYTES as u64 + 1024 };

/// The image of a page.
#[derive(Clone, Debug)]
pub struct PageImage {
    pub content: Bytes,
    pub media_type: MediaType,
    /// The number of pages of the whole PDF.
    pub pages: usize,
}

/// Renders pages in child processes.
#[derive(Debug)]
pub struct PageRenderer(Children);

impl PageRenderer {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(rendering::program(program), SPEC))
    }

    /// Renders a page, counted from 1. `load` gets the PDF, when it is its turn: no file is in memory while it waits.
    ///
    /// # Errors
    /// [`PageImageError`], and those of `load`.
    pub async fn render(
        &self,
        page: usize,
        size: ImageSize,
        load: impl Future<Output = Result<Bytes>>,
    ) -> Result<PageImage> {
        let turn = self.0.turn().await?.ok_or(PageImageError::PagesBusy)?;
        let input = child::message(&PageJob { page, size }, &load.await?)?;
        let reply = match self.0.run_in(turn, input).await? {
            ChildOutcome::Replied(reply) => reply,
            ChildOutcome::Crashed | ChildOutcome::TimedOut => return Err(PageImageError::PageTooComplex.into()),
            ChildOutcome::Busy => return Err(PageImageError::PagesBusy.into()),
            ChildOutcome::NotStarted => return Err(PageImageError::PagesUnavailable.into()),
        };
        let (reply, content) = child::split_message(&reply).ok_or(PageImageError::PageTooComplex)?;
        match reply {
            PageReply::Rendered { pages, media_type } => Ok(PageImage { content, media_type, pages }),
            PageReply::NoSuchPage { pages } => Err(PageImageError::NoSuchPage { pages }.into()),
            PageReply::Unreadable => Err(PageImageError::UnreadablePdf.into()),
            PageReply::NotBuilt => Err(PageImageError::PagesNotBuilt.into()),
        }
    }
}

/// A page that was rendered in this process.
pub enum RenderedPage {
    /// The number of pages of the whole PDF, and the picture.
    Page { pages: usize, content: Vec<u8> },
    /// Damaged, locked, or without such a page.
    Unreadable,
    /// The program has no renderer yet.
    NotBuilt,
}

/// Renders a page in this process, which must be a confined child.
pub fn render_here(page: usize, size: ImageSize, pdf: Bytes) -> RenderedPage {
    match rendering::render(&PageJob { page, size }, pdf) {
        (PageReply::Rendered { pages, .. }, content) => RenderedPage::Page { pages, content },
        (PageReply::NoSuchPage { .. } | PageReply::Unreadable, _) => RenderedPage::Unreadable,
        (PageReply::NotBuilt, _) => RenderedPage::NotBuilt,
    }
}

/// The child's work: renders the page of the PDF on standard input.
pub fn run() -> Result<()> {
    let input = Bytes::from(child::read_input(LIMITS)?);
    let (job, pdf) = child::split_message(&input).ok_or_else(|| Error::internal("no job"))?;
    let (reply, image) = rendering::render(&job, pdf);
    child::write_reply(&reply, &image)
}
