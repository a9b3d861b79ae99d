//! `visadesk import FILE`: imports orders of an older system. Every valid row is added once, each refused one is reported.
//!
//! - `import/opened_file.rs`: opens a file of any format. `encoding.rs`: the form of a text. `workbook.rs`: workbooks of Excel.
//! - `import/rows.rs`: reads rows; `records.rs`: those of CSV. `columns.rs`, `cells.rs`: what is in them.

mod cells;
mod columns;
mod encoding;
mod opened_file;
mod records;
mod row;
mod rows;
pub mod workbook;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use serde_json::Value;

use self::opened_file::OpenedFile;
use self::row::{ImportRow, RowFields};
use self::rows::Rows;
use super::errors::IntakeError;
use super::rules::{self, IntakeMoment, Source};
use crate::audit::store::Actor;
use crate::chargebacks::attached;
use crate::chargebacks::rules as chargebacks;
use crate::chargebacks::store::NewDispute;
use crate::clock::Clock;
use crate::config::{ChargebackSettings as Terms, Config};
use crate::db::{Conn, Db, MAX_IDS};
use crate::error::{Error, Kind, Result};
use crate::files::sha256;
use crate::ids::StaffId;
use crate::orders::bulk;
use crate::orders::new_order::{self, NewOrder};
use crate::orders::rules::fields::FieldError;
use crate::orders::sources::{self, KnownReferences};
use crate::staff::store as staff;
use crate::text::without_case;

/// The rows of one transaction.
const BATCH: usize = MAX_IDS;

/// The options of an import.
#[derive(Clone, Debug)]
pub struct Import {
    /// A workbook of Excel, NDJSON or CSV, by the name's extension or else by its first bytes.
    pub file: PathBuf,
    /// Counts only, without changing the database.
    pub dry_run: bool,
    /// The file for refused rows. None: standard output.
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
    /// For the person who runs the import: columns and sheets that are not imported, and a guessed encoding.
    pub notes: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, known, refused, dry_run, notes: _ } = self;
        let prefix = if *dry_run { "Dry run, nothing was changed. To import" } else { "Imported" };
        write!(to, "{prefix}: {added}. Already present: {known}. Refused: {refused}.")
    }
}

/// Imports a file, some hundred rows per transaction. Blocks.
///
/// # Errors
/// Only if the file, the report or the database cannot be used. Rows imported before stay, and the next run continues after them.
pub fn run(db: &Db, clock: &Clock, config: &Config, what: &Import) -> Result<Summary> {
    let mut report: Box<dyn Write> = match &what.report {
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| unusable(path, error))?)),
        None => Box::new(io::stdout().lock()),
    };
    let summary = import(db, clock, config, what, &mut report)?;
    report.flush().map_err(Error::internal)?;
    Ok(summary)
}

fn import(db: &Db, clock: &Clock, config: &Config, what: &Import, report: &mut dyn Write) -> Result<Summary> {
    let unusable = |error: io::Error| unusable(&what.file, error);
    let OpenedFile { rows, bar, notes } = OpenedFile::open(&what.file, &what.program).map_err(unusable)?;
    let context = IntakeMoment { now: clock.now(), today: clock.today(config.time_zone) };
    let staff = db.read_now(staff_names)?;
    let mut summary = Summary { dry_run: what.dry_run, notes, ..Summary::default() };
    let mut references = ReadReferences::default();

    std::thread::scope(|scope| {
        // One thread reads and validates rows while this one saves them.
        let (checked, batches) = mpsc::sync_channel(2);
        let staff = &staff;
        let reading = scope.spawn(move || read(rows, context, staff, &config.chargebacks, &checked));
        // On PostgreSQL, another one merges the saved rows into the search indexes.
        let (saved, saved_batches) = mpsc::sync_channel(1);
        if db.is_postgres() {
            scope.spawn(move || merge_search_indexes(db, &saved_batches));
        }
        for batch in batches {
            let Batch { valid, mut refused } = batch;
            if what.dry_run {
                references.count(db, &valid, &mut summary)?;
            } else {
                refused.extend(save(db, valid, context, &mut summary)?);
                // Full: the merge that waits will include this batch.
                let _ = saved.try_send(());
            }
            refused.sort_by_key(|row| row.number);
            for row in &refused {
                bar.suspend(|| writeln!(report, "{row}")).map_err(Error::internal)?;
            }
            summary.refused += u64::try_from(refused.len()).unwrap_or(0);
        }
        match reading.join() {
            Ok(outcome) => {
                let unknown = outcome.map_err(unusable)?;
                let named =
                    (!unknown.is_empty()).then(|| format!("columns that are not imported: {}", unknown.join(", ")));
                summary.notes.extend(named);
                Ok(())
            }
            Err(panic) => Err(Error::internal(crate::db::panic_text(&*panic))),
        }
    })?;
    bar.finish_and_clear();
    Ok(summary)
}

