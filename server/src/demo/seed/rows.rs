//! The rows beside the orders.

use super::story::Story;
use crate::audit::store::Actor;
use crate::chargebacks::attached;
use crate::db::Conn;
use crate::documents::kinds::VISA;
use crate::documents::store::{self as documents, DocumentRow};
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::store::{self as mails, MailRow};
use crate::orders::remarks::{self, RemarkRow};
use crate::orders::search::plain_text;
use crate::tracking::store::{self as downloads, DownloadRow};

/// A generated order with its id, its history and its files.
pub struct GeneratedOrder {
    pub order_id: OrderId,
    pub story: Story,
    pub documents: Vec<DocumentRow>,
}

impl GeneratedOrder {
    fn visa(&self) -> Option<i64> {
        self.documents.iter().find(|document| document.kind == VISA).map(|document| document.document_id)
    }
}

/// Adds the history of orders that exist already.
pub fn add(tx: &mut Conn, generated: &[GeneratedOrder], by: &Actor) -> Result<()> {
    let opened = generated.iter().filter_map(|one| Some((one.order_id, one.story.chargeback.clone()?)));
    attached::add_new(tx, &opened.collect::<Vec<_>>(), by)?;
    documents::load(tx, generated.iter().flat_map(|generated| generated.documents.iter().cloned()))?;
    remarks::load(
        tx,
        generated.iter().flat_map(|generated| {
            generated.story.remarks.iter().map(|remark| RemarkRow {
                order_id: generated.order_id,
                staff_id: remark.staff_id,
                remark: remark.text,
                whatsapp: remark.whatsapp,
                telephone: remark.telephone,
                status_refund: remark.refund,
                voided: false,
                chargeback: remark.chargeback,
                report_error: false,
                created_at: remark.at,
                search_text: plain_text(remark.text),
            })
        }),
    )?;
    mails::load(
        tx,
        generated.iter().flat_map(|generated| {
            generated.story.mails.iter().map(|mail| MailRow {
                order_id: generated.order_id,
                document_id: if mail.kind == "approval" { generated.visa() } else { None },
                kind: mail.kind,
                recipient: &generated.story.order.contact_email_address,
                provider: mail.provider,
                state: if mail.failure.is_some() { "failed" } else { "sent" },
                failure: mail.failure,
                created_at: mail.at,
                sent_at: mail.failure.is_none().then_some(mail.at),
            })
        }),
    )?;
    // A download is of a file, and only the newest orders have theirs.
    let with_visa = generated.iter().filter_map(|generated| Some((generated, generated.visa()?)));
    downloads::load(
        tx,
        with_visa.flat_map(|(generated, document_id)| {
            generated.story.downloads.iter().map(move |download| DownloadRow {
                order_id: generated.order_id,
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
