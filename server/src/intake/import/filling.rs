//! Compares rows with the orders that they are about, and fills their empty fields.

use std::collections::{BTreeSet, HashMap};

use super::report::ReportLine;
use crate::audit::store::{self as audit, Actor};
use crate::db::Conn;
use crate::error::Result;
use crate::filing::store as filing;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::orders::facts::OrderFacts;
use crate::orders::new_order::NewOrder;
use crate::orders::rules::entered::EnteredOrder;
use crate::orders::rules::filling::{self as rules, FilledOrder, PresentOrder, UnequalField};
use crate::orders::{corrections, kept};
use crate::timestamp::Timestamp;

/// A row whose order is present.
#[derive(Clone, Copy)]
pub struct PresentRow<'a> {
    pub number: u64,
    pub order_id: OrderId,
    pub given: &'a NewOrder,
}

/// A row beside its order.
struct ComparedRow {
    number: u64,
    order: OrderFacts,
    current: EnteredOrder,
    filling: FilledOrder,
}

/// The number of filled fields, and what the report says of the rows.
#[derive(Default)]
pub struct FilledRows {
    pub fields: usize,
    pub lines: Vec<ReportLine>,
}

impl FilledRows {
    fn of(compared: &[ComparedRow]) -> Self {
        Self {
            fields: compared.iter().map(|row| row.filling.changed.len()).sum(),
            lines: compared.iter().flat_map(lines).collect(),
        }
    }
}

/// Returns what [`fill`] would do with at most 500 rows.
pub fn preview(conn: &mut Conn, rows: &[PresentRow<'_>]) -> Result<FilledRows> {
    Ok(FilledRows::of(&compare(conn, rows)?))
}

/// Fills the empty fields of the orders of at most 500 rows. `codes` are released by their window.
pub fn fill(
    tx: &mut Conn,
    rows: &[PresentRow<'_>],
    codes: &[String],
    by: &Actor,
    now: Timestamp,
) -> Result<FilledRows> {
    let mut compared = compare(tx, rows)?;
    let is_filled = |row: &ComparedRow| !row.filling.changed.is_empty();
    if !compared.iter().any(is_filled) {
        return Ok(FilledRows::of(&compared));
    }
    let numbers: BTreeSet<_> = compared.iter().filter(|row| is_filled(row)).map(|row| row.number).collect();
    let filled: Vec<PresentRow<'_>> = rows.iter().filter(|row| numbers.contains(&row.number)).copied().collect();
    lock_orders(tx, &filled.iter().map(|row| row.order_id).collect::<Vec<_>>())?;
    // A member may have changed them meanwhile.
    let locked = compare(tx, &filled)?;
    for row in locked.iter().filter(|row| is_filled(row)) {
        let FilledOrder { filled, changed, .. } = &row.filling;
        let written = corrections::write(tx, (&row.order, &row.current), filled, changed, codes, now)?;
        audit::add(tx, by, &written.changes, now)?;
    }
    compared.retain(|row| !is_filled(row));
    compared.extend(locked);
    Ok(FilledRows::of(&compared))
}

fn compare(conn: &mut Conn, rows: &[PresentRow<'_>]) -> Result<Vec<ComparedRow>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<OrderId> = rows.iter().map(|row| row.order_id).collect();
    let originals = corrections::list_originals_of(conn, &ids)?;
    let (kept, filed) = (kept::list_of(conn, &ids)?, filing::list_filed(conn, &ids)?);
    let none = corrections::Originals::new();
    let present = corrections::list_entered(conn, &ids)?;
    let mut present: HashMap<OrderId, _> = present.into_iter().map(|found| (found.0.order_id, found)).collect();
    let mut compared = Vec::new();
    for row in rows {
        // Of two rows about one order, the first one is compared.
        let Some((order, current)) = present.remove(&row.order_id) else { continue };
        let kept = kept.get(&row.order_id).map(Vec::as_slice).unwrap_or_default();
        let settled: Vec<&str> =
            kept.iter().filter(|value| value.settled_at.is_some()).map(|value| value.field.as_str()).collect();
        let about = PresentOrder {
            process_status: order.process_status,
            is_filed: filed.contains(&row.order_id),
            entered: &current,
            originals: originals.get(&row.order_id).unwrap_or(&none),
            settled: &settled,
        };
        let mut filling = rules::compare(about, &row.given.entered());
        filling.unequal.extend(not_understood(row.given, kept));
        compared.push(ComparedRow { number: row.number, order, current, filling });
    }
    Ok(compared)
}

/// The values of a row that are not understood, and that the order does not have in the same way.
fn not_understood(given: &NewOrder, kept: &[kept::StoredValue]) -> Vec<UnequalField> {
    let is_there = |field: &str, value: &str| kept.iter().any(|kept| kept.field == field && kept.value == value);
    let new = given.kept.iter().filter(|one| !is_there(&one.field, &one.value));
    let unequal = new.filter_map(|one| {
        let reason = format!("not filled: {} {}", one.field, one.reason.as_ref()?);
        Some(UnequalField { field: one.field.clone(), value: one.value.clone(), reason })
    });
    unequal.collect()
}

fn lines(row: &ComparedRow) -> Vec<ReportLine> {
    let line = |column: &str, value: &str, reason: String| ReportLine {
        row: row.number,
        column: column.to_owned(),
        value: value.to_owned(),
        reason,
    };
    let order = row.order.order_id;
    let filled = row.filling.changed.iter().map(|change| {
        let value = change.after.as_deref().unwrap_or_default();
        line(change.field, value, format!("filled in the order that was there, {order}"))
    });
    let unequal = row.filling.unequal.iter();
    filled.chain(unequal.map(|one| line(&one.field, &one.value, format!("{} ({order})", one.reason)))).collect()
}
