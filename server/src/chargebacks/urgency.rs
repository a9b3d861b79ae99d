//! Open disputes in the order in which they must be answered.

use chrono::NaiveDate;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Bool;

use super::open::OPEN;
use super::rules::working_deadline;
use crate::config::ChargebackSettings as Terms;
use crate::db::Conn;
use crate::db::schema::chargebacks;
use crate::error::Result;
use crate::ids::OrderId;

/// An order, the day on which its dispute was opened, and the network's last day.
type DisputeDays = (OrderId, NaiveDate, NaiveDate);

/// Lists the orders with an open dispute by working deadline, the earliest first; at most `max` of them.
pub fn list_most_urgent(conn: &mut Conn, max: i64, terms: &Terms) -> Result<Vec<OrderId>> {
    // The working deadline is the earlier of two days, and each has its index: whichever of them is the earlier one for a dispute
    // among the first `max`, it is also among the first `max` by that day.
    let open = || chargebacks::table.filter(sql::<Bool>(OPEN)).limit(max);
    let days = (chargebacks::order_id, chargebacks::opened_on, chargebacks::respond_by);
    let by_network = open().order((chargebacks::respond_by, chargebacks::order_id));
    let mut disputes = by_network.select(days).load::<DisputeDays>(conn)?;
    // Fewer are all of them.
    if i64::try_from(disputes.len()) == Ok(max) {
        let by_age = open().order((chargebacks::opened_on, chargebacks::order_id));
        disputes.extend(by_age.select(days).load::<DisputeDays>(conn)?);
    }
    let mut urgent: Vec<_> = disputes
        .into_iter()
        .map(|(order_id, opened_on, respond_by)| (working_deadline(opened_on, respond_by, terms), order_id))
        .collect();
    urgent.sort_unstable();
    urgent.dedup();
    urgent.truncate(usize::try_from(max).unwrap_or(usize::MAX));
    Ok(urgent.into_iter().map(|(_, order_id)| order_id).collect())
}
