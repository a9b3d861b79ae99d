//! The rows of a CSV file, with one of them in memory at a time.
//!
//! CSV is parsed by `csv-core` instead of `csv`, whose records grow without a bound: an unclosed quote would read the file into memory.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use serde_json::Map;

use super::cells::{self, CellText};
use super::columns;
use super::row::{ImportRow, MAX_BYTES, RowFields, fault, too_long};
use crate::orders::rules::fields::FieldError;

/// The most columns of a CSV file.
pub const MAX_COLUMNS: usize = 1_000;

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The records of CSV.
pub struct CsvRecords<R> {
    file: R,
    reader: Reader,
    has_backslash_quotes: bool,
    header: Vec<String>,
    /// The places of columns without a name that have values.
    nameless: BTreeSet<usize>,
    number: u64,
    /// The last byte that was read ended a record, and the one behind it may belong to that end.
    is_after_return: bool,
    output: Vec<u8>,
    ends: Vec<usize>,
}

/// A record in the buffers: the number of its cells.
enum CellRecord {
    Cells(usize),
    TooLong,
    /// A quote opens in it, and does not close before the file ends.
    Unclosed,
}

impl<R: BufRead> CsvRecords<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// If it is missing or too long, or its columns cannot be imported ([`columns::check`]).
    pub fn of(mut file: R, has_backslash_quotes: bool) -> io::Result<Self> {
        let chosen = skip_separator_line(&mut file)?;
        let start = file.fill_buf()?;
        let delimiter = chosen.unwrap_or_else(|| delimiter(start));
        let escape = has_backslash_quotes.then_some(b'\\');
        let mut records = Self {
            file,
            reader: ReaderBuilder::new().delimiter(delimiter).escape(escape).build(),
            has_backslash_quotes,
            header: Vec::new(),
            nameless: BTreeSet::new(),
            number: 0,
            is_after_return: false,
            output: vec![0; MAX_BYTES],
            ends: vec![0; MAX_COLUMNS],
        };
        let unreadable = |reason: String| io::Error::new(io::ErrorKind::InvalidData, reason);
        while records.header.is_empty() {
            let columns = match records.read()? {
                Some(CellRecord::Cells(columns)) => columns,
                Some(CellRecord::TooLong) => return Err(unreadable("its header is too long".to_owned())),
                Some(CellRecord::Unclosed) => return Err(unreadable("a quote in its header never closes".to_owned())),
                None => return Err(unreadable("it has no header".to_owned())),
            };
            let names = (0..columns).map(|column| columns::name_of(&records.cell(column)));
            let names: Vec<String> = names.collect();
            if names.iter().any(|name| !name.is_empty()) {
                records.header = names;
            }
        }
        columns::check(&records.header).map_err(unreadable)?;
        Ok(records)
    }

    /// The columns whose values are not imported: names, and `column 5` for one that has none.
    pub fn unknown(&self) -> Vec<String> {
        let named = self.header.iter().filter(|name| !name.is_empty() && !columns::is_known(name)).cloned();
        named.chain(self.nameless.iter().map(|column| format!("column {}", column + 1))).collect()
    }

    pub fn next(&mut self) -> io::Result<Option<ImportRow>> {
        loop {
            let Some(record) = self.read()? else { return Ok(None) };
            let given = match record {
                CellRecord::TooLong => Err(too_long()),
                CellRecord::Unclosed => Err(fault("has a quote that never closes")),
                CellRecord::Cells(columns) => self.fields(columns),
            };
            // A row of nothing but separators is an empty row.
            if given.as_ref().is_ok_and(|row| row.fields.is_empty()) {
                continue;
            }
            return Ok(Some(ImportRow { number: self.number, given }));
        }
    }

    fn fields(&mut self, columns: usize) -> Result<RowFields, FieldError> {
        let (mut fields, mut doubts) = (Map::new(), Vec::new());
        for column in 0..columns {
            let name = self.header.get(column).map_or("", String::as_str);
            let cell = cells::read(name, &self.cell(column));
            let (text, doubt) = match cell {
                CellText::Empty => continue,
                CellText::Text(text) => (text, None),
                CellText::Doubtful(text, reason) => (text, Some(reason)),
            };
            if column >= self.header.len() {
                return Err(fault(format!("has {columns} columns where the header has {}", self.header.len())));
            }
            if name.is_empty() {
                self.nameless.insert(column);
                continue;
            }
            let field = name.to_owned();
            doubts.extend(doubt.map(|reason| FieldError { field: field.clone(), reason: reason.to_owned() }));
            fields.insert(field, text.into());
        }
        Ok(RowFields { fields, doubts })
    }

    /// The text of a cell. A byte that is not UTF-8 becomes U+FFFD, which no field takes for a letter.
    fn cell(&self, column: usize) -> String {
        let from = if column == 0 { 0 } else { self.ends[column - 1] };
        String::from_utf8_lossy(&self.output[from..self.ends[column]]).into_owned()
    }

    /// Consumes empty lines, which are rows of the spreadsheet.
    fn skip_empty_lines(&mut self) -> io::Result<()> {
        loop {
            match self.file.fill_buf()?.first() {
                Some(b'\n') if self.is_after_return => self.is_after_return = false,
                Some(b'\n') => self.number += 1,
                Some(b'\r') => {
                    self.number += 1;
                    self.is_after_return = true;
                }
                _ => return Ok(()),
            }
            self.file.consume(1);
        }
    }

    fn read(&mut self) -> io::Result<Option<CellRecord>> {
        self.skip_empty_lines()?;
        let (mut bytes, mut columns, mut too_long) = (0, 0, false);
        let mut quotes = QuoteCount::new(self.has_backslash_quotes);
        loop {
            let input = self.file.fill_buf()?;
            let is_end = input.is_empty();
            let (result, used, written, ended) =
                self.reader.read_record(input, &mut self.output[bytes..], &mut self.ends[columns..]);
            quotes.add(&input[..used]);
            if let Some(last) = input[..used].last() {
                self.is_after_return = *last == b'\r';
            }
            self.file.consume(used);
            (bytes, columns) = (bytes + written, columns + ended);
            match result {
                ReadRecordResult::InputEmpty => {}
                // The rest of a record that does not fit is skipped.
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    (bytes, columns, too_long) = (0, 0, true);
                }
                ReadRecordResult::Record => {
                    self.number += 1;
                    let is_open = is_end
                        && quotes.is_odd
                        && self.output[..bytes].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                    return Ok(Some(match (too_long, is_open) {
                        (true, _) => CellRecord::TooLong,
                        (false, true) => CellRecord::Unclosed,
                        (false, false) => CellRecord::Cells(columns),
                    }));
                }
                ReadRecordResult::End => return Ok(None),
            }
        }
    }
}

