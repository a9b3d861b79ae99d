//! Opens a file of any format as rows.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;

use encoding_rs_io::DecodeReaderBytesBuilder;
use indicatif::{ProgressBar, ProgressStyle};

use super::encoding::FileForm;
use super::rows::{Format, Rows};
use super::workbook::{self, OrderSheet};

/// The bytes by which the form of a file is recognised, and that are read at once.
const BUFFER: usize = 1 << 16;

/// A file whose rows can be read.
pub struct OpenedFile {
    pub rows: Rows<BufReader<Box<dyn Read + Send>>>,
    /// Shows how much of the file has been read.
    pub bar: ProgressBar,
    /// For the person who runs the import.
    pub notes: Vec<String>,
}

impl OpenedFile {
    /// Opens a file. A child of `program`, which must be this program, reads a workbook. Blocks.
    ///
    /// # Errors
    /// If it cannot be read, or its columns cannot be imported.
    pub fn open(path: &Path, program: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if workbook::is_workbook(path, &mut file)? {
            let OrderSheet { csv, others } = workbook::read(program, &file)?;
            let bar = progress(csv.len() as u64);
            let csv = buffered(Box::new(bar.wrap_read(Cursor::new(csv))))?;
            let rows = Rows::of(csv, Format::Csv, FileForm::USUAL)?;
            let named = (!others.is_empty()).then(|| format!("sheets that are not imported: {}", others.join(", ")));
            return Ok(Self { rows, bar, notes: named.into_iter().collect() });
        }
        let form = form_of(path, &mut file)?;
        let bar = progress(file.metadata().map_or(0, |file| file.len()));
        let mut file = buffered(decoded(bar.wrap_read(file), form))?;
        let format = format_of(path, &mut file)?;
        let rows = Rows::of(file, format, form)?;
        Ok(Self { rows, bar, notes: notes_on(form) })
    }
}

/// The file with a full first buffer, by which its form is recognised. A pipe or a decoder may give a few bytes at first.
fn buffered(mut file: Box<dyn Read + Send>) -> io::Result<BufReader<Box<dyn Read + Send>>> {
    let mut start = Vec::with_capacity(BUFFER);
    file.by_ref().take(BUFFER as u64).read_to_end(&mut start)?;
    Ok(BufReader::with_capacity(BUFFER, Box::new(Cursor::new(start).chain(file))))
}

/// The form of a file. JSON has the usual one, and so has a file that cannot be read twice, such as a pipe.
fn form_of(path: &Path, file: &mut File) -> io::Result<FileForm> {
    if named_format(path) == Some(Format::Ndjson) || !file.metadata()?.is_file() {
        return Ok(FileForm::USUAL);
    }
    let form = FileForm::find(file)?;
    file.rewind()?;
    Ok(form)
}

/// The bytes of a file as UTF-8.
fn decoded(file: impl Read + Send + 'static, form: FileForm) -> Box<dyn Read + Send> {
    if form.encoding == encoding_rs::UTF_8 {
        return Box::new(file);
    }
    Box::new(DecodeReaderBytesBuilder::new().encoding(Some(form.encoding)).build(file))
}

fn notes_on(form: FileForm) -> Vec<String> {
    form.guessed().map(|name| format!("the file is not UTF-8, and was read as {name}")).into_iter().collect()
}

/// A progress bar on standard error, hidden unless that is a terminal.
fn progress(bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes} of {total_bytes}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn format_of(path: &Path, file: &mut impl BufRead) -> io::Result<Format> {
    Ok(match named_format(path) {
        Some(format) => format,
        None if file.fill_buf()?.trim_ascii_start().starts_with(b"{") => Format::Ndjson,
        None => Format::Csv,
    })
}

/// The format that the name of a file says.
fn named_format(path: &Path) -> Option<Format> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "csv" | "tsv" => Some(Format::Csv),
        "ndjson" | "jsonl" | "json" => Some(Format::Ndjson),
        _ => None,
    }
}
