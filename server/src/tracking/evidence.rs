//! The downloads of an order as evidence for a dispute.

use diesel::dsl::{count_star, max, min};
use diesel::prelude::*;

use crate::db::Conn;
use crate::db::schema::downloads;
use crate::documents::store::LinkedFile;
use crate::error::Result;
use crate::ids::OrderId;
use crate::timestamp::Timestamp;
use crate::with_file;

/// The downloads read from each end of the history: no pack shows more.
const MAX_DOWNLOADS: i64 = 40;
/// The places and devices read, those with the most downloads first.
const MAX_PLACES: i64 = 12;

/// A download, with the columns that are evidence.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = downloads)]
pub struct DownloadEvidence {
    pub ip: String,
    pub device: String,
    pub device_type: String,
    pub browser: String,
    pub os: String,
    pub location: String,
    pub created_at: Timestamp,
}

/// The downloads from one address with one device.
#[derive(Clone, Debug, Queryable)]
pub struct DownloadPlace {
    pub ip: String,
    pub location: String,
    pub device: String,
    pub browser: String,
    pub os: String,
    pub downloads: i64,
    pub first_at: Option<Timestamp>,
    pub last_at: Option<Timestamp>,
}

/// The customer's downloads, and the number of downloads that were left out.
///
/// A request with the user agent of a scanner or preview counts: it had a grant, so its sender had confirmed the order.
#[derive(Clone, Debug, Default)]
pub struct Downloads {
    pub total: i64,
    /// The number of them that came from a mail scanner or link preview, by user agent or headers.
    pub automated: i64,
    /// From addresses from which staff worked on the order.
    pub by_staff: i64,
    /// From the address of the purchase.
    pub from_purchase: i64,
    /// The first ones, the oldest first, each with its file.
    pub first: Vec<(DownloadEvidence, LinkedFile)>,
    /// The last ones, the newest first.
    pub last: Vec<(DownloadEvidence, LinkedFile)>,
    pub places: Vec<DownloadPlace>,
}

/// The history of an order's downloads. Downloads from `staff_ips` are not the customer's.
pub fn find(
    conn: &mut Conn,
    order_id: OrderId,
    purchase_ip: Option<String>,
    staff_ips: &[String],
) -> Result<Downloads> {
    let of_order = || downloads::table.filter(downloads::order_id.eq(order_id));
    let of_customer = || of_order().filter(downloads::ip.ne_all(staff_ips));
    let read = || with_file!(of_customer()).select((DownloadEvidence::as_select(), Option::<LinkedFile>::as_select()));
    let total = of_customer().count().get_result(conn)?;
    let automated = of_customer().filter(downloads::automated.eq(true)).count().get_result(conn)?;
    let all: i64 = of_order().count().get_result(conn)?;
    let from_purchase = match purchase_ip {
        Some(ip) => of_customer().filter(downloads::ip.eq(ip)).count().get_result(conn)?,
        None => 0,
    };
    let place = (downloads::ip, downloads::location, downloads::device, downloads::browser, downloads::os);
    let (first_at, last_at) = (min(downloads::created_at), max(downloads::created_at));
    let places = of_customer()
        .group_by(place)
        .select((
            downloads::ip,
            downloads::location,
            downloads::device,
            downloads::browser,
            downloads::os,
            count_star(),
            first_at,
            last_at,
        ))
        .order((count_star().desc(), first_at.asc(), downloads::ip.asc()))
        .limit(MAX_PLACES);
    Ok(Downloads {
        total,
        automated,
        by_staff: all - total,
        from_purchase,
        first: with_files(read().order(downloads::download_id.asc()).limit(MAX_DOWNLOADS).load(conn)?),
        last: with_files(read().order(downloads::download_id.desc()).limit(MAX_DOWNLOADS).load(conn)?),
        places: places.load(conn)?,
    })
}

/// Each download is of a file.
fn with_files(rows: Vec<(DownloadEvidence, Option<LinkedFile>)>) -> Vec<(DownloadEvidence, LinkedFile)> {
    rows.into_iter().filter_map(|(delivery, file)| Some((delivery, file?))).collect()
}
