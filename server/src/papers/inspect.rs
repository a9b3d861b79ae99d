//! The child's work, `visadesk read-paper`: looks into a file for what a check needs. It is confined as the child that inspects an
//! upload: it can open no file and start no program.

use bytes::Bytes;
use image::{ImageReader, Limits as ImageLimits};
use serde::{Deserialize, Serialize};
use std::io::Cursor;

use super::limits;
use super::rules::photograph::Frame;
use super::rules::zone::find_in_text;
use super::rules::{self, Paper};
use crate::child::{self, ChildLimits, ChildSpec};
use crate::documents::limits::{MAX_BYTES, MAX_SIDE_LEN};
use crate::documents::page_images::{self, ImageSize, RenderedPage};
use crate::documents::rules::MediaType;
use crate::error::{Error, Result};
use images::grey::Grey;
use images::lines::{Cell, READINGS};
use images::photograph::{self, Measures};
use images::portal;
use images::zone;

/// The command of the child.
pub const VERB: &str = "read-paper";

/// The limits of a child, for the server.
pub const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 1,
    waiting: 10,
    max_time: std::time::Duration::from_secs(60),
    max_reply_bytes: 16 * 1024 * 1024,
};

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 1024 * 1024 * 1024, processor_seconds: 20, input_bytes: MAX_BYTES as u64 + 1024 };

/// The longest side at which a page is searched.
const LONGEST: u32 = 2_400;

/// The first pages of a PDF, in which a passport is looked for.
const PAGES: usize = 3;

/// A paper to look into. The file follows it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PaperJob {
    pub paper: Paper,
    pub media_type: MediaType,
    /// Make the portal's version of this part of a photograph.
    pub frame: Option<Frame>,
}

/// Two lines that Tesseract is to read, and what is known of their cells: `x` for a letter, `<` for a filler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Strip {
    pub cells: [String; 2],
    /// The bytes of the pictures for Tesseract, and of the one for people, which follow in this order.
    pub bytes: [usize; READINGS.len() + 1],
}

/// The child's reply. Pictures follow it.
#[derive(Debug, Serialize, Deserialize)]
pub enum PaperReply {
    /// The lines stand in the text of the PDF.
    Text([String; 2]),
    /// Where lines may be, the likeliest first.
    Strips(Vec<Strip>),
    /// A photograph was measured.
    Measured(Measures),
    /// The portal's version of a photograph follows.
    Made,
    /// The frame shows too few pixels of the photograph.
    FrameTooSmall,
    /// Damaged, or locked.
    Unreadable,
    /// The program cannot render pages yet.
    NotBuilt,
}

/// Looks into the paper on standard input.
pub fn run() -> Result<()> {
    let input = Bytes::from(child::read_input(LIMITS)?);
    let (job, content): (PaperJob, Bytes) = child::split_message(&input).ok_or_else(|| Error::internal("no job"))?;
    let (reply, pictures) = match (job.paper, job.media_type) {
        (Paper::Photograph, _) if let Some(frame) = job.frame => portal_version(frame, &content),
        (Paper::Photograph, media_type) => (in_photograph(media_type, content), Vec::new()),
        (Paper::Passport, MediaType::Pdf) => in_pdf(&content),
        (Paper::Passport, _) => in_picture(&content).map_or((PaperReply::Unreadable, Vec::new()), FoundStrips::reply),
    };
    child::write_reply(&reply, &pictures)
}

fn in_pdf(pdf: &Bytes) -> (PaperReply, Vec<u8>) {
    if let Some(lines) = text_of(pdf).and_then(|text| find_in_text(&text)) {
        return (PaperReply::Text(lines), Vec::new());
    }
    let mut pages = PAGES;
    let mut page = 1;
    while page <= pages.min(PAGES) {
        let mut unsure = None;
        for size in [ImageSize::Screen, ImageSize::Fine] {
            match page_images::render_here(page, size, pdf.clone()) {
                RenderedPage::Page { pages: all, content } => {
                    pages = all;
                    match in_picture(&content.into()) {
                        Some(found) if found.is_sure => return found.reply(),
                        // The finer image may show more.
                        Some(found) if !found.strips.is_empty() => unsure = Some(found),
                        Some(_) | None => {}
                    }
                }
                RenderedPage::NotBuilt => return (PaperReply::NotBuilt, Vec::new()),
                RenderedPage::Unreadable => return (PaperReply::Unreadable, Vec::new()),
            }
        }
        if let Some(found) = unsure {
            return found.reply();
        }
        page += 1;
    }
    (PaperReply::Strips(Vec::new()), Vec::new())
}

