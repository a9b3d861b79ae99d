//! Reads everything that the rooms store about an order.

use super::take_back::{RefundMark, marks_of};
use crate::audit::store::{self as audit, Record};
use crate::chargebacks::store::{self as chargebacks, Chargeback};
use crate::db::Conn;
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::store::{self as mail, Entry};
use crate::orders::facts::{self as orders, Application, Checkout, OrderFacts, Payment, Transaction};
use crate::orders::remarks::{self, Remark};
use crate::staff::store as staff;
use crate::tracking::failed_tracks::{self, FailedTracks};
use crate::tracking::store::{DownloadList, list_downloads};

/// The most events of a timeline.
const MAX_EVENTS: i64 = 200;

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
    pub downloads: DownloadList,
    pub failed_tracks: Vec<FailedTracks>,
    /// Each with its author's name.
    pub remarks: Vec<(Remark, String)>,
    /// The newest first.
    pub refund_marks: Vec<RefundMark>,
    /// The audit rows about the order, the newest first.
    pub timeline: Vec<Record>,
}

/// Finds an order with everything that belongs to it. Wrong tries are read only for those who may see them.
pub fn find(conn: &mut Conn, order_id: OrderId, with_failed_tracks: bool) -> Result<Option<Details>> {
    let Some((order, owner)) = orders::find(conn, order_id)? else { return Ok(None) };
    let processed_by = match order.processed_by {
        Some(staff_id) => staff::names(conn, &[staff_id])?.remove(&staff_id),
        None => None,
    };
    Ok(Some(Details {
        owner,
        processed_by,
        application: orders::find_application(conn, order_id)?,
        payment: orders::find_payment(conn, order_id)?,
        transaction: orders::find_transaction(conn, order_id)?,
        chargeback: chargebacks::find(conn, order_id)?,
        checkout: orders::find_checkout(conn, order_id)?,
        documents: documents::list(conn, order_id)?,
        mails: mail::list(conn, order_id)?,
        downloads: list_downloads(conn, order_id)?,
        failed_tracks: if with_failed_tracks { failed_tracks::list(conn, order_id)? } else { Vec::new() },
        remarks: remarks::list(conn, order_id)?,
        refund_marks: marks_of(conn, order_id)?,
        timeline: audit::timeline(conn, order_id, MAX_EVENTS)?,
        order,
    }))
}
