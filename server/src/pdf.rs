//! Typesetting: a template and facts become a PDF/A-2b, in a child process.
//!
//! Facts enter as data, never as source. The child can open nothing, so a template reads no file and reaches no network; what
//! it imports must have been given with it. The same job makes the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use chrono::{Datelike, NaiveDateTime, Timelike};
use serde::{Deserialize, Serialize};
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Datetime, Dict, IntoValue, Label, Smart};
use typst::introspection::Introspector as _;
use typst::layout::{Frame, FrameItem};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::{LazyHash, PicoStr};
use typst::{Library, LibraryExt as _, World, WorldExt as _};
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

use crate::child::{self, Children, Kind, Limits, Outcome};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "typeset";

/// What a child may take.
const KIND: Kind =
    Kind { verb: VERB, at_once: 2, waiting: 14, max_time: Duration::from_secs(5), max_answer_bytes: 16 * 1024 * 1024 };

const LIMITS: Limits = Limits { memory_bytes: 768 * 1024 * 1024, processor_seconds: 5, given_bytes: 8 * 1024 * 1024 };

/// The faces that are embedded, in the order in which they are looked through.
static FONTS: [&[u8]; 7] = [
    include_bytes!("../fonts/NotoSans-Regular.ttf"),
    include_bytes!("../fonts/NotoSans-Bold.ttf"),
    include_bytes!("../fonts/NotoSansArabic-Regular.ttf"),
    include_bytes!("../fonts/NotoSansDevanagari-Regular.ttf"),
    include_bytes!("../fonts/NotoSansThai-Regular.ttf"),
    include_bytes!("../fonts/NotoSansHebrew-Regular.ttf"),
    include_bytes!("../fonts/NotoSansCJKsc-Regular.otf"),
];

/// What is to be typeset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The template to begin with, among `sources`.
    pub main: String,
    /// Templates by their file names.
    pub sources: BTreeMap<String, String>,
    /// JSON text, which templates find as `sys.inputs.facts`.
    pub facts: String,
    /// The date that the document bears (UTC, to the second).
    pub made_at: NaiveDateTime,
    /// Labels whose pages are wanted.
    pub labels: Vec<String>,
}

/// A finished document.
#[derive(Clone, Debug)]
pub struct Pdf {
    pub content: Bytes,
    pub pages: usize,
    /// The page, from 1, of each label that was asked for and is there.
    pub label_pages: BTreeMap<String, usize>,
}

/// How typesetting ended.
#[derive(Clone, Debug)]
pub enum Typeset {
    Done(Pdf),
    /// The fonts have no glyphs for these pieces of the facts. Nothing was made.
    NotShown(Vec<String>),
    /// What is wrong with a template, and where. Nothing was made.
    Broken(String),
}

/// What the child answers; after it come the PDF's bytes.
#[derive(Debug, Serialize, Deserialize)]
enum Verdict {
    Done {
        pages: usize,
        label_pages: BTreeMap<String, usize>,
    },
    NotShown(Vec<String>),
    /// What is wrong with a template, and where.
    Broken(String),
}

/// Has jobs typeset by children.
#[derive(Debug)]
pub struct Typesetter(Children);

impl Typesetter {
    /// Children are started from `program`, which must be this one.
    pub fn new(program: PathBuf) -> Self {
        Self(Children::new(program, KIND))
    }

    /// Typesets a job.
    pub async fn typeset(&self, job: &Job) -> Result<Typeset> {
        read(self.0.ask(serde_json::to_vec(job).map_err(Error::internal)?.into()).await?)
    }
}

/// [`Typesetter::typeset`] for callers that may block, without a turn.
pub fn typeset_now(program: &Path, job: &Job) -> Result<Typeset> {
    read(child::ask_now(program, KIND, &serde_json::to_vec(job).map_err(Error::internal)?))
}

fn read(asked: Outcome) -> Result<Typeset> {
    let put_off = |why: &str| Err(Error::unavailable(format!("{why}. Please try again")));
    let answer = match asked {
        Outcome::Answered(answer) => answer,
        Outcome::Crashed | Outcome::TimedOut => return put_off("The document could not be typeset in time"),
        Outcome::Busy => return put_off("Too many documents are being typeset"),
        Outcome::NotStarted => return put_off("The document could not be typeset now"),
    };
    match child::read_answer(&answer) {
        Some((Verdict::Done { pages, label_pages }, content)) => Ok(Typeset::Done(Pdf { content, pages, label_pages })),
        Some((Verdict::NotShown(pieces), _)) => Ok(Typeset::NotShown(pieces)),
        Some((Verdict::Broken(what), _)) => Ok(Typeset::Broken(what)),
        None => put_off("The document could not be typeset"),
    }
}

/// The child: typesets the job on standard input.
pub fn run() -> Result<()> {
    let job: Job = serde_json::from_slice(&child::begin(LIMITS)?).map_err(Error::internal)?;
    let (verdict, content) = make(&job);
    child::answer(&verdict, &content)
}

fn make(job: &Job) -> (Verdict, Vec<u8>) {
    let world = match TypstWorld::of(job) {
        Ok(world) => world,
        Err(name) => return (Verdict::Broken(format!("{name} is no name of a template")), Vec::new()),
    };
    let broken = |faults: &[SourceDiagnostic]| (Verdict::Broken(world.tell(faults)), Vec::new());
    let document = match typst::compile(&world).output {
        Ok(document) => document,
        Err(faults) => return broken(&faults),
    };
    let options = PdfOptions {
        // The document's name: the same facts at the same time are the same document.
        ident: Smart::Custom(job.facts.clone()),
        creator: Smart::Custom(None),
        timestamp: datetime(job.made_at).map(Timestamp::new_utc),
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
        return (Verdict::NotShown(missing), Vec::new());
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
    (Verdict::Done { pages: document.pages().len(), label_pages }, content)
}

/// Pieces of text that stand there as boxes: PDF/A refuses them, and says it only in words.
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

fn datetime(at: NaiveDateTime) -> Option<Datetime> {
    let small = |number: u32| u8::try_from(number).ok();
    let (month, day) = (small(at.month())?, small(at.day())?);
    Datetime::from_ymd_hms(at.year(), month, day, small(at.hour())?, small(at.minute())?, small(at.second())?)
}

static FACES: LazyLock<Vec<Font>> =
    LazyLock::new(|| FONTS.iter().filter_map(|face| Font::new(typst::foundations::Bytes::new(*face), 0)).collect());

/// All that a template can reach.
struct TypstWorld {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    sources: Vec<Source>,
    main: FileId,
}

impl TypstWorld {
    /// What the job gives; the name of a template that is none.
    fn of(job: &Job) -> Result<Self, String> {
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

    /// What is wrong, in one line: `letter.typ, line 12: unknown variable: x`.
    fn tell(&self, faults: &[SourceDiagnostic]) -> String {
        let Some(fault) = faults.first() else { return "no reason is known".to_owned() };
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
