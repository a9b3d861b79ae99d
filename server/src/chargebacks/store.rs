//! The records of disputes, one for each order.

use chrono::NaiveDate;
use diesel::prelude::*;
use serde::{Deserialize, Serialize};

use super::terms::{ChargebackOutcome, Network, ReasonGroup};
use crate::add_rows;
use crate::db::one_of::one_of;
use crate::db::schema::chargebacks;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::money::{Currency, Money};
use crate::on_either;
use crate::timestamp::Timestamp;

/// The facts of a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable, AsChangeset, Insertable, Serialize, Deserialize)]
#[diesel(table_name = chargebacks, treat_none_as_null = true, treat_none_as_default_value = false)]
pub struct Dispute {
    pub network: Network,
    /// None: not recorded yet.
    pub reason_group: Option<ReasonGroup>,
    /// The network's own code, such as 10.4.
    pub reason_code: Option<String>,
    pub case_id: Option<String>,
    /// In the currency's smallest unit.
    pub amount_minor: Option<i64>,
    pub currency: Option<Currency>,
    /// The acquirer's reference number.
    pub arn: Option<String>,
    /// The agency's calendar day.
    pub opened_on: NaiveDate,
    pub respond_by: NaiveDate,
    pub outcome: ChargebackOutcome,
}

impl Dispute {
    /// The disputed amount, if it is recorded.
    pub fn amount(&self) -> Option<Money> {
        Some(Money { minor: self.amount_minor?, currency: self.currency? })
    }
}

/// The record of a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = chargebacks)]
pub struct DisputeRecord {
    #[diesel(embed)]
    pub dispute: Dispute,
    /// The member's name, or the part of the program.
    pub updated_by: String,
    pub updated_at: Timestamp,
}

/// A new dispute, and when it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDispute {
    pub dispute: Dispute,
    pub at: Timestamp,
}

#[derive(Insertable)]
#[diesel(table_name = chargebacks, treat_none_as_default_value = false)]
struct ChargebackRow<'a> {
    order_id: OrderId,
    #[diesel(embed)]
    dispute: Dispute,
    updated_by: &'a str,
    updated_at: Timestamp,
}

/// The record of an order's dispute.
pub fn find(conn: &mut Conn, order_id: OrderId) -> Result<Option<DisputeRecord>> {
    let record = chargebacks::table.find(order_id);
    Ok(on_either!(conn => record.select(DisputeRecord::as_select()).first(conn).optional())?)
}

/// The records of those of `order_ids` that have one, in no particular order.
pub fn list(conn: &mut Conn, order_ids: &[OrderId]) -> Result<Vec<(OrderId, DisputeRecord)>> {
    let mut found = Vec::new();
    for ids in order_ids.chunks(MAX_IDS) {
        let rows = chargebacks::table.filter(one_of(chargebacks::order_id, ids));
        found.extend(
            on_either!(conn => rows.select((chargebacks::order_id, DisputeRecord::as_select())).load::<(OrderId, DisputeRecord)>(conn)?),
        );
    }
    Ok(found)
}

/// Adds the records of orders that have none.
pub fn add<'a>(tx: &mut Conn, opened: impl Iterator<Item = (OrderId, &'a NewDispute)>, by: &'a str) -> Result<()> {
    let rows = opened.map(|(order_id, NewDispute { dispute, at })| ChargebackRow {
        order_id,
        dispute: dispute.clone(),
        updated_by: by,
        updated_at: *at,
    });
    add_rows!(tx, chargebacks::table, rows);
    Ok(())
}

/// Overwrites the record of an order.
pub fn set(tx: &mut Conn, order_id: OrderId, dispute: &Dispute, by: &str, now: Timestamp) -> Result<()> {
    diesel::update(chargebacks::table.find(order_id))
        .set((dispute, chargebacks::updated_by.eq(by), chargebacks::updated_at.eq(now)))
        .execute(tx)?;
    Ok(())
}

/// Opens the disputes of `order_ids` again, with these dates.
pub fn open_again(
    tx: &mut Conn,
    order_ids: &[OrderId],
    opened_on: NaiveDate,
    respond_by: NaiveDate,
    by: &str,
    now: Timestamp,
) -> Result<()> {
    for ids in order_ids.chunks(MAX_IDS) {
        let dates = (chargebacks::opened_on.eq(opened_on), chargebacks::respond_by.eq(respond_by));
        let outcome = chargebacks::outcome.eq(ChargebackOutcome::Open);
        diesel::update(chargebacks::table.filter(chargebacks::order_id.eq_any(ids)))
            .set((outcome, dates, chargebacks::updated_by.eq(by), chargebacks::updated_at.eq(now)))
            .execute(tx)?;
    }
    Ok(())
}

/// Removes the record of an order, which the change that is undone added.
pub fn remove(tx: &mut Conn, order_id: OrderId) -> Result<()> {
    diesel::delete(chargebacks::table.find(order_id)).execute(tx)?;
    Ok(())
}

/// Sets the outcome of the disputes of `order_ids`.
pub fn set_outcome(
    tx: &mut Conn,
    order_ids: &[OrderId],
    outcome: ChargebackOutcome,
    by: &str,
    now: Timestamp,
) -> Result<()> {
    for ids in order_ids.chunks(MAX_IDS) {
        diesel::update(chargebacks::table.filter(chargebacks::order_id.eq_any(ids)))
            .set((chargebacks::outcome.eq(outcome), chargebacks::updated_by.eq(by), chargebacks::updated_at.eq(now)))
            .execute(tx)?;
    }
    Ok(())
}
