//! Downloads as rows.

use chrono::NaiveDate;
use diesel::dsl::exists;
use diesel::prelude::*;

use crate::add_rows;
use crate::db::Conn;
use crate::db::history::{Before, HistoryPart};
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
    /// True if the request came from a mail scanner or link preview, by its user agent or headers.
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

/// Returns true if the file was downloaded. Mail scanners and link previews do not count.
pub fn was_downloaded(conn: &mut Conn, order_id: OrderId, document_id: i64) -> Result<bool> {
    let people = downloads::table
        .filter(downloads::order_id.eq(order_id))
        .filter(downloads::document_id.eq(document_id))
        .filter(downloads::automated.eq(false));
    Ok(diesel::select(exists(people)).get_result(conn)?)
}

/// A download with its id and its file.
#[derive(Clone, Debug)]
pub struct ListedDownload {
    pub download_id: i64,
    pub download: Download,
    pub file: LinkedFile,
}

/// A part of the downloads of an order.
pub fn list_downloads(conn: &mut Conn, order_id: OrderId, before: Before) -> Result<HistoryPart<ListedDownload>> {
    let rows = with_file!(downloads::table).filter(downloads::order_id.eq(order_id));
    let rows = rows.filter(downloads::download_id.lt(before.id));
    let rows = rows.order(downloads::download_id.desc()).limit(before.limit());
    type Row = (i64, Download, Option<LinkedFile>);
    let rows: Vec<Row> = on_either!(conn => {
        let columns = (downloads::download_id, Download::as_select(), Option::<LinkedFile>::as_select());
        rows.select(columns).load(conn)
    })?;
    let part = HistoryPart::of(rows, before.max, || {
        let all =
            downloads::table.filter(downloads::order_id.eq(order_id)).filter(downloads::download_id.lt(before.id));
        Ok(all.count().get_result(conn)?)
    })?;
    Ok(part.filter_map(|(download_id, download, file)| Some(ListedDownload { download_id, download, file: file? })))
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
