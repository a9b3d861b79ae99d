//! The rows beside the orders.

use super::story::Story;
use crate::audit::store::Actor;
use crate::chargebacks::transitions;
use crate::db::Conn;
use crate::documents::rules::VISA;
use crate::documents::store::{self as documents, DocumentRow};
use crate::error::Result;
use crate::mail::store::{self as mails, MailRow};
use crate::orders::remarks::{self, RemarkRow};
use crate::tracking::store::{self as downloads, DownloadRow};

/// An order with its id, its story, and its files.
pub struct Told {
    pub order_id: i64,
    pub story: Story,
    pub documents: Vec<DocumentRow>,
}

impl Told {
    fn visa(&self) -> Option<i64> {
        self.documents.iter().find(|document| document.kind == VISA).map(|document| document.document_id)
    }
}

/// Adds what happened to the orders, which are there already.
pub fn add(tx: &mut Conn, told: &[Told], by: &Actor) -> Result<()> {
    let opened = told.iter().filter_map(|one| Some((one.order_id, one.story.chargeback.clone()?)));
    transitions::add_new(tx, &opened.collect::<Vec<_>>(), by)?;
    documents::load(tx, told.iter().flat_map(|told| told.documents.iter().cloned()))?;
    remarks::load(
        tx,
        told.iter().flat_map(|told| {
            told.story.remarks.iter().map(|remark| RemarkRow {
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
            })
        }),
    )?;
    mails::load(
        tx,
        told.iter().flat_map(|told| {
            told.story.mails.iter().map(|mail| MailRow {
                order_id: told.order_id,
                document_id: if mail.kind == "approval" { told.visa() } else { None },
                kind: mail.kind,
                recipient: &told.story.order.contact_email_address,
                provider: mail.provider,
                state: if mail.failure.is_some() { "failed" } else { "sent" },
                failure: mail.failure,
                created_at: mail.at,
                sent_at: mail.failure.is_none().then_some(mail.at),
            })
        }),
    )?;
    // A download is of a file, and only the newest orders have theirs.
    let with_visa = told.iter().filter_map(|told| Some((told, told.visa()?)));
    downloads::load(
        tx,
        with_visa.flat_map(|(told, document_id)| {
            told.story.downloads.iter().map(move |download| DownloadRow {
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
            })
        }),
    )?;
    Ok(())
}
