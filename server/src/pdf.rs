//! Typesetting: a template and facts become a PDF/A-2b, in a child process.
//!
//! Facts enter as data, never as source. The child can open nothing, so a template reads no file and reaches no network; everything it
//! imports must be in the job. The same job makes the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use chrono::{Datelike, Timelike};
use serde::{Deserialize, Serialize};
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Datetime, Dict, IntoValue, Label, Smart};
use typst::introspection::Introspector as _;
use typst::layout::{Frame, FrameItem};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::{LazyHash, PicoStr};
use typst::{Library, LibraryExt as _, World, WorldExt as _};
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards};

use crate::child::{self, ChildSpec, Children, Limits, Outcome};
use crate::error::{Error, Kind, Reason, Result};
use crate::timestamp::Timestamp;

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

const LIMITS: Limits = Limits { memory_bytes: 768 * 1024 * 1024, processor_seconds: 5, input_bytes: 8 * 1024 * 1024 };

/// The embedded fonts, in fallback order.
static FONTS: [&[u8]; 7] = [
    include_bytes!("../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansArabic-Regular.ttf"),
    include_bytes!("../fonts/NotoSansDevanagari-Regular.ttf"),
    include_bytes!("../fonts/NotoSansThai-Regular.ttf"),
    include_bytes!("../fonts/NotoSansHebrew-Regular.ttf"),
    include_bytes!("../fonts/NotoSansCJKsc-Regular.otf"),
];

/// A document to typeset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The main template, among `sources`.
    pub main: String,
    /// Templates by their file names.
    pub sources: BTreeMap<String, String>,
    /// JSON text, which templates read as `sys.inputs.facts`.
    pub facts: String,
    /// The date of the document (UTC, to the second).
    pub made_at: Timestamp,
    /// Labels whose pages are returned.
    pub labels: Vec<String>,
}

/// A finished document.
#[derive(Clone, Debug)]
pub struct Pdf {
    pub content: Bytes,
    pub pages: usize,
    /// The page, from 1, of each label of the job that was found.
    pub label_pages: BTreeMap<String, usize>,
}

/// How typesetting ended.
#[derive(Clone, Debug)]
pub enum Typeset {
    Done(Pdf),
    /// The fonts have no glyphs for these pieces of text. There is no document.
    NotShown(Vec<String>),
    /// The error in a template, with its place. There is no document.
    Broken(String),
}

/// Why nothing was typeset, although nothing is wrong with the job.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TypesetError {
    #[error("The document could not be typeset in time. Please try again")]
    TypesettingTimedOut,
    #[error("Too many documents are being typeset. Please try again")]
    TypesettingBusy,
    #[error("The document could not be typeset now. Please try again")]
    TypesettingUnavailable,
    #[error("The document could not be typeset. Please try again")]
    TypesettingFailed,
}

impl Reason for TypesetError {
    fn kind(&self) -> Kind {
        Kind::Unavailable
    }

    fn code(&self) -> &'static str {
        self.into()
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        Some(1)
    }
}

/// The child's reply. The PDF's bytes follow it.
#[derive(Debug, Serialize, Deserialize)]
enum Reply {
    Done {
        pages: usize,
        label_pages: BTreeMap<String, usize>,
    },
    NotShown(Vec<String>),
    /// The error in a template, with its place.
    Broken(String),
}

/// Typesets jobs in child processes.
#[derive(Debug)]
pub struct Typesetter(Children);

impl Typesetter {
    /// Starts children from `program`, which must be this program.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(program, SPEC))
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

fn read(outcome: Outcome) -> Result<Typeset> {
    let reply = match outcome {
        Outcome::Replied(reply) => reply,
        Outcome::Crashed | Outcome::TimedOut => return Err(TypesetError::TypesettingTimedOut.into()),
        Outcome::Busy => return Err(TypesetError::TypesettingBusy.into()),
        Outcome::NotStarted => return Err(TypesetError::TypesettingUnavailable.into()),
    };
    match child::read_reply(&reply) {
        Some((Reply::Done { pages, label_pages }, content)) => Ok(Typeset::Done(Pdf { content, pages, label_pages })),
        Some((Reply::NotShown(pieces), _)) => Ok(Typeset::NotShown(pieces)),
        Some((Reply::Broken(what), _)) => Ok(Typeset::Broken(what)),
        None => Err(TypesetError::TypesettingFailed.into()),
    }
}

/// The child's work: typesets the job on standard input.
pub fn run() -> Result<()> {
    let job: Job = serde_json::from_slice(&child::read_input(LIMITS)?).map_err(Error::internal)?;
    let (reply, content) = typeset(&job);
    child::write_reply(&reply, &content)
}

fn typeset(job: &Job) -> (Reply, Vec<u8>) {
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
