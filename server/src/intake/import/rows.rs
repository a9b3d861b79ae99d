//! Reads the rows of an NDJSON or CSV file with one row in memory at a time. An unreadable row is refused and does not end the import.
//!
//! CSV is parsed by `csv-core` instead of `csv`, whose records grow without a bound: an unclosed quote would read the file into memory.

use std::io::{self, BufRead, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use serde_json::{Map, Value};

use crate::orders::rules::fields::FieldError;

/// The most bytes of one row.
const MAX_BYTES: usize = 256 * 1024;

/// The most columns of a CSV file.
const MAX_COLUMNS: usize = 1_000;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Ndjson,
    Csv,
}

/// A row and its number: in NDJSON the line, in CSV the row of the spreadsheet, where the header is 1.
#[derive(Debug, PartialEq)]
pub struct ImportRow {
    pub number: u64,
    pub given: Result<Map<String, Value>, FieldError>,
}

/// The rows of a file.
pub enum Rows<R> {
    Ndjson(NdjsonLines<R>),
    Csv(Box<CsvRecords<R>>),
}

impl<R: BufRead> Rows<R> {
    /// Starts reading. Reads the header of a CSV file.
    ///
    /// # Errors
    /// If the header is missing, too long, not UTF-8, or names a column twice.
    pub fn of(mut file: R, format: Format) -> io::Result<Self> {
        if file.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            file.consume(3);
        }
        Ok(match format {
            Format::Ndjson => Self::Ndjson(NdjsonLines { file, number: 0 }),
            Format::Csv => Self::Csv(Box::new(CsvRecords::of(file)?)),
        })
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = io::Result<ImportRow>;

    fn next(&mut self) -> Option<io::Result<ImportRow>> {
        match self {
            Self::Ndjson(lines) => lines.next().transpose(),
            Self::Csv(records) => records.next().transpose(),
        }
    }
}

fn fault(reason: impl Into<String>) -> FieldError {
    FieldError { field: "the row".into(), reason: reason.into() }
}

fn too_long() -> FieldError {
    fault(format!("is longer than {} KB", MAX_BYTES / 1024))
}

const NOT_UTF8: &str = "contains characters that are not UTF-8";

/// The lines of NDJSON.
pub struct NdjsonLines<R> {
    file: R,
    number: u64,
}

impl<R: BufRead> NdjsonLines<R> {
    fn next(&mut self) -> io::Result<Option<ImportRow>> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let Some(whole) = read_line(&mut self.file, &mut line)? else { return Ok(None) };
            self.number += 1;
            if whole && line.trim_ascii().is_empty() {
                continue;
            }
            let given = if whole { parse(&line) } else { Err(too_long()) };
            return Ok(Some(ImportRow { number: self.number, given }));
        }
    }
}

fn parse(line: &[u8]) -> Result<Map<String, Value>, FieldError> {
    let text = std::str::from_utf8(line).map_err(|_| fault(NOT_UTF8))?;
    serde_json::from_str(text).map_err(|_| fault("is not a JSON object"))
}

/// Reads one line. Returns whether all of it fits into `into`; none at the end of the file.
fn read_line(file: &mut impl BufRead, into: &mut Vec<u8>) -> io::Result<Option<bool>> {
    // One byte more, for the end of the line.
    let read = file.take(MAX_BYTES as u64 + 1).read_until(b'\n', into)?;
    if into.last() == Some(&b'\n') {
        into.pop();
    } else if read > MAX_BYTES {
        file.skip_until(b'\n')?;
        return Ok(Some(false));
    }
    Ok((read > 0).then_some(true))
}

/// The records of CSV.
pub struct CsvRecords<R> {
    file: R,
    reader: Reader,
    header: Vec<String>,
    number: u64,
    output: Vec<u8>,
    ends: Vec<usize>,
}

/// A record in the buffers: the number of its cells.
enum CellRecord {
    Cells(usize),
    TooLong,
}

