//! The child's work, `visadesk draw-visa`: draws the pages of a visa without a text, for Tesseract. It is confined as the child that inspects
//! an upload: it can open no file and start no program.

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use image::DynamicImage;
use serde::{Deserialize, Serialize};

use crate::child::{self, ChildLimits, ChildOutcome, ChildSpec};
use crate::documents::limits::MAX_BYTES;
use crate::documents::page_images::{self, ImageSize, RenderedPage};
use crate::documents::rules::MediaType;
use crate::error::{Error, Result};
use crate::papers::inspect::decode;
use images::grey::Grey;

/// The command of the child.
pub const VERB: &str = "draw-visa";

const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 1,
    waiting: 0,
    max_time: Duration::from_secs(60),
    max_reply_bytes: 24 * 1024 * 1024,
};

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 1024 * 1024 * 1024, processor_seconds: 20, input_bytes: MAX_BYTES as u64 + 1024 };

/// The longest side of both pictures of a page: what two sizes agree on was not misread by chance.
const LONGEST: [u32; 2] = [2_400, 1_900];

/// The first pages, on which the values stand.
const PAGES: usize = 2;

/// Both pictures of a page, as Tesseract takes them.
pub type PagePictures = [Bytes; 2];

/// The visa to draw. Its file follows.
#[derive(Serialize, Deserialize)]
struct DrawJob {
    media_type: MediaType,
    /// By how many quarters its pages are turned to the right.
    quarters: u8,
}

/// The child's reply: the sizes of the pictures that follow, in bytes.
#[derive(Serialize, Deserialize)]
struct DrawReply {
    pages: Vec<[usize; 2]>,
}

/// Draws the first pages, turned by `quarters` to the right, in a child of `program`, which must be this program. Empty: they cannot be drawn within the limits. Blocks.
///
/// # Errors
/// If no child can be started.
pub fn draw(program: &Path, media_type: MediaType, quarters: u8, content: &Bytes) -> Result<Vec<PagePictures>> {
    let input = child::message(&DrawJob { media_type, quarters }, content)?;
    let reply = match child::run_now(program, SPEC, &input) {
        ChildOutcome::Replied(reply) => reply,
        ChildOutcome::Crashed | ChildOutcome::TimedOut | ChildOutcome::Busy => return Ok(Vec::new()),
        ChildOutcome::NotStarted => return Err(Error::internal("no child could be started")),
    };
    let Some((DrawReply { pages }, mut pictures)) = child::split_message::<DrawReply>(&reply) else {
        return Ok(Vec::new());
    };
    let mut drawn = Vec::new();
    for [first, second] in pages {
        // A child that lies about its pictures has drawn none.
        if first.checked_add(second).is_none_or(|all| all > pictures.len()) {
            return Ok(Vec::new());
        }
        drawn.push([pictures.split_to(first), pictures.split_to(second)]);
    }
    Ok(drawn)
}

/// Draws the visa on standard input.
pub fn run() -> Result<()> {
    let input = Bytes::from(child::read_input(LIMITS)?);
    let (job, content): (DrawJob, Bytes) = child::split_message(&input).ok_or_else(|| Error::internal("no job"))?;
    let (mut pages, mut pictures) = (Vec::new(), Vec::new());
    for page in pages_of(job.media_type, &content) {
        let both = LONGEST.map(|longest| Grey::of(&page, longest).turned(job.quarters).to_pgm());
        pages.push(both.each_ref().map(Vec::len));
        both.iter().for_each(|picture| pictures.extend_from_slice(picture));
    }
    child::write_reply(&DrawReply { pages }, &pictures)
}

fn pages_of(media_type: MediaType, content: &Bytes) -> Vec<DynamicImage> {
    if media_type != MediaType::Pdf {
        return decode(content).into_iter().collect();
    }
    let mut drawn = Vec::new();
    for page in 1..=PAGES {
        let RenderedPage::Page { pages, content } = page_images::render_here(page, ImageSize::Fine, content.clone())
        else {
            break;
        };
        drawn.extend(decode(&content.into()));
        if page >= pages {
            break;
        }
    }
    drawn
}
