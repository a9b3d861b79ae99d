//! Typst over one job, which is all that a template can access.

use std::path::PathBuf;
use std::sync::LazyLock;

use chrono::{Datelike, Timelike};
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Datetime, Dict, IntoValue, Label, Smart};
use typst::introspection::Introspector as _;
use typst::layout::{Frame, FrameItem};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::{LazyHash, PicoStr};
use typst::{Library, LibraryExt as _, World, WorldExt as _};
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use super::job::{Job, Reply};
use crate::timestamp::Timestamp;

/// The embedded fonts, in fallback order.
static FONTS: [&[u8]; 7] = [
    include_bytes!("../../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../../fonts/NotoSansArabic-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansDevanagari-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansThai-Regular.ttf"),
    include_bytes!("../../fonts/NotoSansHebrew-Regular.ttf"),
    CJK_FONT,
];

/// Han, kana and hangul.
pub static CJK_FONT: &[u8] = include_bytes!("../../fonts/NotoSansCJKsc-Regular.otf");

/// The program whose child typesets: this one.
pub(super) fn program(this: PathBuf) -> PathBuf {
    this
}

/// The reply to a job, and the bytes of the PDF.
pub(super) fn typeset(job: &Job) -> (Reply, Vec<u8>) {
    let world = match TypstWorld::new(job) {
        Ok(world) => world,
        Err(name) => return (Reply::Broken(format!("{name} is not a template name")), Vec::new()),
    };
    let broken = |faults: &[SourceDiagnostic]| (Reply::Broken(world.describe(faults)), Vec::new());
    let document = match typst::compile(&world).output {
        Ok(document) => document,
        Err(faults) => return broken(&faults),
    };
    let options = PdfOptions {
        // The document's id: the same facts at the same time are the same document.
        ident: Smart::Custom(job.facts.clone()),
        creator: Smart::Custom(None),
        timestamp: datetime(job.made_at).map(typst_pdf::Timestamp::new_utc),
        standards: PdfStandards::new(&[PdfStandard::A_2b]).unwrap_or_default(),
        ..PdfOptions::default()
    };
    let made = typst_pdf::pdf(&document, &options);
    let mut missing = Vec::new();
    for page in document.pages() {
        find_missing(&page.frame, &mut missing);
    }
    if !missing.is_empty() {
        missing.sort();
        missing.dedup();
        return (Reply::NotShown(missing), Vec::new());
    }
    let content = match made {
        Ok(content) => content,
        Err(faults) => return broken(&faults),
    };
    let page_of = |label: &String| {
        let label_in_typst = Label::new(PicoStr::intern(label))?;
        let found = document.introspector().query_label(label_in_typst).ok()?;
        let page = document.introspector().page(found.location()?)?;
        Some((label.clone(), page.get()))
    };
    let label_pages = job.labels.iter().filter_map(page_of).collect();
    (Reply::Done { pages: document.pages().len(), label_pages }, content)
}

/// Collects pieces of text without a glyph. PDF/A export refuses them too, but reports them only in prose.
fn find_missing(frame: &Frame, into: &mut Vec<String>) {
    for (_, item) in frame.items() {
        match item {
            FrameItem::Group(group) => find_missing(&group.frame, into),
            FrameItem::Text(text) => {
                let boxes = text.glyphs.iter().filter(|glyph| glyph.id == 0);
                into.extend(boxes.map(|glyph| text.text[glyph.range()].to_owned()));
            }
            _ => {}
        }
    }
}

fn datetime(at: Timestamp) -> Option<Datetime> {
    let small = |number: u32| u8::try_from(number).ok();
    let (month, day) = (small(at.month())?, small(at.day())?);
    Datetime::from_ymd_hms(at.year(), month, day, small(at.hour())?, small(at.minute())?, small(at.second())?)
}

static FACES: LazyLock<Vec<Font>> =
    LazyLock::new(|| FONTS.iter().filter_map(|face| Font::new(typst::foundations::Bytes::new(*face), 0)).collect());

/// Everything that a template can access.
struct TypstWorld {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    sources: Vec<Source>,
    main: FileId,
}

impl TypstWorld {
    /// The world of a job, or the invalid name of a template.
    fn new(job: &Job) -> Result<Self, String> {
        let id = |name: &String| {
            let path = VirtualPath::new(name).map_err(|_| name.clone())?;
            Ok::<FileId, String>(RootedPath::new(VirtualRoot::Project, path).intern())
        };
        let mut inputs = Dict::new();
        inputs.insert("facts".into(), job.facts.clone().into_value());
        let sources = job.sources.iter().map(|(name, text)| Ok::<_, String>(Source::new(id(name)?, text.clone())));
        Ok(Self {
            library: LazyHash::new(Library::builder().with_inputs(inputs).build()),
            book: LazyHash::new(FontBook::from_fonts(FACES.iter())),
            sources: sources.collect::<Result<_, _>>()?,
            main: id(&job.main)?,
        })
    }

    /// The first error in one line: `letter.typ, line 12: unknown variable: x`.
    fn describe(&self, faults: &[SourceDiagnostic]) -> String {
        let Some(fault) = faults.first() else { return "unknown error".to_owned() };
        let place = fault.span.id().and_then(|id| {
            let source = self.source(id).ok()?;
            let line = source.lines().byte_to_line(self.range(fault.span)?.start)? + 1;
            Some(format!("{}, line {line}: ", id.get().vpath().get_without_slash()))
        });
        format!("{}{}", place.unwrap_or_default(), fault.message)
    }
}

impl World for TypstWorld {
    fn library(&self) -> &LazyHash<Library> {
        &self.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.sources.iter().find(|source| source.id() == id).cloned().ok_or(FileError::AccessDenied)
    }

    fn file(&self, _: FileId) -> FileResult<typst::foundations::Bytes> {
        Err(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        FACES.get(index).cloned()
    }

    fn today(&self, _: Option<typst::foundations::Duration>) -> Option<Datetime> {
        None
    }
}
