//! `visadesk import FILE`: imports orders of an older system. Every valid row is added once, each refused one is reported, and a file that
//! is imported again fills empty fields.
//!
//! - `import/opened_file.rs`: opens a file of any format. `encoding.rs`: the form of a text. `workbook.rs`: workbooks of Excel.
//! - `import/rows.rs`: reads rows; `records.rs`: those of CSV. `columns.rs`, `cells.rs`: what is in them.
//! - `import/reading.rs`: rows by the rules of intake. `saving.rs`: adds them; `filling.rs`: fills orders that are there.
//! - `import/report.rs`: what is reported.

mod cells;
mod columns;
mod encoding;
mod filling;
mod opened_file;
mod reading;
mod records;
mod report;
mod row;
mod rows;
mod saving;
pub mod workbook;

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use self::reading::{Batch, RowRules, each_batch, staff_names};
use self::report::Report;
use self::saving::{SavedRows, SavingRules};
use super::errors::IntakeError;
use super::rules::IntakeMoment;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::error::{Error, Result};
use crate::orders::bulk;

/// The options of an import.
#[derive(Clone, Debug)]
pub struct Import {
    /// A workbook of Excel, NDJSON or CSV, by the name's extension or else by its first bytes.
    pub file: PathBuf,
    /// Counts only, without changing the database.
    pub dry_run: bool,
    /// Imports nothing if a row is refused. The file must be one that can be read twice.
    pub all_or_nothing: bool,
    /// The file for what was not taken as it stands, as CSV. None: only refused rows are reported.
    pub report: Option<PathBuf>,
    /// This program, of which a child reads workbooks.
    pub program: PathBuf,
}

/// The number of rows by outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub added: u64,
    /// Rows whose order existed before.
    pub known: u64,
    pub refused: u64,
    pub dry_run: bool,
    /// For the person who runs the import: columns and sheets that are not imported, a guessed encoding, and how many fields were filled.
    pub notes: Vec<String>,
}

impl Summary {
    fn count(&mut self, saved: &SavedRows) {
        self.added += number(saved.added);
        self.known += number(saved.known);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, known, refused, dry_run, notes: _ } = self;
        let prefix = if *dry_run { "Dry run, nothing was changed. To import" } else { "Imported" };
        write!(to, "{prefix}: {added}. Already present: {known}. Refused: {refused}.")
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Imports a file, some hundred rows per transaction, or all in one. Writes a line for each refused row to `refusals`. Blocks.
///
/// # Errors
/// If the file, the report or the database cannot be used: rows imported before stay, and the next run continues after them. With all or
/// nothing also if a row is refused, and then nothing is imported.
pub fn run(db: &Db, clock: &Clock, config: &Config, what: &Import, refusals: &mut dyn Write) -> Result<Summary> {
    if let Some(report) = &what.report {
        refuse_same(report, &what.file)?;
    }
    if what.all_or_nothing && !fs::metadata(&what.file).is_ok_and(|file| file.is_file()) {
        return Err(unusable(
            &what.file,
            io::Error::other("an import of all or nothing needs a file that can be read twice"),
        ));
    }
    let unwritable = |error| unusable(what.report.as_deref().unwrap_or(Path::new("-")), error);
    let mut report = Report::begin(what.report.as_deref(), refusals).map_err(unwritable)?;
    let moment = IntakeMoment { now: clock.now(), today: clock.today(config.time_zone) };
    let staff = Arc::new(db.read_now(staff_names)?);
    let rules = RowRules { moment, staff, terms: config.chargebacks.clone() };
    let saving = SavingRules { rules, release_by_window: config.release_by_window.clone() };
    let summary = if what.dry_run || what.all_or_nothing {
        preview(db, what, &saving.rules, &mut report)
    } else {
        save(db, what, &saving, &mut report)
    };
    report.finish()?;
    match summary? {
        Summary { refused, .. } if refused > 0 && what.all_or_nothing => {
            Err(IntakeError::ImportRefused { refused }.into())
        }
        summary if what.all_or_nothing && !what.dry_run => {
            let mut saved = Summary { notes: summary.notes, ..Summary::default() };
            saved.count(&saving::save_whole(db, &what.file, &what.program, &saving)?);
            merge_search_indexes(db);
            Ok(saved)
        }
        summary => Ok(summary),
    }
}

/// Refuses a report that would replace the file.
fn refuse_same(report: &Path, file: &Path) -> Result<()> {
    match (report.canonicalize(), file.canonicalize()) {
        (Ok(report), Ok(file)) if report == file => {
            Err(unusable(&report, io::Error::other("the report would replace the file that is imported")))
        }
        _ => Ok(()),
    }
}

fn unusable(path: &Path, error: io::Error) -> Error {
    IntakeError::ImportFileUnusable { file: path.into(), error }.into()
}

/// Reports what an import would do.
fn preview(db: &Db, what: &Import, rules: &RowRules, report: &mut Report<'_>) -> Result<Summary> {
    let (mut summary, mut filled, mut seen) = (Summary { dry_run: true, ..Summary::default() }, 0, HashSet::new());
    summary.notes = each_batch(&what.file, &what.program, rules, |Batch { valid, refused }, bar| {
        let saved = saving::preview(db, &valid, &mut seen)?;
        summary.count(&saved);
        summary.refused += number(refused.len());
        filled += saved.filled;
        bar.suspend(|| report.add(refused, saved.lines))
    })?;
    summary.notes.extend(note_on(filled));
    Ok(summary)
}

/// Imports batch by batch.
fn save(db: &Db, what: &Import, saving: &SavingRules, report: &mut Report<'_>) -> Result<Summary> {
    let (mut summary, mut filled) = (Summary::default(), 0);
    std::thread::scope(|scope| {
        // Another thread merges the saved rows into the search indexes.
        let (saved_one, saved_batches) = mpsc::sync_channel(1);
        scope.spawn(move || saved_batches.iter().for_each(|()| merge_search_indexes(db)));
        summary.notes = each_batch(&what.file, &what.program, &saving.rules, |batch, bar| {
            let Batch { valid, mut refused } = batch;
            let mut saved = saving::save(db, valid, saving)?;
            // Full: the merge that waits will include this batch.
            let _ = saved_one.try_send(());
            summary.count(&saved);
            refused.append(&mut saved.refused);
            summary.refused += number(refused.len());
            filled += saved.filled;
            bar.suspend(|| report.add(refused, saved.lines))
        })?;
        Ok::<(), Error>(())
    })?;
    summary.notes.extend(note_on(filled));
    Ok(summary)
}

fn note_on(filled: usize) -> Option<String> {
    (filled > 0).then(|| format!("empty fields of orders that are present, filled: {filled}"))
}

/// Merges the search texts of saved rows into the indexes of PostgreSQL. If it fails, a later order merges what is left.
fn merge_search_indexes(db: &Db) {
    if let Some(error) = db.is_postgres().then(|| db.write_now(bulk::merge_search_indexes)).and_then(Result::err) {
        tracing::warn!(%error, "searches stay slower until the search texts of the import are merged");
    }
}
