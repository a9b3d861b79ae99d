//! Writes cells as CSV. Row and column are those of the sheet, so rows without values are empty rows.

use csv::{Writer, WriterBuilder};

use super::MAX_CSV;
use super::outcome::WorkbookRefusal;
use crate::intake::import::records::MAX_COLUMNS;

/// The most rows of a sheet, as in Excel.
const MAX_ROWS: u32 = 1_048_576;

/// A sheet as CSV, which grows cell by cell.
pub struct SheetCsv {
    written: Writer<Vec<u8>>,
    /// The number of rows that are written: the place of the row that grows.
    rows: u32,
    row: Vec<String>,
}

impl SheetCsv {
    pub fn new() -> Self {
        Self { written: WriterBuilder::new().flexible(true).from_writer(Vec::new()), rows: 0, row: Vec::new() }
    }

    /// Adds a cell by its row and column, which count from 0.
    ///
    /// # Errors
    /// If it is in a row above an earlier one, or the sheet is too large.
    pub fn add(&mut self, (row, column): (u32, u32), text: String) -> Result<(), WorkbookRefusal> {
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        if column >= MAX_COLUMNS {
            return Err(WorkbookRefusal::TooManyColumns);
        }
        if row >= MAX_ROWS {
            return Err(WorkbookRefusal::TooLarge);
        }
        if row < self.rows {
            return Err(WorkbookRefusal::Unreadable);
        }
        while self.rows < row {
            self.end_row()?;
        }
        if self.row.len() <= column {
            self.row.resize(column + 1, String::new());
        }
        self.row[column] = text;
        Ok(())
    }

    /// All rows up to the last one that has a value.
    ///
    /// # Errors
    /// If the sheet is too large.
    pub fn finish(mut self) -> Result<Vec<u8>, WorkbookRefusal> {
        if !self.row.is_empty() {
            self.end_row()?;
        }
        self.written.into_inner().map_err(|_| WorkbookRefusal::TooLarge)
    }

    fn end_row(&mut self) -> Result<(), WorkbookRefusal> {
        if self.row.is_empty() {
            self.row.push(String::new());
        }
        self.written.write_record(&self.row).map_err(|_| WorkbookRefusal::TooLarge)?;
        self.row.clear();
        self.rows += 1;
        if self.written.get_ref().len() as u64 > MAX_CSV {
            return Err(WorkbookRefusal::TooLarge);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv_of(cells: &[(u32, u32, &str)]) -> Result<String, WorkbookRefusal> {
        let mut csv = SheetCsv::new();
        for (row, column, text) in cells {
            csv.add((*row, *column), (*text).to_owned())?;
        }
        Ok(String::from_utf8(csv.finish()?).unwrap())
    }

    #[test]
    fn a_cell_stays_in_its_row_and_column() {
        let cells = [(1, 0, "sex"), (1, 2, "city"), (4, 1, "a\n\"b\""), (4, 2, "c")];
        assert_eq!(csv_of(&cells).as_deref(), Ok("\"\"\nsex,,city\n\"\"\n\"\"\n,\"a\n\"\"b\"\"\",c\n"));
        assert_eq!(csv_of(&[]).as_deref(), Ok(""));
    }

    #[test]
    fn a_sheet_beyond_the_limits_is_refused() {
        assert_eq!(csv_of(&[(0, 999, "a")]).map(|csv| csv.len()), Ok(1_001));
        assert_eq!(csv_of(&[(0, 1_000, "a")]), Err(WorkbookRefusal::TooManyColumns));
        assert_eq!(csv_of(&[(1_048_575, 0, "a")]).map(|csv| csv.lines().count()), Ok(1_048_576));
        assert_eq!(csv_of(&[(1_048_576, 0, "a")]), Err(WorkbookRefusal::TooLarge));
        assert_eq!(csv_of(&[(1, 0, "a"), (0, 0, "b")]), Err(WorkbookRefusal::Unreadable));
    }

    #[test]
    fn a_sheet_that_is_too_long_as_csv_is_refused() {
        let mut csv = SheetCsv::new();
        let long = "x".repeat(1 << 20);
        let refused = (0..200).find_map(|row| csv.add((row, 0), long.clone()).err());
        assert_eq!(refused, Some(WorkbookRefusal::TooLarge));
    }
}