/// Counts the quotes of a record, of which there are two for each cell and two for each within one.
struct QuoteCount {
    has_backslash_quotes: bool,
    is_escaped: bool,
    is_odd: bool,
}

impl QuoteCount {
    fn new(has_backslash_quotes: bool) -> Self {
        Self { has_backslash_quotes, is_escaped: false, is_odd: false }
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.is_odd ^= *byte == b'"' && !self.is_escaped;
            self.is_escaped = self.has_backslash_quotes && *byte == b'\\' && !self.is_escaped;
        }
    }
}

/// Consumes the line `sep=;`, which Excel reads and does not show. Returns its delimiter.
fn skip_separator_line(file: &mut impl BufRead) -> io::Result<Option<u8>> {
    let start = file.fill_buf()?;
    let Some(end) = start.iter().take(100).position(|byte| *byte == b'\n') else { return Ok(None) };
    let line = start[..end].trim_ascii();
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let Some([delimiter, rest @ ..]) = line.strip_prefix(b"sep=") else { return Ok(None) };
    // A spreadsheet that does not know the line fills it up with empty cells.
    if rest.iter().any(|byte| *byte != b'"' && !DELIMITERS.contains(byte)) {
        return Ok(None);
    }
    let delimiter = *delimiter;
    file.consume(end + 1);
    Ok(Some(delimiter))
}

/// The delimiter that divides the header into the most known names. Spreadsheets of many locales write semicolons.
fn delimiter(start: &[u8]) -> u8 {
    let is_blank = |line: &&[u8]| line.iter().all(|byte| byte.is_ascii_whitespace() || DELIMITERS.contains(byte));
    let mut lines = start.split(|byte| matches!(byte, b'\n' | b'\r')).skip_while(is_blank);
    let header = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let known = |delimiter: u8| {
        let names = header.split(char::from(delimiter));
        names.filter(|name| columns::is_known(columns::name_of(name).trim_matches('"'))).count()
    };
    let all = |delimiter: u8| header.bytes().filter(|byte| *byte == delimiter).count();
    let best = DELIMITERS.into_iter().rev().max_by_key(|delimiter| (known(*delimiter), all(*delimiter)));
    best.unwrap_or(b',')
}