fn unusable(path: &Path, error: io::Error) -> Error {
    IntakeError::ImportFileUnusable { file: path.into(), error }.into()
}

/// The ids of the staff by their names without case.
fn staff_names(conn: &mut Conn) -> Result<HashMap<String, StaffId>> {
    let members = staff::list(conn)?;
    Ok(members.into_iter().map(|member| (without_case(&member.name), member.staff_id)).collect())
}

/// The order of a row, and its dispute if it is charged back.
#[derive(Clone)]
struct ReadOrder {
    order: NewOrder,
    chargeback: Option<NewDispute>,
}

impl ReadOrder {
    fn reference(&self) -> Option<&str> {
        self.order.external_reference.as_deref()
    }

    /// An order that is there has its reference and is the same.
    fn is_known(&self, known: &KnownReferences) -> bool {
        let NewOrder { contact_email_address: email, processing_date, .. } = &self.order;
        self.reference().is_some_and(|reference| known.has(reference, email, *processing_date))
    }
}

/// Validated rows.
#[derive(Default)]
struct Batch {
    valid: Vec<(u64, ReadOrder)>,
    refused: Vec<RefusedRow>,
}

/// A refused row and its errors: one line of the report.
struct RefusedRow {
    number: u64,
    errors: Vec<FieldError>,
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

/// Reads and validates all rows. Returns the columns that are not imported.
fn read(
    mut rows: Rows<impl BufRead>,
    context: IntakeMoment,
    staff: &HashMap<String, StaffId>,
    terms: &Terms,
    checked: &mpsc::SyncSender<Batch>,
) -> io::Result<Vec<String>> {
    let mut batch = Batch::default();
    for row in &mut rows {
        let ImportRow { number, given } = row?;
        match given.map_err(|error| vec![error]).and_then(|given| order_of(&given, context, staff, terms)) {
            Ok(order) => batch.valid.push((number, order)),
            Err(errors) => batch.refused.push(RefusedRow { number, errors }),
        }
        let full = batch.valid.len() >= BATCH || batch.refused.len() >= BATCH;
        if full && checked.send(std::mem::take(&mut batch)).is_err() {
            return Ok(Vec::new());
        }
    }
    // The receiver is gone if saving failed, which reports its own error.
    let _ = checked.send(batch);
    Ok(rows.unknown_columns())
}

/// The order of a row; a disputed one with its dispute, opened today. An order without a reference gets a digest of the row as its
/// reference, so that a repeated import recognises it.
fn order_of(
    RowFields { fields: given, doubts }: &RowFields,
    context: IntakeMoment,
    staff: &HashMap<String, StaffId>,
    terms: &Terms,
) -> Result<ReadOrder, Vec<FieldError>> {
    let mut order = rules::check(given, context, Source::OlderSystem { staff, doubts })?;
    if order.external_reference.is_none() {
        let sorted: BTreeMap<&String, &Value> = given.iter().collect();
        let row = serde_json::to_vec(&sorted).unwrap_or_default();
        order.external_reference = Some(format!("import:{}", &sha256(&row)[..32]));
    }
    let chargeback = order.process_status.is_disputed().then(|| NewDispute {
        dispute: chargebacks::new_dispute(order.payment.as_ref(), context.today, terms),
        at: context.now,
    });
    Ok(ReadOrder { order, chargeback })
}

/// Merges the search texts of saved batches into the indexes, until there are no more batches. A later order merges what is left.
fn merge_search_indexes(db: &Db, saved: &mpsc::Receiver<()>) {
    for () in saved {
        if let Err(error) = db.write_now(bulk::merge_search_indexes) {
            tracing::warn!(%error, "searches stay slower until the search texts of the import are merged");
            return;
        }
    }
}

/// Saves a batch. Returns the rows that the database refused.
fn save(db: &Db, rows: Vec<(u64, ReadOrder)>, context: IntakeMoment, summary: &mut Summary) -> Result<Vec<RefusedRow>> {
    let (numbers, orders): (Vec<u64>, Vec<ReadOrder>) = rows.into_iter().unzip();
    let mut count = |saved: usize, of: usize| {
        summary.added += u64::try_from(saved).unwrap_or(0);
        summary.known += u64::try_from(of - saved).unwrap_or(0);
    };
    let orders = Arc::new(orders);
    match add_new(db, Arc::clone(&orders), context) {
        Ok(saved) => {
            count(saved, orders.len());
            return Ok(Vec::new());
        }
        Err(error) if error.kind() == Kind::Unavailable => return Err(error),
        // A row failed, or the sales site added one at the same time: each is tried alone.
        Err(_) => {}
    }
    let mut refused = Vec::new();
    for (number, order) in numbers.into_iter().zip(orders.iter()) {
        match add_new(db, Arc::new(vec![order.clone()]), context) {
            Ok(saved) => count(saved, 1),
            Err(error) if error.kind() == Kind::Unavailable => return Err(error),
            Err(error) => {
                tracing::error!(%error, row = number, "a row could not be saved");
                let errors = vec![FieldError { field: "the row".into(), reason: "could not be saved".into() }];
                refused.push(RefusedRow { number, errors });
            }
        }
    }
    Ok(refused)
}

/// Adds the orders whose reference is new in one transaction. Returns how many.
fn add_new(db: &Db, orders: Arc<Vec<ReadOrder>>, context: IntakeMoment) -> Result<usize> {
    let by = Actor::program("import");
    db.write_now(move |tx| {
        bulk::delay_search_indexes(tx)?;
        let references: Vec<&str> = orders.iter().filter_map(|order| order.reference()).collect();
        let known = sources::list_references(tx, &references)?;
        let mut seen: HashSet<String> = HashSet::new();
        let is_new = |read: &&ReadOrder| {
            read.reference().is_none_or(|reference| !read.is_known(&known) && seen.insert(reference.to_owned()))
        };
        let (new, disputes): (Vec<NewOrder>, Vec<Option<NewDispute>>) =
            orders.iter().filter(is_new).map(|one| (one.order.clone(), one.chargeback.clone())).unzip();
        let ids = new_order::add_all(tx, &new, &by, context.now)?;
        let opened = ids.iter().zip(disputes).filter_map(|(id, dispute)| Some((*id, dispute?)));
        attached::add_new(tx, &opened.collect::<Vec<_>>(), &by)?;
        Ok(new.len())
    })
}

/// The digests of the references that a dry run has read.
#[derive(Default)]
struct ReadReferences(HashSet<u64>);

impl ReadReferences {
    fn count(&mut self, db: &Db, rows: &[(u64, ReadOrder)], summary: &mut Summary) -> Result<()> {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let digest = |reference: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(reference);
        let references: Vec<&str> = rows.iter().filter_map(|(_, order)| order.reference()).collect();
        let known = db.read_now(|conn| sources::list_references(conn, &references))?;
        for (_, order) in rows {
            let Some(reference) = order.reference() else { continue };
            let is_new = self.0.insert(digest(reference)) && !order.is_known(&known);
            *(if is_new { &mut summary.added } else { &mut summary.known }) += 1;
        }
        Ok(())
    }
}
