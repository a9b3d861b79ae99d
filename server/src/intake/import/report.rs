//! The report of an import: a line for each refused row, and a CSV file for people with every value that was not taken as it stands.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;

use super::row::RowFields;
use crate::csv;
use crate::error::{Error, Result};
use crate::files::create_private;
use crate::orders::new_order::NewOrder;
use crate::orders::rules::fields::{FieldError, Fields};

/// The columns of the file.
const COLUMNS: [&str; 4] = ["row", "column", "value", "reason"];

/// A refused row and its errors.
pub struct RefusedRow {
    pub number: u64,
    errors: Vec<FieldError>,
    /// The values of those fields.
    values: Vec<String>,
}

impl RefusedRow {
    pub fn of(number: u64, row: &RowFields, errors: Vec<FieldError>) -> Self {
        let fields = Fields::of(&row.fields);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        let values = errors.iter().map(|error| fields.find(&error.field).map(text).unwrap_or_default()).collect();
        Self { number, errors, values }
    }

    fn lines(&self) -> impl Iterator<Item = ReportLine> {
        self.errors.iter().zip(&self.values).map(|(FieldError { field, reason }, value)| ReportLine {
            row: self.number,
            column: field.clone(),
            value: value.clone(),
            reason: format!("the row is refused: {field} {reason}"),
        })
    }
}

impl fmt::Display for RefusedRow {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "row {}: ", self.number)?;
        for (place, FieldError { field, reason }) in self.errors.iter().enumerate() {
            write!(to, "{}{field} {reason}", if place == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportLine {
    pub row: u64,
    pub column: String,
    pub value: String,
    pub reason: String,
}

impl ReportLine {
    /// The values of a new order that are kept as they were entered.
    pub fn of_kept(row: u64, order: &NewOrder) -> impl Iterator<Item = Self> {
        order.kept.iter().filter_map(move |kept| {
            let reason = kept.reason.as_ref()?;
            let (column, value) = (kept.field.clone(), kept.value.clone());
            let reason = format!("kept as entered, please look at the order: {column} {reason}");
            Some(Self { row, column, value, reason })
        })
    }
}

/// Where an import reports.
pub struct Report<'a> {
    refusals: &'a mut dyn Write,
    file: Option<File>,
}

impl<'a> Report<'a> {
    /// Starts a report of which `file` is the part for people. Only the user who runs the import may read it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(file: Option<&Path>, refusals: &'a mut dyn Write) -> io::Result<Self> {
        let file = file.map(create_private).transpose()?;
        let mut report = Self { refusals, file };
        report.write(&[COLUMNS.map(str::to_owned).to_vec()]).map_err(io::Error::other)?;
        Ok(report)
    }

    /// Reports what happened to the rows of a batch.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, mut refused: Vec<RefusedRow>, mut lines: Vec<ReportLine>) -> Result<()> {
        refused.sort_by_key(|row| row.number);
        for row in &refused {
            writeln!(self.refusals, "{row}").map_err(Error::internal)?;
        }
        if self.file.is_none() {
            return Ok(());
        }
        lines.extend(refused.iter().flat_map(RefusedRow::lines));
        lines.sort_by_key(|line| line.row);
        let rows = lines.into_iter().map(|line| vec![line.row.to_string(), line.column, line.value, line.reason]);
        self.write(&rows.collect::<Vec<_>>())
    }

    /// Ends the report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        self.refusals.flush().map_err(Error::internal)?;
        self.file.map_or(Ok(()), |file| file.sync_all()).map_err(Error::internal)
    }

    fn write(&mut self, rows: &[Vec<String>]) -> Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(&csv::write(rows)?).map_err(Error::internal)
    }
}
