//! Downloads as rows.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;

use crate::add_rows;
use crate::db::Conn;
use crate::db::schema::downloads;
use crate::documents::store::LinkedFile;
use crate::error::Result;
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
    /// By a mail scanner or a link preview.
    pub automated: bool,
    pub created_at: NaiveDateTime,
}

/// Adds a download of the file.
pub fn add_download(tx: &mut Conn, order_id: i64, document_id: i64, download: &Download) -> Result<()> {
    diesel::insert_into(downloads::table)
        .values((downloads::order_id.eq(order_id), downloads::document_id.eq(document_id), download))
        .execute(tx)?;
    Ok(())
}

/// The downloads of people, the oldest first, each with its file.
pub fn list_downloads(conn: &mut Conn, order_id: i64) -> Result<Vec<(Download, LinkedFile)>> {
    let of_people =
        with_file!(downloads::table).filter(downloads::order_id.eq(order_id)).filter(downloads::automated.eq(false));
    let columns = (Download::as_select(), Option::<LinkedFile>::as_select());
    let rows: Vec<(Download, Option<LinkedFile>)> =
        of_people.order(downloads::download_id).select(columns).load(conn)?;
    Ok(rows.into_iter().filter_map(|(download, file)| Some((download, file?))).collect())
}

/// A download for [`load`].
#[derive(Insertable)]
#[diesel(table_name = downloads, treat_none_as_default_value = false)]
pub struct DownloadRow<'a> {
    pub order_id: i64,
    pub document_id: i64,
    pub ip: &'a str,
    pub device: &'static str,
    pub device_type: &'static str,
    pub browser: &'static str,
    pub os: &'static str,
    pub location: &'static str,
    pub automated: bool,
    pub created_at: NaiveDateTime,
}

/// Loads downloads into an empty database.
pub fn load<'a>(tx: &mut Conn, rows: impl Iterator<Item = DownloadRow<'a>>) -> Result<()> {
    add_rows!(tx, downloads::table, rows);
    Ok(())
}