impl<R: BufRead> CsvRecords<R> {
    fn of(mut file: R) -> io::Result<Self> {
        let delimiter = delimiter(file.fill_buf()?);
        let mut records = Self {
            file,
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            header: Vec::new(),
            number: 0,
            output: vec![0; MAX_BYTES],
            ends: vec![0; MAX_COLUMNS],
        };
        let unreadable = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason.to_owned());
        let columns = match records.read()? {
            Some(CellRecord::Cells(columns)) => columns,
            Some(CellRecord::TooLong) => return Err(unreadable("its header is too long")),
            None => return Err(unreadable("it has no header")),
        };
        for column in 0..columns {
            let name = std::str::from_utf8(records.cell(column)).map_err(|_| unreadable("its header is not UTF-8"))?;
            let name = name.trim().to_owned();
            if !name.is_empty() && records.header.contains(&name) {
                return Err(unreadable(&format!("its header names the column {name} twice")));
            }
            records.header.push(name);
        }
        Ok(records)
    }

    fn next(&mut self) -> io::Result<Option<ImportRow>> {
        let Some(record) = self.read()? else { return Ok(None) };
        let given = match record {
            CellRecord::TooLong => Err(too_long()),
            CellRecord::Cells(columns) if columns != self.header.len() => {
                Err(fault(format!("has {columns} columns where the header has {}", self.header.len())))
            }
            CellRecord::Cells(_) => self.fields(),
        };
        Ok(Some(ImportRow { number: self.number, given }))
    }

    fn fields(&self) -> Result<Map<String, Value>, FieldError> {
        let mut fields = Map::new();
        for (column, name) in self.header.iter().enumerate() {
            let cell = self.cell(column);
            if !cell.is_empty() && !name.is_empty() {
                let text = std::str::from_utf8(cell)
                    .map_err(|_| FieldError { field: name.clone(), reason: NOT_UTF8.into() })?;
                fields.insert(name.clone(), text.into());
            }
        }
        Ok(fields)
    }

    fn cell(&self, column: usize) -> &[u8] {
        let from = if column == 0 { 0 } else { self.ends[column - 1] };
        &self.output[from..self.ends[column]]
    }

    fn read(&mut self) -> io::Result<Option<CellRecord>> {
        let (mut bytes, mut columns, mut too_long) = (0, 0, false);
        loop {
            let input = self.file.fill_buf()?;
            let (result, used, written, ended) =
                self.reader.read_record(input, &mut self.output[bytes..], &mut self.ends[columns..]);
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
                    return Ok(Some(if too_long { CellRecord::TooLong } else { CellRecord::Cells(columns) }));
                }
                ReadRecordResult::End => return Ok(None),
            }
        }
    }
}

/// The delimiter of the header. Spreadsheets of many locales write semicolons.
fn delimiter(start: &[u8]) -> u8 {
    let header = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
    let count = |delimiter: u8| header.iter().filter(|byte| **byte == delimiter).count();
    [b';', b'\t'].into_iter().find(|other| count(*other) > count(b',')).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8], format: Format) -> Vec<(u64, String)> {
        let rows = Rows::of(file, format).unwrap();
        rows.map(|row| {
            let row = row.unwrap();
            let described = row.given.map_or_else(
                |error| format!("{} {}", error.field, error.reason),
                |given| serde_json::to_string(&given).unwrap(),
            );
            (row.number, described)
        })
        .collect()
    }

    #[test]
    fn ndjson_is_read_by_lines() {
        let file = b"\xef\xbb\xbf{\"a\":1}\r\n\n[1]\nnot json\n{\"b\":\"\xff\"}\n{\"c\":2}";
        let rows = read(file, Format::Ndjson);
        let expected = [
            (1, "{\"a\":1}"),
            (3, "the row is not a JSON object"),
            (4, "the row is not a JSON object"),
            (5, "the row contains characters that are not UTF-8"),
            (6, "{\"c\":2}"),
        ];
        assert_eq!(rows, expected.map(|(number, described)| (number, described.to_owned())));
    }

    #[test]
    fn csv_is_read_by_its_header() {
        let file = b"full_name,user.email,\n\"Ann, \"\"A\"\"\",a@b.co,x\nBob\n\xff,b@b.co,\n\"two\nlines\",,\n";
        let rows = read(file, Format::Csv);
        let expected = [
            (2, "{\"full_name\":\"Ann, \\\"A\\\"\",\"user.email\":\"a@b.co\"}"),
            (3, "the row has 1 columns where the header has 3"),
            (4, "full_name contains characters that are not UTF-8"),
            (5, "{\"full_name\":\"two\\nlines\"}"),
        ];
        assert_eq!(rows, expected.map(|(number, described)| (number, described.to_owned())));
        assert_eq!(read(b"a;b\n1;2", Format::Csv), [(2, "{\"a\":\"1\",\"b\":\"2\"}".to_owned())]);
    }

    #[test]
    fn a_row_that_is_too_long_is_one_refused_row() {
        let long = "x".repeat(3 * MAX_BYTES);
        for (file, format) in
            [(format!("{{}}\n\"{long}\"\n{{}}\n"), Format::Ndjson), (format!("a\n1\n\"{long}\"\n2\n"), Format::Csv)]
        {
            let rows = read(file.as_bytes(), format);
            assert_eq!(rows.len(), 3);
            assert_eq!(rows[1].1, "the row is longer than 256 KB");
        }
        let wide = format!("a\n1\n{}\n2\n", ",".repeat(5 * MAX_COLUMNS));
        assert_eq!(read(wide.as_bytes(), Format::Csv).len(), 3);
    }

    #[test]
    fn a_csv_file_without_a_usable_header_cannot_be_read() {
        let files: [(&[u8], &str); 3] = [
            (b"", "it has no header"),
            (b"a,a\n1,2\n", "its header names the column a twice"),
            (b"\xfe\n", "its header is not UTF-8"),
        ];
        for (file, reason) in files {
            let refused = Rows::of(file, Format::Csv).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(refused, Err(reason.to_owned()));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(file in proptest::collection::vec(0u8.., 0..400)) {
            for format in [Format::Ndjson, Format::Csv] {
                if let Ok(rows) = Rows::of(file.as_slice(), format) {
                    proptest::prop_assert!(rows.count() <= file.len() + 1);
                }
            }
        }
    }
}
