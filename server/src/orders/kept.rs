//! Values of orders beside what their own columns hold: as they were sent, because they are not understood, or because a bank may ask for them.
//! They are never altered. A member settles one that is not understood: by a correction of its field, or by finding that nothing is to be
//! corrected.

use std::collections::HashMap;

use diesel::prelude::*;

use super::rules::fields::KeptValue;
use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::kept_values;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

#[derive(Insertable)]
#[diesel(table_name = kept_values, treat_none_as_default_value = false)]
struct KeptRow<'a> {
    order_id: OrderId,
    field: &'a str,
    value: &'a str,
    reason: Option<&'a str>,
}

/// Adds the values of new orders.
pub fn add<'a>(tx: &mut Conn, values: impl Iterator<Item = (OrderId, &'a KeptValue)>) -> Result<()> {
    let rows = values.map(|(order_id, KeptValue { field, value, reason })| {
        let reason = reason.as_deref();
        KeptRow { order_id, field, value, reason }
    });
    add_rows!(tx, kept_values::table, rows);
    Ok(())
}

/// A value that was kept.
#[derive(Clone, Debug, Queryable)]
pub struct StoredValue {
    pub field: String,
    pub value: String,
    /// None: it is understood, and kept as evidence.
    pub reason: Option<String>,
    pub settled_at: Option<Timestamp>,
}

impl StoredValue {
    /// Returns true if a member has to look at it.
    pub fn is_unclear(&self) -> bool {
        self.reason.is_some() && self.settled_at.is_none()
    }
}

/// Lists the values of an order by field.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<StoredValue>> {
    let rows = kept_values::table.filter(kept_values::order_id.eq(order_id)).order(kept_values::field);
    let rows = rows.select((kept_values::field, kept_values::value, kept_values::reason, kept_values::settled_at));
    Ok(on_either!(conn => rows.load(conn))?)
}

/// Lists the values of at most 500 orders. Those without values are absent.
pub fn list_of(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashMap<OrderId, Vec<StoredValue>>> {
    let rows = kept_values::table.filter(kept_values::order_id.eq_any(order_ids)).select((
        kept_values::order_id,
        (kept_values::field, kept_values::value, kept_values::reason, kept_values::settled_at),
    ));
    let rows: Vec<(OrderId, StoredValue)> = rows.load(conn)?;
    let mut found: HashMap<OrderId, Vec<StoredValue>> = HashMap::new();
    for (order_id, value) in rows {
        found.entry(order_id).or_default().push(value);
    }
    Ok(found)
}

/// Settles the values of these fields that are still open, and returns which. The caller has locked the order.
pub fn settle(tx: &mut Conn, order_id: OrderId, fields: &[&str], by: StaffId, now: Timestamp) -> Result<Vec<String>> {
    let open = kept_values::table.filter(kept_values::order_id.eq(order_id)).filter(kept_values::settled_at.is_null());
    let open = open.filter(kept_values::field.eq_any(fields)).filter(kept_values::reason.is_not_null());
    let settled = (kept_values::settled_by.eq(by), kept_values::settled_at.eq(now));
    Ok(diesel::update(open).set(settled).returning(kept_values::field).get_results(tx)?)
}