/// The text of the first pages.
fn text_of(pdf: &Bytes) -> Option<String> {
    let document = lopdf::Document::load_mem(pdf).ok()?;
    let pages: Vec<u32> = document.get_pages().into_keys().take(PAGES).collect();
    document.extract_text_with_limit(&pages, LIMITS.input_bytes.try_into().ok()?).ok()
}

/// The places in a picture where lines may be, the likeliest first, with the pictures of them.
#[derive(Default)]
struct FoundStrips {
    strips: Vec<Strip>,
    pictures: Vec<u8>,
    /// True if nothing else in the picture fits as well.
    is_sure: bool,
}

impl FoundStrips {
    fn reply(self) -> (PaperReply, Vec<u8>) {
        (PaperReply::Strips(self.strips), self.pictures)
    }
}

/// Looks for lines in a picture. None if it is damaged.
fn in_picture(content: &Bytes) -> Option<FoundStrips> {
    let page = decode(content)?;
    let mut all = FoundStrips::default();
    for found in zone::find(&Grey::of(&page, LONGEST)) {
        let readings = READINGS.map(|letter| found.lines.drawn(&found.strip, letter).to_pgm());
        let Some(crop) = found.strip.to_jpeg(70) else { continue };
        all.is_sure |= found.lines.is_sure();
        let cells = found.lines.cells.map(|cells| {
            let spelled = |cell| if cell == Cell::Letter { 'x' } else { '<' };
            cells.into_iter().map(spelled).collect()
        });
        let bytes = [readings[0].len(), readings[1].len(), readings[2].len(), crop.len()];
        all.strips.push(Strip { cells, bytes });
        readings.iter().chain([&crop]).for_each(|picture| all.pictures.extend_from_slice(picture));
    }
    Some(all)
}

/// Measures a photograph. Of a PDF the first page is one.
fn in_photograph(media_type: MediaType, content: Bytes) -> PaperReply {
    let content = match media_type {
        MediaType::Pdf => match page_images::render_here(1, ImageSize::Screen, content) {
            RenderedPage::Page { content, .. } => content.into(),
            RenderedPage::NotBuilt => return PaperReply::NotBuilt,
            RenderedPage::Unreadable => return PaperReply::Unreadable,
        },
        _ => content,
    };
    decode(&content).map_or(PaperReply::Unreadable, |picture| PaperReply::Measured(photograph::measure(&picture)))
}

/// Draws the portal's version of a photograph.
fn portal_version(frame: Frame, content: &Bytes) -> (PaperReply, Vec<u8>) {
    let limits = &limits::portal().photograph;
    let least = (limits.min_width, limits.min_height);
    let Some(picture) = decode(content) else { return (PaperReply::Unreadable, Vec::new()) };
    let Some(part) = rules::photograph::part(frame, (picture.width(), picture.height()), least) else {
        return (PaperReply::FrameTooSmall, Vec::new());
    };
    match portal::version(&picture, part, least, limits.max_bytes) {
        Some(made) => (PaperReply::Made, made),
        None => (PaperReply::Unreadable, Vec::new()),
    }
}

/// Decodes a picture, which was inspected when it was stored.
pub fn decode(content: &Bytes) -> Option<image::DynamicImage> {
    let mut limits = ImageLimits::default();
    limits.max_image_width = Some(MAX_SIDE_LEN);
    limits.max_image_height = Some(MAX_SIDE_LEN);
    let mut reader = ImageReader::new(Cursor::new(content)).with_guessed_format().ok()?;
    reader.limits(limits);
    reader.decode().ok()
}
