//! Reads everything that the rooms store about an order.

use super::take_back::{RefundMark, marks_of};
use crate::audit::store::{self as audit, Record};
use crate::chargebacks::store::{self as chargebacks, Chargeback};
use crate::db::{Conn, read_together};
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::store::{self as mail, Entry};
use crate::orders::facts::{self as orders, Whole};
use crate::orders::remarks::{self, Remark};
use crate::tracking::failed_tracks::{self, FailedTracks};
use crate::tracking::store::{DownloadList, list_downloads};

/// The most events of a timeline.
const MAX_EVENTS: i64 = 200;

/// Everything about one order.
#[derive(Debug)]
pub struct Details {
    pub facts: Whole,
    pub chargeback: Option<Chargeback>,
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
    read_together(conn, |conn| {
        let facts = orders::find_whole(conn, order_id)?;
        let chargeback = chargebacks::find(conn, order_id)?;
        let documents = documents::list(conn, order_id)?;
        let mails = mail::list(conn, order_id)?;
        let downloads = list_downloads(conn, order_id)?;
        let failed_tracks = if with_failed_tracks { failed_tracks::list(conn, order_id)? } else { Vec::new() };
        let remarks = remarks::list(conn, order_id)?;
        let refund_marks = marks_of(conn, order_id)?;
        let timeline = audit::timeline(conn, order_id, MAX_EVENTS)?;
        // An order that does not exist is noticed last: on PostgreSQL, the statements are learnt from empty tables.
        Ok(facts.map(|facts| Details {
            facts,
            chargeback,
            documents,
            mails,
            downloads,
            failed_tracks,
            remarks,
            refund_marks,
            timeline,
        }))
    })
}
