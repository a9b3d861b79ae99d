//! Reads everything that the rooms store about an order.

use std::collections::{BTreeMap, HashMap};

use crate::audit::store::{self as audit, Record};
use crate::chargebacks::store::{self as chargebacks, DisputeRecord};
use crate::db::history::{Before, HistoryPart};
use crate::db::{Conn, read_together};
use crate::deliveries::readings;
use crate::deliveries::rules::Comparison;
use crate::deliveries::store::{self as deliveries, Delivery};
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::store::{self as mail, MailEntry};
use crate::orders::corrections::list_originals;
use crate::orders::facts::{self as orders, Whole};
use crate::orders::kept::{self, StoredValue};
use crate::orders::remarks::{self, Remark};
use crate::refunds::marks::{RefundMark, marks_of};
use crate::tracking::failed_tracks::{self, FailedTracks};
use crate::tracking::store::{ListedDownload, list_downloads};

/// The most rows of each history in the details.
pub const NEWEST: i64 = 50;

/// Everything about one order.
#[derive(Debug)]
pub struct Details {
    pub facts: Whole,
    /// The values that the customer sent in the fields that were corrected.
    pub originals: BTreeMap<String, Option<String>>,
    /// Values beside its own, as they were sent.
    pub kept: Vec<StoredValue>,
    pub chargeback: Option<DisputeRecord>,
    /// The oldest first.
    pub documents: Vec<Document>,
    /// The findings of the checks of its visas, by document.
    pub deliveries: HashMap<i64, Delivery>,
    /// The results of Tesseract for the visas without a text, by document; `None` until it has read them.
    pub visa_readings: HashMap<i64, Option<Comparison>>,
    pub mails: HistoryPart<MailEntry>,
    pub downloads: HistoryPart<ListedDownload>,
    pub failed_tracks: HistoryPart<FailedTracks>,
    /// Each with its author's name.
    pub remarks: HistoryPart<(Remark, String)>,
    /// The newest first.
    pub refund_marks: Vec<RefundMark>,
    /// The audit rows about the order, the newest first, and whether there are older ones.
    pub timeline: (Vec<Record>, bool),
}

/// Finds an order with everything that belongs to it, and the newest rows of its histories. Wrong tries are read only for those who may see them.
pub fn find(conn: &mut Conn, order_id: OrderId, with_failed_tracks: bool) -> Result<Option<Details>> {
    let newest = Before::newest(NEWEST);
    read_together(conn, |conn| {
        let facts = orders::find_whole(conn, order_id)?;
        let originals = list_originals(conn, order_id)?;
        let kept = kept::list(conn, order_id)?;
        let chargeback = chargebacks::find(conn, order_id)?;
        let documents = documents::list(conn, order_id)?;
        let deliveries = deliveries::list(conn, order_id)?;
        let visa_readings = readings::list(conn, order_id)?;
        let mails = mail::list_before(conn, order_id, newest)?;
        let downloads = list_downloads(conn, order_id, newest)?;
        let failed_tracks = if with_failed_tracks {
            failed_tracks::list(conn, order_id, None, NEWEST)?
        } else {
            HistoryPart::default()
        };
        let remarks = remarks::list(conn, order_id, newest)?;
        let refund_marks = marks_of(conn, order_id)?;
        let timeline = audit::timeline(conn, order_id, newest)?;
        // An order that does not exist is noticed last: on PostgreSQL, the statements are learnt from empty tables.
        Ok(facts.map(|facts| Details {
            facts,
            originals,
            kept,
            chargeback,
            documents,
            deliveries,
            visa_readings,
            mails,
            downloads,
            failed_tracks,
            remarks,
            refund_marks,
            timeline,
        }))
    })
}
