//! The order as its applicant sees it.

use super::rules::{Emails, TrackedFacts};
use crate::db::Conn;
use crate::documents::store::{self as documents, Visa};
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::facts;

/// The addresses that confirm the order; none if it does not exist or was deleted.
pub fn find_emails(conn: &mut Conn, order_id: OrderId) -> Result<Option<Emails>> {
    let applicant = facts::list_applicants(conn, &[order_id])?.pop();
    let applicant = applicant.filter(|one| !one.process_status.is_hidden());
    Ok(applicant.map(|one| Emails { contact: one.contact_email_address, account: one.account_email }))
}

/// The order and its newest visa; none if it does not exist or was deleted.
pub fn find(conn: &mut Conn, order_id: OrderId) -> Result<Option<(TrackedFacts, Option<Visa>)>> {
    let found = facts::find(conn, order_id)?;
    let Some((order, _)) = found.filter(|(order, _)| !order.process_status.is_hidden()) else {
        return Ok(None);
    };
    let visa = documents::find_visa(conn, order_id)?;
    let order = TrackedFacts {
        order_id,
        process_status: order.process_status,
        full_name: order.full_name,
        visa_type: order.visa_type,
        assign_to: order.assign_to,
        processed_at: order.processed_at,
        refund_date: order.refund_date,
        created_at: order.created_at,
        updated_at: order.updated_at,
        visa_issued_at: visa.as_ref().map(|visa| visa.created_at),
        first_visa_at: documents::first_visa_at(conn, order_id)?,
    };
    Ok(Some((order, visa)))
}
