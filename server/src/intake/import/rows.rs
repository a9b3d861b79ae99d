//! Reads the rows of an NDJSON or CSV file with one row in memory at a time. An unreadable row is refused and does not end the import.

use std::io::{self, BufRead, Read};

use super::encoding::FileForm;
use super::records::CsvRecords;
use super::row::{ImportRow, MAX_BYTES, RowFields, fault, too_long};
use crate::orders::rules::fields::FieldError;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Ndjson,
    Csv,
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
    /// If the header of a CSV file cannot be read, or its columns cannot be imported.
    pub fn of(mut file: R, format: Format, form: FileForm) -> io::Result<Self> {
        while file.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
            file.consume(3);
        }
        Ok(match format {
            Format::Ndjson => Self::Ndjson(NdjsonLines { file, number: 0 }),
            Format::Csv => Self::Csv(Box::new(CsvRecords::of(file, form.has_backslash_quotes)?)),
        })
    }

    /// The columns whose values are not imported, as far as rows have been read.
    pub fn unknown_columns(&self) -> Vec<String> {
        match self {
            Self::Ndjson(_) => Vec::new(),
            Self::Csv(records) => records.unknown(),
        }
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

fn parse(line: &[u8]) -> Result<RowFields, FieldError> {
    let text = std::str::from_utf8(line).map_err(|_| fault(NOT_UTF8))?;
    let fields = serde_json::from_str(text).map_err(|_| fault("is not a JSON object"))?;
    Ok(RowFields { fields, doubts: Vec::new() })
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

#[cfg(test)]
mod tests {
    use super::super::records::MAX_COLUMNS;
    use super::*;

    fn read(file: &[u8], format: Format) -> Vec<(u64, String)> {
        let rows = Rows::of(file, format, FileForm::USUAL).unwrap();
        rows.map(|row| {
            let row = row.unwrap();
            let described = row.given.map_or_else(
                |error| format!("{} {}", error.field, error.reason),
                |given| serde_json::to_string(&given.fields).unwrap(),
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
            (3, "{\"full_name\":\"Bob\"}"),
            (4, "{\"full_name\":\"\u{fffd}\",\"user.email\":\"b@b.co\"}"),
            (5, "{\"full_name\":\"two\\nlines\"}"),
        ];
        assert_eq!(rows, expected.map(|(number, described)| (number, described.to_owned())));
        let expected = [(2, "{\"sex\":\"1\",\"city\":\"2\"}".to_owned())];
        assert_eq!(read(b"sex;city\n1;2", Format::Csv), expected);
        assert_eq!(read(b"\"sep=;\",,\r\nsex;city\r\n1;2", Format::Csv), expected);
    }

    #[test]
    fn a_row_that_is_too_long_is_one_refused_row() {
        let long = "x".repeat(3 * MAX_BYTES);
        for (file, format) in
            [(format!("{{}}\n\"{long}\"\n{{}}\n"), Format::Ndjson), (format!("city\n1\n\"{long}\"\n2\n"), Format::Csv)]
        {
            let rows = read(file.as_bytes(), format);
            assert_eq!(rows.len(), 3);
            assert_eq!(rows[1].1, "the row is longer than 256 KB");
        }
        let wide = format!("city\n1\n{}\n2\n", ",".repeat(5 * MAX_COLUMNS));
        assert_eq!(read(wide.as_bytes(), Format::Csv).len(), 3);
    }

    #[test]
    fn a_csv_file_without_a_usable_header_cannot_be_read() {
        let files: [(&[u8], &str); 3] = [
            (b"", "it has no header"),
            (b"city,city\n1,2\n", "its header names the column city twice"),
            (b"\xfe\n", "its first row names no column of an order, such as full_name"),
        ];
        for (file, reason) in files {
            let refused = Rows::of(file, Format::Csv, FileForm::USUAL).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(refused, Err(reason.to_owned()));
        }
    }

    #[test]
    fn rows_are_those_of_the_spreadsheet() {
        for end in ["\n", "\r\n", "\r"] {
            let file = ["sex,city", "1,2", "", ",", "\"3\",4", "\"5,6"].join(end) + end;
            let rows = read(file.as_bytes(), Format::Csv);
            let numbers: Vec<u64> = rows.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, [2, 5, 6], "{end:?}");
            assert!(rows[2].1.contains("never closes"), "{end:?}: {rows:?}");
        }
        let rows = read(b"sex,city\n1,2,,\n1,2,3\n", Format::Csv);
        assert_eq!(rows[0].1, "{\"sex\":\"1\",\"city\":\"2\"}");
        assert_eq!(rows[1].1, "the row has 3 columns where the header has 2");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(file in proptest::collection::vec(0u8.., 0..400)) {
            for format in [Format::Ndjson, Format::Csv] {
                if let Ok(rows) = Rows::of(file.as_slice(), format, FileForm::USUAL) {
                    proptest::prop_assert!(rows.count() <= file.len() + 1);
                }
            }
        }
    }
}
