//! Downloads as rows.

use chrono::NaiveDate;
use diesel::prelude::*;

use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::downloads;
use crate::documents::store::LinkedFile;
use crate::error::Result;
use crate::ids::OrderId;
use crate::on_either;
use crate::timestamp::Timestamp;
use crate::with_file;

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
    /// The date of the country file.
    pub location_as_of: Option<NaiveDate>,
    pub user_agent: Option<String>,
    /// Whether the request came from a mail scanner or link preview, by its user agent or headers.
    pub automated: bool,
    pub created_at: Timestamp,
}

/// Adds a download of the file.
pub fn add_download(tx: &mut Conn, order_id: OrderId, document_id: i64, download: &Download) -> Result<()> {
    diesel::insert_into(downloads::table)
        .values((downloads::order_id.eq(order_id), downloads::document_id.eq(document_id), download))
        .execute(tx)?;
    Ok(())
}

/// The most downloads of one list.
pub const MAX_DOWNLOADS: i64 = 200;

/// The downloads of an order.
#[derive(Debug)]
pub struct DownloadList {
    pub total: i64,
    /// The newest [`MAX_DOWNLOADS`], the oldest of them first, each with its file.
    pub newest: Vec<(Download, LinkedFile)>,
}

/// The newest downloads of an order, and their total number.
pub fn list_downloads(conn: &mut Conn, order_id: OrderId) -> Result<DownloadList> {
    let of_order = || downloads::table.filter(downloads::order_id.eq(order_id));
    let newest = with_file!(of_order()).order(downloads::download_id.desc()).limit(MAX_DOWNLOADS);
    let newest: Vec<(Download, Option<LinkedFile>)> = on_either!(conn => {
        newest.select((Download::as_select(), Option::<LinkedFile>::as_select())).load(conn)
    })?;
    let newest: Vec<_> = newest.into_iter().rev().filter_map(|(download, file)| Some((download, file?))).collect();
    let total = match newest.len() as i64 {
        // Only a full list can be incomplete.
        MAX_DOWNLOADS => of_order().count().get_result(conn)?,
        total => total,
    };
    Ok(DownloadList { total, newest })
}

/// A download for [`load`].
#[derive(Insertable)]
#[diesel(table_name = downloads, treat_none_as_default_value = false)]
pub struct DownloadRow<'a> {
    pub order_id: OrderId,
    pub document_id: i64,
    pub ip: &'a str,
    pub device: &'static str,
    pub device_type: &'static str,
    pub browser: &'static str,
    pub os: &'static str,
    pub location: &'static str,
    pub automated: bool,
    pub created_at: Timestamp,
}

/// Loads downloads into an empty database.
pub fn load<'a>(tx: &mut Conn, rows: impl Iterator<Item = DownloadRow<'a>>) -> Result<()> {
    add_rows!(tx, downloads::table, rows);
    Ok(())
}
