//! CSV after RFC 4180 for spreadsheets: no cell is a formula.

use std::borrow::Cow;

use csv_core::{Terminator, WriteResult, Writer, WriterBuilder};

/// First characters by which a spreadsheet takes a cell as a formula, half-width and full-width.
const TRIGGERS: [char; 12] = ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠'];

/// Writes the rows as a file. A cell that a spreadsheet would evaluate gets a leading apostrophe.
pub fn write(rows: &[Vec<String>]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).build();
    let mut file = Vec::new();
    for row in rows {
        for (place, cell) in row.iter().enumerate() {
            if place > 0 {
                pump(&mut file, |room| writer.delimiter(room));
            }
            add_cell(&mut file, &mut writer, &plain(cell));
        }
        pump(&mut file, |room| writer.terminator(room));
    }
    pump(&mut file, |room| writer.finish(room));
    file
}

/// The cell as text that no spreadsheet evaluates.
fn plain(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(TRIGGERS) { format!("'{cell}").into() } else { cell.into() }
}

fn add_cell(file: &mut Vec<u8>, writer: &mut Writer, cell: &str) {
    let mut left = cell.as_bytes();
    pump(file, |room| {
        let (result, read, written) = writer.field(left, room);
        left = &left[read..];
        (result, written)
    });
}

/// Takes what `step` writes until it is done.
fn pump(file: &mut Vec<u8>, mut step: impl FnMut(&mut [u8]) -> (WriteResult, usize)) {
    let mut room = [0; 1024];
    loop {
        let (result, written) = step(&mut room);
        file.extend_from_slice(&room[..written]);
        if matches!(result, WriteResult::InputEmpty) {
            return;
        }
    }
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
            String::from_utf8(write(&rows)).ok().as_deref(),
            Some("Country,Orders\r\n\"Bonaire, \"\"Saba\"\"\",7\r\n")
        );
        assert_eq!(write(&[]), b"");
    }

    #[test]
    fn a_formula_becomes_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(read(&write(&[vec![cell.into(), "x".into()]]))[0][0], format!("'{cell}"), "{cell}");
        }
    }

    proptest! {
        #[test]
        fn every_cell_reads_back_and_none_begins_a_formula(
            rows in proptest::collection::vec(proptest::collection::vec("[=+@\t\r\n\",;'-]{0,2}\\PC{0,9}", 2..5), 0..5)
        ) {
            let back = read(&write(&rows));
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
