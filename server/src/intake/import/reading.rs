//! Reads the rows of a file by the rules of intake, in batches.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::{Arc, mpsc};

use indicatif::ProgressBar;
use serde_json::Value;

use super::filling::PresentRow;
use super::opened_file::OpenedFile;
use super::report::RefusedRow;
use super::row::{ImportRow, RowFields};
use super::rows::Rows;
use crate::chargebacks::rules as chargebacks;
use crate::chargebacks::store::NewDispute;
use crate::config::ChargebackSettings as Terms;
use crate::db::{Conn, MAX_IDS};
use crate::error::{Error, Result};
use crate::files::sha256;
use crate::ids::{OrderId, StaffId};
use crate::intake::errors::IntakeError;
use crate::intake::rules::{self, IntakeMoment, Source};
use crate::orders::new_order::NewOrder;
use crate::orders::rules::fields::FieldError;
use crate::staff::store as staff;
use crate::text::without_case;

/// The rows of one transaction.
const BATCH: usize = MAX_IDS;

/// The rules by which rows are read.
#[derive(Clone)]
pub struct RowRules {
    pub moment: IntakeMoment,
    /// The ids of the staff by their names without case.
    pub staff: Arc<HashMap<String, StaffId>>,
    pub terms: Terms,
}

/// The ids of the staff by their names without case.
pub fn staff_names(conn: &mut Conn) -> Result<HashMap<String, StaffId>> {
    let members = staff::list(conn)?;
    Ok(members.into_iter().map(|member| (without_case(&member.name), member.staff_id)).collect())
}

/// The order of a row, and its dispute if it is charged back.
#[derive(Clone)]
pub struct ReadOrder {
    /// The number of the row.
    pub number: u64,
    pub order: NewOrder,
    pub chargeback: Option<NewDispute>,
}

impl ReadOrder {
    /// The reference of the row, or its digest.
    pub fn reference(&self) -> &str {
        self.order.external_reference.as_deref().unwrap_or_default()
    }

    /// The row, as one whose order is present.
    pub fn of_order(&self, order_id: OrderId) -> PresentRow<'_> {
        PresentRow { number: self.number, order_id, given: &self.order }
    }
}

/// Validated rows.
#[derive(Default)]
pub struct Batch {
    pub valid: Vec<ReadOrder>,
    pub refused: Vec<RefusedRow>,
}

/// Reads a file and hands its rows over in batches. Returns what the person who runs the import should know of the file. Blocks.
///
/// # Errors
/// If the file cannot be used, or a batch cannot.
pub fn each_batch(
    file: &Path,
    program: &Path,
    by: &RowRules,
    mut take: impl FnMut(Batch, &ProgressBar) -> Result<()>,
) -> Result<Vec<String>> {
    let unusable = |error: io::Error| Error::from(IntakeError::ImportFileUnusable { file: file.into(), error });
    let OpenedFile { rows, bar, mut notes } = OpenedFile::open(file, program).map_err(unusable)?;
    std::thread::scope(|scope| {
        // One thread reads and validates rows while this one takes them.
        let (checked, batches) = mpsc::sync_channel(2);
        let reading = scope.spawn(move || read(rows, by, &checked));
        for batch in batches {
            take(batch, &bar)?;
        }
        match reading.join() {
            Ok(outcome) => {
                let unknown = outcome.map_err(unusable)?;
                let named =
                    (!unknown.is_empty()).then(|| format!("columns that are not imported: {}", unknown.join(", ")));
                notes.extend(named);
                Ok(())
            }
            Err(panic) => Err(Error::internal(crate::db::panic_text(&*panic))),
        }
    })?;
    bar.finish_and_clear();
    Ok(notes)
}

/// Reads and validates all rows. Returns the columns that are not imported.
fn read(mut rows: Rows<impl BufRead>, by: &RowRules, checked: &mpsc::SyncSender<Batch>) -> io::Result<Vec<String>> {
    let mut batch = Batch::default();
    for row in &mut rows {
        let ImportRow { number, given } = row?;
        match given {
            Ok(given) => match order_of(number, &given, by) {
                Ok(order) => batch.valid.push(order),
                Err(errors) => batch.refused.push(RefusedRow::of(number, &given, errors)),
            },
            Err(error) => batch.refused.push(RefusedRow::of(number, &RowFields::default(), vec![error])),
        }
        let full = batch.valid.len() >= BATCH || batch.refused.len() >= BATCH;
        if full && checked.send(std::mem::take(&mut batch)).is_err() {
            return Ok(Vec::new());
        }
    }
    // The receiver is gone if a batch could not be used, which has an error of its own.
    let _ = checked.send(batch);
    Ok(rows.unknown_columns())
}

/// The order of a row; a disputed one with its dispute, opened today. An order without a reference gets a digest of the row as its
/// reference, so that a repeated import recognises it.
fn order_of(number: u64, row: &RowFields, by: &RowRules) -> Result<ReadOrder, Vec<FieldError>> {
    let RowFields { fields: given, doubts } = row;
    let mut order = rules::check(given, by.moment, Source::OlderSystem { staff: &by.staff, doubts })?;
    if order.external_reference.is_none() {
        let sorted: BTreeMap<&String, &Value> = given.iter().collect();
        let row = serde_json::to_vec(&sorted).unwrap_or_default();
        order.external_reference = Some(format!("import:{}", &sha256(&row)[..32]));
    }
    let chargeback = order.process_status.is_disputed().then(|| NewDispute {
        dispute: chargebacks::new_dispute(order.payment.as_ref(), by.moment.today, &by.terms),
        at: by.moment.now,
    });
    Ok(ReadOrder { number, order, chargeback })
}
