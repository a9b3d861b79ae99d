//! The result of the comparison of each visa, and the visas that were held, as rows.

use std::collections::HashMap;

use diesel::prelude::*;

use super::rules::{self, Comparison, ExpectedVisa, VisaField, VisaOutcome};
use crate::db::Conn;
use crate::db::schema::{deliveries, held_visas};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::orders::facts;
use crate::orders::rules::personal_name::PersonalName;
use crate::timestamp::Timestamp;

/// The findings made as a visa was uploaded.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = deliveries)]
pub struct Delivery {
    pub document_id: i64,
    pub outcome: VisaOutcome,
    differing: String,
    /// The order that has had the same file as its visa.
    pub used_by: Option<OrderId>,
    /// Why it was delivered all the same.
    pub reason: Option<String>,
    pub looked_by: Option<StaffId>,
    pub looked_at: Option<Timestamp>,
}

impl Delivery {
    /// Returns the result of the comparison.
    pub fn comparison(&self) -> Comparison {
        let differing = self.differing.split(',').filter_map(VisaField::parse).collect();
        Comparison { outcome: self.outcome, differing }
    }
}

/// The findings for a new visa.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    pub order_id: OrderId,
    pub comparison: Comparison,
    pub used_by: Option<OrderId>,
    pub reason: Option<String>,
    /// True if it has no text, so that its pages are read after the delivery.
    pub is_to_be_read: bool,
}

impl NewDelivery {
    /// Returns true if a member has to review the visa.
    pub fn is_wrong(&self) -> bool {
        rules::is_wrong(self.comparison.outcome, self.used_by.is_some())
    }
}

/// Returns the values of an order that its visa must show.
pub fn find_expected(conn: &mut Conn, order_id: OrderId) -> Result<ExpectedVisa> {
    let application = facts::find_application(conn, order_id)?;
    let order = facts::find(conn, order_id)?.map(|(order, _)| order);
    let parts = [&application.first_name, &application.middle_name, &application.last_name];
    let joined = PersonalName::of_parts(parts.map(Option::as_deref));
    Ok(ExpectedVisa {
        document_number: application.document_number,
        names: order.and_then(|order| PersonalName::read(&order.full_name)).into_iter().chain(joined).collect(),
        date_of_birth: application.date_of_birth,
    })
}

/// Adds what was found for a visa, in the transaction that adds the visa. `event_id` is the audit row by which its delivery can be undone.
pub fn add(tx: &mut Conn, document_id: i64, new: &NewDelivery, event_id: Option<i64>) -> Result<()> {
    let differing: Vec<&str> = new.comparison.differing.iter().map(|field| field.as_str()).collect();
    diesel::insert_into(deliveries::table)
        .values((
            deliveries::document_id.eq(document_id),
            deliveries::order_id.eq(new.order_id),
            deliveries::outcome.eq(new.comparison.outcome),
            deliveries::differing.eq(differing.join(",")),
            deliveries::used_by.eq(new.used_by),
            deliveries::reason.eq(&new.reason),
            deliveries::event_id.eq(event_id),
        ))
        .execute(tx)?;
    Ok(())
}

/// The visa whose delivery can be undone by that audit row.
pub fn find_by_event(conn: &mut Conn, event_id: i64) -> Result<Option<i64>> {
    let delivered = deliveries::table.filter(deliveries::event_id.eq(event_id));
    Ok(delivered.select(deliveries::document_id).first(conn).optional()?)
}

/// Lists what was found for the visas of an order, by document.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<HashMap<i64, Delivery>> {
    let rows = deliveries::table.filter(deliveries::order_id.eq(order_id)).select(Delivery::as_select());
    Ok(rows.load::<Delivery>(conn)?.into_iter().map(|row| (row.document_id, row)).collect())
}

/// Notes that a member has looked at what was found. False: there is no such visa, or somebody has looked already.
pub fn look(tx: &mut Conn, order_id: OrderId, document_id: i64, by: StaffId, now: Timestamp) -> Result<bool> {
    let row = deliveries::table
        .find(document_id)
        .filter(deliveries::order_id.eq(order_id))
        .filter(deliveries::looked_at.is_null());
    let set = (deliveries::looked_by.eq(by), deliveries::looked_at.eq(now));
    Ok(diesel::update(row).set(set).execute(tx)? == 1)
}

/// Notes that a visa was held back, and from whom.
pub fn hold(tx: &mut Conn, order_id: OrderId, sha256: &str, by: StaffId, now: Timestamp) -> Result<()> {
    diesel::insert_into(held_visas::table)
        .values((
            held_visas::order_id.eq(order_id),
            held_visas::sha256.eq(sha256),
            held_visas::held_from.eq(by),
            held_visas::held_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// Returns true if this visa was held back before from another member.
pub fn was_held_from_another(conn: &mut Conn, order_id: OrderId, sha256: &str, by: StaffId) -> Result<bool> {
    let held = held_visas::table.filter(held_visas::order_id.eq(order_id)).filter(held_visas::sha256.eq(sha256));
    let others = held.filter(held_visas::held_from.ne(by)).select(held_visas::held_id);
    Ok(others.first::<i64>(conn).optional()?.is_some())
}
