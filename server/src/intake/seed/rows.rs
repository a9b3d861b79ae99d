//! The rows beside the orders.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::story::Story;
use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::{documents, downloads, mails, remarks};
use crate::error::Result;

/// A file that an order holds.
#[derive(Clone, Debug, Insertable)]
#[diesel(table_name = documents, treat_none_as_default_value = false)]
pub struct DocumentRow {
    pub document_id: i64,
    pub order_id: i64,
    pub kind: &'static str,
    pub file1: String,
    pub original_name: String,
    pub media_type: &'static str,
    pub size_bytes: i64,
    pub sha256: String,
    pub uploaded_by: Option<i64>,
    pub created_at: NaiveDateTime,
}

#[derive(Insertable)]
#[diesel(table_name = remarks, treat_none_as_default_value = false)]
struct RemarkRow {
    order_id: i64,
    staff_id: i64,
    remark: &'static str,
    whatsapp: bool,
    telephone: bool,
    status_refund: bool,
    voided: bool,
    chargeback: bool,
    report_error: bool,
    created_at: NaiveDateTime,
}

#[derive(Insertable)]
#[diesel(table_name = mails, treat_none_as_default_value = false)]
struct MailRow<'a> {
    order_id: i64,
    document_id: Option<i64>,
    kind: &'static str,
    recipient: &'a str,
    provider: &'static str,
    state: &'static str,
    failure: Option<&'static str>,
    created_at: NaiveDateTime,
    sent_at: Option<NaiveDateTime>,
}

#[derive(Insertable)]
#[diesel(table_name = downloads, treat_none_as_default_value = false)]
struct DownloadRow<'a> {
    order_id: i64,
    document_id: i64,
    ip: &'a str,
    device: &'static str,
    device_type: &'static str,
    browser: &'static str,
    os: &'static str,
    location: &'static str,
    automated: bool,
    created_at: NaiveDateTime,
}

/// An order with its id, its story, and its files.
pub struct Told {
    pub order_id: i64,
    pub story: Story,
    pub documents: Vec<DocumentRow>,
}

impl Told {
    fn visa(&self) -> Option<i64> {
        self.documents.iter().find(|document| document.kind == super::VISA).map(|document| document.document_id)
    }
}

/// Adds what happened to the orders, which are there already.
pub fn add(tx: &mut Conn, told: &[Told]) -> Result<()> {
    add_rows!(tx, documents::table, told.iter().flat_map(|told| told.documents.iter().cloned()));
    add_rows!(
        tx,
        remarks::table,
        told.iter().flat_map(|told| told.story.remarks.iter().map(|remark| RemarkRow {
            order_id: told.order_id,
            staff_id: remark.staff_id,
            remark: remark.text,
            whatsapp: remark.whatsapp,
            telephone: remark.telephone,
            status_refund: remark.refund,
            voided: false,
            chargeback: remark.chargeback,
            report_error: false,
            created_at: remark.at,
        }))
    );
    add_rows!(
        tx,
        mails::table,
        told.iter().flat_map(|told| told.story.mails.iter().map(|mail| MailRow {
            order_id: told.order_id,
            document_id: if mail.kind == "approval" { told.visa() } else { None },
            kind: mail.kind,
            recipient: &told.story.order.contact_email_address,
            provider: mail.provider,
            state: if mail.failure.is_some() { "failed" } else { "sent" },
            failure: mail.failure,
            created_at: mail.at,
            sent_at: mail.failure.is_none().then_some(mail.at),
        }))
    );
    // A download is of a file, and only the newest orders have theirs.
    let with_visa = told.iter().filter_map(|told| Some((told, told.visa()?)));
    add_rows!(
        tx,
        downloads::table,
        with_visa.flat_map(|(told, document_id)| told.story.downloads.iter().map(move |download| DownloadRow {
            order_id: told.order_id,
            document_id,
            ip: &download.ip,
            device: download.agent.device,
            device_type: download.agent.device_type,
            browser: download.agent.browser,
            os: download.agent.os,
            location: download.location,
            automated: false,
            created_at: download.at,
        }))
    );
    Ok(())
}
