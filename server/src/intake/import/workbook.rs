//! Workbooks of Excel. A child process reads one, because a file may be made to crash or to exhaust its reader, and writes its sheet of
//! orders as CSV, which the reader of CSV goes on with.
//!
//! - `workbook/conversion.rs`: the child's work and limits; `outcome.rs`: its reply.
//! - `workbook/archive.rs`: what a workbook may unpack to. `sheets.rs`: its sheet of orders. `sheet_csv.rs`, `values.rs`: its cells as CSV.

mod archive;
pub mod conversion;
mod outcome;
mod sheet_csv;
mod sheets;
mod values;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;

use self::outcome::{ConversionOutcome, WorkbookRefusal};
use crate::child::{self, ChildOutcome, ChildSpec};

/// The command of the child.
const VERB: &str = "read-workbook";

/// The most bytes of a workbook.
const MAX_BYTES: u64 = 50 * 1024 * 1024;

/// The most bytes of a sheet as CSV.
const MAX_CSV: u64 = 128 * 1024 * 1024;

const SPEC: ChildSpec = ChildSpec {
    verb: VERB,
    at_once: 1,
    waiting: 0,
    max_time: Duration::from_secs(300),
    max_reply_bytes: MAX_CSV + 64 * 1024,
};

/// The first bytes of an archive, as which XLSX is stored.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// The first bytes of a workbook of Excel 97, and of one with a password.
const COMPOUND_FILE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The sheet of orders.
pub struct OrderSheet {
    /// Its rows as CSV, from the first row of the sheet.
    pub csv: Bytes,
    /// The names of the other sheets that have values.
    pub others: Vec<String>,
}

/// Returns true if a file is a workbook by its name or, if it can be read twice, by its content. Other spreadsheets count as well, because
/// they are refused with the same advice.
pub fn is_workbook(path: &Path, file: &mut File) -> io::Result<bool> {
    let named = path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    if ["xlsx", "xlsm", "xlsb", "xls", "ods"].contains(&named.as_str()) {
        return Ok(true);
    }
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut start = Vec::new();
    file.take(8).read_to_end(&mut start)?;
    file.rewind()?;
    Ok([ARCHIVE, COMPOUND_FILE].iter().any(|known| start.starts_with(known)))
}

/// Reads the sheet of orders of a workbook in a child of `program`, which must be this program. Blocks.
///
/// # Errors
/// If it cannot be read within the limits, or has no one sheet of orders.
pub fn read(program: &Path, file: &File) -> io::Result<OrderSheet> {
    let refused = |refusal: WorkbookRefusal| io::Error::new(io::ErrorKind::InvalidData, refusal);
    let mut content = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_BYTES {
        return Err(refused(WorkbookRefusal::TooLarge));
    }
    let reply = match child::run_now(program, SPEC, &content) {
        ChildOutcome::Replied(reply) => reply,
        ChildOutcome::Crashed | ChildOutcome::TimedOut => return Err(refused(WorkbookRefusal::TooLarge)),
        ChildOutcome::Busy | ChildOutcome::NotStarted => {
            return Err(io::Error::other("it could not be read just now. Please try again, or save it as CSV"));
        }
    };
    match child::split_message(&reply) {
        Some((ConversionOutcome::Sheet { others }, csv)) => Ok(OrderSheet { csv, others }),
        Some((ConversionOutcome::Refused(refusal), _)) => Err(refused(refusal)),
        None => Err(refused(WorkbookRefusal::TooLarge)),
    }
}
