//! The child's work: writes the sheet of orders of the workbook on its standard input as CSV.

use std::collections::HashMap;
use std::io::Cursor;

use calamine::{DataRef, Reader, Style, Xlsx, XlsxFormulaMetadata};

use super::outcome::{ConversionOutcome, WorkbookRefusal};
use super::sheet_csv::SheetCsv;
use super::sheets::{self, Workbook};
use super::values::{self, NumberMask};
use super::{COMPOUND_FILE, MAX_BYTES, archive};
use crate::child::{self, ChildLimits};
use crate::error::Result;

const LIMITS: ChildLimits =
    ChildLimits { memory_bytes: 1024 * 1024 * 1024, processor_seconds: 120, input_bytes: MAX_BYTES };

/// Converts the workbook on standard input.
pub fn run() -> Result<()> {
    let content = child::read_input(LIMITS)?;
    let (outcome, csv) = match convert(&content) {
        Ok((csv, others)) => (ConversionOutcome::Sheet { others }, csv),
        Err(refusal) => (ConversionOutcome::Refused(refusal), Vec::new()),
    };
    child::write_reply(&outcome, &csv)
}

/// Returns the sheet of orders as CSV, and the names of the other sheets. The sheet is empty if no sheet has values.
fn convert(content: &[u8]) -> Result<(Vec<u8>, Vec<String>), WorkbookRefusal> {
    let is_compound_file = content.starts_with(COMPOUND_FILE);
    if !is_compound_file {
        archive::check(content)?;
    }
    let mut workbook: Workbook<'_> = Xlsx::new(Cursor::new(content)).map_err(|error| match error.into() {
        WorkbookRefusal::Unreadable if is_compound_file => WorkbookRefusal::OtherFormat,
        refusal => refusal,
    })?;
    match sheets::choose(&mut workbook)? {
        Some(chosen) => Ok((csv_of(&mut workbook, &chosen.name)?, chosen.others)),
        None => Ok((Vec::new(), Vec::new())),
    }
}

fn csv_of(workbook: &mut Workbook<'_>, sheet: &str) -> Result<Vec<u8>, WorkbookRefusal> {
    let formulas = formulas_without_result(workbook, sheet)?;
    let is_1904 = workbook.has_1904_epoch();
    let mut cells = workbook.worksheet_cells_reader(sheet)?;
    let mask = |style: &Style| NumberMask::parse(&style.number_format.as_ref()?.format_code);
    let masks: Vec<Option<NumberMask>> = cells.styles().iter().map(mask).collect();
    let mut csv = SheetCsv::new();
    while let Some((cell, style)) = cells.next_cell_with_style_id()? {
        let at = cell.get_position();
        let text = match (cell.get_value(), formulas.get(&at)) {
            (DataRef::Empty, None) => continue,
            (DataRef::Empty, Some(formula)) => formula.clone(),
            (value, _) => values::text(value, masks.get(style).and_then(Option::as_ref), is_1904),
        };
        csv.add(at, text)?;
    }
    csv.finish()
}

/// The formulas of cells that have no result, by their cell. A program wrote them, and no spreadsheet has calculated them since.
fn formulas_without_result(
    workbook: &mut Workbook<'_>,
    sheet: &str,
) -> Result<HashMap<(u32, u32), String>, WorkbookRefusal> {
    let mut cells = workbook.worksheet_cells_reader(sheet)?;
    let mut found = HashMap::new();
    while let Some(cell) = cells.next_cell_with_formula_metadata()? {
        let (DataRef::Empty, Some(formula)) = (&cell.value, cell.formula) else { continue };
        let text = match formula {
            XlsxFormulaMetadata::Normal { formula } | XlsxFormulaMetadata::Shared { formula, .. } => formula,
            // That of another cell, with other references.
            _ => "…".to_owned(),
        };
        // The space tells it from the ="00123" of a CSV file, which is a text.
        found.insert(cell.pos, format!("= {text}"));
    }
    Ok(found)
}
