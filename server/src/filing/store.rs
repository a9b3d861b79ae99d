//! The applications that were filed for orders, as rows. One is closed once and never removed.

use std::collections::HashSet;

use diesel::prelude::*;

use super::rules::FilingOutcome;
use crate::db::Conn;
use crate::db::schema::filings;
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::money::{Currency, Money};
use crate::on_either;
use crate::timestamp::Timestamp;

/// An application that was filed.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = filings)]
pub struct Filing {
    pub filing_id: i64,
    pub application_number: String,
    fee_minor: Option<i64>,
    fee_currency: Option<Currency>,
    /// The file of the fee's receipt.
    pub receipt_id: Option<i64>,
    pub filed_by: StaffId,
    pub filed_at: Timestamp,
    /// None: it is open.
    pub outcome: Option<FilingOutcome>,
    /// Why the portal refused it.
    pub reason: Option<String>,
    pub closed_by: Option<StaffId>,
    pub closed_at: Option<Timestamp>,
    /// It was filed while another application of its order was open.
    pub is_second: bool,
}

impl Filing {
    /// Returns true if the portal has not decided about it.
    pub fn is_open(&self) -> bool {
        self.outcome.is_none()
    }

    /// The fee that was paid, if it is known.
    pub fn fee(&self) -> Option<Money> {
        Some(Money { minor: self.fee_minor?, currency: self.fee_currency? })
    }
}

/// The applications of an order, the newest first.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<Filing>> {
    let filed = filings::table.filter(filings::order_id.eq(order_id)).order(filings::filing_id.desc());
    Ok(on_either!(conn => filed.select(Filing::as_select()).load(conn))?)
}

/// Finds the orders among at most 500 that have an open application.
pub fn list_filed(conn: &mut Conn, order_ids: &[OrderId]) -> Result<HashSet<OrderId>> {
    let open = filings::table.filter(filings::order_id.eq_any(order_ids)).filter(filings::outcome.is_null());
    Ok(open.select(filings::order_id).load(conn)?.into_iter().collect())
}

/// The application that counts among those of an order: the first one while it is open, else the oldest open second one.
pub fn current(filings: &[Filing]) -> Option<&Filing> {
    filings.iter().filter(|filing| filing.is_open()).min_by_key(|filing| (filing.is_second, filing.filing_id))
}

/// The fees that were paid for an order, one sum for each currency. An application that was replaced was a mistake.
pub fn fees(filings: &[Filing]) -> Vec<Money> {
    let mut sums: Vec<Money> = Vec::new();
    let paid = filings.iter().filter(|filing| filing.outcome != Some(FilingOutcome::Replaced)).filter_map(Filing::fee);
    for fee in paid {
        match sums.iter_mut().find(|sum| sum.currency == fee.currency) {
            Some(sum) => sum.minor = sum.minor.saturating_add(fee.minor),
            None => sums.push(fee),
        }
    }
    sums
}

/// The other order that has an application of that number, also if the portal refused it. One that was replaced was a mistake.
pub fn find_elsewhere(conn: &mut Conn, number: &str, order_id: OrderId) -> Result<Option<OrderId>> {
    let others = filings::table
        .filter(filings::application_number.eq(number))
        .filter(filings::order_id.ne(order_id))
        .filter(filings::outcome.is_null().or(filings::outcome.ne(FilingOutcome::Replaced)));
    Ok(others.select(filings::order_id).first(conn).optional()?)
}

/// An application to record.
#[derive(Clone, Debug)]
pub struct NewFiling {
    pub order_id: OrderId,
    pub application_number: String,
    pub fee: Option<Money>,
    pub receipt_id: Option<i64>,
    pub filed_by: StaffId,
    pub is_second: bool,
}

/// Adds an application and returns its id. None: one with its number was recorded at the same time.
pub fn add(tx: &mut Conn, new: &NewFiling, now: Timestamp) -> Result<Option<i64>> {
    let added = diesel::insert_into(filings::table)
        .values((
            filings::order_id.eq(new.order_id),
            filings::application_number.eq(&new.application_number),
            filings::fee_minor.eq(new.fee.map(|fee| fee.minor)),
            filings::fee_currency.eq(new.fee.map(|fee| fee.currency)),
            filings::receipt_id.eq(new.receipt_id),
            filings::filed_by.eq(new.filed_by),
            filings::filed_at.eq(now),
            filings::is_second.eq(new.is_second),
        ))
        .returning(filings::filing_id)
        .get_result(tx);
    match added.map_err(Error::from) {
        Ok(filing_id) => Ok(Some(filing_id)),
        Err(error) if error.is_duplicate("filings_open_number", "filings.application_number") => Ok(None),
        Err(error) => Err(error),
    }
}

/// The end of an application.
#[derive(Clone, Debug)]
pub struct FilingEnd {
    pub outcome: FilingOutcome,
    /// Why the portal refused it.
    pub reason: Option<String>,
    pub by: StaffId,
}

/// Closes an open application of an order that the caller has locked.
pub fn close(tx: &mut Conn, filing_id: i64, closed: &FilingEnd, now: Timestamp) -> Result<()> {
    diesel::update(filings::table.find(filing_id).filter(filings::outcome.is_null()))
        .set((
            filings::outcome.eq(closed.outcome),
            filings::reason.eq(&closed.reason),
            filings::closed_by.eq(closed.by),
            filings::closed_at.eq(now),
        ))
        .execute(tx)?;
    Ok(())
}

/// Opens an application of a locked order again that was closed as replaced by one whose filing is undone.
pub fn reopen(tx: &mut Conn, filing_id: i64) -> Result<()> {
    let replaced = filings::table.find(filing_id).filter(filings::outcome.eq(FilingOutcome::Replaced));
    diesel::update(replaced)
        .set((
            filings::outcome.eq(None::<FilingOutcome>),
            filings::closed_by.eq(None::<StaffId>),
            filings::closed_at.eq(None::<Timestamp>),
        ))
        .execute(tx)?;
    Ok(())
}
