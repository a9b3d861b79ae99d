//! CSV after RFC 4180 for spreadsheets: no cell is a formula.

use std::borrow::Cow;

use ::csv::{Terminator, WriterBuilder};

use crate::error::{Error, Result};

/// First characters by which a spreadsheet takes a cell as a formula, half-width and full-width.
const TRIGGERS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

/// Writes the rows as a file. A cell that a spreadsheet would evaluate gets a leading apostrophe.
///
/// # Errors
/// Writing into memory does not fail.
pub fn write(rows: &[Vec<String>]) -> Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().flexible(true).terminator(Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        for cell in row {
            writer.write_field(plain(cell).as_bytes()).map_err(Error::internal)?;
        }
        writer.write_record(None::<&[u8]>).map_err(Error::internal)?;
    }
    writer.into_inner().map_err(|error| Error::internal(error.into_error()))
}

/// The cell as text that no spreadsheet evaluates.
fn plain(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(TRIGGERS) { format!("'{cell}").into() } else { cell.into() }
}

#[cfg(test)]
mod tests {
    use csv_core::{ReadFieldResult, Reader};
    use proptest::prelude::*;

    use super::*;

    /// Reads the cells back.
    fn read(file: &[u8]) -> Vec<Vec<String>> {
        let (mut reader, mut left, mut rows) = (Reader::new(), file, vec![Vec::new()]);
        let (mut cell, mut room) = (Vec::new(), [0; 64]);
        loop {
            let (result, read, written) = reader.read_field(left, &mut room);
            left = &left[read..];
            cell.extend_from_slice(&room[..written]);
            match result {
                ReadFieldResult::Field { record_end } => {
                    let text = String::from_utf8(std::mem::take(&mut cell)).expect("text");
                    rows.last_mut().expect("a row").push(text);
                    if record_end {
                        rows.push(Vec::new());
                    }
                }
                ReadFieldResult::End => break,
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            }
        }
        rows.pop();
        rows
    }

    #[test]
    fn a_file_is_rows_with_commas_that_end_in_both_line_characters() {
        let rows = [vec!["Country".to_owned(), "Orders".into()], vec!["Bonaire, \"Saba\"".into(), "7".into()]];
        assert_eq!(
            String::from_utf8(write(&rows).unwrap()).ok().as_deref(),
            Some("Country,Orders\r\n\"Bonaire, \"\"Saba\"\"\",7\r\n")
        );
        assert_eq!(write(&[]).unwrap(), b"");
    }

    #[test]
    fn a_formula_becomes_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(read(&write(&[vec![cell.into(), "x".into()]]).unwrap())[0][0], format!("'{cell}"), "{cell}");
        }
    }

    proptest! {
        #[test]
        fn every_cell_reads_back_and_none_begins_a_formula(
            rows in proptest::collection::vec(proptest::collection::vec("[=+@\t\r\n\",;'-]{0,2}\\PC{0,9}", 2..5), 0..5)
        ) {
            let back = read(&write(&rows).unwrap());
            prop_assert_eq!(back.len(), rows.len());
            for (row, back) in rows.iter().zip(&back) {
                prop_assert_eq!(row.len(), back.len());
                for (cell, back) in row.iter().zip(back) {
                    prop_assert!(!back.starts_with(TRIGGERS), "{:?}", back);
                    prop_assert!(back == cell || back.strip_prefix('\'') == Some(cell), "{:?} {:?}", cell, back);
                }
            }
        }
    }
}
