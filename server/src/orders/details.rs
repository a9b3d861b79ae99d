//! One order whole: what is stored about it, in the tables' own words.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use super::facts::{Application, Checkout, Payment, Transaction};
use super::remarks::{self, Remark};
use super::rules::{ProcessStatus, ProcessingMode};
use crate::audit::store::{self as audit, Record};
use crate::chargebacks::store::{self as chargebacks, Chargeback};
use crate::db::Conn;
use crate::db::schema::{applications, checkouts, documents, orders, payments, staff, transactions};
use crate::documents::links::Links;
use crate::documents::rules::MediaType;
use crate::error::Result;
use crate::mail::store::{self as mail, Entry};
use crate::tracking::store::{Download, list_downloads};

/// The most that a timeline tells.
const MOST_DEEDS: i64 = 200;

/// The order itself.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderFacts {
    pub order_id: i64,
    pub external_reference: Option<String>,
    pub process_status: ProcessStatus,
    pub processing_mode: ProcessingMode,
    pub processing_date: Option<NaiveDate>,
    pub full_name: String,
    pub contact_email_address: String,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    pub visa_type: Option<String>,
    pub refund_date: Option<NaiveDateTime>,
    pub processed_by: Option<i64>,
    pub created_at: NaiveDateTime,
    pub updated_at: NaiveDateTime,
}

/// A stored file.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct Document {
    pub document_id: i64,
    pub kind: String,
    pub file1: String,
    pub original_name: String,
    pub media_type: MediaType,
    pub size_bytes: i64,
    pub created_at: NaiveDateTime,
}

/// A stored file, as far as linking to it goes.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct LinkedFile {
    pub kind: String,
    pub file1: String,
    pub media_type: MediaType,
}

impl LinkedFile {
    /// The link that opens it.
    pub fn link(&self, links: &Links) -> String {
        links.to(&self.kind, &self.file1, self.media_type)
    }
}

/// Everything about one order.
#[derive(Debug)]
pub struct Details {
    pub order: OrderFacts,
    pub owner: Option<String>,
    pub processed_by: Option<String>,
    pub application: Application,
    pub payment: Option<Payment>,
    pub transaction: Option<Transaction>,
    pub chargeback: Option<Chargeback>,
    pub checkout: Option<Checkout>,
    /// The oldest first.
    pub documents: Vec<Document>,
    pub mails: Vec<Entry>,
    /// Those of people, not of mail scanners and previews; each with the file.
    pub downloads: Vec<(Download, LinkedFile)>,
    /// Each with its author's name.
    pub remarks: Vec<(Remark, String)>,
    /// What was done to it, the newest first.
    pub timeline: Vec<Record>,
}

/// The order of that id, with all that belongs to it.
pub fn find(conn: &mut Conn, order_id: i64) -> Result<Option<Details>> {
    let order = orders::table
        .left_join(staff::table)
        .filter(orders::order_id.eq(order_id))
        .select((OrderFacts::as_select(), staff::name.nullable()))
        .first::<(OrderFacts, Option<String>)>(conn)
        .optional()?;
    let Some((order, owner)) = order else { return Ok(None) };
    let processed_by = match order.processed_by {
        Some(staff_id) => staff::table.find(staff_id).select(staff::name).first(conn).optional()?,
        None => None,
    };
    let application = applications::table.find(order_id).select(Application::as_select()).first(conn).optional()?;
    let payment = payments::table.find(order_id).select(Payment::as_select()).first(conn).optional()?;
    let transaction = transactions::table.find(order_id).select(Transaction::as_select()).first(conn).optional()?;
    let chargeback = chargebacks::find(conn, order_id)?;
    let checkout = checkouts::table.find(order_id).select(Checkout::as_select()).first(conn).optional()?;
    let documents = documents::table
        .filter(documents::order_id.eq(order_id))
        .order(documents::document_id)
        .select(Document::as_select())
        .load(conn)?;
    let mails = mail::list(conn, order_id)?;
    let downloads = list_downloads(conn, order_id)?;
    let remarks = remarks::list(conn, order_id)?;
    let timeline = audit::timeline(conn, order_id, MOST_DEEDS)?;
    let application = application.unwrap_or_default();
    Ok(Some(Details {
        order,
        owner,
        processed_by,
        application,
        payment,
        transaction,
        chargeback,
        checkout,
        documents,
        mails,
        downloads,
        remarks,
        timeline,
    }))
}
