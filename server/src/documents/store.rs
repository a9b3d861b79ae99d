//! The rows that name stored files. A row comes after its file, and no file is named twice.

use std::collections::HashSet;

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::arrivals::Arrived;
use super::rules::{MediaType, Usage};
use crate::chargebacks::packs::store::{self as packs, Pack};
use crate::db::schema::{documents, orders};
use crate::db::{self, Conn};
use crate::error::{Error, Result};
use crate::files::Stored;
use crate::orders::id::OrderId;

/// A file that an order gets.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub order_id: OrderId,
    pub kind: String,
    pub arrived: Arrived,
    /// The member of staff; none when it came from the applicant.
    pub uploaded_by: Option<i64>,
}

/// Adds the row; answers its id.
pub fn add(tx: &mut Conn, new: &NewDocument, now: NaiveDateTime) -> Result<i64> {
    Ok(diesel::insert_into(documents::table)
        .values((
            documents::order_id.eq(new.order_id.0),
            documents::kind.eq(&new.kind),
            documents::file1.eq(&new.arrived.stored.key),
            documents::original_name.eq(&new.arrived.original_name),
            documents::media_type.eq(new.arrived.media_type),
            documents::size_bytes.eq(new.arrived.stored.size_bytes),
            documents::sha256.eq(&new.arrived.stored.sha256),
            documents::uploaded_by.eq(new.uploaded_by),
            documents::created_at.eq(now),
        ))
        .returning(documents::document_id)
        .get_result(tx)?)
}

/// What the files of an order come to. Locks the order, so that two uploads cannot both take the last place.
pub fn usage(tx: &mut Conn, order_id: OrderId) -> Result<Usage> {
    db::lock_orders(tx, &[order_id.0])?;
    find_usage(tx, order_id)
}

/// [`usage`] without the lock, to refuse early.
pub fn find_usage(conn: &mut Conn, order_id: OrderId) -> Result<Usage> {
    let there = orders::table.find(order_id.0).select(orders::order_id).first::<i64>(conn).optional()?;
    there.ok_or_else(|| Error::not_found("There is no such order"))?;
    let sizes: Vec<i64> =
        documents::table.filter(documents::order_id.eq(order_id.0)).select(documents::size_bytes).load(conn)?;
    Ok(Usage { files: i64::try_from(sizes.len()).unwrap_or(i64::MAX), bytes: sizes.iter().sum() })
}

/// Whether a row names the stored file.
pub fn is_named(conn: &mut Conn, key: &str) -> Result<bool> {
    Ok(find(conn, key)?.is_some())
}

/// Those of the stored files that a row names.
pub fn named_among(conn: &mut Conn, keys: &[String]) -> Result<HashSet<String>> {
    let named: Vec<String> =
        documents::table.filter(documents::file1.eq_any(keys)).select(documents::file1).load(conn)?;
    Ok(named.into_iter().chain(packs::named_among(conn, keys)?).collect())
}

/// A stored file, and what it is.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct Named {
    #[diesel(column_name = document_id)]
    pub row_id: i64,
    pub order_id: i64,
    pub kind: String,
    pub original_name: String,
    pub media_type: MediaType,
    #[diesel(embed)]
    pub stored: StoredRow,
}

/// How the table names what is stored.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct StoredRow {
    pub file1: String,
    pub size_bytes: i64,
    pub sha256: String,
}

impl From<StoredRow> for Stored {
    fn from(row: StoredRow) -> Self {
        Self { key: row.file1, size_bytes: row.size_bytes, sha256: row.sha256 }
    }
}

impl From<Pack> for Named {
    fn from(pack: Pack) -> Self {
        Self {
            row_id: pack.pack_id,
            order_id: pack.order_id,
            kind: format!("defence pack {}", pack.pack_type),
            original_name: pack.file_name(),
            media_type: MediaType::Pdf,
            stored: StoredRow { file1: pack.file1, size_bytes: pack.size_bytes, sha256: pack.sha256 },
        }
    }
}

/// The stored file of that key: an order's, or a pack about one.
pub fn find(conn: &mut Conn, key: &str) -> Result<Option<Named>> {
    let found = documents::table.filter(documents::file1.eq(key)).select(Named::as_select()).first(conn).optional()?;
    match found {
        Some(named) => Ok(Some(named)),
        None => Ok(packs::find(conn, key)?.map(Named::from)),
    }
}

/// At most `most` stored files whose rows come after that one.
pub fn list_after(conn: &mut Conn, document_id: i64, most: i64) -> Result<Vec<Named>> {
    let next = documents::table.filter(documents::document_id.gt(document_id)).order(documents::document_id);
    Ok(next.limit(most).select(Named::as_select()).load(conn)?)
}

/// At most `most` packs whose rows come after that one.
pub fn list_packs_after(conn: &mut Conn, pack_id: i64, most: i64) -> Result<Vec<Named>> {
    Ok(packs::list_after(conn, pack_id, most)?.into_iter().map(Named::from).collect())
}

/// How many files there are, packs included.
pub fn count(conn: &mut Conn) -> Result<i64> {
    let files: i64 = documents::table.count().get_result(conn)?;
    Ok(files + packs::count(conn)?)
}

/// How many files the member of staff has added since then.
pub fn count_by(conn: &mut Conn, staff_id: i64, since: NaiveDateTime) -> Result<i64> {
    let own = documents::table.filter(documents::uploaded_by.eq(staff_id)).filter(documents::created_at.gt(since));
    Ok(own.count().get_result(conn)?)
}
