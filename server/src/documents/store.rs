//! The rows that name stored files. A row comes after its file, and no file is named twice.

use chrono::NaiveDateTime;
use diesel::prelude::*;

use super::rules::{MediaType, Usage};
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
    pub stored: Stored,
    pub original_name: String,
    pub media_type: MediaType,
    /// The member of staff; none when it came from the applicant.
    pub uploaded_by: Option<i64>,
}

/// Adds the row; answers its id.
pub fn add(tx: &mut Conn, new: &NewDocument, now: NaiveDateTime) -> Result<i64> {
    Ok(diesel::insert_into(documents::table)
        .values((
            documents::order_id.eq(new.order_id.0),
            documents::kind.eq(&new.kind),
            documents::file1.eq(&new.stored.key),
            documents::original_name.eq(&new.original_name),
            documents::media_type.eq(new.media_type),
            documents::size_bytes.eq(new.stored.size_bytes),
            documents::sha256.eq(&new.stored.sha256),
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
    let found = documents::table.filter(documents::file1.eq(key)).select(documents::document_id).first::<i64>(conn);
    Ok(found.optional()?.is_some())
}
