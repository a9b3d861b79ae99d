//! The members who are filing orders, as rows that expire by the database's clock. Callers hold the lock of the order where they change one.

use chrono::TimeDelta;
use chrono_tz::Tz;
use diesel::prelude::*;

use super::errors::FilingError;
use crate::db::schema::filing_claims;
use crate::db::{Conn, database_now};
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::staff::rules::Staff;
use crate::staff::store as staff;
use crate::text::format_instant;
use crate::timestamp::Timestamp;

/// The time that a claim lasts unless it is renewed: a browser renews it every half minute.
const CLAIM: TimeDelta = TimeDelta::seconds(90);

/// A claim that has not expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderClaim {
    pub staff_id: StaffId,
    /// The member's name.
    pub by: String,
    pub claimed_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Finds the claim of an order, unless it has expired.
pub fn find(conn: &mut Conn, order_id: OrderId) -> Result<Option<OrderClaim>> {
    let found = filing_claims::table.find(order_id).select((
        filing_claims::staff_id,
        filing_claims::claimed_at,
        filing_claims::expires_at,
    ));
    let found: Option<(StaffId, Timestamp, Timestamp)> = found.first(conn).optional()?;
    let Some((staff_id, claimed_at, expires_at)) = found else { return Ok(None) };
    if expires_at <= database_now(conn)? {
        return Ok(None);
    }
    let by = staff::names(conn, &[staff_id])?.remove(&staff_id).unwrap_or_default();
    Ok(Some(OrderClaim { staff_id, by, claimed_at, expires_at }))
}

/// Claims an order for a member, or renews the claim.
pub fn claim(tx: &mut Conn, order_id: OrderId, member: &Staff, own: Option<&OrderClaim>) -> Result<OrderClaim> {
    let now = database_now(tx)?;
    let claimed_at = own.map_or(now, |claim| claim.claimed_at);
    let expires_at = now + CLAIM;
    let columns = (
        filing_claims::staff_id.eq(member.id),
        filing_claims::claimed_at.eq(claimed_at),
        filing_claims::expires_at.eq(expires_at),
    );
    let row = filing_claims::table.find(order_id);
    if diesel::update(row).set(columns).execute(tx)? == 0 {
        let row = (filing_claims::order_id.eq(order_id), columns);
        diesel::insert_into(filing_claims::table).values(row).execute(tx)?;
    }
    Ok(OrderClaim { staff_id: member.id, by: member.name.clone(), claimed_at, expires_at })
}

/// Ends the claim of a member, if it is theirs.
pub fn release(tx: &mut Conn, order_id: OrderId, staff_id: StaffId) -> Result<()> {
    let own = filing_claims::table.find(order_id).filter(filing_claims::staff_id.eq(staff_id));
    diesel::delete(own).execute(tx)?;
    Ok(())
}

/// Refuses to file an order that another member is filing, and one whose claim the caller says to have and has not.
pub fn check_own(conn: &mut Conn, order_id: OrderId, member: &Staff, is_claimed: bool, zone: Tz) -> Result<()> {
    match find(conn, order_id)? {
        Some(claim) if claim.staff_id != member.id => Err(claimed(order_id, &claim, zone).into()),
        None if is_claimed => Err(FilingError::FilingNotClaimed { order_id }.into()),
        _ => Ok(()),
    }
}

/// The refusal because of another member's claim.
pub fn claimed(order_id: OrderId, claim: &OrderClaim, zone: Tz) -> FilingError {
    let since = format_instant(claim.claimed_at, zone);
    FilingError::FilingClaimed { order_id, by: claim.by.clone(), since }
}
