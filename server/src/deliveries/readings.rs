//! Readings of issued visas without a text, as rows. They complete the comparison after the delivery.

use std::collections::HashMap;

use chrono::TimeDelta;
use diesel::prelude::*;

use super::dialect;
use super::rules::{Comparison, ReadingState, VisaField, VisaOutcome};
use crate::db::schema::visa_readings;
use crate::db::{Conn, database_now};
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;

/// The time for which a reading is leased: longer than its children may run.
const LEASE: TimeDelta = TimeDelta::seconds(400);

/// The maximum number of times that a reading is begun: a visa that stopped its server does not stop it for ever.
const MAX_ATTEMPTS: i32 = 3;

/// Requests the reading of a visa, in the transaction that adds it.
pub fn request(tx: &mut Conn, order_id: OrderId, document_id: i64, now: Timestamp) -> Result<()> {
    diesel::insert_into(visa_readings::table)
        .values((
            visa_readings::document_id.eq(document_id),
            visa_readings::order_id.eq(order_id),
            visa_readings::state.eq(ReadingState::Pending),
            visa_readings::fields.eq(""),
            visa_readings::attempts.eq(0),
            visa_readings::requested_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// A reading that this process makes now.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedReading {
    pub document_id: i64,
    pub order_id: OrderId,
    /// The number of the attempt, from 1.
    pub attempts: i32,
}

/// Returns true if a reading waits.
pub fn is_due(conn: &mut Conn) -> Result<bool> {
    let due = visa_readings::table.filter(visa_readings::state.eq(ReadingState::Pending));
    Ok(diesel::select(diesel::dsl::exists(due)).get_result(conn)?)
}

/// Leases the reading that has waited longest. One that was begun too often ends unread.
pub fn claim(tx: &mut Conn, now: Timestamp) -> Result<Option<ClaimedReading>> {
    while let Some(document_id) = dialect::lock_due_reading(tx)? {
        let row = visa_readings::table.find(document_id);
        let (order_id, attempts) = row.select((visa_readings::order_id, visa_readings::attempts)).first(tx)?;
        if attempts >= MAX_ATTEMPTS {
            end(tx, ClaimedReading { document_id, order_id, attempts }, &Comparison::not_read(), now)?;
            continue;
        }
        let leased_until = database_now(tx)? + LEASE;
        let leased = (visa_readings::leased_until.eq(leased_until), visa_readings::attempts.eq(attempts + 1));
        diesel::update(row).set(leased).execute(tx)?;
        return Ok(Some(ClaimedReading { document_id, order_id, attempts: attempts + 1 }));
    }
    Ok(None)
}

/// Gives back a reading that was cut off, as if it had not been begun.
pub fn give_back(tx: &mut Conn, claimed: ClaimedReading) -> Result<()> {
    let row = visa_readings::table
        .find(claimed.document_id)
        .filter(visa_readings::attempts.eq(claimed.attempts))
        .filter(visa_readings::state.eq(ReadingState::Pending));
    let columns = (visa_readings::leased_until.eq(None::<Timestamp>), visa_readings::attempts.eq(claimed.attempts - 1));
    diesel::update(row).set(columns).execute(tx)?;
    Ok(())
}

/// Records what a reading found. Returns false if another process has started it again.
pub fn end(tx: &mut Conn, claimed: ClaimedReading, found: &Comparison, now: Timestamp) -> Result<bool> {
    let row = visa_readings::table
        .find(claimed.document_id)
        .filter(visa_readings::attempts.eq(claimed.attempts))
        .filter(visa_readings::state.eq(ReadingState::Pending));
    let fields: Vec<&str> = found.differing.iter().map(|field| field.as_str()).collect();
    let columns = (
        visa_readings::state.eq(ReadingState::Done),
        visa_readings::outcome.eq(Some(found.outcome)),
        visa_readings::fields.eq(fields.join(",")),
        visa_readings::leased_until.eq(None::<Timestamp>),
        visa_readings::read_at.eq(Some(now)),
    );
    Ok(diesel::update(row).set(columns).execute(tx)? == 1)
}

/// Lists the results of the readings of the visas of an order by Tesseract, by document. None: it has not read the visa yet.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<HashMap<i64, Option<Comparison>>> {
    let rows = visa_readings::table.filter(visa_readings::order_id.eq(order_id));
    let rows = rows.select((visa_readings::document_id, visa_readings::outcome, visa_readings::fields));
    let rows: Vec<(i64, Option<VisaOutcome>, String)> = rows.load(conn)?;
    let found = rows.into_iter().map(|(document_id, outcome, fields)| {
        let differing = fields.split(',').filter_map(VisaField::parse).collect();
        (document_id, outcome.map(|outcome| Comparison { outcome, differing }))
    });
    Ok(found.collect())
}
