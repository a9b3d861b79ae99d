//! Saves the orders of a file: new ones are added, and the empty fields of those that are there are filled.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;
use std::sync::Arc;

use super::filling::{self, FilledRows, PresentRow};
use super::reading::{ReadOrder, RowRules, each_batch};
use super::report::{RefusedRow, ReportLine};
use super::row::RowFields;
use crate::audit::store::Actor;
use crate::chargebacks::attached;
use crate::chargebacks::store::NewDispute;
use crate::db::{Conn, Db};
use crate::error::{Kind, Result};
use crate::ids::OrderId;
use crate::intake::errors::IntakeError;
use crate::orders::bulk;
use crate::orders::new_order::{self, NewOrder};
use crate::orders::rules::fields::FieldError;
use crate::orders::sources::{self, KnownReferences};

/// The outcome of saving rows.
#[derive(Default)]
pub struct SavedRows {
    pub added: usize,
    /// Rows whose order existed before.
    pub known: usize,
    /// Fields of those orders that were filled.
    pub filled: usize,
    /// Rows that the database refused.
    pub refused: Vec<RefusedRow>,
    pub lines: Vec<ReportLine>,
}

impl SavedRows {
    /// Adds the outcome of further rows.
    pub fn extend(&mut self, further: Self) {
        let Self { added, known, filled, refused, lines } = further;
        self.added += added;
        self.known += known;
        self.filled += filled;
        self.refused.extend(refused);
        self.lines.extend(lines);
    }
}

/// The rules by which rows are saved.
#[derive(Clone)]
pub struct SavingRules {
    pub rules: RowRules,
    /// The codes of visas whose orders are released by their window.
    pub release_by_window: Vec<String>,
}

/// Saves the rows of a batch in one transaction, or each alone if that fails. Blocks.
///
/// # Errors
/// If the database cannot be used.
pub fn save(db: &Db, rows: Vec<ReadOrder>, saving: &SavingRules) -> Result<SavedRows> {
    let rows = Arc::new(rows);
    match save_together(db, Arc::clone(&rows), saving) {
        Err(error) if error.kind() == Kind::Unavailable => Err(error),
        // A row failed, or the sales site added one at the same time: each is tried alone.
        Err(_) => save_alone(db, &rows, saving),
        saved => saved,
    }
}

fn save_together(db: &Db, rows: Arc<Vec<ReadOrder>>, saving: &SavingRules) -> Result<SavedRows> {
    let saving = saving.clone();
    db.write_now(move |tx| save_in(tx, &rows, &saving))
}

fn save_alone(db: &Db, rows: &[ReadOrder], saving: &SavingRules) -> Result<SavedRows> {
    let mut all = SavedRows::default();
    for row in rows {
        match save_together(db, Arc::new(vec![row.clone()]), saving) {
            Ok(saved) => all.extend(saved),
            Err(error) if error.kind() == Kind::Unavailable => return Err(error),
            Err(error) => {
                tracing::error!(%error, row = row.number, "a row could not be saved");
                let errors = vec![FieldError { field: "the row".into(), reason: "could not be saved".into() }];
                all.refused.push(RefusedRow::of(row.number, &RowFields::default(), errors));
            }
        }
    }
    Ok(all)
}

/// Saves all rows of a file in one transaction, without lines for the report: [`preview`] gives them before. Blocks, and so do other
/// changes on SQLite.
///
/// # Errors
/// If the file cannot be used, or a row cannot be saved. Then nothing is.
pub fn save_whole(db: &Db, file: &Path, program: &Path, saving: &SavingRules) -> Result<SavedRows> {
    let (file, program, saving) = (file.to_owned(), program.to_owned(), saving.clone());
    db.write_now(move |tx| {
        let mut all = SavedRows::default();
        each_batch(&file, &program, &saving.rules, |batch, _| {
            if !batch.refused.is_empty() {
                let refused = u64::try_from(batch.refused.len()).unwrap_or(u64::MAX);
                return Err(IntakeError::ImportRefused { refused }.into());
            }
            let saved = save_in(tx, &batch.valid, &saving)?;
            all.extend(SavedRows { lines: Vec::new(), ..saved });
            Ok(())
        })?;
        Ok(all)
    })
}

fn save_in(tx: &mut Conn, rows: &[ReadOrder], saving: &SavingRules) -> Result<SavedRows> {
    let (by, now) = (Actor::program("import"), saving.rules.moment.now);
    bulk::delay_search_indexes(tx)?;
    let known = known_references(tx, rows)?;
    let DividedRows { new, mut present, repeated } = DividedRows::of(rows, &known, &mut HashSet::new());
    let orders: Vec<NewOrder> = new.iter().map(|row| row.order.clone()).collect();
    let ids = new_order::add_all(tx, &orders, &by, now)?;
    let disputes = ids.iter().zip(&new).filter_map(|(id, row)| Some((*id, row.chargeback.clone()?)));
    attached::add_new(tx, &disputes.collect::<Vec<(OrderId, NewDispute)>>(), &by)?;
    let added: HashMap<&str, OrderId> = new.iter().map(|row| row.reference()).zip(ids).collect();
    present.extend(repeated.iter().filter_map(|row| Some(row.of_order(*added.get(row.reference())?))));
    let FilledRows { fields, mut lines } = filling::fill(tx, &present, &saving.release_by_window, &by, now)?;
    lines.extend(new.iter().flat_map(|row| ReportLine::of_kept(row.number, &row.order)));
    Ok(SavedRows { added: new.len(), known: rows.len() - new.len(), filled: fields, refused: Vec::new(), lines })
}

/// Returns what [`save`] would do. `seen` are the digests of the references of earlier rows.
pub fn preview(db: &Db, rows: &[ReadOrder], seen: &mut HashSet<u64>) -> Result<SavedRows> {
    db.read_now(|conn| {
        let known = known_references(conn, rows)?;
        let DividedRows { new, present, repeated: _ } = DividedRows::of(rows, &known, seen);
        let FilledRows { fields, mut lines } = filling::preview(conn, &present)?;
        lines.extend(new.iter().flat_map(|row| ReportLine::of_kept(row.number, &row.order)));
        Ok(SavedRows { added: new.len(), known: rows.len() - new.len(), filled: fields, refused: Vec::new(), lines })
    })
}

/// Rows by what is there of their orders.
struct DividedRows<'a> {
    new: Vec<&'a ReadOrder>,
    present: Vec<PresentRow<'a>>,
    /// Those whose order a new row before them adds.
    repeated: Vec<&'a ReadOrder>,
}

impl<'a> DividedRows<'a> {
    fn of(rows: &'a [ReadOrder], known: &KnownReferences, seen: &mut HashSet<u64>) -> Self {
        let mut divided = Self { new: Vec::new(), present: Vec::new(), repeated: Vec::new() };
        for row in rows {
            let NewOrder { contact_email_address: email, processing_date, .. } = &row.order;
            let digest = BuildHasherDefault::<DefaultHasher>::default().hash_one(row.reference());
            match known.find(row.reference(), email, *processing_date) {
                Some(order_id) => divided.present.push(row.of_order(order_id)),
                None if seen.insert(digest) => divided.new.push(row),
                None => divided.repeated.push(row),
            }
        }
        divided
    }
}

fn known_references(conn: &mut Conn, rows: &[ReadOrder]) -> Result<KnownReferences> {
    let references: Vec<&str> = rows.iter().map(ReadOrder::reference).collect();
    sources::list_references(conn, &references)
}
