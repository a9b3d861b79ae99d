//! The order as its applicant sees it, and its downloads.

use std::collections::HashSet;

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use super::rules::Emails;
use crate::db::Conn;
use crate::db::schema::{applications, audit, documents, downloads, orders};
use crate::documents::rules::{MediaType, VISA};
use crate::error::Result;
use crate::orders::details::LinkedFile;
use crate::orders::rules::ProcessStatus;

/// What the public pages know of an order.
#[derive(Clone, Debug)]
pub struct TrackedOrder {
    pub order_id: i64,
    pub process_status: ProcessStatus,
    pub full_name: String,
    pub visa_type: Option<String>,
    pub assign_to: Option<i64>,
    pub processed_at: Option<NaiveDateTime>,
    pub refund_date: Option<NaiveDateTime>,
    pub created_at: NaiveDateTime,
    pub updated_at: NaiveDateTime,
    /// When the newest visa was issued.
    pub visa_issued_at: Option<NaiveDateTime>,
}

/// The addresses that confirm the order; none when there is no such order, or it was deleted.
pub fn find_emails(conn: &mut Conn, order_id: i64) -> Result<Option<Emails>> {
    let order = orders::table
        .left_join(applications::table)
        .filter(orders::order_id.eq(order_id))
        .filter(orders::process_status.ne(ProcessStatus::Deleted))
        .select((orders::contact_email_address, applications::account_email.nullable()))
        .first::<(String, Option<String>)>(conn)
        .optional()?;
    Ok(order.map(|(contact, account)| Emails { contact, account }))
}

/// An issued visa.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct Visa {
    pub document_id: i64,
    pub file1: String,
    pub media_type: MediaType,
    pub created_at: NaiveDateTime,
}

/// The newest visa of an order.
pub fn find_visa(conn: &mut Conn, order_id: i64) -> Result<Option<Visa>> {
    let visas = documents::table.filter(documents::order_id.eq(order_id)).filter(documents::kind.eq(VISA));
    Ok(visas.order(documents::document_id.desc()).select(Visa::as_select()).first(conn).optional()?)
}

/// The order, and its newest visa; none when there is no such order, or it was deleted.
pub fn find(conn: &mut Conn, order_id: i64) -> Result<Option<(TrackedOrder, Option<Visa>)>> {
    #[derive(Queryable, Selectable)]
    #[diesel(table_name = orders)]
    struct Row {
        process_status: ProcessStatus,
        full_name: String,
        visa_type: Option<String>,
        assign_to: Option<i64>,
        processed_at: Option<NaiveDateTime>,
        refund_date: Option<NaiveDateTime>,
        created_at: NaiveDateTime,
        updated_at: NaiveDateTime,
    }
    let row = orders::table
        .filter(orders::order_id.eq(order_id))
        .filter(orders::process_status.ne(ProcessStatus::Deleted))
        .select(Row::as_select())
        .first(conn)
        .optional()?;
    let Some(row) = row else { return Ok(None) };
    let visa = find_visa(conn, order_id)?;
    let order = TrackedOrder {
        order_id,
        process_status: row.process_status,
        full_name: row.full_name,
        visa_type: row.visa_type,
        assign_to: row.assign_to,
        processed_at: row.processed_at,
        refund_date: row.refund_date,
        created_at: row.created_at,
        updated_at: row.updated_at,
        visa_issued_at: visa.as_ref().map(|visa| visa.created_at),
    };
    Ok(Some((order, visa)))
}

/// The kinds of files that the order has.
pub fn given_kinds(conn: &mut Conn, order_id: i64) -> Result<HashSet<String>> {
    let kinds = documents::table.filter(documents::order_id.eq(order_id)).select(documents::kind).distinct();
    Ok(kinds.load(conn)?.into_iter().collect())
}

/// When the order's status changed, and to what, the oldest first.
pub fn status_changes(conn: &mut Conn, order_id: i64) -> Result<Vec<(NaiveDateTime, ProcessStatus)>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::action.like("order.%"))
        // The one names a member, the other tells when an older system's orders were read in, not what happened to them then.
        .filter(audit::action.ne_all(["order.assign", "order.arrive"]))
        .order(audit::audit_id)
        .select((audit::at, audit::after));
    let changes: Vec<(NaiveDateTime, Option<String>)> = changes.load(conn)?;
    Ok(changes.into_iter().filter_map(|(at, after)| Some((at, ProcessStatus::parse(&after?)?))).collect())
}

/// A download of an order's visa.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = downloads)]
pub struct Download {
    pub ip: String,
    pub device: String,
    pub device_type: String,
    pub browser: String,
    pub os: String,
    /// The country, `-` if unknown.
    pub location: String,
    /// How old the file was that told it.
    pub location_as_of: Option<NaiveDate>,
    pub user_agent: Option<String>,
    /// Whether a mail scanner or a preview of links came, and no person.
    pub automated: bool,
    pub created_at: NaiveDateTime,
}

/// Adds a download of the file.
pub fn add_download(tx: &mut Conn, order_id: i64, document_id: i64, download: &Download) -> Result<()> {
    diesel::insert_into(downloads::table)
        .values((downloads::order_id.eq(order_id), downloads::document_id.eq(document_id), download))
        .execute(tx)?;
    Ok(())
}

/// The downloads of people, the oldest first, each with its file.
pub fn list_downloads(conn: &mut Conn, order_id: i64) -> Result<Vec<(Download, LinkedFile)>> {
    let of_people = downloads::table
        .inner_join(documents::table)
        .filter(downloads::order_id.eq(order_id))
        .filter(downloads::automated.eq(false));
    let columns = (Download::as_select(), LinkedFile::as_select());
    Ok(of_people.order(downloads::download_id).select(columns).load(conn)?)
}
