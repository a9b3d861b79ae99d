//! The sources of orders. An order belongs to the source whose key created it, or to none: then every source may see it.
//!
//! The reference of an order with a source is unique within the source, of one without among those without.

use std::collections::HashMap;

use chrono::NaiveDate;
use diesel::prelude::*;

use super::errors::OrderError;
use crate::db::Conn;
use crate::db::schema::{order_sources, orders};
use crate::error::Result;
use crate::ids::{OrderId, SourceId};
use crate::text::without_case;

/// Refuses an order that belongs to another source than `source`. Without a source, every order may be seen.
///
/// # Errors
/// [`OrderError::OrderNotFound`], as for an order that does not exist.
pub fn check_visible(conn: &mut Conn, order_id: OrderId, source: Option<SourceId>) -> Result<()> {
    let Some(source) = source else { return Ok(()) };
    let owner = order_sources::table.find(order_id).select(order_sources::source_id).first::<SourceId>(conn);
    match owner.optional()? {
        Some(owner) if owner != source => Err(OrderError::OrderNotFound.into()),
        _ => Ok(()),
    }
}

/// An order with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferencedOrder {
    pub order_id: OrderId,
    /// The reference is unique among the orders of its source. One without a source may be another order of the same reference.
    pub is_of_source: bool,
}

/// Finds the order with that reference among those that `source` may see: its own before one without a source. Without a source, one
/// without a source before those with one, of which the oldest.
pub fn find_by_reference(
    conn: &mut Conn,
    reference: &str,
    source: Option<SourceId>,
) -> Result<Option<ReferencedOrder>> {
    let mut with_source = order_sources::table
        .filter(order_sources::external_reference.eq(reference))
        .order(order_sources::order_id)
        .select(order_sources::order_id)
        .into_boxed();
    if let Some(source) = source {
        with_source = with_source.filter(order_sources::source_id.eq(source));
    }
    let without_source = orders::table.filter(orders::external_reference.eq(reference)).select(orders::order_id);
    let with_source = with_source.first::<OrderId>(conn).optional()?;
    if let (Some(_), Some(order_id)) = (source, with_source) {
        return Ok(Some(ReferencedOrder { order_id, is_of_source: true }));
    }
    let found = without_source.first::<OrderId>(conn).optional()?.or(with_source);
    Ok(found.map(|order_id| ReferencedOrder { order_id, is_of_source: source.is_none() }))
}

/// The orders that have one of some references already.
#[derive(Debug)]
pub struct KnownReferences {
    without_source: HashMap<String, OrderId>,
    /// By reference, contact address without case, and processing date. The same number of another source may be another order.
    with_source: HashMap<(String, String, Option<NaiveDate>), OrderId>,
}

impl KnownReferences {
    /// Finds the order without a source that has the reference, else the oldest one of a source that also has the contact address and the
    /// processing date.
    pub fn find(&self, reference: &str, email: &str, processing_date: Option<NaiveDate>) -> Option<OrderId> {
        let of_source = || self.with_source.get(&(reference.to_owned(), without_case(email), processing_date));
        self.without_source.get(reference).or_else(of_source).copied()
    }
}

/// Finds the orders that have one of at most 500 `references`.
pub fn list_references(conn: &mut Conn, references: &[&str]) -> Result<KnownReferences> {
    let without_source = orders::table
        .filter(orders::external_reference.eq_any(references))
        .select((orders::external_reference.assume_not_null(), orders::order_id));
    let with_source = order_sources::table
        .inner_join(orders::table)
        .filter(order_sources::external_reference.eq_any(references))
        // The oldest one is read last, and replaces the others.
        .order(orders::order_id.desc())
        .select((
            order_sources::external_reference.assume_not_null(),
            orders::contact_email_address,
            orders::processing_date,
            orders::order_id,
        ));
    let with_source: Vec<(String, String, Option<NaiveDate>, OrderId)> = with_source.load(conn)?;
    let with_source =
        with_source.into_iter().map(|(reference, email, date, id)| ((reference, without_case(&email), date), id));
    Ok(KnownReferences {
        without_source: without_source.load(conn)?.into_iter().collect(),
        with_source: with_source.collect(),
    })
}

/// Finds the reference of an order with a source.
pub fn find_reference(conn: &mut Conn, order_id: OrderId) -> Result<Option<String>> {
    let reference = order_sources::table.find(order_id).select(order_sources::external_reference);
    Ok(reference.first::<Option<String>>(conn).optional()?.flatten())
}
